#include "python/python_source.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "python/scan.h"

namespace autopin::python {

namespace {

bool is_name_start(char c) {
  return is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_part(char c) {
  return is_name_start(c) || is_digit(c);
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : in_(source) {}

  std::vector<Token> run() {
    start_line();
    while (!in_.at_end())
      step();
    end_line();
    out_.push_back({});
    return std::move(out_);
  }

 private:
  void start_line() {
    indent_ = 0;
    for (const char c :
         in_.take_while([](char b) { return b == ' ' || b == '\t'; }))
      indent_ = c == '\t' ? (indent_ / 8 + 1) * 8 : indent_ + 1;
  }

  void end_line() {
    if (out_.empty() || out_.back().kind == Token::Kind::newline)
      return;
    out_.push_back({Token::Kind::newline, "", indent_, false});
  }

  void add(Token::Kind kind, std::string_view text, bool computed = false) {
    out_.push_back({kind, std::string(text), indent_, computed});
  }

  void step() {
    const char c = in_.peek();
    if (c == '\n') {
      in_.advance(1);
      if (brackets_ > 0)
        return;
      end_line();
      start_line();
    } else if (is_space(c)) {
      in_.advance(1);
    } else if (c == '#') {
      in_.take_while([](char b) { return b != '\n'; });
    } else if (c == '\\') {
      in_.advance(1);
      in_.take('\r');
      if (!in_.take('\n'))
        add(Token::Kind::op, "\\");
    } else if (is_name_start(c) || c == '"' || c == '\'') {
      read_word();
    } else if (is_digit(c)) {
      add(Token::Kind::number,
          in_.take_while([](char b) { return is_name_part(b) || b == '.'; }));
    } else {
      read_operator();
    }
  }

  /// A name, or a string with or without a prefix.
  void read_word() {
    const std::string_view word = in_.take_while(is_name_part);
    const char next = in_.peek();
    if (next != '"' && next != '\'')
      return add(Token::Kind::name, word);
    const std::string prefix = to_lower(word);
    const bool is_prefix =
        prefix.size() <= 2 &&
        prefix.find_first_not_of("rubf") == std::string::npos;
    if (!is_prefix)
      return add(Token::Kind::name, word);
    const bool raw = prefix.find('r') != std::string::npos;
    const bool format = prefix.find('f') != std::string::npos;
    const std::string text = read_string(raw);
    add(Token::Kind::text, text,
        format && text.find_first_of("{}") != std::string::npos);
  }

  std::string read_string(bool raw) {
    const char quote = in_.peek();
    const std::string triple(3, quote);
    const bool is_triple = in_.take_text(triple);
    if (!is_triple)
      in_.advance(1);
    std::string out;
    while (!in_.at_end()) {
      if (is_triple ? in_.take_text(triple) : in_.take(quote))
        break;
      const char c = in_.peek();
      if (c == '\n' && !is_triple)
        break;  // unterminated
      in_.advance(1);
      if (c != '\\')
        out += c;
      else
        read_escape(raw, out);
    }
    return out;
  }

  void read_escape(bool raw, std::string& out) {
    const char c = in_.peek();
    in_.advance(in_.at_end() ? 0 : 1);
    if (!raw && c == 'n') {
      out += '\n';
    } else if (!raw && c == 't') {
      out += '\t';
    } else if (!raw && (c == '\\' || c == '\'' || c == '"')) {
      out += c;
    } else if (raw || c != '\n') {
      // Numbers of characters do not occur in requirements; kept as written,
      // such a text is no requirement and is reported as one.
      out += '\\';
      out += c;
    }
  }

  void read_operator() {
    for (const std::string_view op : {"**", "+=", "==", "!=", "<=", ">=", "->",
                                      "-=", "*=", "/=", "|=", "//", ":="}) {
      if (in_.take_text(op))
        return add(Token::Kind::op, op);
    }
    const char c = in_.peek();
    if (c == '(' || c == '[' || c == '{')
      ++brackets_;
    if ((c == ')' || c == ']' || c == '}') && brackets_ > 0)
      --brackets_;
    in_.advance(1);
    if (c == ';' && brackets_ == 0)
      end_line();
    else
      add(Token::Kind::op, std::string_view(&c, 1));
  }

  Scanner in_;
  std::vector<Token> out_;
  int indent_ = 0;
  int brackets_ = 0;
};

Literal unknown() {
  return {};
}

Literal text_literal(std::string text) {
  Literal out;
  out.kind = Literal::Kind::text;
  out.text = std::move(text);
  return out;
}

Literal split_text(const Literal& value, bool by_lines) {
  Literal out;
  out.kind = Literal::Kind::list;
  std::string word;
  for (const char c : value.text + '\n') {
    const bool separator = by_lines ? c == '\n' : is_space(c);
    if (!separator) {
      word += c;
    } else if (!word.empty()) {
      out.items.push_back(text_literal(std::exchange(word, {})));
    }
  }
  return out;
}

std::size_t size_of(const Literal& value) {
  std::size_t out = 1 + value.text.size() / 16;
  for (const Literal& item : value.items)
    out += size_of(item);
  for (const LiteralEntry& entry : value.entries)
    out += size_of(entry.key) + size_of(entry.value);
  return out;
}

bool is_closing(const Token& token) {
  return token.is_op(")") || token.is_op("]") || token.is_op("}");
}
bool is_opening(const Token& token) {
  return token.is_op("(") || token.is_op("[") || token.is_op("{");
}

}  // namespace

std::vector<Token> tokenize_python(std::string_view source) {
  return Tokenizer(source).run();
}

Literal add_literals(Literal left, const Literal& right) {
  using Kind = Literal::Kind;
  if (left.kind == Kind::text && right.kind == Kind::text) {
    left.text += right.text;
    return left;
  }
  if (left.kind == Kind::list && right.kind == Kind::list) {
    left.items.insert(left.items.end(), right.items.begin(), right.items.end());
    left.partial = left.partial || right.partial;
    return left;
  }
  // One known list plus something computed: what is known stands.
  if (left.kind == Kind::list || right.kind == Kind::list) {
    if (left.kind != Kind::list)
      left = right;
    left.partial = true;
    return left;
  }
  return unknown();
}

bool LiteralReader::ends_expression(std::size_t at) const {
  const Token& token = tokens_[at];
  return token.kind == Token::Kind::newline || token.kind == Token::Kind::end ||
         token.is_op(",") || token.is_op(":") || is_closing(token);
}

void LiteralReader::skip_expression(std::size_t& at) const {
  for (int depth = 0; tokens_[at].kind != Token::Kind::end; ++at) {
    if (depth == 0 && ends_expression(at))
      return;
    if (is_opening(tokens_[at]))
      ++depth;
    if (is_closing(tokens_[at]))
      --depth;
  }
}

Literal LiteralReader::read(std::size_t& at) {
  // Nesting is bounded: the text comes from an index.
  if (++depth_ > 200) {
    skip_expression(at);
    --depth_;
    return unknown();
  }
  const std::size_t start = at;
  Literal out = read_sum(at);
  if (!ends_expression(at)) {
    at = start;
    skip_expression(at);
    out = unknown();
  }
  --depth_;
  return out;
}

Literal LiteralReader::read_sum(std::size_t& at) {
  Literal out = read_postfix(at);
  while (tokens_[at].is_op("+")) {
    ++at;
    out = add_literals(std::move(out), read_postfix(at));
  }
  return out;
}

/// An atom with what follows it: pure methods of strings are computed, any
/// other call, index or attribute makes it unknown.
Literal LiteralReader::read_postfix(std::size_t& at) {
  const std::size_t start = at;
  Literal out = read_atom(at);
  while (tokens_[at].is_op(".") || tokens_[at].is_op("(") ||
         tokens_[at].is_op("[")) {
    const bool split_call =
        out.kind == Literal::Kind::text && tokens_[at].is_op(".") &&
        (tokens_[at + 1].is_name("split") ||
         tokens_[at + 1].is_name("splitlines")) &&
        tokens_[at + 2].is_op("(") && tokens_[at + 3].is_op(")");
    const bool dict_call = at == start + 1 && tokens_[start].is_name("dict") &&
                           tokens_[at].is_op("(");
    if (split_call) {
      out = split_text(out, tokens_[at + 1].is_name("splitlines"));
      at += 4;
    } else if (dict_call) {
      ++at;
      out = read_keywords(at);
    } else if (tokens_[at].is_op(".")) {
      ++at;
      if (tokens_[at].kind == Token::Kind::name)
        ++at;
      out = unknown();
    } else {
      // The arguments, balanced.
      ++at;
      while (!is_closing(tokens_[at]) && tokens_[at].kind != Token::Kind::end) {
        skip_expression(at);
        if (!is_closing(tokens_[at]) && tokens_[at].kind != Token::Kind::end)
          ++at;
      }
      if (tokens_[at].kind != Token::Kind::end)
        ++at;
      out = unknown();
    }
  }
  return out;
}

Literal LiteralReader::read_atom(std::size_t& at) {
  const Token& token = tokens_[at];
  if (token.kind == Token::Kind::text) {
    Literal out = text_literal("");
    bool computed = false;
    for (; tokens_[at].kind == Token::Kind::text; ++at) {
      out.text += tokens_[at].text;
      computed = computed || tokens_[at].computed;
    }
    return computed ? unknown() : out;
  }
  if (token.kind == Token::Kind::name)
    return look_up(tokens_[at++].text);
  if (token.kind == Token::Kind::number) {
    ++at;
    Literal out;
    out.kind = Literal::Kind::other;
    return out;
  }
  if (token.is_op("["))
    return read_list(++at, "]");
  if (token.is_op("("))
    return read_list(++at, ")");
  if (token.is_op("{"))
    return read_braces(++at);
  skip_expression(at);
  return unknown();
}

/// A list or tuple; "(x)" without a comma is x itself.
Literal LiteralReader::read_list(std::size_t& at, std::string_view close) {
  Literal out;
  out.kind = Literal::Kind::list;
  bool comma = false;
  while (!tokens_[at].is_op(close)) {
    const std::size_t start = at;
    Literal item = read(at);
    out.partial = out.partial || item.is_partial();
    out.items.push_back(std::move(item));
    if (tokens_[at].is_op(",")) {
      comma = true;
      ++at;
    } else if (!tokens_[at].is_op(close)) {
      out.partial = true;
      if (at == start)
        return unknown();  // not ours to understand
    }
  }
  ++at;
  if (close == ")" && !comma && out.items.size() == 1)
    return std::move(out.items.front());
  return out;
}

/// A dict or a set.
Literal LiteralReader::read_braces(std::size_t& at) {
  Literal out;
  out.kind = Literal::Kind::dict;
  while (!tokens_[at].is_op("}")) {
    const std::size_t start = at;
    Literal key = read(at);
    if (tokens_[at].is_op(":")) {
      ++at;
      Literal value = read(at);
      out.partial = out.partial || key.is_partial() || value.is_partial();
      out.entries.push_back({std::move(key), std::move(value)});
    } else {
      out.kind =
          key.kind == Literal::Kind::text ? Literal::Kind::list : out.kind;
      out.partial = out.partial || key.is_partial();
      out.items.push_back(std::move(key));
    }
    if (tokens_[at].is_op(","))
      ++at;
    else if (!tokens_[at].is_op("}") && at == start)
      return unknown();
  }
  ++at;
  return out;
}

Literal LiteralReader::read_keywords(std::size_t& at) {
  Literal out;
  out.kind = Literal::Kind::dict;
  while (!tokens_[at].is_op(")") && tokens_[at].kind != Token::Kind::end) {
    const std::size_t start = at;
    if (tokens_[at].is_op("**")) {
      ++at;
      const Literal mapping = read(at);
      out.partial = out.partial || mapping.is_partial() ||
                    mapping.kind != Literal::Kind::dict;
      out.entries.insert(out.entries.end(), mapping.entries.begin(),
                         mapping.entries.end());
    } else if (tokens_[at].kind == Token::Kind::name &&
               tokens_[at + 1].is_op("=")) {
      Literal key = text_literal(tokens_[at].text);
      at += 2;
      out.entries.push_back({std::move(key), read(at)});
    } else {
      read(at);
      out.partial = true;
    }
    if (tokens_[at].is_op(",") || at == start)
      ++at;
  }
  if (tokens_[at].kind != Token::Kind::end)
    ++at;
  return out;
}

Literal LiteralReader::look_up(const std::string& name) {
  if (name == "None" || name == "True" || name == "False") {
    Literal out;
    out.kind = Literal::Kind::other;
    return out;
  }
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto found = scope->find(name);
    if (found == scope->end())
      continue;
    const std::size_t size = size_of(found->second);
    if (size > budget_)
      break;
    budget_ -= size;
    return found->second;
  }
  return unknown();
}

}  // namespace autopin::python
