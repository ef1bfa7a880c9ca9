#include "cli/resolve.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/hash.h"
#include "io/process.h"
#include "python/archives.h"
#include "python/test_server.h"

namespace autopin {
namespace {

using python::make_sdist;
using python::make_wheel;

struct Served : python::ServedWorld {
  Served() {
    add("a", "a-1.0.tar.gz",
        make_sdist("a", "1.0", "setup(tests_require=['t==2'])", "b_c>=1\n"));
    add("b-c", "b_c-1.5-2-py3-none-any.whl", make_wheel("b_c", "1.5", {}));
    add("t", "t-2.zip",
        python::make_zip({{"t-2/PKG-INFO", "Name: t\nVersion: 2\n"},
                          {"t-2/setup.py", "setup()"}}));
    command.index_url = "http://index.test/simple";
    command.python = "3.6";
  }
  void add(const std::string& project, const std::string& file,
           const std::string& bytes) {
    server.pages["http://index.test/simple/" + project + "/f/" + file] = {
        bytes, "", 200};
    server.pages["http://index.test/simple/" + project + '/'].body +=
        "<a href=\"f/" + file + "\">" + file + "</a>";
    hashes[file] = to_nix_base32(sha256(bytes));
  }
  std::string run(ResolutionFormat format, int expected = 0) {
    command.format = format;
    std::ostringstream out;
    CHECK(run_resolve(command, world, out) == expected);
    return out.str();
  }
  ResolveCommand command;
  std::map<std::string, std::string> hashes;
};

TEST_CASE("resolve shows pins as text") {
  Served served;
  served.command.requirements = {"a"};
  const std::string text = served.run(ResolutionFormat::text);
  CHECK_THAT(text, Catch::Contains("b-c 1.5\n"));
  CHECK_THAT(text, Catch::Contains("  because the command line: a\n"));
  CHECK_THAT(text, Catch::Contains("t 2 (for the tests of a)\n"));
  CHECK_THAT(text, Catch::Contains(served.hashes["a-1.0.tar.gz"]));
}

TEST_CASE("resolve as JSON") {
  Served served;
  served.command.requirements = {"a"};
  const auto json = nlohmann::json::parse(served.run(ResolutionFormat::json));
  CHECK(json["outcome"] == "resolved");
  CHECK(json["pins"].size() == 3);
  CHECK(json["pins"][0]["name"] == "b-c");
  CHECK(json["pins"][0]["file"]["base32"] ==
        served.hashes["b_c-1.5-2-py3-none-any.whl"]);
  served.command.requirements = {"a>2"};
  const auto none =
      nlohmann::json::parse(served.run(ResolutionFormat::json, 3));
  CHECK(none["outcome"] == "no-solution");
}

TEST_CASE("resolve as Nix names each file so that it is fetched") {
  Served served;
  served.command.requirements = {"a"};
  CHECK(served.run(ResolutionFormat::nix) ==
        "self: super: {\n"
        "  # a 1.0: b_c>=1\n"
        "  b-c = super.buildPythonPackage rec {\n"
        "    pname = \"b_c\";\n"
        "    version = \"1.5\";\n"
        "    format = \"wheel\";\n"
        "    src = builtins.fetchurl {\n"
        "      url = "
        "\"http://index.test/simple/b-c/f/b_c-1.5-2-py3-none-any.whl\";\n"
        "      sha256 = \"" +
            served.hashes["b_c-1.5-2-py3-none-any.whl"] +
            "\";\n"
            "    };\n"
            "  };\n"
            "  # the command line: a\n"
            "  a = super.buildPythonPackage rec {\n"
            "    pname = \"a\";\n"
            "    version = \"1.0\";\n"
            "    src = super.fetchPypi {\n"
            "      inherit pname version;\n"
            "      sha256 = \"" +
            served.hashes["a-1.0.tar.gz"] +
            "\";\n"
            "    };\n"
            "    propagatedBuildInputs = [ self.b-c ];\n"
            "    checkInputs = [ self.t_2 ];\n"
            "  };\n"
            "  # a 1.0 (setup.py): t==2 (for the tests of a)\n"
            "  t_2 = super.buildPythonPackage rec {\n"
            "    pname = \"t\";\n"
            "    version = \"2\";\n"
            "    src = super.fetchPypi {\n"
            "      inherit pname version;\n"
            "      extension = \"zip\";\n"
            "      sha256 = \"" +
            served.hashes["t-2.zip"] +
            "\";\n"
            "    };\n"
            "  };\n"
            "}\n");
}

TEST_CASE("what is no requirement or target is refused") {
  Served served;
  served.command.requirements = {"a b"};
  std::ostringstream out;
  CHECK_THROWS_AS(run_resolve(served.command, served.world, out), Error);
  served.command.requirements = {"a"};
  served.command.platform = "windows";
  CHECK_THROWS_AS(run_resolve(served.command, served.world, out), Error);
}

}  // namespace
}  // namespace autopin
