#include "io/scrub.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/error.h"

namespace autopin {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_placeholder_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_word(c) && c != '-';
  });
}

/// The end of a path of this machine that begins at `begin` with `length`
/// bytes must be where a name ends, else it is another path ("/rooted").
bool ends_there(std::string_view text, std::size_t end) {
  if (end == text.size())
    return true;
  if (text[end] == '.')
    return end + 1 == text.size() || !is_word(text[end + 1]);
  return !is_word(text[end]);
}

/// "/root" in "./lib/root" is no path of this machine; in "-I/root/x" it is.
bool begins_there(std::string_view text, std::size_t begin,
                  std::string_view path) {
  if (path.find('/', 1) != none || begin == 0)  // two folders: no coincidence
    return true;
  const auto is_path = [](char c) {
    return is_word(c) || c == '.' || c == '+' || c == '/';
  };
  std::size_t first = begin;
  while (first > 0 && is_path(text[first - 1]))
    --first;
  const std::string_view before = text.substr(first, begin - first);
  return before.empty() || (before.size() == 2 && before[0] == '-');
}

/// Bytes of a placeholder at `text[at] == '@'`, "@==NAME@" included; 0: none.
std::size_t placeholder_length(std::string_view text, std::size_t at) {
  std::size_t name = at + 1;
  while (name < text.size() && text[name] == '=')
    ++name;
  std::size_t end = name;
  while (end < text.size() && is_word(text[end]) && text[end] != '-')
    ++end;
  if (end == name || end == text.size() || text[end] != '@')
    return 0;
  return end + 1 - at;
}

std::string replace_words(
    std::string text,
    const std::vector<std::pair<std::string, std::string>>& words) {
  for (const auto& [word, neutral] : words) {
    for (std::size_t at = 0; (at = text.find(word, at)) != none;) {
      const std::size_t end = at + word.size();
      const bool whole = (at == 0 || !is_word(text[at - 1])) &&
                         (end == text.size() || !is_word(text[end]));
      if (whole)
        text.replace(at, word.size(), neutral);
      at += whole ? neutral.size() : word.size();
    }
  }
  return text;
}

}  // namespace

Scrubber::Scrubber(ScrubRules rules) : rules_(std::move(rules)) {
  auto& all = rules_.substitutions;
  std::erase_if(
      all, [](const auto& one) { return one.text.empty() || one.text == "/"; });
  for (Substitution& one : all) {
    const std::string_view name = one.placeholder;
    if (name.size() < 3 || name.front() != '@' || name.back() != '@' ||
        !is_placeholder_name(name.substr(1, name.size() - 2)))
      throw Error("cannot record", one.placeholder, "no placeholder's name");
    while (one.text.size() > 1 && one.text.back() == '/')
      one.text.pop_back();
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.text.size() > b.text.size();
  });
}

std::string Scrubber::substitute(std::string_view text, bool only_urls) const {
  std::string hidden;
  hidden.reserve(text.size());
  // Logs are long, and most bytes begin nothing.
  std::array<bool, 256> begins{};
  begins[std::size_t{'@'}] = true;
  for (const Substitution& one : rules_.substitutions)
    begins[static_cast<unsigned char>(one.text.front())] = true;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t next = at;
    while (next < text.size() &&
           !begins[static_cast<unsigned char>(text[next])])
      ++next;
    hidden += text.substr(at, next - at);
    at = next;
    if (at == text.size())
      break;
    // What looks like a placeholder but is the text's own gets one more '='.
    if (text[at] == '@') {
      if (const std::size_t length = placeholder_length(text, at)) {
        hidden += "@=";
        hidden += text.substr(at + 1, length - 1);
        at += length;
        continue;
      }
    }
    const auto found = std::find_if(
        rules_.substitutions.begin(), rules_.substitutions.end(),
        [&](const Substitution& one) {
          if (only_urls && one.text.front() == '/')
            return false;
          return text[at] == one.text.front() &&
                 text.substr(at, one.text.size()) == one.text &&
                 ends_there(text, at + one.text.size()) &&
                 (one.text.front() != '/' || begins_there(text, at, one.text));
        });
    if (found != rules_.substitutions.end()) {
      hidden += found->placeholder;
      at += found->text.size();
    } else {
      hidden += text[at++];
    }
  }
  return hidden;
}

std::string Scrubber::neutral(std::string_view text) const {
  return replace_words(redact(text), rules_.words);
}

std::string Scrubber::hide(std::string_view text) const {
  // Paths first: a user's name within one belongs to it.
  return replace_words(substitute(redact(text), false), rules_.words);
}

std::string Scrubber::hide_page(std::string_view text) const {
  return substitute(redact(text), true);
}

std::string Scrubber::show(std::string_view text) const {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find('@', at), text.size());
    shown += text.substr(at, next - at);
    at = next;
    if (at == text.size())
      break;
    const std::size_t length = placeholder_length(text, at);
    if (length == 0) {
      shown += text[at++];
      continue;
    }
    const std::string_view token = text.substr(at, length);
    const auto found =
        std::find_if(rules_.substitutions.begin(), rules_.substitutions.end(),
                     [&](const auto& one) { return one.placeholder == token; });
    if (token[1] == '=')
      (shown += '@') += token.substr(2);
    else if (found != rules_.substitutions.end())
      shown += found->text;
    else
      shown += token;
    at += length;
  }
  return shown;
}

ScrubRules rules_of_this_machine() {
  ScrubRules rules;
  const passwd* user = ::getpwuid(::getuid());
  const char* home = std::getenv("HOME");
  if (home == nullptr && user != nullptr)
    home = user->pw_dir;
  if (home != nullptr)
    rules.substitutions.push_back({home, "@HOME@"});
  // Also ordinary words of build logs, where replacing them would do harm.
  constexpr std::array<std::string_view, 14> nobody{
      "root",  "nobody", "build", "builder", "user",   "test",   "tests",
      "admin", "runner", "ci",    "nix",     "nixbld", "python", "debian"};
  if (user != nullptr && std::string_view(user->pw_name).size() > 2 &&
      std::find(nobody.begin(), nobody.end(), user->pw_name) == nobody.end())
    rules.words.emplace_back(user->pw_name, "user");
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) == 0 &&
      std::string_view(host.data()).size() > 2 &&
      host.data() != std::string_view("localhost"))
    rules.words.emplace_back(host.data(), "host");
  return rules;
}

}  // namespace autopin
