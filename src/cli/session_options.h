#pragma once
// Options that `build` and `suggest` share: the draft, the flags that a Nix
// user knows, indexes, rules and what may be risked.

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "cli/network_options.h"
#include "loop/session.h"

namespace autopin {

struct SessionOptions {
  std::string draft;
  std::vector<std::string> attributes;
  std::string expression;
  std::vector<std::string> packages;
  /// As given, in order, with their values.
  std::vector<std::string> evaluation_flags;
  std::vector<std::string> build_flags;
  std::string out_link;
  bool no_out_link = false;
  bool in_place = false;
  bool json = false;
  std::vector<std::string> allow;
  std::vector<std::string> deny;
  bool accept_changed_hash = false;
  bool no_lookahead = false;
  std::string index_url;
  std::vector<std::string> extra_index_urls;
  std::vector<std::string> find_links;
  NetworkOptions network;
  std::vector<std::string> rules;
};

/// Adds them to a subcommand. `options` must outlive `command`.
void add_session_options(CLI::App& command, SessionOptions& options);

/// Only those flags of nix-build that an evaluation takes, put into `flags` as
/// they were given. `flags` must outlive `command`.
void add_evaluation_flags(CLI::App& command, std::vector<std::string>& flags);

/// The session that they ask for. Throws Error where they make no sense.
Session session_of(World& world, const SessionOptions& options);

}  // namespace autopin
