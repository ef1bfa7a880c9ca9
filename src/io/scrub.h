#pragma once
// What must not be on a tape: paths, users and hosts of the recording machine,
// and anything that opens a door. Paths become placeholders that a replay fills
// with its own; the rest is gone for good.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autopin {

/// `text` without credentials: user names and passwords in URLs, signatures
/// and tokens in queries, Authorization headers, Nix's access-tokens, tokens in
/// the forms of GitHub, GitLab and Python indexes. Each is replaced by
/// "secret". redact(redact(x)) == redact(x).
std::string redact(std::string_view text);

struct Substitution {
  std::string text;         ///< "/home/me/draft", "http://127.0.0.1:8123"
  std::string placeholder;  ///< "@DRAFT@": @, then letters, digits or _, then @
};

struct ScrubRules {
  std::vector<Substitution> substitutions;
  /// Whole words replaced for good: {user name, "user"}.
  std::vector<std::pair<std::string, std::string>> words;
};

/// Home folder, user and host of this machine, as the system tells them; a
/// user name that says nothing about a person (root, build, …) is left alone.
ScrubRules rules_of_this_machine();

class Scrubber {
 public:
  /// Throws Error for a placeholder that is none.
  explicit Scrubber(ScrubRules rules);

  /// As it may be on the tape.
  std::string hide(std::string_view text) const;
  /// A text of the tape, with this machine's paths for the placeholders.
  std::string show(std::string_view text) const;
  /// What show(hide(text)) gives: without what is gone for good.
  std::string neutral(std::string_view text) const;
  /// hide() for pages from outside: only URLs are substituted, as a path of
  /// this machine that stands there is a coincidence.
  std::string hide_page(std::string_view text) const;

 private:
  std::string substitute(std::string_view text, bool only_urls) const;

  ScrubRules rules_;  // longest text first
};

}  // namespace autopin
