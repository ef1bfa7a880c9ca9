#pragma once
// A patch log with something of everything, and with hostile text in it.

#include "report/patch_log.h"

namespace autopin::report {

inline const std::string hostile =
    "<script>alert(1)</script> &amp; \"q\" 'a' | `b` **c** @user #1 [x](y) "
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \xE2\x80\xAE"
    "abc \xff";

inline Diagnosis sample_diagnosis() {
  Diagnosis diagnosis;
  diagnosis.kind = "python-requirement-unsatisfied";
  diagnosis.params = {{"requirement", {"html5lib"}}, {"specifier", {"==0.9"}}};
  diagnosis.derivation = "/nix/store/00000000000000000000000000000000-a-1.drv";
  diagnosis.phase = "installPhase";
  diagnosis.lines = {{12, "No matching distribution found for html5lib==0.9"},
                     {13, hostile}};
  diagnosis.rule = "pip-no-matching-distribution";
  diagnosis.severity = Severity::consequence;
  diagnosis.fixes = {"pin-python", "relax-python"};
  diagnosis.why = "a asks for html5lib==0.9";
  diagnosis.cure = "Pin it.";
  return diagnosis;
}

inline Step sample_step(int number, std::string summary) {
  Step step;
  step.number = number;
  step.round = 1;
  step.failure = sample_diagnosis();
  step.fix = "pin-python";
  step.risk = Risk::pin;
  step.summary = std::move(summary);
  step.why = "tensorboard says html5lib==0.9";
  step.alternatives = {{"relax-python", "the requirement can be met"}};
  step.provenance = {
      {"https://me:word@index/simple/", "html5lib-0.9.tar.gz", "sha256-AAAA"}};
  step.drv_before = "/nix/store/x.drv";
  step.drv_after = "/nix/store/y.drv";
  step.changed = {{"html5lib-0.9", "/nix/store/x.drv", "/nix/store/y.drv"}};
  step.seconds = 1.25;
  step.diff =
      "--- a/draft.nix\n+++ b/draft.nix\n@@ -1,2 +1,2 @@\n { }:\n-1\n+2\n";
  return step;
}

inline PatchLog sample_log() {
  PatchLog log;
  log.autopin = "0.1.0";
  log.nix = "2.8.0";
  log.system = "x86_64-linux";
  log.draft = "draft.nix";
  log.started = std::chrono::system_clock::from_time_t(1'796'000'000) +
                std::chrono::milliseconds(42);
  log.seconds = 61.5;
  log.outcome = "green";
  log.message = "The build is green.";
  Round failed;
  failed.number = 1;
  failed.started = log.started;
  failed.seconds = 12.345;
  failed.failures = {{sample_diagnosis().derivation,
                      {sample_diagnosis()},
                      "build-01/a-1.log"}};
  Round green;
  green.number = 2;
  green.outcome = RoundOutcome::green;
  green.started = log.started + std::chrono::seconds(20);
  log.rounds = {failed, green};
  Step back = sample_step(2, "drop " + hostile);
  back.risk = Risk::weakens_checks;
  back.weakens = {"test_" + hostile};
  back.taken_back = "it did not change the failure";
  back.diff = "--- a/draft.nix\n+++ b/draft.nix\n@@ -9 +9 @@\n-no\n+yes\n";
  Step last = sample_step(3, "skip test_x");
  last.risk = Risk::weakens_checks;
  last.weakens = {"test_x of html5lib"};
  last.diff =
      "--- a/draft.nix\n+++ b/draft.nix\n@@ -1,2 +1,2 @@\n { }:\n-2\n+3\n";
  log.steps = {sample_step(1, "pin html5lib to 0.9"), back, last};
  log.learned = {"html5lib 0.9 builds with pytest_3"};
  log.builds = 5;
  log.failing_builds = 2;
  log.diff =
      "--- a/draft.nix\n+++ b/draft.nix\n@@ -1,2 +1,2 @@\n { }:\n-1\n+3\n";
  return log;
}

}  // namespace autopin::report
