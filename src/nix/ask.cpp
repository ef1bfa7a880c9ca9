// Evaluator::ask: questions put to values inside the draft, where they are.

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "nix/evaluator.h"
#include "nix/instrument.h"

namespace autopin::nix {

namespace {

using nlohmann::json;

constexpr std::string_view marker = "autopin-answer ";

// The answer to a derivation waits until it is used: in an overlay, asking any
// earlier could run into the recursion that the overlay is part of.
constexpr const char* asking =
    "__autopin_ask = now: i: f: v: let "
    "say = x: builtins.seq x (builtins.trace (\"autopin-answer \" + "
    "(builtins.toJSON [ i (builtins.tryEval "
    "(let r = f v; in builtins.deepSeq r r)) ])) x); "
    "in if !now && builtins.isAttrs v && v ? drvPath "
    "then __autopin_used (output: drv: x: say x) v else say v; ";

void take_answers(const std::string& log,
                  std::vector<std::optional<std::string>>& answers) {
  for (const std::string_view line : lines_of(log)) {
    const std::size_t at = line.find(marker);
    if (at == std::string_view::npos)
      continue;
    const json told =
        json::parse(line.substr(at + marker.size()), nullptr, false);
    if (!told.is_array() || told.size() != 2 || !told[0].is_number_unsigned() ||
        !told[1].is_object()) {
      continue;
    }
    const auto index = told[0].get<std::size_t>();
    if (index >= answers.size() || answers[index])
      continue;
    if (told[1].value("success", false)) {
      answers[index] = told[1].value("value", json()).dump();
    }
  }
}

}  // namespace

bool Evaluator::ask_together(const Draft& draft,
                             const std::vector<Question>& questions,
                             const std::vector<std::size_t>& which,
                             std::vector<std::optional<std::string>>& answers) {
  std::map<std::filesystem::path, std::vector<Site>> sites;
  for (const std::size_t index : which) {
    const Question& question = questions[index];
    // Several questions about one expression become one function around
    // another.
    sites[question.file].push_back(
        {question.range,
         "__autopin_ask " +
             std::string(question.when_forced ? "true " : "false ") +
             std::to_string(index) + " (" + question.function + "\n)"});
  }
  Overlay overlay;
  for (auto& [file, in_file] : sites) {
    const Source source = Source::parse(draft.text(file));
    overlay[file] = instrument(source, std::move(in_file));
  }
  const std::string header =
      "let " + std::string(prelude) + std::string(asking) + "in ";
  const Evaluation evaluation = instantiate(draft, overlay, header);
  const auto* failed = std::get_if<EvaluationFailed>(&evaluation);
  take_answers(failed ? failed->log : std::get<Instantiated>(evaluation).log,
               answers);
  return failed == nullptr;
}

std::vector<std::optional<std::string>> Evaluator::ask(
    const Draft& draft, const std::vector<Question>& questions) {
  std::vector<std::optional<std::string>> answers(questions.size());
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < questions.size(); ++i)
    all.push_back(i);
  if (all.empty() || ask_together(draft, questions, all, answers)) {
    return answers;
  }
  if (all.size() == 1)
    return answers;
  for (const std::size_t index : all) {
    if (!answers[index])
      ask_together(draft, questions, {index}, answers);
  }
  return answers;
}

std::optional<std::string> Evaluator::ask(const Draft& draft,
                                          const Question& question) {
  return ask(draft, std::vector<Question>{question}).front();
}

}  // namespace autopin::nix
