#include "log/captures.h"

#include <algorithm>
#include <cctype>

#include <re2/re2.h>

#include "base/text.h"

namespace autopin {

namespace {

constexpr std::size_t most_values = 5000;

using Tables = std::map<std::string, LookupTable>;

/// pytest names a test of a class "TestFoo.test_bar" in its headings and
/// "TestFoo::test_bar" in its ids; a parameter in brackets keeps its dots.
std::string dots_to_colons(const std::string& name) {
  const std::size_t end = std::min(name.find('['), name.size());
  return replace_all(name.substr(0, end), ".", "::") + name.substr(end);
}

/// "word2vec-0.11.1" without its version: up to the first dash that no letter
/// follows, as Nix's parseDrvName has it.
std::string_view drv_name(std::string_view name) {
  for (std::size_t at = name.find('-'); at != std::string_view::npos;
       at = name.find('-', at + 1))
    if (at + 1 < name.size() &&
        std::isalpha(static_cast<unsigned char>(name[at + 1])) == 0)
      return name.substr(0, at);
  return name;
}

/// "gtk+-2.0 >= 2.20 libfoo": the words that are no operator and no version.
std::vector<std::string> module_names(const std::string& wanted) {
  std::vector<std::string> names;
  bool version = false;
  for (const std::string& word : split(replace_all(wanted, ",", " "), ' ')) {
    if (word.find_first_of("<>=!") == 0) {
      version = word.find_first_not_of("<>=!") == std::string::npos;
    } else if (!word.empty() && !version) {
      append_unique(names, word.substr(0, word.find_first_of("<>=!")));
    } else if (!word.empty()) {
      version = false;
    }
  }
  return names;
}

/// "a, b or c", "one of a or b", with or without quotes: what Nix suggests.
std::vector<std::string> suggested_names(const std::string& text) {
  std::vector<std::string> names;
  std::string plain = text;
  for (const std::string_view mark : {"\"", "'", "`", "\u2018", "\u2019", ","})
    plain = replace_all(plain, mark, " ");
  for (const std::string& word : split(plain, ' '))
    if (!word.empty() && word != "or" && word != "one" && word != "of")
      append_unique(names, word);
  return names;
}

/// What bash's printf %q wrote, as it was; of a pattern in quotes, what is
/// between them.
std::string unquoted(const std::string& text) {
  const auto within = [](const std::string& value) {
    const bool closed = value.size() > 1 && value.front() == value.back() &&
                        (value.front() == '\'' || value.front() == '"');
    return closed ? value.substr(1, value.size() - 2) : value;
  };
  const bool ansi = text.rfind("$'", 0) == 0 && text.back() == '\'';
  if (!ansi && within(text) != text)
    return within(text);  // Before %q: the pattern as it is.
  std::string plain;
  const std::size_t end = ansi ? text.size() - 1 : text.size();
  for (std::size_t at = ansi ? 2 : 0; at < end; ++at) {
    if (text[at] == '\\' && at + 1 < end) {
      const char escaped = text[++at];
      plain += !ansi            ? escaped
               : escaped == 'n' ? '\n'
               : escaped == 't' ? '\t'
                                : escaped;
    } else {
      plain += text[at];
    }
  }
  return within(plain);
}

std::optional<std::string> apply_filter(std::string_view filter,
                                        std::string value,
                                        const Captures& captures,
                                        const Tables& tables) {
  if (filter == "colons")
    return dots_to_colons(value);
  if (filter == "drv-name")
    return std::string(drv_name(value));
  if (filter == "none")
    return std::string();
  if (filter == "unquoted")
    return unquoted(value);
  if (filter == "perl")
    return replace_all(value, "/", "::");
  constexpr std::string_view with = "with:";
  if (filter.substr(0, with.size()) == with) {
    // unittest says "name (class)" to 3.10 and "name (class.name)" from 3.11.
    const auto group = captures.find(std::string(filter.substr(with.size())));
    if (group == captures.end() || group->second.empty())
      return std::nullopt;
    const std::string end = "." + group->second.front();
    const bool there =
        value.size() > end.size() &&
        value.compare(value.size() - end.size(), end.size(), end) == 0;
    return there ? value : value + end;
  }
  if (filter == "lower")
    return to_lower(value);
  if (filter == "upper") {
    std::transform(
        value.begin(), value.end(), value.begin(),
        [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return value;
  }
  if (filter == "basename")
    return value.substr(value.rfind('/') + 1);
  if (filter == "dashes")
    return replace_all(value, "_", "-");
  if (filter == "trim")
    return std::string(trim(value));
  constexpr std::string_view lookup = "lookup:";
  if (filter.substr(0, lookup.size()) == lookup) {
    const auto table = tables.find(std::string(filter.substr(lookup.size())));
    if (table == tables.end())
      return std::nullopt;
    const auto row = table->second.rows.find(value);
    if (row == table->second.rows.end())
      return std::nullopt;
    return row->second;
  }
  return value;
}

/// The pieces of `group|split:X`, for a template that is nothing else.
std::vector<std::string> split_values(std::string_view separator,
                                      const std::string& value) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  while (begin <= value.size()) {
    std::size_t end = value.find(separator, begin);
    if (separator.empty() || end == std::string::npos)
      end = value.size();
    const std::string_view piece =
        trim(std::string_view(value).substr(begin, end - begin));
    if (!piece.empty())
      append_unique(pieces, std::string(piece));
    begin = end + std::max<std::size_t>(separator.size(), 1);
  }
  return pieces;
}

const std::string* first_value(const Captures& captures,
                               const std::string& group) {
  const auto found = captures.find(group);
  return found == captures.end() || found->second.empty()
             ? nullptr
             : &found->second.front();
}

/// The value of "group|filter|filter", for the one value given.
std::optional<std::string> filtered(const std::vector<std::string>& parts,
                                    std::string value, const Captures& captures,
                                    const Tables& tables) {
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto next =
        apply_filter(parts[i], std::move(value), captures, tables);
    if (!next)
      return std::nullopt;
    value = *next;
  }
  return value;
}

/// A template that is one placeholder stands for all values of its group.
std::vector<std::string> fill_whole(const std::string& inside,
                                    const Captures& captures,
                                    const Tables& tables) {
  const std::vector<std::string> parts = split(inside, '|');
  const auto found = captures.find(parts[0]);
  std::vector<std::string> values;
  if (found == captures.end())
    return values;
  constexpr std::string_view splitting = "split:";
  for (const std::string& value : found->second) {
    if (parts.size() == 2 && parts[1].rfind(splitting, 0) == 0) {
      for (std::string& piece :
           split_values(parts[1].substr(splitting.size()), value))
        append_unique(values, std::move(piece));
    } else if (parts.size() == 2 && parts[1] == "module-names") {
      for (std::string& name : module_names(value))
        append_unique(values, std::move(name));
    } else if (parts.size() == 2 && parts[1] == "names") {
      for (std::string& name : suggested_names(value))
        append_unique(values, std::move(name));
    } else if (auto one = filtered(parts, value, captures, tables)) {
      append_unique(values, std::move(*one));
    }
  }
  return values;
}

}  // namespace

void append_unique(std::vector<std::string>& values, std::string value) {
  if (values.size() >= most_values)
    return;
  if (std::find(values.begin(), values.end(), value) == values.end())
    values.push_back(std::move(value));
}

bool capture(const Pattern& pattern, std::string_view line, Captures& into) {
  const RE2& regex = *pattern.regex;
  const int groups = regex.NumberOfCapturingGroups();
  std::vector<re2::StringPiece> pieces(static_cast<std::size_t>(groups) + 1);
  const re2::StringPiece text(line.data(), line.size());
  if (!regex.Match(text, 0, text.size(), RE2::UNANCHORED, pieces.data(),
                   groups + 1))
    return false;
  for (const auto& [index, name] : regex.CapturingGroupNames()) {
    const re2::StringPiece& value = pieces[static_cast<std::size_t>(index)];
    if (value.data() == nullptr)
      continue;
    // "a__2" is a second spelling of group "a": RE2 takes each name once.
    const std::size_t suffix = name.find("__");
    const std::string group = suffix == std::string::npos || suffix == 0
                                  ? name
                                  : name.substr(0, suffix);
    append_unique(into[group], std::string(value.data(), value.size()));
  }
  return true;
}

std::vector<std::string> fill(const std::string& text, const Captures& captures,
                              const Tables& tables) {
  if (text.size() > 2 && text.front() == '{' &&
      text.find('}') == text.size() - 1)
    return fill_whole(text.substr(1, text.size() - 2), captures, tables);
  std::string filled;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('{', at);
    const std::size_t close =
        open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) {
      filled += text.substr(at);
      break;
    }
    filled += text.substr(at, open - at);
    const std::vector<std::string> parts =
        split(text.substr(open + 1, close - open - 1), '|');
    const std::string* value = first_value(captures, parts[0]);
    if (value == nullptr)
      return {};
    const auto one = filtered(parts, *value, captures, tables);
    if (!one)
      return {};
    filled += *one;
    at = close + 1;
  }
  return {filled};
}

