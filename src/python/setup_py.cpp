#include "python/setup_py.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "python/python_source.h"

namespace autopin::python {

namespace {

using List = DeclaredRequirements::List;

/// Follows a setup.py statement by statement. Bindings that always happen (at
/// top level, in functions, in `if __name__ == "__main__"`) are kept as they
/// are; those under a condition or in a loop make what they touch partial.
class SetupPy {
 public:
  explicit SetupPy(std::string_view source)
      : tokens_(tokenize_python(source)), reader_(tokens_, scopes_) {
    scopes_.emplace_back();
  }

  /// The keywords of the setup() call; unknown where there is none.
  Literal run() {
    while (tokens_[at_].kind != Token::Kind::end)
      statement();
    return keywords_;
  }

 private:
  struct Block {
    int indent = 0;
    bool conditional = false;
    bool scope = false;
  };

  void statement() {
    leave_blocks(tokens_[at_].indent);
    const std::size_t start = at_;
    if (is_header())
      return enter_block(start);
    if (!assignment() && !augmentation() && !mutation())
      at_ = start;
    finish_line(start);
  }

  bool is_header() const {
    constexpr std::array<std::string_view, 12> words{
        "if",     "elif",    "else", "for", "while", "try",
        "except", "finally", "with", "def", "class", "async"};
    const Token& token = tokens_[at_];
    return token.kind == Token::Kind::name &&
           std::find(words.begin(), words.end(), token.text) != words.end();
  }

  void enter_block(std::size_t start) {
    const Token& word = tokens_[start];
    Block block{word.indent, true, false};
    if (word.is_name("def") || word.is_name("class")) {
      block.conditional = false;
      block.scope = true;
      scopes_.emplace_back();
    } else if (word.is_name("with") || word.is_name("async") ||
               (word.is_name("if") && tokens_[start + 1].is_name("__name__"))) {
      block.conditional = false;
    }
    // The body may stand on the same line, behind the ":".
    int depth = 0;
    for (; !ends_line(at_); ++at_) {
      const Token& token = tokens_[at_];
      if (token.kind == Token::Kind::op &&
          std::string_view("([{").find(token.text) != std::string_view::npos)
        ++depth;
      if (token.kind == Token::Kind::op &&
          std::string_view(")]}").find(token.text) != std::string_view::npos)
        --depth;
      if (depth == 0 && token.is_op(":")) {
        ++at_;
        break;
      }
    }
    blocks_.push_back(block);
    const std::size_t body = at_;
    if (!ends_line(at_)) {
      if (!assignment() && !augmentation() && !mutation())
        at_ = body;
      finish_line(body);
      leave_blocks(word.indent);
    } else if (tokens_[at_].kind == Token::Kind::newline) {
      ++at_;
    }
  }

  void leave_blocks(int indent) {
    while (!blocks_.empty() && blocks_.back().indent >= indent) {
      if (blocks_.back().scope)
        scopes_.pop_back();
      blocks_.pop_back();
    }
  }

  bool ends_line(std::size_t at) const {
    return tokens_[at].kind == Token::Kind::newline ||
           tokens_[at].kind == Token::Kind::end;
  }

  /// Moves to the next statement, looking for setup(…) on the way.
  void finish_line(std::size_t start) {
    std::size_t end = at_;
    while (!ends_line(end))
      ++end;
    for (std::size_t i = start; i < end; ++i) {
      const bool is_call = tokens_[i].is_name("setup") &&
                           tokens_[i + 1].is_op("(") &&
                           !(i > start && tokens_[i - 1].is_name("def"));
      if (!is_call)
        continue;
      i += 2;
      Literal found = reader_.read_keywords(i);
      if (keywords_.kind == Literal::Kind::unknown)
        keywords_ = std::move(found);
    }
    at_ = tokens_[end].kind == Token::Kind::end ? end : end + 1;
  }

