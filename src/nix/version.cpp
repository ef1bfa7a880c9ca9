#include "nix/version.h"

#include <charconv>

#include "base/error.h"
#include "base/text.h"

namespace autopin::nix {

namespace {

std::optional<int> leading_number(std::string_view& text) {
  int value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc())
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

std::optional<NixVersion> parse_nix_version(std::string_view text) {
  // Only the first line counts: with -v more follows.
  text = trim(text.substr(0, text.find('\n')));
  if (text.rfind("nix", 0) != 0)
    return std::nullopt;
  const std::size_t close = text.rfind(") ");
  if (close == std::string_view::npos)
    return std::nullopt;
  NixVersion version;
  std::string_view rest = trim(text.substr(close + 2));
  version.text = rest;
  const auto major = leading_number(rest);
  if (!major || rest.empty() || rest.front() != '.')
    return std::nullopt;
  rest.remove_prefix(1);
  const auto minor = leading_number(rest);
  if (!minor || *major < 0 || *minor < 0)
    return std::nullopt;
  version.major = *major;
  version.minor = *minor;
  return version;
}

NixVersion nix_version(World& world) {
  const CommandResult result =
      world.commands.run({.argv = {"nix-instantiate", "--version"}});
  const auto version = parse_nix_version(result.out);
  if (result.exit_code != 0 || !version) {
    throw Error("asking Nix for its version", "nix-instantiate --version",
                result.err.empty() ? "no version in its answer"
                                   : to_utf8(trim(result.err)));
  }
  if (!version->at_least(2, 3)) {
    throw Error("asking Nix for its version", version->text,
                "autopin needs Nix 2.3 or later");
  }
  return *version;
}

}  // namespace autopin::nix
