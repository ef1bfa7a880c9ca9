#pragma once
// A draft, evaluated by the real Nix against tests/fix/package_set, as a
// Situation; and what comes of edits: the new text, and the derivations that it
// evaluates to.

#include <deque>
#include <memory>

#include "fix/fix.h"
#include "log/rule_set.h"
#include "nix/draft_fixture.h"

namespace autopin::fix {

class NoIndex : public python::Index {
 public:
  std::shared_ptr<const python::Project> project(std::string_view) override {
    return nullptr;
  }
  const python::FileFacts& facts(const python::IndexFile& file) override {
    throw Error("a test", file.url, "has no index");
  }
  const python::Download& download(const python::IndexFile& file) override {
    throw Error("a test", file.url, "has no index");
  }
};

using Rows = std::map<std::string, std::string>;

class Bench {
 public:
  explicit Bench(const std::string& entry,
                 const std::map<std::string, std::string>& others = {},
                 const std::map<std::string, Rows>& tables = {},
                 const std::string& set = "tests/fix/package_set",
                 python::Index* index = nullptr)
      : index_(index == nullptr ? &no_index_ : index),
        tables_(tables.empty() ? shipped_tables() : as_tables(tables)) {
    fixture_.invocation.evaluation_flags = {
        "-I", std::string("nixpkgs=") + AUTOPIN_SOURCE_DIR + "/" + set};
    for (const auto& [name, text] : others)
      fixture_.write(name, text);
    fixture_.write("draft.nix", entry);
    evaluator_.emplace(fixture_.world, fixture_.invocation);
    store_.emplace(fixture_.world, fixture_.invocation);
    auto discovery = evaluator_->discover();
    std::vector<std::string> roots;
    if (const auto* made =
            std::get_if<nix::Instantiated>(&discovery.evaluation))
      roots = made->drvs;
    situations_.emplace_back(parts(), std::move(discovery.draft), roots);
  }

  Parts parts() {
    return {fixture_.world, *evaluator_, *store_,
            *index_,        tables_,     fixture_.folder() / "downloads"};
  }
  const Situation& situation() const { return situations_.front(); }
  const std::filesystem::path& folder() const { return fixture_.folder(); }
  nix::Store& store() { return *store_; }

  /// The .drv of that name in the closure of a state.
  std::string drv(const std::string& name, const Situation& of) {
    std::string found;
    for (const auto& drv : store_->closure(of.roots(), nix::Edges::build)) {
      if (store_->derivation(drv).name() != name)
        continue;
      if (!found.empty())
        throw Error("a test", name, "is there twice");
      found = drv;
    }
    return found;
  }
  std::string drv(const std::string& name) { return drv(name, situation()); }

  /// What the builder of `name` sees of an attribute.
  std::string sees(const Situation& of, const std::string& name,
                   const std::string& attribute) {
    const std::string found = drv(name, of);
    if (found.empty())
      throw Error("a test", name, "is not in the closure");
    return store_->derivation(found).attribute(attribute).value_or("(absent)");
  }
  bool has_input(const Situation& of, const std::string& name,
                 const std::string& input) {
    for (const auto& drv : store_->inputs(drv_of(of, name), nix::Edges::build))
      if (store_->derivation(drv).name() == input)
        return true;
    return false;
  }

  /// The draft after the edits, evaluated; throws where it does not.
  const Situation& after(const FileEdits& edits) {
    nix::Draft draft = situation().draft();
    for (const auto& [file, more] : edits) {
      nix::EditSet set;
      if (!set.add_all(more))
        throw Error("a test", file.string(), "edits overlap");
      draft.set_text(file, set.apply(draft.text(file)));
    }
    const auto evaluation = evaluator_->instantiate(draft);
    const auto* made = std::get_if<nix::Instantiated>(&evaluation);
    if (made == nullptr)
      throw Error("a test", draft.text(draft.entry()),
                  std::get<nix::EvaluationFailed>(evaluation).log);
    return situations_.emplace_back(parts(), std::move(draft), made->drvs);
  }
  /// The entry's text (or that of another file) in a state.
  std::string text(const Situation& of, const std::string& name = "draft.nix") {
    return of.draft().text(fixture_.folder() / name);
  }

 private:
  std::string drv_of(const Situation& of, const std::string& name) {
    return drv(name, of);
  }
  static Tables shipped_tables() {
    return Tables(
        load_rules({std::string(AUTOPIN_SOURCE_DIR) + "/rules"}).tables());
  }
  static Tables as_tables(const std::map<std::string, Rows>& tables) {
    std::map<std::string, LookupTable> all;
    for (const auto& [name, rows] : tables)
      all[name] = {"a test", rows};
    return Tables(std::move(all));
  }

  nix::DraftFixture fixture_;
  NoIndex no_index_;
  python::Index* index_;
  Tables tables_;
  std::optional<nix::Evaluator> evaluator_;
  std::optional<nix::Store> store_;
  std::deque<Situation> situations_;
};

/// A placeholder, and the hash that comes in its place: that of no bytes.
inline constexpr const char* zeros =
    "0000000000000000000000000000000000000000000000000000";
inline constexpr const char* got =
    "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
inline constexpr const char* got_base32 =
    "0mdqa9w1p6cmli6976v4wi0sw9r4p5prkj7lzfd1877wk11c9c73";

/// The fixtures' package sets, and whether their builders take `env`.
struct Age {
  std::string set;
  bool takes_env = false;
};
inline const std::vector<Age> ages{{"fixtures/nixpkgs", false},
                                   {"fixtures/nixpkgs-today", true}};

inline AttrChange set_attribute(std::string name, NixText value) {
  AttrChange change;
  change.attribute = std::move(name);
  change.values.push_back(std::move(value));
  change.comment = "why (autopin step 1)";
  return change;
}

inline AttrChange append_items(std::string name, std::vector<NixText> items) {
  AttrChange change;
  change.op = AttrChange::Op::append_items;
  change.attribute = std::move(name);
  change.values = std::move(items);
  change.comment = "why (autopin step 1)";
  return change;
}

inline AttrChange append_shell(std::string name,
                               std::vector<std::string> lines) {
  AttrChange change;
  change.op = AttrChange::Op::append_lines;
  change.attribute = std::move(name);
  change.lines = std::move(lines);
  change.comment = "why (autopin step 1)";
  return change;
}

inline Failure failure_of(std::string kind, Params params, std::string drv,
                          std::vector<std::string> fixes) {
  Failure failure;
  failure.diagnosis.kind = std::move(kind);
  failure.diagnosis.params = std::move(params);
  failure.diagnosis.why = "a reason";
  failure.diagnosis.derivation = drv;
  failure.diagnosis.fixes = std::move(fixes);
  failure.drv = std::move(drv);
  return failure;
}

}  // namespace autopin::fix
