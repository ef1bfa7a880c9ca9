// Variables of the builder, in the words of both ages: beside the other
// attributes, or in `env`.

#include <catch2/catch.hpp>

#include "base/text.h"
#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

const std::string flags = "NIX_CFLAGS_COMPILE";

std::string package(const std::string& more) {
  return "with import <nixpkgs> { };\n\nstdenv.mkDerivation {\n"
         "  name = \"app-1\";\n" +
         more + "}\n";
}

Failure werror(const std::string& drv, const std::string& flag) {
  return failure_of("warning-as-error", {{"flag", {flag}}}, drv,
                    {"allow-warning"});
}

}  // namespace

TEST_CASE("a warning is allowed where the age puts the compiler's flags") {
  for (const auto& age : ages) {
    INFO(age.set);
    Bench bench(package(""), {}, {}, age.set);
    const auto offer = offer_for(werror(bench.drv("app-1"), "unused-variable"),
                                 bench.situation(), {});
    REQUIRE_FALSE(offer.proposals.empty());
    const auto& first = offer.proposals.front();
    CHECK(first.risk == Risk::weakens_checks);
    CHECK(first.weakens == std::vector<std::string>{"-Werror=unused-variable"});
    const auto& after = bench.after(first.edits);
    CHECK_FALSE(first.check(after));
    CHECK(first.check(bench.situation()));
    CHECK(bench.sees(after, "app-1", flags) == "-Wno-error=unused-variable");
    CHECK_THAT(bench.text(after),
               Contains(std::string("  ") + (age.takes_env ? "env." : "") +
                        flags + " = \"-Wno-error=unused-variable\";\n"));
  }
}

TEST_CASE("flags that are there are kept, however they are written") {
  struct Row {
    std::string written, sees;
    bool env;
  };
  const std::string more = " -Wno-error=shadow";
  for (const auto& row : std::vector<Row>{
           {"NIX_CFLAGS_COMPILE = \"-O1\";", "-O1" + more, false},
           {"NIX_CFLAGS_COMPILE = \"\";", "-Wno-error=shadow", false},
           {"NIX_CFLAGS_COMPILE = \"-I${zlib}/x\";", "x" + more, false},
           {"NIX_CFLAGS_COMPILE = ''\n    -O1\n    -g\n  '';", "-g" + more,
            false},
           {"NIX_CFLAGS_COMPILE = [ \"-O1\" \"-g\" ];", "-O1 -g" + more, false},
           {"NIX_CFLAGS_COMPILE = toString [ \"-O1\" ];", "-O1" + more, false},
           {"NIX_CFLAGS_COMPILE = lib.concatStringsSep \" \" [ \"-O1\" ];",
            "-O1" + more, false},
           {"env.NIX_CFLAGS_COMPILE = \"-O1\";", "-O1" + more, true},
           {"env = { NIX_CFLAGS_COMPILE = \"-O1\"; };", "-O1" + more, true},
           {"env = { OTHER = \"1\"; };", "-Wno-error=shadow", true},
           {"env.OTHER = \"1\";", "-Wno-error=shadow", true}}) {
    INFO(row.written);
    for (const auto& age : ages) {
      if (row.env && !age.takes_env)
        continue;
      Bench bench(package("  " + row.written + "\n"), {}, {}, age.set);
      const auto offer = offer_for(werror(bench.drv("app-1"), "shadow"),
                                   bench.situation(), {});
      REQUIRE_FALSE(offer.proposals.empty());
      const auto& after = bench.after(offer.proposals.front().edits);
      INFO(bench.text(after));
      CHECK_FALSE(offer.proposals.front().check(after));
      CHECK_THAT(std::string(trim(bench.sees(after, "app-1", flags))),
                 Catch::Matchers::EndsWith(row.sees));
      if (row.written.find("OTHER") != std::string::npos)
        CHECK(bench.sees(after, "app-1", "OTHER") == "1");
    }
  }
}

TEST_CASE("a reference into the set gets its flags in an override") {
  for (const auto& age : ages) {
    INFO(age.set);
    Bench bench(
        "with import <nixpkgs> { };\nstdenv.mkDerivation { name = "
        "\"app-1\"; buildInputs = [ zlib ]; }\n",
        {}, {}, age.set);
    const std::string name = "zlib-1.2.11";
    const auto offer =
        offer_for(werror(bench.drv(name), ""), bench.situation(), {});
    REQUIRE_FALSE(offer.proposals.empty());
    const auto& after = bench.after(offer.proposals.front().edits);
    INFO(bench.text(after));
    CHECK_FALSE(offer.proposals.front().check(after));
    CHECK(bench.sees(after, name, flags) == " -Wno-error");
  }
}

TEST_CASE("a flag that is passed already is not passed again") {
  Bench bench(package("  NIX_CFLAGS_COMPILE = \"-Wno-error=shadow\";\n"), {},
              {}, "fixtures/nixpkgs");
  const auto offer =
      offer_for(werror(bench.drv("app-1"), "shadow"), bench.situation(), {});
  CHECK(offer.proposals.empty());
  CHECK(offer.why_not.size() == 1);
}

