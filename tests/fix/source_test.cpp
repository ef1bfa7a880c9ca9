// Fixes of how a source is unpacked, patched and installed, in both ages.

#include <catch2/catch.hpp>

#include "base/patch.h"
#include "fix/fix_fixture.h"

using namespace autopin;
using namespace autopin::fix;
using Catch::Matchers::Contains;

namespace {

std::string package(const std::string& more,
                    const std::string& set = "import <nixpkgs> { }") {
  return "with " + set + ";\n\nstdenv.mkDerivation {\n  name = \"app-1\";\n" +
         more + "}\n";
}

const std::string with_unpackers = R"(import <nixpkgs> {
  overlays = [
    (self: super: {
      unzip = super.stdenv.mkDerivation { name = "unzip-6"; setupHook = ./hook.sh; };
      dpkg = super.stdenv.mkDerivation { name = "dpkg-1"; };
    })
  ];
})";

Offer offer_of(Bench& bench, const std::string& kind, Params params,
               const std::string& fix) {
  return offer_for(
      failure_of(kind, std::move(params), bench.drv("app-1"), {fix}),
      bench.situation(), {});
}

}  // namespace

TEST_CASE(
    "what unpacks the archive joins the inputs, with a command or a hook") {
  struct Row {
    std::string file, input, command;
  };
  for (const auto& age : ages)
    for (const auto& row : std::vector<Row>{
             {"/nix/store/x-a.zip", "unzip-6", "(absent)"},
             {"/nix/store/x-A.ZIP", "unzip-6", "(absent)"},
             {"a-1.0.deb", "dpkg-1", "dpkg-deb -x $curSrc source"}}) {
      INFO(age.set << " " << row.file);
      Bench bench(package("  src = ./a;\n", with_unpackers),
                  {{"hook.sh", ""}, {"a", ""}}, {}, age.set);
      const auto offer = offer_of(bench, "unpack-failed",
                                  {{"file", {row.file}}}, "add-unpacker");
      REQUIRE_FALSE(offer.proposals.empty());
      CHECK(offer.proposals.front().risk == Risk::exact);
      const auto& after = bench.after(offer.proposals.front().edits);
      CHECK_FALSE(offer.proposals.front().check(after));
      CHECK(bench.has_input(after, "app-1", row.input));
      CHECK(bench.sees(after, "app-1", "unpackCmd") == row.command);
    }
}

TEST_CASE("no unpacker is made up") {
  Bench bench(package("  src = ./a;\n", with_unpackers),
              {{"hook.sh", ""}, {"a", ""}}, {}, "fixtures/nixpkgs");
  for (const std::string file :
       {"", "a", "a.", "a.7z", "a.${INJECTED}", "a.zip; touch INJECTED",
        "a.zip\n.x", "a.\"; INJECTED"}) {
    INFO(file);
    const auto offer =
        offer_of(bench, "unpack-failed", {{"file", {file}}}, "add-unpacker");
    CHECK(offer.proposals.empty());
    CHECK(offer.why_not.size() == 1);
  }
}

TEST_CASE("the prefix is the output, in a list or in a string of flags") {
  struct Row {
    std::string written, sees;
  };
  for (const auto& age : ages)
    for (const auto& row :
         std::vector<Row>{{"", "PREFIX=$(out)"},
                          {"  makeFlags = [ \"V=1\" ];\n", "V=1 PREFIX=$(out)"},
                          {"  makeFlags = \"V=1\";\n", "V=1 PREFIX=$(out)"},
                          {"  makeFlags = [ \"PREFIX=/usr\" ];\n",
                           "PREFIX=/usr prefix=$(out)"}}) {
      INFO(age.set << row.written);
      Bench bench(package(row.written), {}, {}, age.set);
      const auto offer = offer_of(bench, "install-path-forbidden",
                                  {{"path", {"/usr/local/bin"}}}, "set-prefix");
      REQUIRE_FALSE(offer.proposals.empty());
      const auto& after = bench.after(offer.proposals.front().edits);
      INFO(bench.text(after));
      CHECK_FALSE(offer.proposals.front().check(after));
      CHECK(bench.sees(after, "app-1", "makeFlags") == row.sees);
    }
}

