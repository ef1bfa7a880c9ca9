#pragma once
// What a change may cost, from mildest to gravest. The patch log, the summary
// and `--allow`/`--deny` speak of these and no others.

#include <array>
#include <optional>
#include <string_view>

namespace autopin {

enum class Risk {
  exact,           ///< Nothing is lost.
  pin,             ///< An older or newer version.
  trust,           ///< A hash taken on first use.
  permits,         ///< Unfree, broken or insecure allowed for one package.
  weakens_checks,  ///< A test or a check is switched off.
  relaxes          ///< A declared requirement is ignored.
};

inline constexpr std::array<std::string_view, 6> risk_names{
    "exact", "pin", "trust", "permits", "weakens-checks", "relaxes"};

inline std::string_view name_of(Risk risk) {
  return risk_names.at(static_cast<std::size_t>(risk));
}

inline std::optional<Risk> risk_named(std::string_view name) {
  for (std::size_t i = 0; i < risk_names.size(); ++i)
    if (risk_names.at(i) == name)
      return static_cast<Risk>(i);
  return std::nullopt;
}

}  // namespace autopin
