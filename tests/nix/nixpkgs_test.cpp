// The probe on the real nixpkgs, evaluation only. Needs checkouts, whose
// folders AUTOPIN_NIXPKGS_17_09 and AUTOPIN_NIXPKGS_26_11 name; skipped
// without.

#include <sys/resource.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

#include "nix/draft_fixture.h"
#include "nix/probe.h"
#include "nix/shell.h"

using namespace autopin;
using namespace autopin::nix;

namespace {

struct Expected {
  std::string text;    ///< How the expression begins.
  std::string prefix;  ///< How the derivation's name begins.
};

/// The folder, or nothing and a word about it.
std::optional<std::string> checkout(const char* variable) {
  if (const char* folder = std::getenv(variable))
    return folder;
  WARN("SKIPPED: " << variable << " names no nixpkgs");
  return std::nullopt;
}

void use(DraftFixture& fixture, const std::string& nixpkgs) {
  fixture.invocation.evaluation_flags = {"-I", "nixpkgs=" + nixpkgs};
  setenv("NIXPKGS_ALLOW_UNFREE", "1", 1);
}

/// Seconds of processor time of all processes that ended so far: wall time says
/// little on a machine that others use.
double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <typename Action>
double median_of_three(Action action) {
  std::vector<double> took;
  for (int i = 0; i < 3; ++i) {
    const double before = children_seconds();
    action();
    took.push_back(children_seconds() - before);
  }
  std::sort(took.begin(), took.end());
  return took[1];
}

/// Every expression that begins so, in whatever file, is tied to a derivation
/// of that name, and to nothing else.
void check_tied(const Draft& draft, const ProbeResult& result,
                const Expected& expected) {
  std::size_t found = 0;
  for (const Node& node : result.nodes) {
    const std::string text = draft.text(node.file).substr(
        node.range.begin, node.range.end - node.range.begin);
    if (text.rfind(expected.text, 0) != 0 || node.records.empty() ||
        node.form == NodeForm::select_prefix)
      continue;
    ++found;
    INFO(text);
    for (const DerivationRecord& record : node.records) {
      CHECK(record.drv.find(".drv") != std::string::npos);
      CHECK(record.name.substr(0, expected.prefix.size()) == expected.prefix);
    }
  }
  INFO(expected.text);
  CHECK(found > 0);
}

void check_draft(DraftFixture& fixture, const std::vector<Expected>& expected) {
  Evaluator evaluator(fixture.world, fixture.invocation);
  const auto discovery = evaluator.discover();
  const auto plain = made(discovery.evaluation).drvs;
  const ProbeResult result = probe(evaluator, discovery.draft, plain);
  CHECK(result.faithful);
  CHECK(result.left_out.empty());
  CHECK(result.outermost(plain.at(0)) != nullptr);
  for (const Expected& one : expected)
    check_tied(discovery.draft, result, one);
  const double without =
      median_of_three([&] { evaluator.instantiate(discovery.draft); });
  const double with =
      median_of_three([&] { probe(evaluator, discovery.draft, plain); });
  WARN("instrumented / plain evaluation: "
       << with << " s / " << without << " s = " << with / without
       << ", candidates " << result.candidates);
  CHECK(with / without < 2);
}

}  // namespace

TEST_CASE("nixpkgs 17.09: the article's first draft") {
  const auto nixpkgs = checkout("AUTOPIN_NIXPKGS_17_09");
  if (!nixpkgs)
    return;
  DraftFixture fixture;
  use(fixture, *nixpkgs);
  fixture.invocation.expression = shell_draft(
      {"python36", "python36Packages.pandas", "python36Packages.numpy",
       "python36Packages.scikitlearn", "python36Packages.Keras",
       R"(python36Packages.tensorflowWithCuda.overrideDerivation (attrs: {
      name = "tensorflow-1.5.1";
      version = "1.5.1";
      src = fetchurl {
        url = "https://storage.googleapis.com/tensorflow/linux/gpu/tensorflow_gpu-1.5.1-cp36-cp36m-linux_x86_64.whl";
        sha256 = "1d26ndgkm6qi39cb8zkd7apnxkg2h5s634mnh53rdw1xmq3hrj2c";
      };
    }))"});
  check_draft(fixture,
              {{"(pkgs.runCommandCC", "shell"},
               {"python36Packages.pandas", "python3.6-pandas-"},
               {"python36Packages.numpy", "python3.6-numpy-"},
               {"python36Packages.scikitlearn", "python3.6-scikit-learn-"},
               {"python36Packages.Keras", "python3.6-Keras-"},
               {"python36Packages.tensorflowWithCuda.overrideDerivation",
                "tensorflow-1.5.1"},
               {"fetchurl {", "tensorflow_gpu-1.5.1-"}});
}

TEST_CASE("nixpkgs 17.09: overrides inside overrides") {
  const auto nixpkgs = checkout("AUTOPIN_NIXPKGS_17_09");
  if (!nixpkgs)
    return;
  DraftFixture fixture;
  use(fixture, *nixpkgs);
  fixture.write("draft.nix", R"(with import <nixpkgs> { };
python36Packages.bleach.override {
  html5lib = (python36Packages.html5lib.override {
    pytest = python36Packages.pytest_30 or python36Packages.pytest;
  }).overrideDerivation (attrs: { name = "html5lib-0.9999999"; });
}
)");
  check_draft(fixture,
              {{"python36Packages.bleach.override", "python3.6-bleach-"},
               {"(python36Packages.html5lib.override", "html5lib-0.9999999"},
               {"python36Packages.pytest_30", "python3.6-pytest-"}});
}

