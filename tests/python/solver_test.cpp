#include "python/solver.h"

#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <random>

namespace autopin::python {
namespace {

/// Package p has `sizes[p]` candidates; `needs[{p, c}]` lists what candidate c
/// depends on: the package and the candidates of it that fit.
struct Table : Problem {
  std::vector<std::size_t> sizes;
  std::map<std::pair<PackageId, std::size_t>,
           std::vector<std::pair<PackageId, std::vector<std::size_t>>>>
      needs;
  int asked = 0;

  std::size_t states(PackageId package) override { return sizes[package] + 1; }
  std::vector<Rule> rules_about(PackageId) override { return {}; }
  std::vector<Rule> rules_of(PackageId package, std::size_t c) override {
    ++asked;
    std::vector<Rule> out;
    const auto found = needs.find({package, c});
    if (found == needs.end())
      return out;
    for (const auto& [other, fits] : found->second) {
      Choices mine(states(package));
      mine.add(c + 1);
      Choices bad(states(other), true);
      for (const std::size_t fit : fits)
        bad = bad & ~only(other, fit);
      Rule rule{{{package, mine}, {other, bad}}, package * 100 + c};
      out.push_back(rule);
    }
    return out;
  }
  Choices only(PackageId package, std::size_t c) {
    Choices out(states(package));
    out.add(c + 1);
    return out;
  }
  Rule root() {
    Choices absent(states(0));
    absent.add(Choices::left_out);
    return {{{0, absent}}, 9999};
  }
};

TEST_CASE("the best candidates are taken where nothing speaks against them") {
  Table table;
  table.sizes = {1, 3, 3};
  table.needs[{0, 0}] = {{1, {0, 1, 2}}};
  table.needs[{1, 0}] = {{2, {1, 2}}};
  const auto result = solve(table, {table.root()});
  REQUIRE(std::holds_alternative<Assignment>(result));
  CHECK(std::get<Assignment>(result) == Assignment{{0, 0}, {1, 0}, {2, 1}});
}

TEST_CASE("a conflict far away is learnt from") {
  // 0 needs 1, 2 and 3; 1's best needs 4@0, 3's only one needs 4@1. 2 has many
  // candidates that have no part in it.
  Table table;
  table.sizes = {1, 2, 50, 1, 2};
  table.needs[{0, 0}] = {{1, {0, 1}}, {2, {}}, {3, {0}}};
  for (std::size_t c = 0; c < 50; ++c)
    table.needs[{0, 0}][1].second.push_back(c);
  table.needs[{1, 0}] = {{4, {0}}};
  table.needs[{3, 0}] = {{4, {1}}};
  const auto result = solve(table, {table.root()});
  REQUIRE(std::holds_alternative<Assignment>(result));
  CHECK(std::get<Assignment>(result) ==
        Assignment{{0, 0}, {1, 1}, {2, 0}, {3, 0}, {4, 1}});
  CHECK(table.asked < 10);
}

TEST_CASE("a thousand versions that say the same are not all read") {
  // 1's best is decided first; each of 2 brings its own version of 3, and each
  // of those needs 1's second.
  Table table;
  constexpr std::size_t many = 1000;
  table.sizes = {1, 2, many, many};
  table.needs[{0, 0}] = {{1, {0, 1}}, {2, {}}};
  for (std::size_t c = 0; c < many; ++c) {
    table.needs[{0, 0}][1].second.push_back(c);
    table.needs[{2, c}] = {{3, {c}}};
    table.needs[{3, c}] = {{1, {1}}};
  }
  const auto result = solve(table, {table.root()});
  REQUIRE(std::holds_alternative<Assignment>(result));
  CHECK(std::get<Assignment>(result) ==
        Assignment{{0, 0}, {1, 1}, {2, 0}, {3, 0}});
  CHECK(table.asked < 20);
}

TEST_CASE("a contradiction names the rules that make it, and no others") {
  Table table;
  table.sizes = {1, 1, 1, 2, 1};
  table.needs[{0, 0}] = {{1, {0}}, {2, {0}}, {4, {0}}};
  table.needs[{1, 0}] = {{3, {0}}};
  table.needs[{2, 0}] = {{3, {1}}};
  const auto result = solve(table, {table.root()});
  REQUIRE(std::holds_alternative<Contradiction>(result));
  auto reasons = std::get<Contradiction>(result).reasons;
  std::sort(reasons.begin(), reasons.end());
  CHECK(std::find(reasons.begin(), reasons.end(), 100) != reasons.end());
  CHECK(std::find(reasons.begin(), reasons.end(), 200) != reasons.end());
  CHECK(std::find(reasons.begin(), reasons.end(), 400) == reasons.end());
}

/// By trying everything: whether packages from `at` on can be chosen.
bool solvable(Table& table, std::vector<std::optional<std::size_t>>& chosen,
              std::size_t at) {
  if (at == table.sizes.size()) {
    for (std::size_t p = 0; p < chosen.size(); ++p) {
      if (!chosen[p])
        continue;
      for (const auto& [other, fits] : table.needs[{p, *chosen[p]}]) {
        if (!chosen[other] ||
            std::find(fits.begin(), fits.end(), *chosen[other]) == fits.end())
          return false;
      }
    }
    return true;
  }
  if (at > 0) {
    chosen[at].reset();
    if (solvable(table, chosen, at + 1))
      return true;
  }
  for (std::size_t c = 0; c < table.sizes[at]; ++c) {
    chosen[at] = c;
    if (solvable(table, chosen, at + 1))
      return true;
  }
  chosen[at].reset();
  return false;
}

TEST_CASE("the solver agrees with trying everything") {
  std::mt19937 random(5);
  int solved = 0;
  for (int round = 0; round < 2000; ++round) {
    Table table;
    const std::size_t packages = 2 + random() % 5;
    for (std::size_t p = 0; p < packages; ++p)
      table.sizes.push_back(p == 0 ? 1 : 1 + random() % 3);
    for (std::size_t p = 0; p < packages; ++p) {
      for (std::size_t c = 0; c < table.sizes[p]; ++c) {
        for (std::size_t n = random() % 3 + (p == 0 ? 1 : 0); n > 0; --n) {
          const std::size_t other = random() % packages;
          std::vector<std::size_t> fits;
          for (std::size_t f = 0; f < table.sizes[other]; ++f) {
            if (random() % 2 == 0)
              fits.push_back(f);
          }
          if (other != p)
            table.needs[{p, c}].emplace_back(other, fits);
        }
      }
    }
    const auto result = solve(table, {table.root()});
    std::vector<std::optional<std::size_t>> chosen(packages);
    const bool possible = solvable(table, chosen, 0);
    REQUIRE(std::holds_alternative<Assignment>(result) == possible);
    if (!possible)
      continue;
    ++solved;
    const auto& found = std::get<Assignment>(result);
    for (const auto& [package, candidate] : found) {
      for (const auto& [other, fits] : table.needs[{package, candidate}]) {
        REQUIRE(found.count(other) == 1);
        REQUIRE(std::find(fits.begin(), fits.end(), found.at(other)) !=
                fits.end());
      }
    }
  }
  CHECK(solved > 200);
  CHECK(solved < 1900);
}

}  // namespace
}  // namespace autopin::python
