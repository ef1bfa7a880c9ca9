#pragma once
// Hashes in the spellings that Nix, pip and indexes use.

#include <optional>
#include <string>
#include <string_view>

namespace autopin {

/// Raw SHA-256 digest, 32 bytes.
std::string sha256(std::string_view bytes);

std::string to_hex(std::string_view raw);
std::optional<std::string> from_hex(std::string_view hex);

/// Nix's own base 32 (libutil/hash.cc: alphabet without e, o, t, u; digits
/// from the last byte to the first).
std::string to_nix_base32(std::string_view raw);
std::optional<std::string> from_nix_base32(std::string_view text);

std::string to_base64(std::string_view raw);
std::optional<std::string> from_base64(std::string_view text);

/// "sha256-…=", as Subresource Integrity has it.
std::string to_sri(std::string_view raw_sha256);

/// A SHA-256 in any spelling Nix takes (hex, base 32, base 64, SRI,
/// "sha256:…"); the raw digest, or nothing when it is none.
std::optional<std::string> parse_sha256(std::string_view text);

}  // namespace autopin
