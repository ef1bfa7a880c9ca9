#include "nix/derivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace autopin::nix {

namespace {

/// Reads the ATerm that unparse() writes: no white space, no comments. The
/// shape is fixed, so nothing here recurses.
class Reader {
 public:
  Reader(std::string_view text, std::string_view path)
      : text_(text), path_(path) {}

  [[noreturn]] void fail(std::string_view why) const {
    throw Error("reading a derivation", path_,
                fmt::format("{} at byte {}", why, at_));
  }

  void expect(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) {
      fail(fmt::format("expected {}", token));
    }
    at_ += token.size();
  }

  std::string string() {
    expect("\"");
    std::string value;
    for (;;) {
      const std::size_t stop = text_.find_first_of("\"\\", at_);
      if (stop == std::string_view::npos)
        fail("unterminated string");
      value.append(text_.substr(at_, stop - at_));
      at_ = stop + 1;
      if (text_[stop] == '"')
        return value;
      if (at_ >= text_.size())
        fail("unterminated string");
      const char escaped = text_[at_++];
      value.push_back(escaped == 'n'   ? '\n'
                      : escaped == 'r' ? '\r'
                      : escaped == 't' ? '\t'
                                       : escaped);
    }
  }

  /// `[item,item]`, where `item` reads one.
  template <typename Item>
  void list(Item item) {
    expect("[");
    if (text_.substr(at_, 1) == "]") {
      ++at_;
      return;
    }
    for (;;) {
      item();
      if (text_.substr(at_, 1) != ",")
        break;
      ++at_;
    }
    expect("]");
  }

  void end() const {
    if (at_ != text_.size())
      fail("something after the end");
  }

 private:
  std::string_view text_;
  std::string_view path_;
  std::size_t at_ = 0;
};

constexpr bool is_hash_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

// The characters of a store path's name (libstore/path.cc: checkName).
constexpr bool is_name_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') ||
         std::string_view("+-._?=").find(c) != std::string_view::npos;
}

constexpr std::size_t hash_length = 32;

using nlohmann::json;

std::string scalar(const json& value) {
  if (value.is_string())
    return value.get<std::string>();
  if (value.is_boolean())
    return value.get<bool>() ? "1" : "";
  if (value.is_null())
    return "";
  return value.dump();
}

/// The scalars in a value, depth first, without recursion: input is foreign.
std::vector<std::string> scalars(const json& value) {
  std::vector<std::string> found;
  std::vector<const json*> todo = {&value};
  while (!todo.empty()) {
    const json* next = todo.back();
    todo.pop_back();
    if (!next->is_structured()) {
      found.push_back(scalar(*next));
      continue;
    }
    std::vector<const json*> items;
    for (const json& item : *next)
      items.push_back(&item);
    todo.insert(todo.end(), items.rbegin(), items.rend());
  }
  return found;
}

struct Structured {
  bool is_list = false;  ///< Or an attribute set.
  std::vector<std::string> scalars;
};

/// The structured attribute of that name: at the top, or in `env`, which
/// nixpkgs' setup.sh exports beside it. Never copied: that would recurse.
std::optional<Structured> structured(const Derivation& drv,
                                     const std::string& name) {
  const auto text = drv.env.find("__json");
  if (text == drv.env.end())
    return std::nullopt;
  const json all = json::parse(text->second, nullptr, false);
  if (!all.is_object())
    return std::nullopt;
  const auto in_env = all.find("env");
  const json* found = nullptr;
  if (in_env != all.end() && in_env->is_object() && in_env->contains(name))
    found = &*in_env->find(name);
  else if (all.contains(name))
    found = &*all.find(name);
  if (!found)
    return std::nullopt;
  return Structured{found->is_structured(), scalars(*found)};
}

}  // namespace

Derivation Derivation::parse(std::string_view text, std::string_view path) {
  Reader in(text, path);
  Derivation drv;
  in.expect("Derive(");
  in.list([&] {
    in.expect("(");
    const std::string name = in.string();
    DerivationOutput& output = drv.outputs[name];
    in.expect(",");
    output.path = in.string();
    in.expect(",");
    output.hash_algorithm = in.string();
    in.expect(",");
    output.hash = in.string();
    in.expect(")");
  });
  in.expect(",");
  in.list([&] {
    in.expect("(");
    std::set<std::string>& names = drv.input_drvs[in.string()];
    in.expect(",");
    in.list([&] { names.insert(in.string()); });
    in.expect(")");
  });
  in.expect(",");
  in.list([&] { drv.input_srcs.insert(in.string()); });
  in.expect(",");
  drv.system = in.string();
  in.expect(",");
  drv.builder = in.string();
  in.expect(",");
  in.list([&] { drv.args.push_back(in.string()); });
  in.expect(",");
  in.list([&] {
    in.expect("(");
    const std::string name = in.string();
    in.expect(",");
    drv.env[name] = in.string();
    in.expect(")");
  });
  in.expect(")");
  in.end();
  return drv;
}

std::string Derivation::name() const {
  return attribute("name").value_or("");
}

bool Derivation::is_fixed() const {
  return std::any_of(outputs.begin(), outputs.end(), [](const auto& output) {
    return !output.second.hash.empty();
  });
}

std::optional<std::string> Derivation::attribute(
    const std::string& attribute_name) const {
  if (const auto value = structured(*this, attribute_name)) {
    std::string text;
    for (const std::string& piece : value->scalars) {
      if (!text.empty())
        text += ' ';
      text += piece;
    }
    return text;
  }
  const auto found = env.find(attribute_name);
  if (found == env.end())
    return std::nullopt;
  return found->second;
}

std::vector<std::string> Derivation::list_attribute(
    const std::string& attribute_name) const {
  const auto value = structured(*this, attribute_name);
  if (value && value->is_list)
    return value->scalars;
  std::vector<std::string> words;
  const std::string text = attribute(attribute_name).value_or("");
  constexpr std::string_view blanks = " \t\n\r";
  std::size_t at = text.find_first_not_of(blanks);
  while (at != std::string::npos) {
    const std::size_t end =
        std::min(text.find_first_of(blanks, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::string_view store_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view base =
      slash == std::string_view::npos ? path : path.substr(slash + 1);
  if (base.size() <= hash_length + 1 || base[hash_length] != '-' ||
      !std::all_of(base.begin(), base.begin() + hash_length, is_hash_char)) {
    return {};
  }
  return base.substr(hash_length + 1);
}

std::vector<std::string> store_paths(std::string_view text) {
  constexpr std::string_view marker = "/store/";
  std::vector<std::string> found;
  std::set<std::string, std::less<>> seen;
  std::size_t at = 0;
  while ((at = text.find(marker, at)) != std::string_view::npos) {
    // The store's own folder stands before the marker: back to what no path
    // has in it.
    std::size_t begin = at;
    while (begin > 0 &&
           (is_name_char(text[begin - 1]) || text[begin - 1] == '/')) {
      --begin;
    }
    begin = text.find('/', begin);
    std::size_t end = at + marker.size();
    while (end < text.size() && is_name_char(text[end]))
      ++end;
    const std::string_view path = text.substr(begin, end - begin);
    if (!store_name(path).empty() && seen.emplace(path).second) {
      found.emplace_back(path);
    }
    at = end;
  }
  return found;
}

}  // namespace autopin::nix