TEST_CASE("no prefix is set for a path that none leads to") {
  Bench bench(package(""));
  for (const std::string path : {"/etc/x", "/var", "", "/usrx", "usr"}) {
    INFO(path);
    CHECK(offer_of(bench, "install-path-forbidden", {{"path", {path}}},
                   "set-prefix")
              .proposals.empty());
  }
}

TEST_CASE("a library is ignored by name, a driver's at no cost") {
  for (const auto& age : ages)
    for (const auto& [library, risk] :
         {std::pair{"libcuda.so.1", Risk::exact},
          std::pair{"libfoo-2.so.3", Risk::relaxes}}) {
      INFO(age.set << " " << library);
      Bench bench(package("  autoPatchelfIgnoreMissingDeps = [ \"a.so\" ];\n"),
                  {}, {}, age.set);
      const auto offer =
          offer_of(bench, "shared-library-missing", {{"libraries", {library}}},
                   "ignore-missing-library");
      REQUIRE_FALSE(offer.proposals.empty());
      CHECK(offer.proposals.front().risk == risk);
      const auto& after = bench.after(offer.proposals.front().edits);
      CHECK_FALSE(offer.proposals.front().check(after));
      CHECK(bench.sees(after, "app-1", "autoPatchelfIgnoreMissingDeps") ==
            std::string("a.so ") + library);
    }
}

TEST_CASE("only a library's name is written among those to be ignored") {
  Bench bench(package(""));
  for (const std::string bad :
       {"*", "libfoo", "lib${INJECTED}.so", "lib.so; x", "$(x).so", "../lib.so",
        "lib.so.1\nx", "lib*.so"}) {
    INFO(bad);
    CHECK(offer_of(bench, "shared-library-missing", {{"libraries", {bad}}},
                   "ignore-missing-library")
              .proposals.empty());
  }
}

namespace {

const std::string upstream =
    "--- a/src/x.c\n+++ b/src/x.c\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n "
    "three\n";
const std::string made =
    "--- /dev/null\n+++ b/new.c\n@@ -0,0 +1,2 @@\n+a\n+b\n";

/// A package with one or two patches, and its source as a folder.
std::string patched(const std::string& patches) {
  return package("  src = ./src;\n  patches = " + patches + ";\n");
}

/// Evaluation copies local files into the store: they are there to be read.
Offer patch_offer(Bench& bench, std::size_t which = 0) {
  const auto paths =
      bench.store().derivation(bench.drv("app-1")).list_attribute("patches");
  REQUIRE(paths.size() > which);
  return offer_of(bench, "patch-failed",
                  {{"patch", {paths[which]}}, {"files", {"src/x.c"}}},
                  "drop-patch");
}

}  // namespace

TEST_CASE("a patch that the source has already is left out") {
  struct Row {
    std::string patches, after;
  };
  for (const auto& age : ages)
    for (const auto& row : std::vector<Row>{
             {"[ ./a.patch ]", "[ ]"},
             {"[ ./b.patch ./a.patch ]", "[ ./b.patch ]"},
             {"[\n    ./a.patch\n    ./b.patch\n  ]", "[\n    ./b.patch\n  ]"},
             {"lib.optional true ./a.patch",
              "builtins.filter (patch: (patch.name or (baseNameOf patch)) != "
              "\"a.patch\") (lib.optional true ./a.patch)"}}) {
      INFO(age.set << " " << row.patches);
      Bench bench(patched(row.patches),
                  {{"src/src/x.c", "one\nzwei\nthree\n"},
                   {"a.patch", upstream},
                   {"b.patch", upstream}},
                  {}, age.set);
      const bool second = row.patches.find("b.patch ./a") != std::string::npos;
      const auto offer = patch_offer(bench, second ? 1 : 0);
      REQUIRE(offer.proposals.size() == 1);
      CHECK(offer.proposals.front().risk == Risk::exact);
      const auto& after = bench.after(offer.proposals.front().edits);
      CHECK_FALSE(offer.proposals.front().check(after));
      CHECK_THAT(bench.text(after),
                 Contains("  patches = " + row.after + ";\n"));
    }
}

