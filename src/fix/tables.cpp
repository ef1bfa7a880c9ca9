#include "fix/tables.h"

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

}  // namespace autopin::fix
