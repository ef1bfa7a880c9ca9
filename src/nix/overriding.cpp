// What an override at a node may name, and which interpreter a node leads to:
// questions that evaluate more than the probe does.

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "nix/instrument.h"
#include "nix/probe.h"

namespace autopin::nix {

namespace {

using nlohmann::json;

// An empty answer is as good as none: `x: …` and `{ }: …` both give it.
// lib.makeOverridable says what its function takes since 2019 (nixpkgs
// lib/customisation.nix); before, `override` is a plain function.
constexpr const char* arguments_question =
    "d: if d ? override && builtins.isAttrs d.override && "
    "d.override ? __functionArgs then builtins.attrNames "
    "d.override.__functionArgs else null";

constexpr const char* interpreter_question =
    "v: let "
    "of = x: if builtins.isAttrs x && x ? pythonVersion && x ? pkgs then x "
    "else if builtins.isAttrs x && x ? python then of x.python "
    "else if builtins.isAttrs x && x ? pythonModule then of x.pythonModule "
    "else null; "
    "p = of v; "
    "in if p == null then null else { drv = p.drvPath; "
    "version = p.pythonVersion; implementation = p.implementation or \"\"; }";

/// No function has a formal of this name.
constexpr std::string_view no_argument = "autopinAsksWhatThisTakes";

struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
};

std::size_t number_at(std::string_view text, std::size_t& at) {
  std::size_t value = 0;
  const auto end =
      std::from_chars(text.data() + at, text.data() + text.size(), value);
  at = static_cast<std::size_t>(end.ptr - text.data());
  return value;
}

/// "… at /x/default.nix:1:1, called with unexpected argument 'NAME'" (2.3) or
/// "… called with unexpected argument 'NAME'\n\n at /x/default.nix:1:1:" (2.4
/// on): the place of the function that refused.
std::optional<Place> refusing_function(std::string_view log) {
  const std::size_t said = log.find("unexpected argument");
  if (said == std::string_view::npos ||
      log.find(no_argument, said) == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t line_begin = log.rfind('\n', said) + 1;
  std::size_t at = log.find(" at /", line_begin);
  if (at == std::string_view::npos)
    return std::nullopt;
  at += 4;
  const std::size_t colon = log.find(':', at);
  if (colon == std::string_view::npos)
    return std::nullopt;
  Place place{std::string(log.substr(at, colon - at)), 0, 0};
  std::size_t next = colon + 1;
  place.line = number_at(log, next);
  if (next < log.size() && log[next] == ':') {
    ++next;
    place.column = number_at(log, next);
  }
  return place;
}

std::optional<OverrideArguments> formals_at(World& world, const Place& place) {
  auto text = world.files.read(place.file);
  if (!text)
    return std::nullopt;
  const Source source = Source::parse(std::move(*text));
  for (ExprId id = 0; id < source.size(); ++id) {
    const Expr& expr = source.at(id);
    if (expr.kind != ExprKind::function || !expr.has_formals)
      continue;
    const std::size_t begin = expr.range.begin;
    const std::size_t line_end = source.text().rfind('\n', begin);
    const std::size_t column =
        begin -
        (line_end == std::string::npos || begin == 0 ? 0 : line_end + 1) + 1;
    if (source.line_of(begin) != place.line || column != place.column)
      continue;
    OverrideArguments arguments;
    for (const Formal& formal : expr.formals) {
      arguments.names.push_back(formal.name);
    }
    arguments.closed = !expr.has_ellipsis;
    return arguments;
  }
  return std::nullopt;
}

/// Asks by an argument that nothing takes: a function with formals refuses it
/// and tells where it stands; one that takes anything (what stands inline in an
/// old Python set) evaluates on, and so has no argument to speak of.
std::optional<OverrideArguments> ask_by_refusal(Evaluator& evaluator,
                                                const Draft& draft,
                                                const Node& node) {
  const Source source = Source::parse(draft.text(node.file));
  const std::string function = "(d: if d ? override then d.override { " +
                               std::string(no_argument) + " = null; } else d)";
  const Overlay overlay = {
      {node.file, instrument(source, {{node.range, function}})}};
  const std::string header = "let " + std::string(prelude) + "in ";
  const Evaluation evaluation = evaluator.instantiate(draft, overlay, header);
  const auto* failed = std::get_if<EvaluationFailed>(&evaluation);
  if (!failed)
    return OverrideArguments{};
  const auto place = refusing_function(failed->log);
  if (!place)
    return std::nullopt;
  return formals_at(evaluator.world(), *place);
}

bool has_override(const Node& node) {
  return std::any_of(
      node.records.begin(), node.records.end(),
      [](const DerivationRecord& record) { return record.has_override; });
}

std::vector<Question> questions_at(const std::vector<const Node*>& nodes,
                                   const char* function) {
  std::vector<Question> questions;
  for (const Node* node : nodes) {
    questions.push_back({node->file, node->range, function, true});
  }
  return questions;
}

}  // namespace

std::vector<std::optional<OverrideArguments>> override_arguments(
    Evaluator& evaluator, const Draft& draft,
    const std::vector<const Node*>& nodes) {
  const auto answers =
      evaluator.ask(draft, questions_at(nodes, arguments_question));
  std::vector<std::optional<OverrideArguments>> found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const json names =
        answers[i] ? json::parse(*answers[i], nullptr, false) : json();
    if (!names.is_array() || names.empty()) {
      found.push_back(has_override(*nodes[i])
                          ? ask_by_refusal(evaluator, draft, *nodes[i])
                          : std::nullopt);
      continue;
    }
    OverrideArguments arguments;
    arguments.closed = true;
    for (const json& name : names) {
      if (name.is_string())
        arguments.names.push_back(name.get<std::string>());
    }
    found.emplace_back(std::move(arguments));
  }
  return found;
}

std::vector<std::optional<Interpreter>> interpreters(
    Evaluator& evaluator, const Draft& draft,
    const std::vector<const Node*>& nodes) {
  const auto answers =
      evaluator.ask(draft, questions_at(nodes, interpreter_question));
  std::vector<std::optional<Interpreter>> found;
  for (const auto& answer : answers) {
    const json told = answer ? json::parse(*answer, nullptr, false) : json();
    if (!told.is_object() || !told.contains("drv") ||
        !told["drv"].is_string()) {
      found.emplace_back();
      continue;
    }
    found.emplace_back(Interpreter{told["drv"].get<std::string>(),
                                   told.value("version", ""),
                                   told.value("implementation", "")});
  }
  return found;
}

}  // namespace autopin::nix
