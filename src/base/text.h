#pragma once
// Small text helpers that the standard library lacks.

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace autopin {

/// Splits at every `separator`; "" gives one empty piece.
std::vector<std::string> split(std::string_view text, char separator);

/// Splits into lines without their "\n"; a last line without one counts.
std::vector<std::string_view> lines_of(std::string_view text);
/// Not of a string that is gone before its lines are read.
template <typename Text,
          typename = std::enable_if_t<std::is_same_v<Text, std::string>>>
std::vector<std::string_view> lines_of(Text&& text) = delete;

/// Without leading and trailing ASCII white space.
std::string_view trim(std::string_view text);

std::string join(const std::vector<std::string>& pieces,
                 std::string_view separator);

std::string to_lower(std::string_view text);

std::string replace_all(std::string text, std::string_view from,
                        std::string_view to);

/// `text` as valid UTF-8: each byte that is not part of a well-formed sequence
/// becomes U+FFFD. What goes into JSON passes through here first.
std::string to_utf8(std::string_view text);

}  // namespace autopin
