#include "base/patch.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/text.h"

namespace autopin {
namespace {

/// "a/src/x.c\t2020-01-01" without what follows the name and without `strip`
/// leading folders; nothing where it leaves the tree.
std::optional<std::string> stripped(std::string_view name, int strip) {
  name = trim(name.substr(0, name.find('\t')));
  if (name == "/dev/null")
    return std::string();
  for (; strip > 0; --strip) {
    const auto slash = name.find('/');
    if (slash == std::string_view::npos)
      return std::nullopt;
    name.remove_prefix(slash + 1);
  }
  for (const auto& part : split(name, '/'))
    if (part.empty() || part == "..")
      return std::nullopt;
  return std::string(name);
}

std::vector<std::string> clean_lines(std::string_view text) {
  std::vector<std::string> lines;
  for (auto line : lines_of(text)) {
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    lines.emplace_back(line);
  }
  return lines;
}

/// The lines of one hunk from `at` on; nothing where they are not as many as
/// its head says.
std::optional<std::vector<std::string>> read_hunk(
    const std::vector<std::string>& lines, std::size_t& at, int before,
    int after) {
  std::vector<std::string> applied;
  for (; before > 0 || after > 0; ++at) {
    if (at == lines.size())
      return std::nullopt;
    // An editor may have cut the blank off an empty line of context.
    const char sign = lines[at].empty() ? ' ' : lines[at].front();
    if (sign == '\\')
      continue;
    if (sign != ' ' && sign != '+' && sign != '-')
      return std::nullopt;
    before -= sign == '+' ? 0 : 1;
    after -= sign == '-' ? 0 : 1;
    if (sign != '-')
      applied.push_back(lines[at].empty() ? "" : lines[at].substr(1));
  }
  if (before != 0 || after != 0)
    return std::nullopt;
  return applied;
}

}  // namespace

std::optional<std::vector<PatchedFile>> parse_patch(std::string_view text,
                                                    int strip) {
  static const RE2 head(R"(@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@.*)");
  const auto lines = clean_lines(text);
  std::vector<PatchedFile> files;
  for (std::size_t at = 0; at < lines.size();) {
    const std::string& line = lines[at];
    std::string count_before;
    std::string count_after;
    if (line.starts_with("GIT binary patch") ||
        line.starts_with("rename from ") || line.starts_with("copy from "))
      return std::nullopt;
    if (line.starts_with("--- ") && at + 1 < lines.size() &&
        lines[at + 1].starts_with("+++ ")) {
      auto before = stripped(std::string_view(line).substr(4), strip);
      auto after = stripped(std::string_view(lines[at + 1]).substr(4), strip);
      if (!before || !after)
        return std::nullopt;
      files.push_back({std::move(*before), std::move(*after), {}});
      at += 2;
    } else if (!files.empty() &&
               RE2::FullMatch(line, head, &count_before, &count_after)) {
      const auto count = [](const std::string& digits) {
        return digits.empty() ? 1 : std::stoi(digits.substr(0, 8));
      };
      ++at;
      auto hunk = read_hunk(lines, at, count(count_before), count(count_after));
      if (!hunk)
        return std::nullopt;
      files.back().hunks.push_back(std::move(*hunk));
    } else {
      ++at;
    }
  }
  const bool all_change_something =
      std::all_of(files.begin(), files.end(),
                  [](const auto& file) { return !file.hunks.empty(); });
  if (files.empty() || !all_change_something)
    return std::nullopt;
  return files;
}

bool is_applied(const PatchedFile& file,
                const std::optional<std::string>& text) {
  if (file.after.empty())
    return !text;
  if (!text)
    return false;
  const auto lines = clean_lines(*text);
  if (file.before.empty())
    return lines == file.hunks.front();
  auto from = lines.begin();
  for (const auto& hunk : file.hunks) {
    if (hunk.empty())
      return false;  // nothing to know it by
    const auto found = std::search(from, lines.end(), hunk.begin(), hunk.end());
    if (found == lines.end())
      return false;
    from = found + static_cast<std::ptrdiff_t>(hunk.size());
  }
  return true;
}

}  // namespace autopin
