#include "python/fetchpypi.h"

#include <catch2/catch.hpp>

#include "python/index_page.h"

namespace autopin::python {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

std::optional<Arguments> arguments(const std::string& project,
                                   const std::string& filename,
                                   bool has_dist = true) {
  IndexFile file;
  file.filename = filename;
  REQUIRE(Classifier(project).classify(file));
  const auto found = to_fetch_pypi(file, has_dist);
  return found ? std::optional(found->arguments) : std::nullopt;
}

TEST_CASE("fetchPypi gets what rebuilds the file's name") {
  CHECK(arguments("bleach", "bleach-1.5.0.tar.gz") ==
        Arguments{{"pname", "bleach"}, {"version", "1.5.0"}});
  CHECK(arguments("zope-interface", "zope.interface-4.1.zip") ==
        Arguments{{"pname", "zope.interface"},
                  {"version", "4.1"},
                  {"extension", "zip"}});
  CHECK(arguments("tensorflow-tensorboard",
                  "tensorflow_tensorboard-1.5.1-py3-none-any.whl") ==
        Arguments{{"pname", "tensorflow_tensorboard"},
                  {"version", "1.5.1"},
                  {"format", "wheel"},
                  {"dist", "py3"},
                  {"python", "py3"}});
  CHECK(arguments("tensorflow-tensorboard",
                  "tensorflow_tensorboard-1.5.1-py3-none-any.whl",
                  false) == Arguments{{"pname", "tensorflow_tensorboard"},
                                      {"version", "1.5.1"},
                                      {"format", "wheel"},
                                      {"python", "py3"}});
  CHECK(
      arguments("six", "six-1.10.0-py2.py3-none-any.whl") ==
      Arguments{{"pname", "six"}, {"version", "1.10.0"}, {"format", "wheel"}});
  CHECK(arguments("a", "a-1-cp36-cp36m-manylinux1_x86_64.whl") ==
        Arguments{{"pname", "a"},
                  {"version", "1"},
                  {"format", "wheel"},
                  {"dist", "cp36"},
                  {"python", "cp36"},
                  {"abi", "cp36m"},
                  {"platform", "manylinux1_x86_64"}});
}

TEST_CASE("what fetchPypi cannot express") {
  CHECK_FALSE(arguments("a", "a-1-2-py3-none-any.whl"));
  CHECK_FALSE(arguments("a", "a-1.tgz"));
}

TEST_CASE("a dash in a version stays in the version") {
  CHECK(arguments("a", "a-1-2.tar.gz") ==
        Arguments{{"pname", "a"}, {"version", "1-2"}});
}

}  // namespace
}  // namespace autopin::python
