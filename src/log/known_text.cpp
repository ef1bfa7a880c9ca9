#include "log/known_text.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "log/commonness.h"

namespace autopin {

namespace {

/// More alternatives than these are no help.
constexpr std::size_t most_texts = 64;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::optional<Texts> product(const Texts& left, const Texts& right) {
  if (left.size() * right.size() > most_texts)
    return std::nullopt;
  Texts all;
  all.reserve(left.size() * right.size());
  for (const std::string& one : left)
    for (const std::string& other : right) {
      // Two anchors that meet are one line feed.
      const bool meet = !one.empty() && one.back() == '\n' && !other.empty() &&
                        other.front() == '\n';
      all.push_back(one + (meet ? other.substr(1) : other));
    }
  return all;
}

/// The texts of least cost so far.
class Best {
 public:
  explicit Best(Texts& texts)
      : texts_(texts), cost_(texts.empty() ? no_guard_cost : cost_of(texts)) {}

  void offer(const Texts& other) {
    const double cost = other.empty() ? no_guard_cost : cost_of(other);
    if (cost >= cost_)
      return;
    texts_ = other;
    cost_ = cost;
  }
  bool is_good() const { return cost_ < good_cost; }

 private:
  Texts& texts_;
  double cost_;
};

/// Pieces that follow each other with nothing unknown between.
class Run {
 public:
  void add(const Texts& texts) {
    if (texts.empty())
      return;
    if (!pieces_.empty() && pieces_.back().size() == 1 && texts.size() == 1)
      pieces_.back() = *product(pieces_.back(), texts);
    else
      pieces_.push_back(texts);
  }

  void best_part(Best& best) const {
    for (const Texts& piece : pieces_)
      best.offer(shortest_of(piece));
    if (best.is_good())
      return;
    for (std::size_t from = 0; from + 1 < pieces_.size(); ++from) {
      Texts part = pieces_[from];
      for (std::size_t to = from + 1; to < pieces_.size(); ++to) {
        std::optional<Texts> longer = product(part, pieces_[to]);
        if (!longer)
          break;
        part = std::move(*longer);
        best.offer(shortest_of(part));
      }
    }
  }

  /// All of it, or as much of its begin as is not too much.
  Texts begin(bool& whole) const {
    whole = true;
    if (pieces_.empty())
      return {};
    Texts all = {""};
    for (const Texts& piece : pieces_) {
      std::optional<Texts> longer = product(all, piece);
      whole = longer.has_value();
      if (!whole)
        break;
      all = std::move(*longer);
    }
    return all.size() == 1 && all[0].empty() ? Texts() : all;
  }

  Texts end() const {
    if (pieces_.empty())
      return {};
    Texts all = {""};
    for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
      std::optional<Texts> longer = product(*piece, all);
      if (!longer)
        break;
      all = std::move(*longer);
    }
    return all.size() == 1 && all[0].empty() ? Texts() : all;
  }

 private:
  std::vector<Texts> pieces_;
};

/// No texts, in either, stand for the empty one.
void join_texts(Texts& into, const Texts& from) {
  static const Texts nothing = {""};
  for (const std::string& text : from.empty() ? nothing : from)
    if (std::find(into.begin(), into.end(), text) == into.end())
      into.push_back(text);
}

}  // namespace

Known anything() {
  Known known;
  known.exact = false;
  return known;
}

Known one_of(Texts texts) {
  Known known;
  known.begin = std::move(texts);
  return known;
}

Texts shortest_of(Texts texts) {
  std::sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  Texts kept;
  for (std::string& text : texts)
    if (std::none_of(kept.begin(), kept.end(), [&](const std::string& other) {
          return contains(text, other);
        }))
      kept.push_back(std::move(text));
  return kept;
}

Known concatenate(const std::vector<Known>& pieces) {
  Known all = anything();
  Best best(all.inside);
  Run run;
  bool first = true;
  bool whole = true;
  for (const Known& piece : pieces) {
    run.add(piece.begin);
    if (piece.exact)
      continue;
    if (first)
      all.begin = run.begin(whole);
    first = false;
    run.best_part(best);
    best.offer(piece.inside);
    run = {};
    run.add(piece.end);
  }
  if (first) {
    all.begin = run.begin(whole);
    if (whole)
      return one_of(std::move(all.begin));
  }
  run.best_part(best);
  all.end = run.end();
  return all;
}

Known alternate(const std::vector<Known>& branches) {
  Known all;
  bool inside = true;
  for (const Known& branch : branches) {
    all.exact = all.exact && branch.exact;
    join_texts(all.begin, branch.begin);
    join_texts(all.end, branch.exact ? branch.begin : branch.end);
    const Texts part = branch.exact ? shortest_of(branch.begin) : branch.inside;
    inside = inside && !part.empty() && !part[0].empty();
    all.inside.insert(all.inside.end(), part.begin(), part.end());
  }
  all.exact = all.exact && all.begin.size() <= most_texts;
  if (all.exact)
    return one_of(std::move(all.begin));
  if (all.begin.size() > most_texts)
    all.begin.clear();
  if (all.end.size() > most_texts)
    all.end.clear();
  if (!inside || all.inside.size() > most_texts)
    all.inside.clear();
  else
    all.inside = shortest_of(std::move(all.inside));
  return all;
}

Known repeat(const Known& piece, int least, int most) {
  if (least == 1 && most == 1)
    return piece;
  if (least == 0) {
    if (most != 1)
      return anything();
    return alternate({Known(), piece});
  }
  if (piece.is_nothing())
    return piece;
  std::vector<Known> copies(static_cast<std::size_t>(std::min(least, 16)),
                            piece);
  Known known = concatenate(copies);
  if (least == most && least <= 16)
    return known;
  return concatenate({known, anything(), known});
}

}  // namespace autopin
