#include "fix/tables.h"

#include <algorithm>

#include "base/text.h"

namespace autopin::fix {

std::vector<std::string> Tables::find(const std::string& table,
                                      const std::string& key) const {
  std::vector<std::string> values;
  const auto found = tables_.find(table);
  if (found == tables_.end())
    return values;
  const auto row = found->second.rows.find(key);
  if (row == found->second.rows.end())
    return values;
  for (auto& value : split(row->second, ' '))
    if (!value.empty())
      values.push_back(std::move(value));
  return values;
}

std::vector<std::vector<std::string>> Tables::rows_with(
    const std::string& table, const std::string& name) const {
  std::vector<std::vector<std::string>> rows;
  const auto found = tables_.find(table);
  if (found == tables_.end())
    return rows;
  for (const auto& [key, value] : found->second.rows) {
    std::vector<std::string> row = find(table, key);
    row.insert(row.begin(), key);
    if (std::find(row.begin(), row.end(), name) != row.end())
      rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace autopin::fix
