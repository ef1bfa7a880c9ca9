#include "report/views.h"

#include <catch2/catch.hpp>

#include "base/text.h"
#include "io/process.h"
#include "io/temporary.h"
#include "report/sample.h"

namespace autopin::report {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos;
       at += part.size())
    ++found;
  return found;
}

/// No byte of a stranger's can move a cursor or turn the direction of text.
void check_harmless(const std::string& text) {
  for (const char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f)
      FAIL("control character in: " << text);
  CHECK(text.find("\xE2\x80\xAE") == std::string::npos);
  CHECK(text.find("U+202E") != std::string::npos);
  CHECK(to_utf8(text) == text);
}

TEST_CASE(
    "each patch applies with git apply, in order, to the cumulative end") {
  const TemporaryFolder folder;
  DiskFiles files;
  const PatchLog log = sample_log();
  for (const char* name : {"one", "all"})
    files.append(folder.path() / name / "draft.nix", "{ }:\n1\n");
  const auto apply = [&](const char* where, const std::string& patch) {
    files.write(folder.path() / "patch", patch);
    Command command;
    command.argv = {"git", "apply", "--verbose",
                    (folder.path() / "patch").string()};
    command.folder = folder.path() / where;
    command.environment["GIT_CEILING_DIRECTORIES"] = folder.path().string();
    const CommandResult result = ProcessRunner().run(command);
    INFO(result.err << patch);
    CHECK(result.exit_code == 0);
  };
  const auto all = patches(log);
  REQUIRE(all.size() == 2);
  CHECK(all[0].first == "0001-pin-html5lib-to-0-9.patch");
  CHECK(all[1].first == "0003-skip-test-x.patch");
  for (const auto& [name, text] : all) {
    apply("one", text);
    check_harmless(text);
  }
  apply("all", log.diff);
  CHECK(files.read(folder.path() / "one" / "draft.nix") == "{ }:\n3\n");
  CHECK(files.read(folder.path() / "all" / "draft.nix") == "{ }:\n3\n");
}

TEST_CASE("no line of a log can pass for a part of a patch") {
  PatchLog log = sample_log();
  log.steps[0].why =
      "x\ndiff --git a/etc b/etc\n--- a/etc\n+++ b/etc\n@@ -1 +1 @@";
  log.steps[0].failure.lines = {{1, "--- a/etc/passwd"}, {2, "@@ -1 +1 @@"}};
  log.steps[0].summary = "../../etc/passwd";
  const auto [name, text] = patches(log).at(0);
  CHECK(name == "0001-etc-passwd.patch");
  CHECK(count(text, "\n--- ") == 1);
  CHECK(count(text, "\n@@ ") == 1);
  CHECK(count(text, "\ndiff ") == 0);
}

TEST_CASE("the page is one file that runs and fetches nothing") {
  const std::string html = to_html(sample_log());
  check_harmless(html);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(
      html.find("&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; &quot;q&quot; "
                "&#39;a&#39;") != std::string::npos);
  for (const char* way : {"src=", "url(", "@import", "<link", "href=\"http",
                          "<iframe", "onerror"})
    CHECK(html.find(way) == std::string::npos);
  CHECK(html.find("default-src 'none'") != std::string::npos);
  CHECK(html.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(html.find("Taken back") != std::string::npos);
  CHECK(html.find("no longer checked: <bdi>test_x of html5lib") !=
        std::string::npos);
}

TEST_CASE("the page is well formed") {
  const TemporaryFolder folder;
  DiskFiles().write(folder.path() / "page", to_html(sample_log()));
  Command command;
  command.argv = {"python3", "-c", R"py(
import html.parser, sys
class Page(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"):
            self.open.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, (tag, self.getpos())
page = Page()
page.feed(open(sys.argv[1]).read())
page.close()
assert not page.open, page.open
)py",
                  (folder.path() / "page").string()};
  const CommandResult result = ProcessRunner().run(command);
  CHECK(result.err == "");
  CHECK(result.exit_code == 0);
}

TEST_CASE("the Markdown keeps a stranger's markup as text") {
  const std::string text = to_markdown(sample_log());
  check_harmless(text);
  const std::size_t details = text.find("### 2.");
  const std::string heading =
      text.substr(details, text.find('\n', details) - details);
  CHECK(heading.find("&lt;script&gt;") != std::string::npos);
  CHECK(heading.find("\\`b\\` \\*\\*c\\*\\* &#64;user &#35;1 \\[x\\](y)") !=
        std::string::npos);
  CHECK(text.find("| 1 | pin html5lib to 0.9 | tensorboard says html5lib==0.9 "
                  "| pin |") != std::string::npos);
  CHECK(text.find("| 2 | green |") != std::string::npos);
  CHECK(text.find("- No longer checked: test_x of html5lib") !=
        std::string::npos);
  CHECK(text.find("- From https://") != std::string::npos);
}

TEST_CASE("no view has a credential, and each patch the draft's own bytes") {
  PatchLog log = sample_log();
  log.message = "see https://me:word@index/";
  log.steps[0].failure.lines = {{1, "GET https://me:word@index/x"}};
  log.steps[0].why = "https://me:word@index/ says so";
  const auto all = patches(log);
  for (const std::string& text :
       {to_html(log), to_markdown(log), summary(log), all[0].second}) {
    CHECK(text.find("word") == std::string::npos);
    CHECK(text.find("secret@index") != std::string::npos);
  }
  log.steps[0].diff += "\\ https://me:word@index/\n";
  CHECK(patches(log)[0].second.ends_with(log.steps[0].diff));
}

TEST_CASE("a fence in a log does not end the block it stands in") {
  PatchLog log = sample_log();
  log.steps[0].failure.lines = {{1, "```` # now markup"}};
  const std::string text = to_markdown(log);
  CHECK(text.find("`````text\n     1  ```` # now markup\n`````\n") !=
        std::string::npos);
}

TEST_CASE("the summary names steps, risks and what is not checked") {
  const std::string text = summary(sample_log());
  CHECK(text ==
        "   1. pin html5lib to 0.9 [pin]\n"
        "   3. skip test_x [weakens-checks]\n"
        "      no longer checked: test_x of html5lib\n"
        "green: 2 steps in 2 rounds, 2 of 5 builds failed\n"
        "The build is green.\n");
}

}  // namespace
}  // namespace autopin::report
