#include "loop/deliver.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "nix/draft_fixture.h"

using namespace autopin;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A draft whose entry (and second file, if any) gets one word exchanged.
struct Change {
  explicit Change(const std::string& entry, const std::string& second = "") {
    fixture.write("draft.nix", entry);
    if (!second.empty())
      fixture.write("second.nix", second);
    evaluator.emplace(fixture.world, fixture.invocation);
    draft = evaluator->discover().draft;
    std::filesystem::create_directories(log);
    fixture.world.files.write(log / "log.json", "{}");
  }
  void exchange(const std::string& name, const std::string& from,
                const std::string& to) {
    std::string text = draft.text(fixture.folder() / name);
    text.replace(text.find(from), from.size(), to);
    draft.set_text(fixture.folder() / name, text);
  }
  Delivery go(bool in_place = false) {
    const auto roots = nix::made(evaluator->instantiate(draft)).drvs;
    return deliver(*evaluator, draft, roots, {in_place, log, outside});
  }

  TemporaryFolder temporary;
  fs::path log = temporary.path() / "log";
  fs::path outside = temporary.path() / "outside";
  nix::DraftFixture fixture;
  std::optional<nix::Evaluator> evaluator;
  nix::Draft draft;
};

constexpr const char* entry = "(import <nixpkgs> { }).zlib # mine\n";

}  // namespace

TEST_CASE("the fixed draft is laid beside the old one") {
  Change change(entry);
  change.exchange("draft.nix", "zlib", "png");
  const auto delivery = change.go();
  CHECK(delivery.fixed == change.fixture.folder() / "draft.fixed.nix");
  CHECK(read(delivery.fixed) == "(import <nixpkgs> { }).png # mine\n");
  CHECK(read(change.fixture.folder() / "draft.nix") == entry);
  CHECK(delivery.log_folder == change.fixture.folder() / "draft.autopin");
  CHECK(read(delivery.log_folder / "log.json") == "{}");
  CHECK(delivery.notes.empty());
}

TEST_CASE("or takes its place where that was asked for") {
  Change change(entry);
  change.exchange("draft.nix", "zlib", "png");
  const auto delivery = change.go(true);
  CHECK(delivery.fixed == change.fixture.folder() / "draft.nix");
  CHECK(read(delivery.fixed) == "(import <nixpkgs> { }).png # mine\n");
  CHECK_FALSE(fs::exists(change.fixture.folder() / "draft.fixed.nix"));
}

TEST_CASE("what was not changed is not written") {
  Change change(entry);
  const auto delivery = change.go();
  CHECK(delivery.fixed.empty());
  CHECK_FALSE(fs::exists(change.fixture.folder() / "draft.fixed.nix"));
  CHECK(fs::exists(change.fixture.folder() / "draft.autopin/log.json"));
}

TEST_CASE("a second file gets a name of its own and the entry leads there") {
  Change change("(import <nixpkgs> { }).callPackage ./second.nix { }\n",
                "{ stdenv }: stdenv.mkDerivation { name = \"before\"; }\n");
  change.exchange("second.nix", "before", "after");
  const auto delivery = change.go();
  CHECK(read(delivery.fixed) ==
        "(import <nixpkgs> { }).callPackage ./second.fixed.nix { }\n");
  CHECK(read(change.fixture.folder() / "second.fixed.nix") ==
        "{ stdenv }: stdenv.mkDerivation { name = \"after\"; }\n");
  CHECK_THAT(read(change.fixture.folder() / "second.nix"), Contains("before"));
  CHECK(delivery.notes.empty());
}

TEST_CASE("a draft that takes its own folder is delivered outside of it") {
  Change change(
      "with import <nixpkgs> { };\nstdenv.mkDerivation { name = \"before\"; "
      "src = ./.; }\n");
  change.exchange("draft.nix", "before", "after");
  const auto delivery = change.go();
  CHECK(delivery.fixed.parent_path() == change.outside);
  CHECK_THAT(read(delivery.fixed), Contains("\"after\""));
  CHECK(delivery.log_folder.parent_path() == change.outside);
  CHECK(fs::exists(delivery.log_folder / "log.json"));
  CHECK_FALSE(delivery.notes.empty());
  // Nothing is left in the folder that would change what it builds.
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(change.fixture.folder()))
    names.push_back(file.path().filename().string());
  CHECK(names == std::vector<std::string>{"draft.nix"});
}

TEST_CASE("names of fixed files") {
  CHECK(fixed_name("/a/draft.nix") == "/a/draft.fixed.nix");
  CHECK(fixed_name("/a.b/shell") == "/a.b/shell.fixed");
}
