#pragma once
// Lookup tables of rules/tables/*.json as fixes read them: facts that logs do
// not hold, such as which package brings a header. The rule loader has checked
// them; the package set is still asked before an attribute is written anywhere.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "log/rule.h"

namespace autopin::fix {

class Tables {
 public:
  Tables() = default;
  explicit Tables(std::map<std::string, LookupTable> tables)
      : tables_(std::move(tables)) {}

  /// Values of a row, best first (they stand in one string, apart by blanks);
  /// empty where there is no such row.
  std::vector<std::string> find(const std::string& table,
                                const std::string& key) const;

  /// Rows whose key or one of whose values is `name`, as key and values.
  std::vector<std::vector<std::string>> rows_with(
      const std::string& table, const std::string& name) const;

 private:
  std::map<std::string, LookupTable> tables_;
};

}  // namespace autopin::fix
