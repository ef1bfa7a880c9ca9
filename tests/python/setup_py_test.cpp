#include "python/setup_py.h"

#include <catch2/catch.hpp>

namespace autopin::python {
namespace {

using List = DeclaredRequirements::List;

TEST_CASE("lists bound to names are found in the call of setup") {
  const auto found = read_setup_py(R"(#!/usr/bin/env python
import re, sys
from setuptools import setup, find_packages

tests_require = [
    'pytest==3.0.3',
]

install_requires = [
    'six',
    # >= 8 9s because of breaking API change
    'html5lib>=0.999,!=0.9999,!=0.99999,<0.99999999',
]

class PyTest(TestCommand):
    def finalize_options(self):
        self.test_args = []

setup(
    name='bleach',
    version=get_version(),
    install_requires=install_requires,
    tests_require=tests_require,
    cmdclass={'test': PyTest},
    packages=find_packages(exclude=['tests']),
)
)");
  CHECK(found.install_requires ==
        List{"six", "html5lib>=0.999,!=0.9999,!=0.99999,<0.99999999"});
  CHECK(found.tests_require == List{"pytest==3.0.3"});
  CHECK_FALSE(found.setup_requires);
  CHECK(found.opaque.empty());
}

TEST_CASE("literals are put together") {
  const auto found = read_setup_py(
      "base = ['a', 'b' '>=1']\n"
      "more = ('c',) \n"
      "extras = {'x': ['p'], ':python_version<\"3\"': ['q']}\n"
      "extras['y'] = 'one two'.split()\n"
      "extras.update(z=['r'])\n"
      "base += ['d']\n"
      "base.append('e')\n"
      "base.extend(['f'])\n"
      "setuptools.setup(install_requires=base + ['g'], setup_requires=more,\n"
      "  extras_require=extras, tests_require='''\n  h\n  i\n''',\n"
      "  python_requires='>=3.6')\n");
  CHECK(found.install_requires == List{"a", "b>=1", "d", "e", "f", "g"});
  CHECK(found.setup_requires == List{"c"});
  CHECK(found.tests_require == List{"h", "i"});
  CHECK(found.extras_require ==
        std::map<std::string, List>{{"x", {"p"}},
                                    {":python_version<\"3\"", {"q"}},
                                    {"y", {"one", "two"}},
                                    {"z", {"r"}}});
  CHECK(found.python_requires == ">=3.6");
  CHECK(found.opaque.empty());
}

TEST_CASE("what is computed is called opaque, and its literal part kept") {
  const auto found = read_setup_py(
      "reqs = ['a']\n"
      "if sys.version_info < (2, 7):\n"
      "    reqs.append('ordereddict')\n"
      "tests = read('tests.txt').splitlines()\n"
      "def helper():\n"
      "    reqs = []\n"
      "setup(install_requires=reqs, tests_require=tests,\n"
      "      setup_requires=['b'] if needs_b else [],\n"
      "      extras_require=dict(x=['c', f'{d}==1']))\n");
  CHECK(found.install_requires == List{"a"});
  CHECK_FALSE(found.tests_require);
  CHECK_FALSE(found.setup_requires);
  REQUIRE(found.extras_require);
  CHECK(found.extras_require->at("x") == List{"c"});
  CHECK(found.opaque == List{"install_requires", "setup_requires",
                             "tests_require", "extras_require"});
}

TEST_CASE("setup in a function, with a mapping and with a main guard") {
  const auto found = read_setup_py(
      "def setup_package():\n"
      "    metadata = dict(name='x', install_requires=['numpy>=1.13'])\n"
      "    metadata['tests_require'] = ['nose']\n"
      "    setup(**metadata)\n"
      "if __name__ == '__main__':\n"
      "    setup_package()\n");
  CHECK(found.install_requires == List{"numpy>=1.13"});
  CHECK(found.tests_require == List{"nose"});
  CHECK(found.opaque.empty());
}

TEST_CASE("a setup.py that says nothing readable is opaque as a whole") {
  CHECK(read_setup_py("import x; x.run()").opaque == List{"setup"});
  CHECK(read_setup_py("setup(**load())").opaque == List{"setup"});
  CHECK(read_setup_py("setup(name='a', install_requires=['b'").opaque ==
        List{"install_requires", "setup"});
}

TEST_CASE("setup.cfg and pyproject.toml") {
  const auto cfg = read_setup_cfg(
      "[metadata]\nname = x\n[options]\ninstall_requires =\n  a>=1\n"
      "  # note\n  b; python_version < '3'\nsetup-requires = c; d\n"
      "tests_require = file: t.txt\n[options.extras_require]\nx =\n  e\n");
  CHECK(cfg.install_requires == List{"a>=1", "b; python_version < '3'"});
  CHECK(cfg.setup_requires == List{"c", "d"});
  CHECK(cfg.extras_require->at("x") == List{"e"});
  CHECK(cfg.opaque == List{"tests_require"});

  const auto toml = read_pyproject(
      "[build-system]\nrequires = [\"setuptools >= 40\", 'wheel', # why\n]\n"
      "[project]\nname = \"x\"\ndynamic = [\"dependencies\"]\n"
      "requires-python = '>=3.8'\n"
      "[project.optional-dependencies]\ntest = [\"pytest\"]\n"
      "[tool.x]\nrequires = [\"no\"]\n");
  CHECK(toml.build_requires == List{"setuptools >= 40", "wheel"});
  CHECK(toml.extras_require->at("test") == List{"pytest"});
  CHECK(toml.python_requires == ">=3.8");
  CHECK(toml.opaque == List{"install_requires"});
}

TEST_CASE("an unterminated value at the end of a file is no accident") {
  for (const char* text : {"a = \"\\", "a = '", "a = [\"", "[a", "a = {b"})
    CHECK_FALSE(read_pyproject(text).install_requires);
  CHECK_FALSE(read_setup_py("a = '\\").install_requires);
}

TEST_CASE("a list that doubles line by line is given up, not unfolded") {
  std::string source = "a = ['x']\n";
  for (int i = 0; i < 60; ++i)
    source += i % 2 == 0 ? "a = a + a\n" : "a = [a, a]\n";
  CHECK_FALSE(
      read_setup_py(source + "setup(install_requires=a)").opaque.empty());
}

TEST_CASE("requirements files") {
  CHECK(read_requirements_txt("# c\n-r other.txt\na==1 # why\n"
                              "b>=2 --hash=sha256:00\n\n-e .\n") ==
        List{"a==1", "b>=2"});
}

}  // namespace
}  // namespace autopin::python
