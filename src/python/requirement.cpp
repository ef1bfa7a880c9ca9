#include "python/requirement.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "python/name.h"
#include "python/scan.h"

namespace autopin::python {

namespace {

bool is_name_character(char c) {
  return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
}

/// RFC 3986: a scheme, and an authority unless it is a file's.
bool is_url(std::string_view text) {
  Scanner in(text);
  if (!is_letter(in.peek()))
    return false;
  const std::string scheme = to_lower(in.take_while([](char c) {
    return is_alphanumeric(c) || c == '+' || c == '-' || c == '.';
  }));
  if (!in.take(':'))
    return false;
  if (!in.take_text("//"))
    return false;
  if (scheme == "file")
    return true;
  const std::string_view authority =
      in.take_while([](char c) { return c != '/' && c != '?' && c != '#'; });
  const bool opens = authority.find('[') != std::string_view::npos;
  const bool closes = authority.find(']') != std::string_view::npos;
  return !authority.empty() && opens == closes;
}

/// A reader of PEP 508's grammar. Each step returns false once something is
/// wrong, and `problem_` says what.
class Reader {
 public:
  Reader(std::string_view text, bool lenient) : in_(text), lenient_(lenient) {}

  std::optional<Requirement> read() {
    if (read_name() && read_extras() && read_details())
      return out_;
    return std::nullopt;
  }

  const RequirementProblem& problem() const { return problem_; }

 private:
  bool fail(std::string_view what) {
    problem_ = {std::string(what), in_.position()};
    return false;
  }

  bool read_identifier(std::string& out) {
    const std::size_t start = in_.position();
    out = in_.take_while(is_name_character);
    if (is_valid_name(out))
      return true;
    problem_ = {"expected a name, found \"" + out + '"', start};
    return false;
  }

  bool read_name() {
    in_.skip_blanks();
    const bool ok = read_identifier(out_.name);
    in_.skip_blanks();
    return ok;
  }

  bool read_extras() {
    if (!in_.take('['))
      return true;
    in_.skip_blanks();
    if (!in_.take(']')) {
      do {
        in_.skip_blanks();
        std::string extra;
        if (!read_identifier(extra))
          return false;
        out_.extras.push_back(extra);
        in_.skip_blanks();
      } while (in_.take(','));
      if (!in_.take(']'))
        return fail(R"(expected "," or "]" after an extra)");
    }
    std::sort(out_.extras.begin(), out_.extras.end());
    out_.extras.erase(std::unique(out_.extras.begin(), out_.extras.end()),
                      out_.extras.end());
    in_.skip_blanks();
    return true;
  }

  bool read_details() {
    if (in_.take('@'))
      return read_url();
    if (!read_specifiers())
      return false;
    in_.skip_blanks();
    if (in_.at_end())
      return true;
    return in_.take(';') ? read_marker()
                         : fail("expected a version, \";\" or the end");
  }

  bool read_url() {
    in_.skip_blanks();
    out_.url = in_.take_while([](char c) { return c != ' ' && c != '\t'; });
    if (!is_url(out_.url))
      return fail("expected a URL after \"@\"");
    in_.skip_blanks();
    if (in_.at_end())
      return true;
    return in_.take(';') ? read_marker()
                         : fail("expected \";\" or the end after the URL");
  }

  bool read_marker() {
    out_.marker = Marker::parse(in_.rest());
    return out_.marker ? true : fail("the marker is not one of PEP 508");
  }

  bool read_specifiers() {
    const bool parens = in_.take('(');
    in_.skip_blanks();
    std::string text;
    while (!in_.at_end()) {
      std::string clause;
      if (!read_clause(clause))
        break;
      text += text.empty() ? clause : ',' + clause;
      in_.skip_blanks();
      if (!in_.take(','))
        break;
      in_.skip_blanks();
    }
    if (parens && lenient_ && text.empty())
      read_bare_version(text);
    if (parens && !in_.take(')'))
      return fail("expected \")\"");
    auto set = SpecifierSet::parse(text);
    if (!set)
      return fail("\"" + text + "\" is no version specifier");
    out_.specifiers = *std::move(set);
    return true;
  }

  bool read_clause(std::string& out) {
    constexpr std::array<std::string_view, 8> operators{
        "===", "==", "~=", "!=", "<=", ">=", "<", ">"};
    const auto* op = std::find_if(
        operators.begin(), operators.end(),
        [this](std::string_view text) { return in_.take_text(text); });
    if (op == operators.end())
      return false;
    in_.take_while(is_space);
    const std::string_view version =
        *op == "==="
            ? in_.take_while(
                  [](char c) { return !is_space(c) && c != ';' && c != ')'; })
            : in_.take_while([](char c) {
                return is_name_character(c) || c == '*' || c == '+' || c == '!';
              });
    out = std::string(*op) + std::string(version);
    if (lenient_)
      mend(out);
    return true;
  }

  /// ">=1.0.*" means ">=1.0": what pip's and uv's users rely on for metadata
  /// that was written before PEP 440 was enforced.
  static void mend(std::string& clause) {
    const bool wildcard =
        clause.size() > 3 && clause.compare(clause.size() - 2, 2, ".*") == 0;
    if (wildcard && clause.compare(0, 2, "==") != 0 &&
        clause.compare(0, 2, "!=") != 0)
      clause.resize(clause.size() - 2);
  }

  /// PEP 345: "foo (1.0)" is an exact version.
  void read_bare_version(std::string& text) {
    const std::string_view version = in_.take_while(
        [](char c) { return is_name_character(c) || c == '*' || c == '+'; });
    if (!version.empty())
      text = "==" + std::string(version);
    in_.skip_blanks();
  }

  Scanner in_;
  bool lenient_;
  Requirement out_;
  RequirementProblem problem_;
};

}  // namespace

std::optional<Requirement> Requirement::parse(std::string_view text,
                                              RequirementProblem* problem) {
  Reader reader(text, false);
  auto out = reader.read();
  if (!out && problem != nullptr)
    *problem = reader.problem();
  return out;
}

std::optional<Requirement> Requirement::parse_leniently(std::string_view text) {
  if (auto strict = parse(text))
    return strict;
  return Reader(strip_space(text), true).read();
}

std::string Requirement::key() const {
  return normalize_name(name);
}

bool Requirement::applies(const MarkerEnvironment& environment,
                          const std::vector<std::string>& extras_asked) const {
  if (!marker)
    return true;
  if (marker->evaluate(environment).value_or(false))
    return true;
  return std::any_of(
      extras_asked.begin(), extras_asked.end(), [&](const std::string& extra) {
        return marker->evaluate(environment, extra).value_or(false);
      });
}

std::string Requirement::text() const {
  std::string out = name;
  if (!extras.empty())
    out += '[' + join(extras, ",") + ']';
  out += specifiers.text();
  if (!url.empty())
    out += " @ " + url;
  if (marker)
    out += (url.empty() ? "; " : " ; ") + marker->text();
  return out;
}

}  // namespace autopin::python