TEST_CASE("nixpkgs today: five drafts in five styles") {
  const auto nixpkgs = checkout("AUTOPIN_NIXPKGS_26_11");
  if (!nixpkgs)
    return;
  DraftFixture fixture;
  use(fixture, *nixpkgs);
  SECTION("finalAttrs") {
    fixture.write("draft.nix", R"({
  pkgs ? import <nixpkgs> { },
}:
pkgs.stdenv.mkDerivation (finalAttrs: {
  pname = "mine";
  version = "1.0";
  src = pkgs.fetchFromGitHub {
    owner = "me";
    repo = finalAttrs.pname;
    tag = "v${finalAttrs.version}";
    hash = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  };
  nativeBuildInputs = with pkgs; [ cmake pkg-config ];
  buildInputs = [ pkgs.zlib ];
})
)");
    check_draft(fixture, {{"pkgs.stdenv.mkDerivation", "mine-1.0"},
                          {"pkgs.fetchFromGitHub", "source"},
                          {"cmake", "cmake-"},
                          {"pkg-config", "pkg-config-wrapper"},
                          {"pkgs.zlib", "zlib-"}});
  }
  SECTION("overlays") {
    fixture.write("draft.nix", R"(let
  pkgs = import <nixpkgs> {
    overlays = [
      (final: prev: {
        pythonPackagesExtensions = prev.pythonPackagesExtensions ++ [
          (pyfinal: pyprev: {
            html5lib = pyprev.html5lib.overridePythonAttrs (old: {
              doCheck = false;
            });
          })
        ];
        hello = prev.hello.overrideAttrs (old: { patches = [ ]; meta = old.meta; });
      })
    ];
  };
in
pkgs.python3.withPackages (ps: with ps; [ bleach html5lib (toPythonModule pkgs.hello) ])
)");
    check_draft(fixture,
                {{"pkgs.python3.withPackages", "python3-"},
                 {"pyprev.html5lib.overridePythonAttrs", "python3.13-html5lib"},
                 {"bleach", "python3.13-bleach-"},
                 {"html5lib", "python3.13-html5lib-"}});
  }
  SECTION("a package in a second file") {
    fixture.write("draft.nix", R"(let
  pkgs = import <nixpkgs> { };
  inherit (pkgs) python3Packages;
in
python3Packages.callPackage ./nested/package.nix { lxml = python3Packages.lxml; }
)");
    fixture.write("nested/package.nix", R"({
  buildPythonPackage,
  setuptools,
  requests,
  lxml,
  pytestCheckHook,
}:
buildPythonPackage {
  pname = "mine";
  version = "2";
  pyproject = true;
  src = ./.;
  build-system = [ setuptools ];
  dependencies = [ (requests.overridePythonAttrs { doCheck = false; }) lxml ];
  nativeCheckInputs = [ pytestCheckHook ];
}
)");
    check_draft(fixture,
                {{"python3Packages.callPackage", "python3.13-mine-2"},
                 {"buildPythonPackage {", "python3.13-mine-2"},
                 {"setuptools", "python3.13-setuptools-"},
                 {"requests.overridePythonAttrs", "python3.13-requests-"},
                 {"lxml", "python3.13-lxml-"},
                 {"python3Packages.lxml", "python3.13-lxml-"},
                 {"pytestCheckHook", "pytest-check-hook"}});
  }
  SECTION("mkShell") {
    fixture.write("draft.nix", R"({ pkgs ? import <nixpkgs> { } }:
let
  python = pkgs.python3.override {
    packageOverrides = self: super: {
      idna = super.idna.overridePythonAttrs (old: { doCheck = false; });
    };
  };
in
pkgs.mkShell {
  packages = [
    (python.withPackages (ps: [ ps.requests ps.idna ]))
    pkgs.jq.dev
  ];
  inputsFrom = [ pkgs.zlib ];
}
)");
    check_draft(fixture, {{"pkgs.mkShell", "nix-shell"},
                          {"python.withPackages", "python3-"},
                          {"super.idna.overridePythonAttrs", "python3.13-idna"},
                          {"ps.requests", "python3.13-requests-"},
                          {"pkgs.jq.dev", "jq-"}});
  }
  SECTION("let, inherit, rec and a list of attributes") {
    fixture.write("draft.nix", R"(with import <nixpkgs> { };
let
  inherit (python3Packages) buildPythonApplication;
  tools = { inherit jq; inherit (pkgs) oniguruma; };
  deps = rec { base = zlib; png = libpng.override { zlib = base; }; };
in
buildPythonApplication {
  pname = "app";
  version = "3";
  format = "other";
  dontUnpack = true;
  buildInputs = builtins.attrValues tools ++ [ deps.png ];
  propagatedBuildInputs = builtins.map (name: python3Packages.${name}) [ "six" ];
}
)");
    check_draft(fixture, {{"buildPythonApplication {", "app-3"},
                          {"jq", "jq-"},
                          {"oniguruma", "oniguruma-"},
                          {"libpng.override", "libpng-"},
                          {"deps.png", "libpng-"},
                          {"python3Packages.${name}", "python3.13-six-"}});
  }
}
