// Any bytes as a log: the reader, all shipped rules, the ranking and the JSON.

#include <cstddef>
#include <cstdint>

#include "log/diagnoser.h"
#include "log/diagnosis_json.h"
#include "log/rule_set.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const autopin::RuleSet rules =
      autopin::load_rules(autopin::rule_folders({}));
  const std::string_view log(reinterpret_cast<const char*>(data), size);
  autopin::Diagnoser diagnoser(rules);
  diagnoser.feed(log.substr(0, size / 2));
  diagnoser.feed(log.substr(size / 2));
  autopin::diagnoses_to_json(rules, diagnoser.finish());
  return 0;
}
