#include "python/marker.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "python/marker_node.h"
#include "python/name.h"
#include "python/scan.h"
#include "python/specifier.h"

namespace autopin::python {

namespace {

struct Variable {
  std::string_view name;
  std::string MarkerEnvironment::*value;
};

constexpr std::array<Variable, 11> variables{{
    {"implementation_name", &MarkerEnvironment::implementation_name},
    {"implementation_version", &MarkerEnvironment::implementation_version},
    {"os_name", &MarkerEnvironment::os_name},
    {"platform_machine", &MarkerEnvironment::platform_machine},
    {"platform_python_implementation",
     &MarkerEnvironment::platform_python_implementation},
    {"platform_release", &MarkerEnvironment::platform_release},
    {"platform_system", &MarkerEnvironment::platform_system},
    {"platform_version", &MarkerEnvironment::platform_version},
    {"python_full_version", &MarkerEnvironment::python_full_version},
    {"python_version", &MarkerEnvironment::python_version},
    {"sys_platform", &MarkerEnvironment::sys_platform},
}};

// PEP 345's spellings, which early setuptools wrote, and what PEP 508 lists as
// legacy names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> aliases{{
    {"os.name", "os_name"},
    {"sys.platform", "sys_platform"},
    {"platform.version", "platform_version"},
    {"platform.machine", "platform_machine"},
    {"platform.python_implementation", "platform_python_implementation"},
    {"platform_python_implementation", "platform_python_implementation"},
    {"python_implementation", "platform_python_implementation"},
}};

bool compare_as_strings(const std::string& left, const std::string& op,
                        const std::string& right, bool& defined) {
  defined = true;
  if (op == "==")
    return left == right;
  if (op == "!=")
    return left != right;
  if (op == "<")
    return left < right;
  if (op == "<=")
    return left <= right;
  if (op == ">")
    return left > right;
  if (op == ">=")
    return left >= right;
  if (op == "in")
    return right.find(left) != std::string::npos;
  if (op == "not in")
    return right.find(left) == std::string::npos;
  defined = false;
  return false;
}

/// PEP 508: as versions where both sides are, else as Python strings.
std::optional<bool> compare(const std::string& left, const std::string& op,
                            const std::string& right) {
  if (const auto specifier = Specifier::parse(op + right)) {
    if (const auto version = Version::parse(left))
      return specifier->matches(*version);
  }
  bool defined = false;
  const bool result = compare_as_strings(left, op, right, defined);
  return defined ? std::optional<bool>(result) : std::nullopt;
}

std::optional<bool> evaluate_node(const Marker::Node& node,
                                  const MarkerEnvironment& environment,
                                  std::string_view extra) {
  if (node.op == "and" || node.op == "or") {
    const auto left = evaluate_node(*node.left, environment, extra);
    const auto right = evaluate_node(*node.right, environment, extra);
    if (!left || !right)
      return std::nullopt;
    return node.op == "and" ? *left && *right : *left || *right;
  }
  const bool about_extra = node.mentions_extra();
  const auto value = [&](const Marker::Operand& operand) {
    std::string text = operand.text;
    if (operand.is_variable) {
      const std::string* known = environment.find(operand.text);
      text = known != nullptr ? *known : std::string(extra);
    }
    // PEP 685: extras are compared normalised.
    return about_extra ? normalize_name(text) : text;
  };
  return compare(value(node.first), node.op, value(node.second));
}

void collect_extras(const Marker::Node& node, std::set<std::string>& out) {
  if (node.left) {
    collect_extras(*node.left, out);
    collect_extras(*node.right, out);
  } else if (node.mentions_extra()) {
    const auto& other = node.first.is_variable ? node.second : node.first;
    out.insert(normalize_name(other.text));
  }
}

std::string text_of(const Marker::Operand& operand) {
  if (operand.is_variable)
    return operand.text;
  const char quote = operand.text.find('"') == std::string::npos ? '"' : '\'';
  return quote + operand.text + quote;
}

std::string text_of(const Marker::Node& node) {
  if (!node.left)
    return text_of(node.first) + ' ' + node.op + ' ' + text_of(node.second);
  const auto side = [&node](const Marker::Node& child) {
    const bool parens = node.op == "and" && child.op == "or";
    return parens ? '(' + text_of(child) + ')' : text_of(child);
  };
  return side(*node.left) + ' ' + node.op + ' ' + side(*node.right);
}

