#include "log/rule_skeleton.h"

#include <algorithm>
#include <array>

#include <re2/re2.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "log/nix_lines.h"

namespace autopin {

namespace {

/// Among causes, behind all that are more exact; see rules/README.md.
constexpr int rank_of_a_new_rule = 49;
constexpr std::size_t longest_id = 40;
/// Of a longer line the pattern covers the beginning.
constexpr std::size_t longest_line = 240;

/// What differs from one failure to the next, and what stands for it; the first
/// that fits at a place counts. What is replaced by nothing stays as it is.
struct Piece {
  RE2 found;
  const char* pattern;
};

const auto& pieces() {
  static const std::array<Piece, 13> all{{
      {{R"(\s+)", RE2::Latin1}, R"(\s+)"},
      // U+FFFD: in the log there are other bytes.
      {{"(?:\xEF\xBF\xBD)+", RE2::Latin1}, ".+"},
      {{R"([a-z][a-z+]*://[^\s'"`,;()]+)", RE2::Latin1}, R"(\S+)"},
      {{R"(sha\d+-[A-Za-z0-9+/]+=*)", RE2::Latin1}, R"(\S+)"},
      {{R"([^\s:'"`,;()=]*/[^\s:'"`,;()=]*)", RE2::Latin1},
       R"([^\s:]*/[^\s:]*)"},
      {{R"([\w.+-]+\.[A-Za-z]\w*:\d+:\d+\b)", RE2::Latin1},
       R"([^\s:]+:\d+:\d+)"},
      {{R"([\w.+-]+\.[A-Za-z]\w*:\d+\b)", RE2::Latin1}, R"([^\s:]+:\d+)"},
      {{R"(0x[0-9a-fA-F]+\b)", RE2::Latin1}, "0x[0-9a-fA-F]+"},
      {{R"([0-9a-z]{32,64}\b)", RE2::Latin1}, "[0-9a-z]+"},
      {{R"(\d+(?:\.\d+)+\b)", RE2::Latin1}, R"(\d+(?:\.\d+)+)"},
      {{R"(\d+\b)", RE2::Latin1}, R"(\d+)"},
      {{R"([0-9a-f]{7,}\b)", RE2::Latin1}, "[0-9a-f]+"},
      {{R"([\w-]+)", RE2::Latin1}, nullptr},
  }};
  return all;
}

/// RE2::QuoteMeta puts a backslash before each colon and dash as well, and a
/// person is to read this.
std::string literal(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("\\.+*?()|[]{}^$").find(c) != std::string_view::npos)
      pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

bool says_only_that_it_failed(std::string_view line) {
  static const RE2 summary(
      "^\\s*(?:\\w*make(?:\\[\\d+\\])?: \\*\\*\\*|ninja: build stopped"
      "|FAILED:|error: build failed|.*\\bexit(?:ed with)? (?:code|status)\\b)",
      RE2::Latin1);
  return build_failure(line) || dependency_failure(line) ||
         is_dependency_reason(line) || full_log_hint(line) ||
         line.find("some errors encountered") != std::string_view::npos ||
         RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), summary);
}

std::optional<EvidenceLine> telling_line(
    const std::vector<EvidenceLine>& key_lines) {
  const auto telling = std::find_if(
      key_lines.rbegin(), key_lines.rend(), [](const EvidenceLine& line) {
        return !says_only_that_it_failed(line.text) && !trim(line.text).empty();
      });
  if (telling == key_lines.rend())
    return std::nullopt;
  // Nix repeats the end of a log; in its own place more stands around it.
  return *std::find_if(
      key_lines.begin(), key_lines.end(),
      [&](const EvidenceLine& line) { return line.text == telling->text; });
}

std::string pattern_for(std::string_view line) {
  re2::StringPiece rest(line.data(), line.size());
  std::string pattern = "^";
  while (!rest.empty()) {
    if (line.size() - rest.size() > longest_line)
      return pattern;
    const re2::StringPiece before = rest;
    const auto piece = std::find_if(
        std::begin(pieces()), std::end(pieces()), [&](const Piece& one) {
          return RE2::Consume(&rest, one.found) && rest.size() < before.size();
        });
    const bool known = piece != std::end(pieces());
    if (!known)
      rest.remove_prefix(1);
    if (!known || piece->pattern == nullptr)
      pattern += literal({before.data(), before.size() - rest.size()});
    else
      pattern += piece->pattern;
  }
  return pattern + "$";
}

std::string rule_id_for(std::string_view line) {
  // What has digits in it differs from log to log.
  static const RE2 word("([A-Za-z0-9]+)", RE2::Latin1);
  re2::StringPiece rest(line.data(), line.size());
  std::string found;
  std::string id;
  while (RE2::FindAndConsume(&rest, word, &found)) {
    if (found.size() < 2 ||
        found.find_first_of("0123456789") != std::string::npos)
      continue;
    if (id.size() + 1 + found.size() > longest_id)
      break;
    id += (id.empty() ? "" : "-") + to_lower(found);
  }
  return id.empty() ? "new-rule" : id;
}

std::string rule_skeleton(const std::string& id, const std::string& line,
                          const Excerpt& sample) {
  using nlohmann::ordered_json;
  std::vector<std::string> lines;
  for (const ExcerptLine& one : sample)
    lines.push_back(one.text);
  const std::string mark(todo);
  ordered_json rule;
  rule["id"] = id;
  rule["comment"] =
      mark +
      ": put (?P<name>...) around what varies in the pattern and name it as a "
      "param of the kind, list it in the sample's params, and add to \"not\" "
      "what comes near and must not match. For a kind of your own, add "
      "\"kinds\": [{\"name\": \"...\", \"text\": \"...\", \"params\": {}}] "
      "beside \"rules\". Then take this comment out.";
  rule["kind"] = mark + ": one of `autopin rules kinds`";
  rule["rank"] = rank_of_a_new_rule;
  rule["why"] = mark +
                ": one sentence that says what is wrong; {param} is "
                "filled in";
  rule["cure"] = mark + ": one sentence that says what a person would do";
  rule["patterns"] = {pattern_for(line)};
  rule["fixes"] = ordered_json::array();
  ordered_json shown;
  shown["log"] = join(lines, "\n");
  shown["params"] = ordered_json::object();
  rule["samples"] = ordered_json::array({shown});
  rule["not"] = ordered_json::array();
  ordered_json document;
  document["rules"] = ordered_json::array({rule});
  return document.dump(2) + "\n";
}

}  // namespace autopin