Params make_params(const Rule& rule, const Captures& captures,
                   const Tables& tables) {
  Params params;
  for (const auto& [group, values] : captures)
    if (group.front() != '_' && group != "derivation" &&
        rule.params.count(group) == 0)
      params[group] = values;
  for (const auto& [name, templates] : rule.params)
    for (const std::string& text : templates) {
      const bool more = !text.empty() && text.front() == '+';
      if (!more && params.count(name) != 0)
        continue;
      for (std::string& value :
           fill(more ? text.substr(1) : text, captures, tables))
        append_unique(params[name], std::move(value));
    }
  return params;
}

Sentence fill_sentence(const std::string& text, const Params& params) {
  static const RE2 piece(
      R"(([^{\[]*)(?:\{(\w+)\}|\[([^\]{]*\{\w+\}[^\]]*)\]|([\[{])))");
  Sentence sentence;
  re2::StringPiece rest(text);
  std::string before, param, optional, bracket;
  while (RE2::Consume(&rest, piece, &before, &param, &optional, &bracket)) {
    sentence.text += before + bracket;
    if (!optional.empty()) {
      const Sentence inner = fill_sentence(optional, params);
      if (inner.missing.empty())
        sentence.text += inner.text;
    }
    if (param.empty())
      continue;
    const auto found = params.find(param);
    const std::string value =
        found == params.end() ? "" : join(found->second, ", ");
    sentence.text += value;
    if (value.empty())
      sentence.missing.push_back(param);
  }
  sentence.text += rest.as_string();
  return sentence;
}

}  // namespace autopin