bool is_word(char c) {
  return is_alphanumeric(c) || c == '_';
}

/// A recursive-descent reader of PEP 508's marker grammar.
class Reader {
 public:
  explicit Reader(std::string_view text) : in_(text) {}

  Marker::NodePtr read_all() {
    Marker::NodePtr node = read_or();
    in_.skip_blanks();
    return in_.at_end() ? node : nullptr;
  }

 private:
  // Nesting is bounded: the text comes from an index.
  static constexpr int max_depth = 100;

  bool take_keyword(std::string_view word) {
    in_.skip_blanks();
    Scanner ahead = in_;
    if (!ahead.take_text(word) || is_word(ahead.peek()))
      return false;
    in_ = ahead;
    return true;
  }

  Marker::NodePtr join(std::string_view op, Marker::NodePtr left,
                       Marker::NodePtr right) {
    if (!right)
      return nullptr;
    auto node = std::make_shared<Marker::Node>();
    node->op = op;
    node->left = std::move(left);
    node->right = std::move(right);
    return node;
  }

  Marker::NodePtr read_or() {
    Marker::NodePtr node = read_and();
    while (node && take_keyword("or"))
      node = join("or", std::move(node), read_and());
    return node;
  }

  Marker::NodePtr read_and() {
    Marker::NodePtr node = read_atom();
    while (node && take_keyword("and"))
      node = join("and", std::move(node), read_atom());
    return node;
  }

  Marker::NodePtr read_atom() {
    in_.skip_blanks();
    if (!in_.take('('))
      return read_comparison();
    if (++depth_ > max_depth)
      return nullptr;
    Marker::NodePtr node = read_or();
    --depth_;
    in_.skip_blanks();
    return in_.take(')') ? node : nullptr;
  }

  Marker::NodePtr read_comparison() {
    auto node = std::make_shared<Marker::Node>();
    if (!read_operand(node->first) || !read_operator(node->op) ||
        !read_operand(node->second))
      return nullptr;
    return node;
  }

  bool read_operand(Marker::Operand& out) {
    in_.skip_blanks();
    for (const char quote : {'\'', '"'}) {
      if (!in_.take(quote))
        continue;
      // PEP 508's python_str has no backslash, so nothing is ever escaped.
      out.text =
          in_.take_while([quote](char c) { return c != quote && c != '\\'; });
      return in_.take(quote);
    }
    const std::string_view name =
        in_.take_while([](char c) { return is_word(c) || c == '.'; });
    out.is_variable = true;
    const auto* alias =
        std::find_if(aliases.begin(), aliases.end(),
                     [name](const auto& row) { return row.first == name; });
    out.text = alias == aliases.end() ? name : alias->second;
    return name == "extra" || MarkerEnvironment().find(out.text) != nullptr;
  }

  bool read_operator(std::string& out) {
    if (take_keyword("in")) {
      out = "in";
      return true;
    }
    if (take_keyword("not")) {
      if (in_.peek() != ' ' && in_.peek() != '\t')
        return false;
      out = "not in";
      return take_keyword("in");
    }
    for (const std::string_view op :
         {"===", "==", "~=", "!=", "<=", ">=", "<", ">"}) {
      if (!in_.take_text(op))
        continue;
      out = op;
      return true;
    }
    return false;
  }

  Scanner in_;
  int depth_ = 0;
};

}  // namespace

const std::string* MarkerEnvironment::find(std::string_view variable) const {
  const auto* row =
      std::find_if(variables.begin(), variables.end(),
                   [variable](const auto& v) { return v.name == variable; });
  return row == variables.end() ? nullptr : &(this->*(row->value));
}

std::optional<Marker> Marker::parse(std::string_view text) {
  NodePtr root = Reader(text).read_all();
  if (!root)
    return std::nullopt;
  return Marker(std::move(root));
}

std::optional<bool> Marker::evaluate(const MarkerEnvironment& environment,
                                     std::string_view extra) const {
  return evaluate_node(*root_, environment, extra);
}

std::set<std::string> Marker::extras() const {
  std::set<std::string> out;
  collect_extras(*root_, out);
  return out;
}

std::string Marker::text() const {
  return text_of(*root_);
}

}  // namespace autopin::python
