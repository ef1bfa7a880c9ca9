#pragma once
// Makes Nix files up: the ways people lay out packages, drawn by a seeded
// generator, for tests of what must hold for any layout.

#include <random>
#include <string>
#include <vector>

namespace autopin::nix {

class NixGenerator {
 public:
  explicit NixGenerator(unsigned seed) : engine_(seed) {
    line_end_ = chance(20) ? "\r\n" : "\n";
    unit_ = pick({"  ", "  ", "  ", "    ", "\t"});
    tight_ = chance(20);
  }

  /// A file: a function, a let or neither around a builder's call.
  std::string file() {
    std::string text = chance(30) ? "# " + word() + line_end_ : "";
    if (chance(50))
      text += formals() + ":" + line_end_ + (chance(50) ? line_end_ : "");
    if (chance(30))
      text += "with " + word() + "; ";
    if (chance(40))
      text += "let" + bindings("", 1 + below(3), true) + line_end_ + "in" +
              line_end_;
    text +=
        word() + "." + word() + " " + (chance(20) ? "rec " : "") + set("", 0);
    if (chance(20))
      text = text + " # " + word();
    return text + (chance(85) ? line_end_ : "");
  }

  unsigned below(unsigned limit) {
    return static_cast<unsigned>(engine_()) % limit;
  }
  bool chance(unsigned percent) { return below(100) < percent; }

  std::string pick(const std::vector<std::string>& from) {
    return from[below(static_cast<unsigned>(from.size()))];
  }

  /// Characters that Nix or the shell reads in a way of its own.
  std::string hostile(unsigned longest) {
    static const std::vector<std::string> pieces = {
        "$",  "{", "}",   "'",  "''",   "\"",  "\\", "${", "$${", "#", "*/",
        "/*", "a", "b c", "\t", "''\\", "'''", ";",  "=",  "\\n", "n"};
    std::string text;
    for (unsigned left = below(longest + 1); left > 0; --left)
      text += pick(pieces);
    return text;
  }

 private:
  std::string word() {
    return pick({"alpha", "beta_2", "gamma-x", "delta'", "eps", "zeta"});
  }

  /// Where trivia may stand: at the end of a line, or within one.
  std::string line_comment() {
    switch (below(6)) {
      case 0:
        return " # " + hostile_comment();
      case 1:
        return " /* " + word() + " ] } */";
      default:
        return "";
    }
  }

  std::string hostile_comment() {
    return pick({"plain", "[ { ''", "\"", "${x}", "; }", "/* open"});
  }

  std::string formals() {
    const unsigned count = below(5);
    const bool dots = chance(30);
    const bool leading = chance(33);
    const bool lines = leading || chance(50);
    const std::string between = lines ? line_end_ : "";
    std::vector<std::string> all;
    for (unsigned i = 0; i < count; ++i)
      all.push_back("f" + std::to_string(i) + (chance(20) ? " ? [ 1 ]" : ""));
    if (dots)
      all.emplace_back("...");
    if (all.empty())
      return pick({"{ }", "{}", "{ /* none */ }"});
    std::string text = "{ ";
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool last = i + 1 == all.size();
      if (leading) {
        text += (i > 0 ? ", " : "") + all[i] + line_comment() + line_end_;
      } else if (lines) {
        text += (i == 0 ? line_end_ : "") + unit_ + all[i];
        const bool comma = !last || (!dots && chance(50));
        text += (comma ? "," : "") + line_comment() + line_end_;
      } else {
        text += all[i] + (last ? " " : ", ");
      }
    }
    return text + "}" + (chance(10) ? "@args" : "");
  }

  std::string set(const std::string& indent, unsigned depth) {
    const unsigned count = below(5);
    const std::string gap = tight_ ? "" : " ";
    if (count == 0) {
      return pick({"{ }", "{}", "{" + line_end_ + indent + "}",
                   "{" + line_end_ + indent + unit_ + "# none" + line_end_ +
                       indent + "}"});
    }
    if (chance(25)) {
      std::string text = "{" + gap;
      for (unsigned i = 0; i < count; ++i)
        text += "k" + std::to_string(i) + " = " + simple() + ";" +
                (i + 1 < count ? " " : gap);
      return text + "}";
    }
    const std::string inside = bindings(indent, count, depth > 2);
    if (chance(10))
      return "{" + inside +
             (inside.find('#') == std::string::npos ? " }" : line_end_ + "}");
    return "{" + inside + line_end_ + indent + "}";
  }