  bool conditional() const {
    return std::any_of(blocks_.begin(), blocks_.end(),
                       [](const Block& b) { return b.conditional; });
  }

  Literal* find(const std::string& name) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->find(name); found != scope->end())
        return &found->second;
    }
    return nullptr;
  }

  /// Under a condition nobody knows which value it will have.
  void bind(const std::string& name, Literal value) {
    if (conditional()) {
      Literal* known = find(name);
      if (known != nullptr)
        known->partial = true;
      else
        scopes_.back()[name] = Literal();
      return;
    }
    scopes_.back()[name] = std::move(value);
  }

  /// name = value, name: type = value, a = b = value
  bool assignment() {
    if (tokens_[at_].kind != Token::Kind::name)
      return false;
    const std::string name = tokens_[at_].text;
    std::size_t i = at_ + 1;
    if (tokens_[i].is_op("["))
      return item_assignment();
    if (tokens_[i].is_op(":")) {
      while (!ends_line(i) && !tokens_[i].is_op("="))
        ++i;
    }
    if (!tokens_[i].is_op("="))
      return false;
    std::vector<std::string> names{name};
    ++i;
    while (tokens_[i].kind == Token::Kind::name && tokens_[i + 1].is_op("=")) {
      names.push_back(tokens_[i].text);
      i += 2;
    }
    Literal value = reader_.read(i);
    // "a = 1, 2" is a tuple; nobody writes requirements so.
    if (!ends_line(i))
      value = Literal();
    for (const std::string& target : names)
      bind(target, value);
    return true;
  }

  /// name["key"] = value
  bool item_assignment() {
    const std::string name = tokens_[at_].text;
    std::size_t i = at_ + 2;
    Literal key = reader_.read(i);
    if (!tokens_[i].is_op("]") || !tokens_[i + 1].is_op("=")) {
      touch(name);
      return false;
    }
    i += 2;
    Literal value = reader_.read(i);
    Literal* known = find(name);
    if (known == nullptr)
      return true;
    if (conditional() || key.is_partial() ||
        known->kind != Literal::Kind::dict) {
      known->partial = true;
      return true;
    }
    for (auto& entry : known->entries) {
      if (entry.key.text == key.text) {
        entry.value = std::move(value);
        return true;
      }
    }
    known->entries.push_back({std::move(key), std::move(value)});
    return true;
  }

  /// name += value
  bool augmentation() {
    if (tokens_[at_].kind != Token::Kind::name || !tokens_[at_ + 1].is_op("+="))
      return false;
    Literal* known = find(tokens_[at_].text);
    std::size_t i = at_ + 2;
    const Literal value = reader_.read(i);
    if (known != nullptr)
      extend(*known, value);
    return true;
  }

  void extend(Literal& known, const Literal& value) const {
    if (conditional())
      known.partial = true;
    else
      known = add_literals(std::move(known), value);
  }

  /// name.append(value), name.extend(value), name.update(…), …
  bool mutation() {
    const bool is_call = tokens_[at_].kind == Token::Kind::name &&
                         tokens_[at_ + 1].is_op(".") &&
                         tokens_[at_ + 2].kind == Token::Kind::name &&
                         tokens_[at_ + 3].is_op("(");
    if (!is_call)
      return false;
    Literal* known = find(tokens_[at_].text);
    if (known == nullptr)
      return false;
    const std::string method = tokens_[at_ + 2].text;
    std::size_t i = at_ + 4;
    if (method == "append" || method == "extend") {
      Literal value = reader_.read(i);
      if (method == "append") {
        Literal list;
        list.kind = Literal::Kind::list;
        list.partial = value.is_partial();
        list.items.push_back(std::move(value));
        value = std::move(list);
      }
      extend(*known, value);
    } else if (method == "update" && known->kind == Literal::Kind::dict) {
      update(*known, i);
    } else {
      known->partial = true;
    }
    return true;
  }

  /// Behind "name.update(": keywords, or one dict.
  void update(Literal& known, std::size_t i) {
    const bool keywords =
        tokens_[i].kind == Token::Kind::name && tokens_[i + 1].is_op("=");
    Literal value = keywords ? reader_.read_keywords(i) : reader_.read(i);
    if (conditional() || value.kind != Literal::Kind::dict) {
      known.partial = true;
      return;
    }
    known.partial = known.partial || value.partial;
    known.entries.insert(known.entries.end(), value.entries.begin(),
                         value.entries.end());
  }

  void touch(const std::string& name) {
    if (Literal* known = find(name))
      known->partial = true;
  }

  std::vector<Token> tokens_;
  std::vector<LiteralScope> scopes_;
  LiteralReader reader_;
  std::vector<Block> blocks_;
  std::size_t at_ = 0;
  Literal keywords_;
};