TEST_CASE("what is no warning's name is passed to no compiler") {
  Bench bench(package(""));
  for (const std::string bad :
       {"a b", "a\" INJECTED", "${INJECTED}", "$(touch INJECTED)", "x;y", "-rf",
        "`x`", "a\nb"}) {
    INFO(bad);
    CHECK(offer_for(werror(bench.drv("app-1"), bad), bench.situation(), {})
              .proposals.empty());
  }
}

namespace {

Failure no_version(const std::string& drv, const std::string& tool) {
  return failure_of("python-version-undetected", {{"tool", {tool}}}, drv,
                    {"set-scm-version"});
}

std::string distribution(const std::string& head, const std::string& version,
                         const std::string& tail = "") {
  return "with import <nixpkgs> { };\n\npython3Packages.buildPythonPackage " +
         head + "{\n  pname = \"app\";\n  version = \"" + version +
         "\";\n  format = \"setuptools\";\n  src = ./.;\n}" + tail + "\n";
}

}  // namespace

TEST_CASE("the version is told by the tool's variable, as the draft has it") {
  struct Row {
    std::string head, says;
  };
  for (const auto& age : ages)
    for (const auto& row :
         std::vector<Row>{{"", "\"1.2\""}, {"rec ", "version"}}) {
      for (const auto& [tool, variable] :
           {std::pair{"setuptools-scm", "SETUPTOOLS_SCM_PRETEND_VERSION"},
            std::pair{"pbr", "PBR_VERSION"}}) {
        INFO(age.set << " " << row.head << tool);
        Bench bench(distribution(row.head, "1.2"), {}, {}, age.set);
        const std::string name =
            age.takes_env ? "python3.13-app-1.2" : "python3.7-app-1.2";
        const auto offer =
            offer_for(no_version(bench.drv(name), tool), bench.situation(), {});
        REQUIRE_FALSE(offer.proposals.empty());
        const auto& after = bench.after(offer.proposals.front().edits);
        CHECK(offer.proposals.front().risk == Risk::exact);
        CHECK_FALSE(offer.proposals.front().check(after));
        CHECK(bench.sees(after, name, variable) == "1.2");
        CHECK_THAT(bench.text(after),
                   Contains(std::string("  ") + (age.takes_env ? "env." : "") +
                            variable + " = " + row.says + ";"));
      }
    }
}

TEST_CASE("an override tells the version that was there before it") {
  for (const auto& age : ages) {
    INFO(age.set);
    Bench bench("with import <nixpkgs> { };\n[ python3Packages.jinja2 ]\n", {},
                {}, age.set);
    const std::string name =
        age.takes_env ? "python3.13-Jinja2-2.10" : "python3.7-Jinja2-2.10";
    const auto offer = offer_for(no_version(bench.drv(name), "setuptools_scm"),
                                 bench.situation(), {});
    REQUIRE_FALSE(offer.proposals.empty());
    const auto& after = bench.after(offer.proposals.front().edits);
    INFO(bench.text(after));
    CHECK_FALSE(offer.proposals.front().check(after));
    CHECK(bench.sees(after, name, "SETUPTOOLS_SCM_PRETEND_VERSION") == "2.10");
    CHECK_THAT(bench.text(after), Contains("= old.version;"));
  }
}

TEST_CASE("finalAttrs give the version by their own name") {
  Bench bench(distribution("(finalAttrs: ", "1.2", ")"), {}, {},
              "fixtures/nixpkgs-today");
  const auto offer =
      offer_for(no_version(bench.drv("python3.13-app-1.2"), "setuptools-scm"),
                bench.situation(), {});
  REQUIRE_FALSE(offer.proposals.empty());
  const auto& after = bench.after(offer.proposals.front().edits);
  CHECK_THAT(bench.text(after), Contains("= finalAttrs.version;"));
  CHECK(bench.sees(after, "python3.13-app-1.2",
                   "SETUPTOOLS_SCM_PRETEND_VERSION") == "1.2");
}

TEST_CASE("no version is made up, and none is told to an unknown tool") {
  for (const std::string version : {"unstable-2024-01-01", "a${toString 1}b"}) {
    INFO(version);
    Bench bench(distribution("", version), {}, {}, "fixtures/nixpkgs");
    const auto drv = bench.situation().roots().front();
    CHECK(offer_for(no_version(drv, "setuptools-scm"), bench.situation(), {})
              .proposals.empty());
  }
  Bench bench(distribution("", "1.2"), {}, {}, "fixtures/nixpkgs");
  for (const std::string tool : {"", "a tool", "\"; INJECTED = \""})
    CHECK(offer_for(no_version(bench.drv("python3.7-app-1.2"), tool),
                    bench.situation(), {})
              .proposals.empty());
}