  std::string bindings(const std::string& indent, unsigned count, bool flat) {
    const std::string inner = indent + unit_;
    std::string text;
    for (unsigned i = 0; i < count; ++i) {
      text += line_end_ + inner;
      if (chance(10)) {
        text += "# " + hostile_comment() + line_end_ + inner;
      } else if (chance(10)) {
        const std::string name = "i" + std::to_string(i);
        text += (chance(50) ? "inherit " : "inherit (p) j" + name + " ") +
                name + ";" + line_comment();
        continue;
      }
      text += "k" + std::to_string(i) + (chance(10) ? ".\"q r\"" : "") + " =" +
              (chance(10) ? line_end_ + inner + unit_ : " ") +
              (flat ? simple() : value(inner)) + ";" + line_comment();
    }
    return text;
  }

  std::string simple() {
    return pick({"1", "\"s\"", "\"a${b}c\"", "./p", "a.b", "[ ]", "[]", "{ }",
                 "[ a b ]", "''x''", "true", "(f x)", "\"\""});
  }

  std::string value(const std::string& indent) {
    switch (below(6)) {
      case 0:
        return list(indent);
      case 1:
        return "with " + word() + "; " + list(indent);
      case 2:
        return script(indent);
      case 3:
        return word() + " " + set(indent, 3);
      case 4:
        return "(" + word() + ".override " + set(indent, 3) + ")";
      default:
        return simple();
    }
  }

  std::string item() {
    return pick({"a", "b.c", "(f x)", "\"s\"", "{ q = 1; }", "./x", "[ 1 ]"});
  }

  std::string list(const std::string& indent) {
    const unsigned count = below(5);
    const std::string inner = indent + unit_;
    if (count == 0)
      return pick(
          {"[ ]", "[]",
           "[" + line_end_ + inner + "# none" + line_end_ + indent + "]"});
    std::string text = "[";
    const unsigned style = below(4);
    for (unsigned i = 0; i < count; ++i) {
      if (style == 0)  // All on one line.
        text += (tight_ && i == 0 ? "" : " ") + item();
      else if (style == 1 && i == 0)  // The first one beside the bracket.
        text += " " + item() + line_comment();
      else if (style == 2 && i % 2 == 1)  // Two a line.
        text += " " + item() + line_comment();
      else
        text += line_end_ + inner + item() + (style == 2 ? "" : line_comment());
    }
    if (style == 0)
      return text + (chance(20) ? " /* x */ ]" : tight_ ? "]" : " ]");
    const std::size_t last = text.rfind('\n');
    const bool open = text.find('#', last == std::string::npos ? 0 : last) !=
                      std::string::npos;
    return text + (style == 1 && !open ? " ]" : line_end_ + indent + "]");
  }

  std::string script(const std::string& indent) {
    const std::string inner = indent + unit_;
    const std::vector<std::string> lines = {"rm -f x", "  echo ''${y} ${z}",
                                            "",        "sed 's/a/b/' \"$f\"",
                                            "# note",  "a ''' b",
                                            "f \\",    "${z}'${z}"};
    switch (below(5)) {
      case 0:
        return pick({"''''", "''one''", "'' two ''", "\"\"", "\"one\\n\"",
                     "\"a; b ${c}\""});
      case 1:
        return "\"a" + line_end_ + inner + "b" + line_end_ + "\"";
      default: {
        std::string text = "''";
        for (unsigned left = 1 + below(4); left > 0; --left) {
          const std::string line = pick(lines);
          text += line_end_ + (line.empty() ? "" : inner) + line;
        }
        return text + (chance(15) ? " x''" : line_end_ + indent + "''");
      }
    }
  }

  std::mt19937 engine_;
  std::string line_end_;
  std::string unit_;
  bool tight_ = false;
};

}  // namespace autopin::nix