/// The texts of a list, or the lines of a string (setuptools takes both).
std::optional<List> to_list(const Literal& value, bool& partial) {
  List out;
  partial = value.is_partial();
  if (value.kind == Literal::Kind::text) {
    for (const std::string_view line : lines_of(value.text)) {
      const std::string_view entry = trim(line);
      if (!entry.empty() && entry.front() != '#')
        out.emplace_back(entry);
    }
    return out;
  }
  if (value.kind == Literal::Kind::other)
    return out;  // None
  if (value.kind != Literal::Kind::list) {
    partial = true;
    return std::nullopt;
  }
  for (const Literal& item : value.items) {
    if (item.kind == Literal::Kind::text)
      out.push_back(std::string(trim(item.text)));
    else
      partial = true;
  }
  return out;
}

std::optional<std::map<std::string, List>> to_extras(const Literal& value,
                                                     bool& partial) {
  partial = value.is_partial();
  if (value.kind != Literal::Kind::dict) {
    partial = true;
    return std::nullopt;
  }
  std::map<std::string, List> out;
  for (const auto& [key, entry] : value.entries) {
    bool entry_partial = false;
    auto list = to_list(entry, entry_partial);
    partial = partial || entry_partial || key.kind != Literal::Kind::text;
    if (list && key.kind == Literal::Kind::text)
      out[key.text] = *list;
  }
  return out;
}

}  // namespace

DeclaredRequirements read_setup_py(std::string_view source) {
  const Literal keywords = SetupPy(source).run();
  DeclaredRequirements out;
  bool mapped = keywords.partial;
  const auto take = [&](const std::string& name, auto& target, auto convert) {
    for (const auto& [key, value] : keywords.entries) {
      if (key.text != name)
        continue;
      bool partial = false;
      target = convert(value, partial);
      if (partial)
        out.opaque.push_back(name);
    }
  };
  take("install_requires", out.install_requires, to_list);
  take("setup_requires", out.setup_requires, to_list);
  take("tests_require", out.tests_require, to_list);
  take("extras_require", out.extras_require, to_extras);
  for (const auto& [key, value] : keywords.entries) {
    if (key.text == "python_requires" && value.kind == Literal::Kind::text)
      out.python_requires = value.text;
  }
  // setup(**computed) may hold any keyword; no setup() call at all, too.
  if (mapped || keywords.kind == Literal::Kind::unknown)
    out.opaque.emplace_back("setup");
  return out;
}

DeclaredRequirements merge(DeclaredRequirements base,
                           const DeclaredRequirements& over) {
  const auto take = [](auto& target, const auto& source) {
    if (source)
      target = source;
  };
  take(base.install_requires, over.install_requires);
  take(base.setup_requires, over.setup_requires);
  take(base.tests_require, over.tests_require);
  take(base.extras_require, over.extras_require);
  take(base.build_requires, over.build_requires);
  if (!over.python_requires.empty())
    base.python_requires = over.python_requires;
  base.opaque.insert(base.opaque.end(), over.opaque.begin(), over.opaque.end());
  return base;
}

}  // namespace autopin::python
