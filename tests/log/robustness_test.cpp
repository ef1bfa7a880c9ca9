// What a log goes through on its way here must not change the answer: each
// sample of each shipped rule is dressed up in every way and read again.

#include <catch2/catch.hpp>
#include <functional>

#include "base/text.h"
#include "log_fixture.h"

using namespace autopin;

namespace {

const std::string drv =
    "/nix/store/gcqhijilhwfjg1nbmiga5xwk6zpqhwyk-wrapper-1.0.drv";

std::string each_line(
    const std::string& log,
    const std::function<std::string(std::string_view)>& dress) {
  std::string dressed;
  for (const std::string_view line : lines_of(log))
    dressed += dress(line);
  return dressed;
}

std::string harmless_lines() {
  std::string lines;
  for (int i = 0; i < 300; ++i)
    lines += "  CC       src/part" + std::to_string(i) + ".o\nchecking for x" +
             std::to_string(i) + "... yes\n";
  return lines;
}

struct Dress {
  const char* name;
  std::function<std::string(const std::string&)> on;
};

std::vector<Dress> dresses() {
  const auto per_line = [](auto dress) {
    return [dress](const std::string& log) { return each_line(log, dress); };
  };
  const auto text = [](std::string_view line) { return std::string(line); };
  return {
      {"ANSI colour", per_line([=](std::string_view line) {
         return "\x1b[1;31m" + text(line) + "\x1b[0m\n";
       })},
      {"CRLF",
       per_line([=](std::string_view line) { return text(line) + "\r\n"; })},
      {"progress by CR", per_line([=](std::string_view line) {
         return " 10% [==   ]\r" + text(line) + "\n";
       })},
      {"CI time stamps", per_line([=](std::string_view line) {
         return "2026-07-09T06:41:10.1234567Z " + text(line) + "\n";
       })},
      {"prefixes", per_line([=](std::string_view line) {
         return "wrapper> " + text(line) + "\n";
       })},
      {"prefixes between another builder's", per_line([=](auto line) {
         return "other> compiling\nwrapper> " + text(line) + "\n";
       })},
      {"nix-output-monitor's frame", per_line([=](std::string_view line) {
         return "\u2503 " + text(line) + "\n";
       })},
      {"bytes that are not UTF-8 around",
       [](const std::string& log) {
         return "\xff\xfe\x80 caf\xe9\n" + log + "\n\xc3\x28\n";
       }},
      {"harmless lines around",
       [](const std::string& log) {
         return harmless_lines() + log + "\n" + harmless_lines();
       }},
  };
}

/// Kind and params of the first answer; derivation is asked for elsewhere.
std::string answer(const std::string& log) {
  const std::vector<Diagnosis> found = testing::read(log);
  if (found.empty())
    return "";
  std::string text = found[0].kind;
  for (const auto& [name, values] : found[0].params)
    if (name != "command")
      text += " " + name + "=" + join(values, ",");
  return text;
}

}  // namespace

TEST_CASE("no dress changes the answer") {
  for (const Rule& rule : testing::shipped_rules().rules())
    for (const RuleSample& sample : rule.samples) {
      // Nix's own words are never in a builder's colours or behind its prefix.
      if (!sample.positive || rule.severity == Severity::undetermined)
        continue;
      const std::string plain = answer(sample.log);
      for (const Dress& dress : dresses()) {
        INFO(rule.id << " in " << dress.name << ":\n" << sample.log);
        CHECK(answer(dress.on(sample.log)) == plain);
      }
    }
}

TEST_CASE("a tail in any generation's layout gives the same answer") {
  for (const Rule& rule : testing::shipped_rules().rules()) {
    if (rule.family == "fetch" || rule.family == "eval" ||
        rule.family == "environment" || rule.family == "key-lines")
      continue;  // Nix's own words.
    for (const RuleSample& sample : rule.samples) {
      if (!sample.positive)
        continue;
      const std::string plain = answer(sample.log);
      const std::string count =
          std::to_string(lines_of(sample.log).size()) + " log lines:\n";
      const std::string marked = each_line(sample.log, [](auto line) {
        return "       > " + std::string(line) + "\n";
      });
      const std::vector<std::string> layouts = {
          "builder for '" + drv + "' failed with exit code 1; last " + count +
              each_line(
                  sample.log,
                  [](auto line) { return "  " + std::string(line) + "\n"; }),
          "error: builder for '" + drv +
              "' failed with exit code 1;\n       last " + count + marked +
              "       For full logs, run 'nix log " + drv + "'.\n",
          "error: Cannot build '" + drv +
              "'.\n       Reason: builder failed with exit code 1.\n       "
              "Output paths:\n         /nix/store/x\n       Last " +
              count + marked + "       For full logs, run:\n         nix log " +
              drv + "\n"};
      for (const std::string& layout : layouts) {
        INFO(rule.id << ":\n" << layout);
        CHECK(answer(layout) == plain);
        CHECK(testing::read(layout).at(0).derivation == drv);
      }
    }
  }
}
