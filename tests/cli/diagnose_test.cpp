#include "cli/diagnose.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/text.h"
#include "io/fake_world.h"
#include "io/process.h"
#include "io/temporary.h"

using namespace autopin;
using Catch::Matchers::Contains;

namespace {

namespace fs = std::filesystem;

constexpr const char* header_log =
    "unpacking sources\n"
    "building\n"
    "gcc -c a.c\n"
    "in the middle\n"
    "a.c:4:18: fatal error: zlib.h: No such file or directory\n"
    "    4 | #include <zlib.h>\n"
    "compilation terminated.\n"
    "make: *** [Makefile:2: a.o] Error 1\n"
    "error: builder for "
    "'/nix/store/0c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-frob-1.0.drv' failed with "
    "exit code 2;\n";

constexpr const char* drv =
    "/nix/store/0c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-frob-1.0.drv";
constexpr const char* out =
    "/nix/store/1c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-frob-1.0";

/// A .drv as Nix writes it, with one output.
std::string derivation(const std::string& output,
                       const std::string& inputs = "") {
  return "Derive([(\"out\",\"" + output + "\",\"\",\"\")],[" + inputs +
         "],[],\"x86_64-linux\",\"/bin/sh\",[],[(\"name\",\"frob-1.0\"),"
         "(\"out\",\"" +
         output + "\")])";
}

struct Diagnosing {
  FakeWorld fake;
  TemporaryFolder folder;
  DiagnoseOptions options;
  std::string notes;

  std::string write(const std::string& name, const std::string& text) {
    const fs::path file = folder.path() / name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  std::string run(const std::string& what) {
    options.log.what = what;
    std::ostringstream answer;
    std::ostringstream heard;
    const int exit_code = run_diagnose(fake.world, options, answer, heard);
    CHECK(exit_code == 0);
    notes = heard.str();
    return answer.str();
  }
  std::string run_log(const std::string& log) {
    return run(write("build.log", log));
  }
  void answer(const std::string& text, int code = 0) {
    fake.commands.answers.push_back(
        {code, false, code == 0 ? text : "", code == 0 ? "" : text});
  }
  std::string asked(std::size_t index) const {
    return join(fake.commands.asked.at(index).argv, " ");
  }
};

CommandResult autopin_with(std::vector<std::string> words,
                           const std::string& input = "") {
  words.insert(words.begin(), AUTOPIN_BINARY);
  Command command;
  command.argv = std::move(words);
  command.input = input;
  ProcessRunner runner;
  return runner.run(command);
}

bool steers_a_terminal(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f;
  });
}

}  // namespace

TEST_CASE("a diagnosis is shown with the lines around, cause, cure and fixes") {
  Diagnosing diagnosing;
  CHECK(diagnosing.run_log(header_log) ==
        "header-missing in frob-1.0, buildPhase\n"
        "\n"
        "    3 │ gcc -c a.c\n"
        "    4 │ in the middle\n"
        "  > 5 │ a.c:4:18: fatal error: zlib.h: No such file or directory\n"
        "    6 │     4 | #include <zlib.h>\n"
        "    7 │ compilation terminated.\n"
        "\n"
        "  The compiler does not find the header zlib.h.\n"
        "  Cure: Add the package that has zlib.h to buildInputs.\n"
        "  autopin build tries: add-header-input\n");
}

TEST_CASE("a fix that needs a person's word says which") {
  Diagnosing diagnosing;
  CHECK_THAT(
      diagnosing.run_log("error: Package \u2018frob-1.0\u2019 in "
                         "/n/default.nix:3 is marked as "
                         "broken, refusing to evaluate.\n"),
      Contains(
          "autopin build tries: allow-broken (only with --allow permits)"));
}

TEST_CASE("what is no log is said to be none") {
  Diagnosing diagnosing;
  using namespace std::literals;
  const std::string shown = diagnosing.run_log(
      "\x7f"
      "ELF\0\0\0"s);
  CHECK(shown ==
        "Nothing can be read here: it has NUL bytes, as no text has.\n");
  CHECK_THAT(diagnosing.notes, Contains("is no log: it has NUL bytes"));
  diagnosing.run_log("BZh91AY");
  CHECK_THAT(diagnosing.notes, Contains("bzcat FILE | autopin diagnose"));
  // A stray NUL in a log that says what failed is nobody's business.
  diagnosing.run_log("\0\n"s + header_log);
  CHECK(diagnosing.notes.empty());
  CHECK_THAT(diagnosing.run_log(""), Contains("The log is empty"));
}