TEST_CASE("a patch of the set's own is left out by an override") {
  for (const auto& age : ages) {
    INFO(age.set);
    Bench bench(
        "let pkgs = import <nixpkgs> { overlays = [ (import ./more.nix) ]; "
        "}; in\n[ pkgs.patchedApp ]\n",
        {{"more.nix",
          "self: super: { patchedApp = super.stdenv.mkDerivation { name = "
          "\"app-1\"; src = ./src; patches = if true then [ ./b.patch "
          "./a.patch ] else [ ]; }; }\n"},
         {"src/src/x.c", "one\nzwei\nthree\n"},
         {"a.patch", upstream},
         {"b.patch", made}},
        {}, age.set);
    const auto offer = patch_offer(bench, 1);
    REQUIRE_FALSE(offer.proposals.empty());
    const auto& after = bench.after(offer.proposals.back().edits);
    INFO(bench.text(after));
    CHECK_FALSE(offer.proposals.back().check(after));
    CHECK_THAT(bench.sees(after, "app-1", "patches"),
               Catch::Matchers::EndsWith("-b.patch"));
  }
}

TEST_CASE("a patch that the source has not wholly is kept") {
  struct Row {
    std::string why, source, patch;
  };
  for (const auto& row : std::vector<Row>{
           {"the lines are as before", "one\ntwo\nthree\n", upstream},
           {"the lines are others", "one\nzwei\n3\n", upstream},
           {"one of two files lacks it", "one\nzwei\nthree\n", upstream + made},
           {"no patch", "one\nzwei\nthree\n", "not a patch\n"},
           {"cut off", "one\nzwei\nthree\n",
            "--- a/src/x.c\n+++ b/src/x.c\n@@ -1,3 +1,3 @@\n one\n"},
           {"leaves the source", "one\nzwei\nthree\n",
            "--- a/../x.c\n+++ b/../x.c\n@@ -1 +1 @@\n-a\n+b\n"}}) {
    INFO(row.why);
    Bench bench(patched("[ ./a.patch ]"),
                {{"src/src/x.c", row.source}, {"a.patch", row.patch}});
    const auto offer = patch_offer(bench);
    CHECK(offer.proposals.empty());
    REQUIRE(offer.why_not.size() == 1);
    CHECK_FALSE(offer.why_not.front().why.empty());
  }
}

TEST_CASE("the log's word for a patch counts only where the package has it") {
  Bench bench(patched("[ ./a.patch ]"),
              {{"src/src/x.c", "one\nzwei\nthree\n"}, {"a.patch", upstream}});
  for (const std::string path : {"", "/etc/passwd", "a.patch", "${INJECTED}"})
    CHECK(offer_of(bench, "patch-failed", {{"patch", {path}}}, "drop-patch")
              .proposals.empty());
}

TEST_CASE("a patch is read as patch(1) reads it") {
  CHECK(parse_patch(upstream, 1)->front().after == "src/x.c");
  CHECK(parse_patch(upstream, 2)->front().after == "x.c");
  CHECK_FALSE(parse_patch(upstream, 3));
  CHECK_FALSE(parse_patch("", 1));
  CHECK_FALSE(parse_patch(upstream + "rename from a\n", 1));
  const auto two = parse_patch("From: x\n\n" + upstream + made, 1);
  REQUIRE(two);
  REQUIRE(two->size() == 2);
  CHECK(is_applied(two->front(), "zero\none\r\nzwei\nthree\nfour\n"));
  CHECK_FALSE(is_applied(two->front(), "one\ntwo\nthree\n"));
  CHECK_FALSE(is_applied(two->front(), std::nullopt));
  CHECK(is_applied(two->back(), "a\nb\n"));
  CHECK_FALSE(is_applied(two->back(), "a\nb\nc\n"));
  CHECK_FALSE(is_applied(two->back(), std::nullopt));
  const auto gone =
      parse_patch("--- a/old.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n", 1);
  REQUIRE(gone);
  CHECK(is_applied(gone->front(), std::nullopt));
  CHECK_FALSE(is_applied(gone->front(), "a\nb\n"));
  // Hunks out of order, or one of two, are not the patch.
  const auto hunks = parse_patch(
      "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+A\n@@ -9 +9 @@\n-b\n+B\n", 1);
  REQUIRE(hunks);
  CHECK(is_applied(hunks->front(), "A\nx\nB\n"));
  CHECK_FALSE(is_applied(hunks->front(), "B\nx\nA\n"));
  CHECK_FALSE(is_applied(hunks->front(), "A\nx\nb\n"));
}
