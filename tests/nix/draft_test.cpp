#include "nix/draft.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "nix/draft_fixture.h"

using namespace autopin;
using namespace autopin::nix;
using Paths = std::vector<std::filesystem::path>;

TEST_CASE("a draft remembers what its files were") {
  Draft draft("/d/draft.nix", "1", true);
  draft.add_file("/d/a.nix", "2");
  const Draft before = draft;
  CHECK_FALSE(draft.changed());
  draft.set_text("/d/a.nix", "3");
  CHECK(draft.changed());
  CHECK(draft.changed("/d/a.nix"));
  CHECK_FALSE(draft.changed("/d/draft.nix"));
  CHECK(draft.original("/d/a.nix") == "2");
  CHECK_FALSE(draft == before);
  CHECK(draft.state() != before.state());
  draft.set_text("/d/a.nix", "2");
  CHECK(draft.state() == before.state());
  CHECK(draft.files() == Paths{"/d/draft.nix", "/d/a.nix"});
}

TEST_CASE("the states of two drafts differ where a text moves between files") {
  Draft one("/d/a", "xy", true);
  one.add_file("/d/b", "");
  Draft other("/d/a", "x", true);
  other.add_file("/d/b", "y");
  CHECK(one.state() != other.state());
}

TEST_CASE("a draft is opened by its file, its folder or a link to it") {
  DraftFixture fixture;
  const auto file = fixture.write("real/default.nix", "1");
  fixture.invocation.entry = fixture.folder() / "real";
  CHECK(Draft::open(fixture.world, fixture.invocation).entry() == file);
  fixture.invocation.entry = fixture.folder() / "link.nix";
  std::filesystem::create_symlink("real/default.nix", fixture.invocation.entry);
  CHECK(Draft::open(fixture.world, fixture.invocation).entry() == file);
  fixture.invocation.entry = fixture.folder() / "absent.nix";
  CHECK_THROWS_AS(Draft::open(fixture.world, fixture.invocation), Error);
}

TEST_CASE("an expression is a draft without a file") {
  DraftFixture fixture;
  fixture.invocation.expression = "1 + 1";
  const Draft draft = Draft::open(fixture.world, fixture.invocation);
  CHECK_FALSE(draft.on_disk());
  CHECK(draft.text(draft.entry()) == "1 + 1");
  CHECK(draft.entry().parent_path() == fixture.folder());
}

TEST_CASE("what an evaluation read is in its log, coloured or not") {
  CHECK(evaluated_files("evaluating file '/a/x.nix'\n"
                        "warning: something\n"
                        "evaluating file '\x1b[35;1m/a/y z.nix\x1b[0m'\n"
                        "evaluating file '<nix/derivation.nix>'\n"
                        "evaluating file '/a/x.nix'\n"
                        "evaluating file '/cut") ==
        Paths{"/a/x.nix", "/a/y z.nix"});
}

TEST_CASE("only the user's own files are a draft's") {
  const Paths read = {
      "/sets/nixpkgs/default.nix",
      "/home/me/draft/pkg.nix",
      "/home/me/vendored/pkgs/top-level/impure.nix",
      "/home/me/vendored/lib/default.nix",
      "/nix/store/wl4ahzw4pq7j0azpgfxm6nj24rrqfbqg-source/default.nix",
      "/home/me/draft/draft.nix"};
  CHECK(local_files(read, {"/sets/nixpkgs"}, "/home/me/draft/draft.nix") ==
        Paths{"/home/me/draft/pkg.nix"});
  // -I . must not hide the draft itself.
  CHECK(local_files(read, {"/sets/nixpkgs", "/home/me"},
                    "/home/me/draft/draft.nix") ==
        Paths{"/home/me/draft/pkg.nix"});
  // A name that only begins like the folder's is not in it.
  CHECK(local_files({"/sets/nixpkgs-mine/a.nix"}, {"/sets/nixpkgs"},
                    "/d.nix") == Paths{"/sets/nixpkgs-mine/a.nix"});
}