TEST_CASE("a word that --format does not have is named with those it has") {
  const std::string help = autopin_with({"diagnose", "--help"}).out;
  CHECK_THAT(help, Contains("--format text|json|github "));
  const CommandResult wrong =
      autopin_with({"diagnose", "--format", "xml", "-"});
  CHECK(wrong.exit_code != 0);
  CHECK_THAT(wrong.err, Contains("xml is none of text, json, github"));
  CHECK_THAT(
      autopin_with({"diagnose", "--format", "github", "-"}, header_log).out,
      Contains("::error"));
}

TEST_CASE("colour is for the match, and only where it is wanted") {
  Diagnosing diagnosing;
  diagnosing.options.style.colour = true;
  const std::string text = diagnosing.run_log(header_log);
  CHECK_THAT(text, Contains("  > 5 │ \x1b[1;31ma.c:4:18: fatal error: zlib.h: "
                            "No such file or directory\x1b[0m\n"));
  CHECK_THAT(text, Contains("    4 │\x1b[0m in the middle\n"));
  diagnosing.options.style.colour = false;
  CHECK_FALSE(steers_a_terminal(diagnosing.run_log(header_log)));
}

TEST_CASE("consequences take one line, or their own part with --all") {
  const std::string log =
      "running tests\n"
      "E   ModuleNotFoundError: No module named 'frob'\n"
      "FAILED tests/test_a.py::test_b - ModuleNotFoundError: No module named "
      "'frob'\n"
      "============= 1 failed, 2 passed in 0.1s =============\n";
  Diagnosing diagnosing;
  const std::string brief = diagnosing.run_log(log);
  CHECK_THAT(brief, Contains("python-module-missing") &&
                        Contains("1 consequence of it: test-failed (--all "
                                 "shows it)\n"));
  diagnosing.options.style.all = true;
  const std::string all = diagnosing.run_log(log);
  CHECK_THAT(all, Contains("test-failed") && Contains(", a consequence\n") &&
                      !Contains("--all"));
  diagnosing.options.style.explain = true;
  CHECK_THAT(diagnosing.run_log(log),
             Contains("behind ") && Contains("this is a consequence") &&
                 Contains("a consequence: ") && Contains("explains it"));
}

TEST_CASE("explanations name the rule, its rank, and what was set aside") {
  Diagnosing diagnosing;
  diagnosing.options.style.explain = true;
  const std::string text = diagnosing.run_log(
      "building\n"
      "a.c:4:18: fatal error: zlib.h: No such file or directory\n"
      "installing\n"
      "b.c:4:18: fatal error: frob.h: No such file or directory\n");
  CHECK_THAT(text,
             Contains("rule: gcc-header (c.json), rank 23") &&
                 Contains("header: frob.h") &&
                 Contains("line 2: gcc-header (header-missing): a later phase "
                          "of the same build ran"));
}

TEST_CASE("nothing of a log steers the terminal or the reader's eye") {
  Diagnosing diagnosing;
  const std::string text = diagnosing.run_log(
      "building\n"
      "\x1b]0;title\x07\x1b[2J\x1b[1;1Hmoved\n"
      "tab\there \xe2\x80\xae"
      "reversed \x9b"
      "31m\n"
      "a.c:4:18: fatal error: z\xe2\x80\xae\x01\x08\xff.h: No such file or "
      "directory\n"
      "progress 1%\rprogress 2%\r\n");
  CHECK_THAT(text, Contains("header-missing"));
  CHECK_FALSE(steers_a_terminal(text));
  CHECK(text.find("\xe2\x80\xae") == std::string::npos);
  CHECK(to_utf8(text) == text);
}

TEST_CASE("an error of autopin itself is printable as well") {
  const CommandResult result = autopin_with({"diagnose",
                                             "no\x1b[2Jsuch\x07"
                                             "file"});
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.err, Contains("there is no such file"));
  CHECK_FALSE(steers_a_terminal(result.err));
}

TEST_CASE("a very long line is cut around what matched") {
  Diagnosing diagnosing;
  const std::string text =
      diagnosing.run_log(std::string(1000, 'x') +
                         "/bin/sh: line 1: frobnicate: command not found\n");
  CHECK_THAT(text, Contains("…") && Contains("frobnicate: command not found"));
  for (const std::string_view line : lines_of(text))
    CHECK(line.size() < 300);
}

TEST_CASE("a log that is not explained shows its key lines and the way on") {
  Diagnosing diagnosing;
  const std::string text = diagnosing.run_log(
      "building\nstarting\nfrob: error: 3 widgets lost\ncleaning\n"
      "make: *** [Makefile:2: all] Error 1\n");
  CHECK_THAT(text, Contains("undetermined, buildPhase\n") &&
                       Contains("  > 3 │ frob: error: 3 widgets lost\n") &&
                       Contains("autopin rules new --from ") &&
                       Contains("build.log begins one.\n"));
  CHECK_THAT(diagnosing.run_log("all is well\n"),
             Contains("Nothing in this log says that it failed") &&
                 Contains("1 │ all is well"));
  CHECK_THAT(diagnosing.run_log(""), Contains("The log is empty."));
}

