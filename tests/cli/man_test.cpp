#include "cli/man.h"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include "base/error.h"
#include "cli/completions.h"

namespace autopin {
namespace {

/// A program of the same kind as ours.
struct Sample {
  CLI::App app{"make a draft build\n\nFirst paragraph.\n\nSecond.", "prog"};
  std::string text;
  std::vector<std::string> many;
  bool flag = false;
  int number = 0;

  Sample() {
    CLI::App* build = app.add_subcommand("build", "Builds.");
    build->add_option("draft", text, "the draft")
        ->required()
        ->type_name("")
        ->option_text("DRAFT");
    build->add_option("-A,--attr", text, "an attribute, a.b")
        ->type_name("ATTR");
    build->add_option("--rules", many, "folders")->type_name("DIR");
    build->add_flag("--in-place", flag, ".dots and \\ and 'quotes'");
    build->add_flag("--secret", flag, "not for people")->group("");
    CLI::App* rules = app.add_subcommand("rules", "All rules.");
    rules->add_subcommand("list", "Lists them.")
        ->add_option("--format", number, "how")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, int>{{"json", 1}, {"text", 0}}));
    app.add_subcommand("hidden", "For scripts.")->group("");
    app.add_flag("--quiet", flag, "say less");
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("the manual page has a section for each command") {
  Sample sample;
  const std::string page = man_page(sample.app, "1.2", {});
  CHECK(has(page, ".TH \"PROG\" 1 \"\" \"prog 1.2\"\n"));
  CHECK(has(page, ".SH NAME\nprog \\- make a draft build\n"));
  CHECK(has(page, ".SH DESCRIPTION\nFirst paragraph.\n.PP\nSecond.\n"));
  CHECK(has(page, ".SS \"build\"\nBuilds.\n"));
}

TEST_CASE("options are listed with all names and their value") {
  Sample sample;
  const std::string page = man_page(sample.app, "1.2", {});
  CHECK(has(page,
            ".TP\n\\fB\\-A\\fR, \\fB\\-\\-attr\\fR \\fIATTR\\fR\n"
            "an attribute, a.b\n"));
  CHECK(has(page, "\\fB\\-\\-rules\\fR \\fIDIR...\\fR\n"));
  CHECK(has(page, ".B prog build\n[\\fIOPTION\\fR...]\n\\fIdraft\\fR\n"));
}

TEST_CASE("what roff would take for a request or an escape is printed") {
  Sample sample;
  const std::string page = man_page(sample.app, "1.2", {});
  CHECK(has(page, "\\fB\\-\\-in\\-place\\fR\n\\&.dots and \\e and 'quotes'\n"));
}

TEST_CASE("hidden commands and options stay out of the page") {
  Sample sample;
  const std::string page = man_page(sample.app, "1.2", {});
  CHECK_FALSE(has(page, "secret"));
  CHECK_FALSE(has(page, "hidden"));
  CHECK_FALSE(has(completions(sample.app, "bash"), "secret"));
  CHECK_FALSE(has(completions(sample.app, "fish"), "hidden"));
}

TEST_CASE("a command of a command has a section of its own") {
  Sample sample;
  const std::string page = man_page(sample.app, "1.2", {});
  CHECK(has(page, ".SS \"rules list\"\nLists them.\n"));
  CHECK_FALSE(has(page, ".SS \"rules\"\n"));
  CHECK(has(page, "\\fB\\-\\-format\\fR \\fIjson|text\\fR\n"));
  CHECK(has(completions(sample.app, "bash"), "rules) words=\"list\" ;;"));
}

TEST_CASE("further sections follow in the order given") {
  Sample sample;
  const std::string page = man_page(
      sample.app, "1.2", {{"Exit status", {{"0", "green"}, {"1", "usage"}}}});
  CHECK(has(page,
            ".SH \"EXIT STATUS\"\n.TP\n\\fB0\\fR\ngreen\n"
            ".TP\n\\fB1\\fR\nusage\n"));
}

TEST_CASE("completions know each command's options") {
  Sample sample;
  const std::string bash = completions(sample.app, "bash");
  CHECK(has(bash, "build) words=\"-A --attr --rules --in-place\" ;;"));
  CHECK(has(bash, "'') words=\"build "));
  CHECK(has(completions(sample.app, "fish"),
            "complete -c prog -n '__fish_seen_subcommand_from build' -s A -l "
            "attr -r -d 'an attribute, a.b'\n"));
  CHECK(has(completions(sample.app, "zsh"), "#compdef prog\n"));
  CHECK_THROWS_AS(completions(sample.app, "tcsh"), Error);
}

}  // namespace
}  // namespace autopin
