#include "io/scrub.h"

#include <catch2/catch.hpp>

#include "base/error.h"

namespace autopin {
namespace {

ScrubRules rules() {
  return {{{"/home/me", "@HOME@"},
           {"/home/me/draft", "@DRAFT@"},
           {"/root", "@ROOT@"},
           {"http://127.0.0.1:8123", "@INDEX@"}},
          {{"me", "user"}, {"box-7", "host"}}};
}

TEST_CASE("paths become placeholders, the longest first, and come back") {
  const Scrubber here(rules());
  for (const auto& [text, hidden] :
       std::vector<std::pair<std::string, std::string>>{
           {"/home/me/draft/a.nix:1", "@DRAFT@/a.nix:1"},
           {"/home/me/drafts", "@HOME@/drafts"},
           {"cd '/home/me/draft.old'", "cd '@HOME@/draft.old'"},
           {"in /home/me/draft.", "in @DRAFT@."},
           {"-I/home/me/draft/x -L/root/l", "-I@DRAFT@/x -L@ROOT@/l"},
           {"/rooted ./lib/root /a/root", "/rooted ./lib/root /a/root"},
           {"PATH=/root/bin:/root", "PATH=@ROOT@/bin:@ROOT@"},
           {"http://127.0.0.1:8123/simple/", "@INDEX@/simple/"},
       }) {
    CHECK(here.hide(text) == hidden);
    CHECK(here.show(hidden) == text);
  }
  CHECK(Scrubber({{{"/srv/ci", "@HOME@"}}, {}}).show("@HOME@/x") ==
        "/srv/ci/x");
}

TEST_CASE("text that looks like a placeholder survives") {
  const Scrubber here(rules());
  for (const std::string text :
       {"s|@HOME@|/home/me|", "@=HOME@ @==DRAFT@ @prefix@", "a@b@c @ @@ @@@",
        "@HOME@HOME@", "@", "@x", "user@host@", "@=@", "@==@=A@B@"}) {
    CHECK(here.show(here.hide(text)) == text);
  }
  CHECK(here.hide("@HOME@") == "@=HOME@");
}

TEST_CASE("every short text of hostile letters survives") {
  const Scrubber here({{{"/r", "@A@"}}, {}});
  const std::string letters = "@=A/r.";
  for (unsigned n = 0; n < 6U * 6 * 6 * 6 * 6 * 6 * 6; ++n) {
    std::string text;
    for (unsigned rest = n, i = 0; i < 7; ++i, rest /= 6)
      text += letters[rest % 6];
    if (here.show(here.hide(text)) != text)
      FAIL(text);
  }
}

TEST_CASE("users and hosts are gone for good, as whole words") {
  const Scrubber here(rules());
  CHECK(here.hide("me@box-7: meant home/me/x box-70") ==
        "user@host: meant home/user/x box-70");
  CHECK(here.neutral("/home/me by me") == "/home/user by user");
}

TEST_CASE("what opens a door is gone for good") {
  for (const auto& [text, expected] :
       std::vector<std::pair<std::string, std::string>>{
           {"get https://me:pw@host/x?a=1", "get https://secret@host/x?a=1"},
           {"https://tok@host:8/", "https://secret@host:8/"},
           {"ssh://git@host/x a@b", "ssh://git@host/x a@b"},
           {"https://host/p@1/x", "https://host/p@1/x"},
           {"https://a:p@w@host", "https://secret@host"},
           {"/x?token=abc&b=2&X-Amz-Signature=f0\"",
            "/x?token=secret&b=2&X-Amz-Signature=secret\""},
           {"?a=1&amp;sig=zz'", "?a=1&amp;sig=secret'"},
           {"what? monkey=1 ?monkey=1", "what? monkey=1 ?monkey=1"},
           {"Authorization: Basic Zm9v\r\nnext",
            "Authorization: secret\r\nnext"},
           {"access-tokens = github.com=abc\nx", "access-tokens = secret\nx"},
           {"the access-tokens option", "the access-tokens option"},
           {"ghp_0123456789abcdefABCDEF x", "secret x"},
           {"ghp_short my_ghp_0123456789abcdefABCDEF",
            "ghp_short my_ghp_0123456789abcdefABCDEF"},
       }) {
    CHECK(redact(text) == expected);
    CHECK(redact(expected) == expected);
  }
}

TEST_CASE("pages from outside keep what only looks like a path of ours") {
  const Scrubber here(rules());
  CHECK(here.hide_page("/root http://127.0.0.1:8123/x?sig=1") ==
        "/root @INDEX@/x?sig=secret");
}

TEST_CASE("a placeholder must look like one") {
  CHECK_THROWS_AS(Scrubber({{{"/x", "HOME"}}, {}}), Error);
  CHECK_THROWS_AS(Scrubber({{{"/x", "@a b@"}}, {}}), Error);
}

TEST_CASE("this machine's home is known, and an ordinary user is no secret") {
  const ScrubRules here = rules_of_this_machine();
  CHECK(here.substitutions.at(0).placeholder == "@HOME@");
  for (const auto& [word, neutral] : here.words)
    CHECK(word != "root");
}

}  // namespace
}  // namespace autopin