TEST_CASE("workflow commands hold all of a diagnosis on one line") {
  Diagnosing diagnosing;
  diagnosing.options.format = DiagnoseFormat::github;
  const std::string text = diagnosing.run_log(header_log);
  CHECK_THAT(text, Catch::StartsWith("::error file="));
  CHECK_THAT(text, Contains(",line=5,title=header-missing in frob-1.0%2C "
                            "buildPhase::The compiler does not find") &&
                       Contains("zlib.h.%0A      3 | gcc -c a.c%0A") &&
                       Contains("%0A>     5 | a.c:4:18: fatal error"));
  CHECK(lines_of(text).size() == 1);
}

TEST_CASE("a workflow command points at the expression that is wrong") {
  Diagnosing diagnosing;
  diagnosing.options.format = DiagnoseFormat::github;
  const std::string file = fs::current_path() / "pkgs/frob.nix";
  const std::string text = diagnosing.run_log(
      "error: undefined variable 'frob'\n\n       at " + file + ":12:5:\n");
  CHECK_THAT(text, Catch::StartsWith(
                       "::error file=pkgs/frob.nix,line=12,title=undefined-"
                       "variable"));
}

TEST_CASE("a log cannot write workflow commands of its own") {
  Diagnosing diagnosing;
  diagnosing.options.format = DiagnoseFormat::github;
  const std::string text = diagnosing.run_log(
      "building\n"
      "::set-output name=a::b\n"
      "100% %0A::error::x\n"
      "::warning::x\r::stop-commands::y\n"
      "a.c:4:18: fatal error: a,b:%25.h: No such file or directory\n"
      "::add-mask::\x1b[31mz\n");
  for (const std::string_view line : lines_of(text))
    if (!line.empty())
      CHECK(line.rfind("::error file=", 0) == 0);
  // A percent sign of the log stays one, and is no escape.
  CHECK_THAT(text, Contains("a,b:%2525.h") && Contains("%250A::error::x"));
  CHECK(text.find('\r') == std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE(
    "properties of workflow commands end at no colon or comma of theirs") {
  Diagnosing diagnosing;
  diagnosing.options.format = DiagnoseFormat::github;
  const std::string text =
      diagnosing.run(diagnosing.write("a,line=1::b%.log", header_log));
  CHECK_THAT(text, Contains("a%2Cline=1%3A%3Ab%25.log,line=5,title="));
}

TEST_CASE("a log from a pipe is shown with the lines around") {
  const CommandResult result = autopin_with({"diagnose"}, header_log);
  CHECK(result.exit_code == 0);
  CHECK_THAT(result.out, Contains("    4 │ in the middle\n  > 5 │ a.c:4:18"));
  CHECK(autopin_with({"diagnose", "-"}, header_log).out == result.out);
}

TEST_CASE("the exit code is 0 whatever a log holds") {
  CHECK(autopin_with({"diagnose", "-"}, "").exit_code == 0);
  CHECK(autopin_with({"diagnose", "-"}, "all is well\n").exit_code == 0);
  const CommandResult json =
      autopin_with({"diagnose", "--json", "-"}, header_log);
  CHECK(json.exit_code == 0);
  const auto document = nlohmann::json::parse(json.out);
  CHECK(document["schema"] == 1);
  CHECK(document["diagnoses"][0]["kind"] == "header-missing");
  CHECK(document["diagnoses"][0]["lines"].size() == 1);
}

TEST_CASE("a file that exists is a log, whatever its name looks like") {
  Diagnosing diagnosing;
  CHECK_THAT(diagnosing.run(diagnosing.write("pkgs#frob", header_log)),
             Contains("header-missing"));
  CHECK(diagnosing.fake.commands.asked.empty());
}

TEST_CASE("what is neither file nor installable is said to be none") {
  Diagnosing diagnosing;
  CHECK_THROWS_WITH(diagnosing.run("no-such.log"),
                    Contains("no such file") && Contains("installable"));
}

TEST_CASE("a derivation's log is the one that Nix keeps") {
  Diagnosing diagnosing;
  diagnosing.answer(
      "building\na.c:4:18: fatal error: zlib.h: No such file or "
      "directory\n");
  const std::string text = diagnosing.run(std::string(drv) + "!dev");
  CHECK(diagnosing.asked(0) == std::string("nix-store --read-log ") + drv);
  // A builder's own log does not say whose it is.
  CHECK_THAT(text, Catch::StartsWith("header-missing in frob-1.0, buildPhase"));
}

TEST_CASE("an output that was never made leads to the derivation's log") {
  Diagnosing diagnosing;
  diagnosing.fake.files.files[drv] = derivation(out);
  diagnosing.answer("error: path is not valid", 1);
  diagnosing.answer(header_log);
  diagnosing.answer(std::string(out) + "\n");  // not valid
  CHECK_THAT(diagnosing.run(out), Contains("header-missing"));
  CHECK(diagnosing.asked(1) == std::string("nix-store --read-log ") + drv);
  CHECK(diagnosing.notes == "");
}

TEST_CASE("the log of what is built is said to be one") {
  Diagnosing diagnosing;
  diagnosing.fake.files.files[drv] = derivation(out);
  diagnosing.answer("all is well\n");
  diagnosing.answer("");
  CHECK_THAT(diagnosing.run(drv), Contains("Nothing in this log") &&
                                      Contains(std::string("--from ") + drv +
                                               " --line N begins a rule."));
  CHECK_THAT(diagnosing.notes, Contains("frob-1.0.drv is built"));
}

TEST_CASE("where a derivation waited for another, the other's log is read") {
  Diagnosing diagnosing;
  const std::string needed =
      "/nix/store/2c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-needed-2.drv";
  const std::string made =
      "/nix/store/3c2h3r9pk8ji2n2ww0l6rv1qslh4hm4g-needed-2";
  diagnosing.fake.files.files[drv] =
      derivation(out, "(\"" + needed + "\",[\"out\"])");
  diagnosing.fake.files.files[needed] = derivation(made);
  SECTION("it has one") {
    diagnosing.answer("error: not available", 1);
    diagnosing.answer(std::string(out) + "\n" + made + "\n");
    diagnosing.answer(header_log);
    diagnosing.answer(header_log);
    CHECK_THAT(diagnosing.run(drv), Contains("header-missing"));
    CHECK_THAT(diagnosing.notes,
               Contains("frob-1.0.drv has no log of its own; it waits for "
                        "needed-2.drv"));
  }
  SECTION("it has none") {
    diagnosing.answer("error: not available", 1);
    diagnosing.answer(std::string(out) + "\n" + made + "\n");
    diagnosing.answer("error: not available", 1);
    diagnosing.answer(std::string(out) + "\n");
    CHECK_THROWS_WITH(diagnosing.run(drv), Contains("nix-store --realise"));
  }
  SECTION("nothing is missing") {
    diagnosing.answer("error: not available", 1);
    diagnosing.answer("");
    diagnosing.answer("");
    CHECK_THROWS_WITH(diagnosing.run(drv), Contains("nix log"));
  }
}

TEST_CASE("neither a log nor a derivation is an error that says so") {
  Diagnosing diagnosing;
  diagnosing.answer("error: not available", 1);
  CHECK_THROWS_WITH(diagnosing.run(drv), Contains("neither a log of it"));
}

TEST_CASE("an installable is asked for its derivation") {
  Diagnosing diagnosing;
  diagnosing.answer(std::string(drv) + "\n");
  diagnosing.answer(header_log);
  CHECK_THAT(diagnosing.run(".#frob"), Contains("header-missing"));
  CHECK(diagnosing.asked(0) ==
        "nix --extra-experimental-features nix-command flakes path-info "
        "--derivation -- .#frob");
  diagnosing.answer("error: flake does not provide attribute 'frab'", 1);
  CHECK_THROWS_WITH(diagnosing.run(".#frab"),
                    Contains("does not provide attribute"));
}

TEST_CASE("an attribute of a file is instantiated as nix-build does") {
  Diagnosing diagnosing;
  const std::string file = diagnosing.write("a.nix", "{ }");
  diagnosing.fake.files.files[file] = "{ }";
  diagnosing.options.log.attributes = {"frob"};
  diagnosing.options.log.evaluation_flags = {"--argstr", "a", "b"};
  SECTION("it makes a derivation") {
    diagnosing.answer("", 1);  // no link
    diagnosing.answer(std::string(drv) + "\n");
    diagnosing.answer(header_log);
    CHECK_THAT(diagnosing.run(file), Contains("header-missing"));
    CHECK(diagnosing.asked(1) ==
          "nix-instantiate --argstr a b -A frob " + file);
    CHECK(diagnosing.asked(2) == std::string("nix-store --read-log ") + drv);
  }
  SECTION("it stops before") {
    diagnosing.answer("", 1);
    diagnosing.answer("error: undefined variable 'frab'\n", 1);
    CHECK_THAT(diagnosing.run(file), Contains("undefined-variable"));
  }
  SECTION("the file is on the search path") {
    diagnosing.answer(std::string(drv) + "\n");
    diagnosing.answer(header_log);
    CHECK_THAT(diagnosing.run("<nixpkgs>"), Contains("header-missing"));
    CHECK_THAT(diagnosing.fake.commands.asked.at(0).input,
               Contains("import <nixpkgs>"));
  }
}
