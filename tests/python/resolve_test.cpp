#include "python/resolve.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "base/hash.h"
#include "python/archives.h"
#include "python/name.h"
#include "python/test_server.h"

namespace autopin::python {
namespace {

const std::string index_url = "http://index.test/simple/";

/// An index that is made file by file.
struct Fixture : ServedWorld {
  void add(const std::string& project, const std::string& filename,
           const std::string& bytes, const std::string& attributes = "") {
    const std::string file_url = "http://index.test/files/" + filename;
    server.pages[file_url] = {bytes, "application/octet-stream", 200};
    auto& page = server.pages[index_url + normalize_name(project) + '/'];
    // Relative, as indexes write them.
    page.body += "<a href=\"../../files/" + filename +
                 "#sha256=" + to_hex(sha256(bytes)) + "\"" + attributes + ">" +
                 filename + "</a>\n";
  }
  void wheel(const std::string& name, const std::string& version,
             const std::vector<std::string>& needs = {},
             const std::string& tags = "py3-none-any",
             const std::string& attributes = "") {
    add(name, name + '-' + version + '-' + tags + ".whl",
        make_wheel(name, version, needs), attributes);
  }
  void sdist(const std::string& name, const std::string& version,
             const std::string& setup_py = "setup()",
             const std::string& requires_txt = "") {
    add(name, name + '-' + version + ".tar.gz",
        make_sdist(name, version, setup_py, requires_txt));
  }
  std::variant<Resolution, NoSolution> run(
      const std::vector<std::string>& roots, PackageSet& set) {
    const auto index = make_index(world, {{index_url}, {}});
    std::vector<Demand> demands;
    for (const std::string& root : roots)
      demands.push_back({*Requirement::parse(root), "the draft"});
    return resolve(demands, set, *index, target, options);
  }
  std::variant<Resolution, NoSolution> run(
      const std::vector<std::string>& roots) {
    EmptyPackageSet none;
    return run(roots, none);
  }
  Target target = *Target::from_words("3.6", "x86_64-linux");
  ResolveOptions options;
};

struct TableSet : PackageSet {
  std::vector<SetPackage> candidates(const std::string& name) override {
    const auto found = packages.find(name);
    return found == packages.end() ? std::vector<SetPackage>{} : found->second;
  }
  std::vector<Demand> demands_on(const std::string& name) override {
    const auto found = demands.find(name);
    return found == demands.end() ? std::vector<Demand>{} : found->second;
  }
  void has(const std::string& attribute, const std::string& name,
           const std::string& version) {
    packages[normalize_name(name)].push_back(
        {attribute, name, *Version::parse(version), std::nullopt});
  }
  std::map<std::string, std::vector<SetPackage>> packages;
  std::map<std::string, std::vector<Demand>> demands;
};

/// "name version[ attribute][ (kind of X)]" of each pin, in order.
std::vector<std::string> pins_of(
    const std::variant<Resolution, NoSolution>& result) {
  if (const auto* none = std::get_if<NoSolution>(&result))
    return {none->why};
  std::vector<std::string> out;
  for (const Pin& pin : std::get<Resolution>(result).pins) {
    std::string text = pin.name + ' ' + pin.version.text();
    if (!pin.from_attribute.empty())
      text += ' ' + pin.from_attribute;
    if (!pin.for_build_of.empty())
      text += " (" + std::string(to_string(pin.kind)) + " of " +
              pin.for_build_of + ')';
    out.push_back(text);
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST_CASE("the article's pins follow from the first one") {
  Fixture f;
  f.wheel("tensorflow_tensorboard", "1.5.0", {}, "py3-none-any");
  f.wheel("tensorflow_tensorboard", "1.5.1",
          {"bleach (==1.5.0)", "html5lib (==0.9999999)", "six (>=1.10.0)",
           "futures (>=3.1.1) ; python_version < \"3\""});
  f.wheel("tensorflow_tensorboard", "1.6.0");
  f.sdist("bleach", "1.5.0",
          "tests_require = ['pytest==3.0.3']\n"
          "setup(install_requires=['six'], tests_require=tests_require)\n",
          "six\nhtml5lib>=0.999,!=0.9999,!=0.99999,<0.99999999\n");
  f.wheel("bleach", "1.5.0",
          {"six", "html5lib (!=0.9999,!=0.99999,<0.99999999,>=0.999)"},
          "py2.py3-none-any");
  f.sdist("bleach", "2.0.0");
  f.sdist("html5lib", "0.9999999", "setup(install_requires=['six'])");
  f.sdist("html5lib", "0.999999999");
  f.sdist("pytest", "3.0.3", "setup(setup_requires=['setuptools-scm'])",
          "py>=1.4.29\nsetuptools\n");
  f.sdist("pytest", "3.2.3");

  TableSet set;
  set.has("tensorflow-tensorboard", "tensorflow-tensorboard", "1.13.1");
  set.has("six", "six", "1.12.0");
  set.has("bleach", "bleach", "3.1.0");
  set.has("html5lib", "html5lib", "1.0.1");
  set.has("pytest", "pytest", "4.2.1");
  set.has("pytest_3", "pytest", "3.10.1");
  set.has("py", "py", "1.8.0");
  set.has("setuptools", "setuptools", "40.8.0");
  set.has("setuptools_scm", "setuptools-scm", "3.2.0");
  const auto result = f.run({"tensorflow-tensorboard>=1.5.0,<1.6.0"}, set);
  CHECK(pins_of(result) == Texts{"html5lib 0.9999999", "bleach 1.5.0",
                                 "tensorflow-tensorboard 1.5.1",
                                 "pytest 3.0.3 (tests of bleach)"});
  const auto& resolution = std::get<Resolution>(result);
  const Pin& tensorboard = resolution.pins[2];
  CHECK(tensorboard.spelling == "tensorflow_tensorboard");
  CHECK(tensorboard.file->kind == IndexFile::Kind::wheel);
  CHECK(tensorboard.file->filename ==
        "tensorflow_tensorboard-1.5.1-py3-none-any.whl");
  const Pin& bleach = resolution.pins[1];
  CHECK(bleach.file->filename == "bleach-1.5.0.tar.gz");
  CHECK(bleach.file->sha256 == to_hex(sha256(bleach.bytes.value())));
  CHECK(bleach.asked_by ==
        Texts{"tensorflow-tensorboard 1.5.1: bleach==1.5.0"});
  CHECK(resolution.kept.front().name == "six");
  CHECK(resolution.notes.empty());
}

TEST_CASE(
    "the set's version is kept where it satisfies, then another "
    "attribute, and no index is asked") {
  Fixture f;
  TableSet set;
  set.has("click", "click", "6.7");
  set.has("click_5", "click", "5.1");
  CHECK(pins_of(f.run({"click>=5"}, set)).empty());
  CHECK(pins_of(f.run({"click<6"}, set)) == Texts{"click 5.1 click_5"});
  CHECK(f.server.asked.empty());
  f.wheel("click", "7.0");
  CHECK(pins_of(f.run({"click>=7"}, set)) == Texts{"click 7.0"});
}

TEST_CASE("a diamond and a conflict: the search goes back as far as it must") {
  Fixture f;
  f.wheel("top", "1", {"left", "right"});
  f.wheel("left", "2", {"shared>=2"});
  f.wheel("left", "1", {"shared"});
  f.wheel("right", "1", {"shared<2"});
  f.wheel("shared", "2");
  f.wheel("shared", "1");
  CHECK(pins_of(f.run({"top"})) ==
        Texts{"shared 1", "left 1", "right 1", "top 1"});
}

TEST_CASE("what cannot be is said in words") {
  Fixture f;
  f.wheel("a", "1", {"c<2"});
  f.wheel("b", "1", {"c>=2"});
  f.wheel("c", "1");
  f.wheel("c", "2");
  const auto result = f.run({"a", "b"});
  REQUIRE(std::holds_alternative<NoSolution>(result));
  const NoSolution& none = std::get<NoSolution>(result);
  CHECK_THAT(none.why, Catch::Contains("a 1 needs c<2"));
  CHECK_THAT(none.why, Catch::Contains("b 1 needs c>=2"));
  CHECK(none.names == std::set<std::string>{"a", "b", "c"});
  CHECK_THAT(pins_of(f.run({"c>5"})).front(),
             Catch::Contains("the draft needs c>5, and the index has 2, 1"));
  CHECK_THAT(pins_of(f.run({"nowhere"})).front(),
             Catch::Contains("no index knows it"));
}

TEST_CASE("pages and metadata are expected before they are asked one by one") {
  Fixture f;
  f.wheel("a", "1", {"b", "c", "d; python_version < '3'"});
  f.wheel("b", "1", {"e"});
  f.wheel("c", "1", {"b", "e"});
  f.wheel("e", "1");
  CHECK(pins_of(f.run({"a"})).size() == 4);
  const auto at = [&](const std::string& name) {
    return std::find(f.server.expected.begin(), f.server.expected.end(),
                     index_url + name + '/');
  };
  const auto none = f.server.expected.end();
  REQUIRE(at("b") != none);
  CHECK(at("c") == at("b") + 1);
  CHECK(at("e") != none);
  CHECK(at("d") == none);
  // Each page once, and in the order of what asks for it.
  std::vector<std::string> pages;
  for (const HttpRequest& request : f.server.asked)
    if (request.url.find("/simple/") != std::string::npos)
      pages.push_back(request.url.substr(index_url.size()));
  CHECK(pages == std::vector<std::string>{"a/", "b/", "c/", "e/"});
}

TEST_CASE("extras, markers and yanked files") {
  Fixture f;
  f.wheel("a", "1",
          {"b; extra == 'fast'", "c; python_version < '3'",
           "d; extra == 'other'", "e"});
  for (const char* name : {"b", "c", "d", "e"})
    f.wheel(name, "1");
  CHECK(pins_of(f.run({"a[Fast]"})) == Texts{"b 1", "e 1", "a 1"});
  f.wheel("e", "2", {}, "py3-none-any", " data-yanked=\"broken\"");
  CHECK(pins_of(f.run({"e"})) == Texts{"e 1"});
  CHECK(pins_of(f.run({"e==2"})) == Texts{"e 2"});
  CHECK(std::holds_alternative<NoSolution>(f.run({"e>1"})));
}

TEST_CASE("pre-releases only where named or where there is nothing else") {
  Fixture f;
  f.wheel("a", "1.0");
  f.wheel("a", "2.0rc1");
  f.wheel("b", "0.1a1");
  CHECK(pins_of(f.run({"a"})) == Texts{"a 1.0"});
  CHECK(pins_of(f.run({"a>=2.0rc1"})) == Texts{"a 2.0rc1"});
  CHECK(pins_of(f.run({"b"})) == Texts{"b 0.1a1"});
}

TEST_CASE("files that are not for the interpreter are passed over, and said") {
  Fixture f;
  f.wheel("a", "2", {}, "py3-none-any", " data-requires-python=\"&gt;=3.8\"");
  f.wheel("a", "1");
  CHECK(pins_of(f.run({"a"})) == Texts{"a 1"});
  f.wheel("b", "1", {}, "cp27-cp27mu-manylinux1_x86_64");
  CHECK_THAT(pins_of(f.run({"b"})).front(),
             Catch::Contains("the wheels of 1 are for cp27"));
  f.wheel("c", "1", {}, "cp36-cp36m-manylinux1_x86_64");
  f.wheel("c", "1", {}, "py3-none-any");
  f.sdist("d", "1");
  f.wheel("d", "1");
  const auto result = f.run({"c", "d"});
  const auto& pins = std::get<Resolution>(result).pins;
  CHECK(pins[0].file->filename == "c-1-cp36-cp36m-manylinux1_x86_64.whl");
  CHECK(pins[1].file->filename == "d-1.tar.gz");
  f.options.prefer_wheel = {"d"};
  CHECK(std::get<Resolution>(f.run({"d"})).pins[0].file->filename ==
        "d-1-py3-none-any.whl");
}

TEST_CASE("the newest interpreter that a file fits is offered") {
  Fixture f;
  f.wheel("a", "2", {}, "cp37-cp37m-manylinux1_x86_64");
  f.wheel("a", "1", {}, "cp35-cp35m-manylinux1_x86_64");
  f.wheel("a", "1", {}, "cp34-cp34m-manylinux1_x86_64");
  const auto result = f.run({"a<2"});
  const NoSolution& none = std::get<NoSolution>(result);
  CHECK(none.fitting_python == "3.5");
  CHECK(none.why ==
        "the draft needs a<2, and for Python 3.6 there is no file of it: the "
        "wheels of 1 are for cp34, cp35\nThis cannot be had.\nThe newest "
        "Python that a file of a<2 is for is 3.5.");
  f.options.pythons = {"2.7.14", "3.4.7", "3.6.3"};
  CHECK_THAT(pins_of(f.run({"a<2"})).front(),
             Catch::Contains("The newest Python of the package set that a file "
                             "of a<2 is for is 3.4.7."));
  f.options.pythons = {"2.7.14"};
  CHECK_THAT(pins_of(f.run({"a<2"})).front(),
             Catch::Contains("There is no Python of the package set"));
  // Another interpreter would not help here.
  CHECK(std::get<NoSolution>(f.run({"a>2"})).fitting_python.empty());
}

TEST_CASE("of many versions that say nearly the same, few are shown") {
  Fixture f;
  for (int i = 1; i <= 9; ++i) {
    const std::string n = std::to_string(i);
    f.wheel("a", n, {"b==" + n});
    f.wheel("b", n);
  }
  f.wheel("b", "10");
  CHECK(pins_of(f.run({"a", "b==10"})).front() ==
        "the draft needs b==10\nthe draft needs a\na 1 needs b==1\n7 more "
        "versions of a need others of b, which do not fit either\na 9 needs "
        "b==9\nThese cannot hold together.");
}

TEST_CASE("consumers that stay are pleased too") {
  Fixture f;
  f.wheel("shared", "3");
  f.wheel("shared", "2");
  TableSet set;
  set.has("shared", "shared", "1");
  set.demands["shared"] = {{*Requirement::parse("shared<3"), "pandas 0.24"}};
  CHECK(pins_of(f.run({"shared>1"}, set)) == Texts{"shared 2"});
  CHECK_THAT(pins_of(f.run({"shared>2"}, set)).front(),
             Catch::Contains("pandas 0.24 needs shared<3"));
}

TEST_CASE("without looking ahead only what was asked is decided") {
  Fixture f;
  f.wheel("top", "1.0", {"leaf<2"});
  f.wheel("leaf", "1.0");
  CHECK(pins_of(f.run({"top"})) == Texts{"leaf 1.0", "top 1.0"});
  f.options.look_ahead = false;
  CHECK(pins_of(f.run({"top"})) == Texts{"top 1.0"});
}

TEST_CASE("a test requirement that nothing satisfies is a note, not a wall") {
  Fixture f;
  f.sdist("a", "1", "setup(tests_require=['gone==1', 'there'])");
  f.wheel("there", "1");
  const auto result = f.run({"a"});
  CHECK(pins_of(result) == Texts{"a 1", "there 1 (tests of a)"});
  REQUIRE(std::get<Resolution>(result).notes.size() == 1);
  CHECK_THAT(std::get<Resolution>(result).notes[0],
             Catch::Contains("for the tests of a: a 1 (setup.py) needs gone"));
}

}  // namespace
}  // namespace autopin::python
