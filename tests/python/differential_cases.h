#pragma once
// Generated questions for the differential test: mostly well-formed, often on
// an edge, sometimes broken.

#include <random>
#include <string>
#include <vector>

#include "base/text.h"

namespace autopin::python {

struct Case {
  std::string kind;
  std::vector<std::string> arguments;

  std::string line() const { return kind + '\t' + join(arguments, "\t"); }
};

class Generator {
 public:
  explicit Generator(unsigned long seed) : random_(seed) {}

  Case next() {
    switch (below(12)) {
      case 0:
        return {"version", {mangle(version())}};
      case 1:
      case 2:
        return {"compare", {version(), related()}};
      case 3:
      case 4:
      case 5: {
        const std::string spec = specifiers();
        return {"specifier", {spec, related()}};
      }
      case 6:
        return choose();
      case 7:
        return {"requirement", {mangle(requirement()), environment()}};
      case 8:
        return {"marker", {mangle(marker(0)), environment()}};
      case 9:
        return {"name", {mangle(name())}};
      case 10:
        return chance(3) ? Case{"sdist", {mangle(sdist())}}
                         : Case{"wheel", {mangle(wheel())}};
      default:
        return tags();
    }
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool chance(std::size_t one_in) { return below(one_in) == 0; }
  std::string pick(const std::vector<std::string>& from) {
    return from[below(from.size())];
  }

  std::string number() {
    if (chance(40))
      return "20230101000000000001";
    if (chance(15))
      return "0" + std::to_string(below(12));
    return std::to_string(below(chance(8) ? 3000 : 4));
  }

  std::string release() {
    std::string out = number();
    for (std::size_t i = below(4); i > 0; --i)
      out += '.' + number();
    return out;
  }

  std::string separator() { return pick({"", "", ".", "-", "_"}); }

  std::string suffixes() {
    std::string out;
    if (chance(4))
      out += separator() +
             pick({"a", "b", "rc", "c", "alpha", "beta", "pre", "preview", "RC",
                   "Alpha"}) +
             separator() + (chance(4) ? "" : number());
    if (chance(5))
      out += chance(3) ? '-' + number()
                       : separator() + pick({"post", "rev", "r", "POST"}) +
                             separator() + (chance(4) ? "" : number());
    if (chance(5))
      out += separator() + "dev" + separator() + (chance(4) ? "" : number());
    return out;
  }

  std::string local() {
    std::string out = "+" + pick({"ubuntu", "cpu", "1", "01", "cu118", "Abc"});
    for (std::size_t i = below(3); i > 0; --i)
      out += pick({".", "-", "_"}) + pick({"1", "2", "10", "a", "b1", "007"});
    return out;
  }

  std::string version() {
    last_release_ = release();
    std::string out = (chance(20) ? "v" : "") +
                      (chance(20) ? number() + "!" : "") + last_release_ +
                      suffixes();
    if (chance(8))
      out += local();
    if (chance(40))
      out = " " + out + " ";
    return out;
  }

  /// A version that has something in common with the last one.
  std::string related() {
    if (chance(3) || last_release_.empty())
      return version();
    std::string out = last_release_;
    if (chance(4))
      out += ".0";
    if (chance(4))
      out += '.' + number();
    out += suffixes();
    if (chance(6))
      out += local();
    return out;
  }

  std::string specifier() {
    const std::string op =
        pick({"==", "!=", "<=", ">=", "<", ">", "~=", "===", "==", ">="});
    std::string out = op + (chance(5) ? " " : "");
    if ((op == "==" || op == "!=") && chance(3)) {
      last_release_ = release();
      return out + last_release_ + ".*";
    }
    return out + (chance(2) ? related() : version());
  }

  std::string specifiers() {
    std::string out = specifier();
    while (chance(3))
      out += pick({",", ", ", " ,"}) + specifier();
    if (chance(30))
      out += ',';
    return out;
  }

  Case choose() {
    std::vector<std::string> arguments{chance(6) ? "" : specifiers()};
    for (std::size_t i = 1 + below(5); i > 0; --i)
      arguments.emplace_back(trim(related()));
    return {"choose", arguments};
  }

  std::string name() {
    std::string out;
    for (std::size_t i = 1 + below(3); i > 0; --i)
      out += pick({"a", "zope", "Foo", "html5lib", "x2", "9", "B"}) +
             (i > 1 ? pick({"-", "_", ".", "--", "._", "-_"}) : "");
    return out;
  }

  std::string requirement() {
    std::string out = name();
    if (chance(20))
      out = " " + out;
    if (chance(4))
      out += '[' + name() + (chance(3) ? ", " + name() : "") + ']';
    if (chance(8)) {
      out += pick({"@ ", " @ ", " @"}) +
             pick({"https://host/x-1.tar.gz", "file:///x", "git+ssh://h/p",
                   "nonsense"});
      if (chance(2))
        out += " ; " + marker(0);
      return out;
    }
    if (chance(5))
      out += " (" + specifiers() + ")";
    else if (!chance(4))
      out += pick({"", " "}) + specifiers();
    if (chance(3))
      out += pick({";", " ; "}) + marker(0);
    return out;
  }

  std::string operand() {
    return pick({"python_version", "python_full_version", "os_name",
                 "sys_platform", "platform_machine", "platform_system",
                 "platform_python_implementation", "implementation_name",
                 "implementation_version", "os.name", "sys.platform",
                 "platform.machine", "platform_release", "extra"});
  }

  std::string literal() {
    const std::string quote = chance(2) ? "'" : "\"";
    const std::string text =
        pick({"3.6",      "2.7",   "3.10",   "3",          "3.*",
              "linux",    "posix", "win32",  "x86_64",     "CPython",
              "cpython",  "Linux", "test",   "Test_Extra", "3.6.9",
              "2.7, 3.6", "",      "linux2", "3.7rc1",     "4.19"});
    return quote + text + quote;
  }

  std::string comparison() {
    const std::string op =
        pick({"==", "!=", "<", "<=", ">", ">=", "~=", "===", "in", "not in",
              "==", "<", ">="});
    const std::string blank =
        op.find('n') != std::string::npos || chance(3) ? " " : "";
    return chance(5) ? literal() + blank + op + blank + operand()
                     : operand() + blank + op + blank + literal();
  }

  std::string marker(int depth) {
    std::string out = comparison();
    while (chance(3)) {
      out += chance(2) ? " and " : " or ";
      out +=
          depth < 3 && chance(3) ? "(" + marker(depth + 1) + ")" : comparison();
    }
    return out;
  }

  std::string environment() {
    const std::string python = pick({"2.7", "3.6", "3.11"});
    const std::string full = python + '.' + std::to_string(below(12));
    std::string out = "{";
    for (const auto& [key, value] :
         {std::pair<std::string, std::string>{"python_version", python},
          {"python_full_version", full},
          {"implementation_version", full},
          {"implementation_name", "cpython"},
          {"platform_python_implementation", "CPython"},
          {"os_name", "posix"},
          {"sys_platform", python == "2.7" ? "linux2" : "linux"},
          {"platform_machine", "x86_64"},
          {"platform_system", "Linux"},
          {"platform_release", pick({"4.19", "5.10.0-8-amd64"})},
          {"platform_version", "#1 SMP"},
          {"extra", pick({"", "", "test", "test-extra"})}})
      out += (out.size() > 1 ? ", \"" : "\"") + key + "\": \"" + value + '"';
    return out + "}";
  }

  std::string file_part() { return replace_all(name(), "-", "_"); }

  std::string wheel() {
    std::string out =
        file_part() + '-' + replace_all(std::string(trim(version())), "-", "_");
    if (chance(6))
      out += '-' + pick({"1", "2b", "10_x", "x"});
    return out + '-' +
           pick({"py3-none-any", "py2.py3-none-any",
                 "cp36-cp36m-manylinux1_x86_64", "cp39-abi3-win_amd64",
                 "CP311-CP311-manylinux_2_17_x86_64.manylinux2014_x86_64"}) +
           ".whl";
  }

  std::string sdist() {
    return name() + '-' + std::string(trim(version())) +
           pick({".tar.gz", ".zip"});
  }

  Case tags() {
    const std::string python =
        pick({"2.7", "3.2", "3.5", "3.6", "3.7", "3.8", "3.11", "3.13"});
    if (chance(3))
      return {"tags",
              {python, "darwin", pick({"x86_64", "arm64", "i386"}), "none",
               pick({"10", "11", "12", "14"}), std::to_string(4 + below(12))}};
    const bool musl = chance(4);
    return {
        "tags",
        {python, "linux", pick({"x86_64", "i686", "aarch64", "ppc64le"}),
         musl ? "musl" : "glibc", musl ? "1" : "2", std::to_string(below(40))}};
  }

  /// Breaks about one text in eight.
  std::string mangle(std::string text) {
    if (!chance(8) || text.empty())
      return text;
    const std::string characters = " .-_!*+=<>~;,()[]@'\"axv09\\#";
    const char c = characters[below(characters.size())];
    const std::size_t at = below(text.size());
    switch (below(3)) {
      case 0:
        text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), c);
        break;
      case 1:
        text.erase(at, 1);
        break;
      default:
        text[at] = c;
    }
    return text;
  }

  std::mt19937_64 random_;
  std::string last_release_;
};

inline std::vector<Case> generate_cases(unsigned long seed,
                                        unsigned long count) {
  Generator generator(seed);
  std::vector<Case> out;
  for (unsigned long i = 0; i < count; ++i)
    out.push_back(generator.next());
  return out;
}

}  // namespace autopin::python
