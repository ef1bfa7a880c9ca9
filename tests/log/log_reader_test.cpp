#include "log/log_reader.h"

#include <catch2/catch.hpp>

#include "log_fixture.h"

using autopin::Origin;
using autopin::Outcome;
using autopin::testing::Recorder;

namespace {

const std::string drv =
    "/nix/store/gcqhijilhwfjg1nbmiga5xwk6zpqhwyk-hello-1.0.drv";

std::vector<std::string> lines_of_log(const std::string& log) {
  Recorder recorder;
  recorder.reader.feed(log);
  recorder.reader.finish();
  return recorder.lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("internal-json gives each line its derivation and phase") {
  const std::string log =
      R"(@nix {"action":"start","fields":[")" + drv +
      R"(","",1,1],"id":7,"level":3,"text":"","type":105})"
      "\n"
      R"(@nix {"action":"result","fields":["buildPhase"],"id":7,"type":104})"
      "\n"
      R"(@nix {"action":"result","fields":["\u001b[31mred\u001b[0m"],"id":7,"type":101})"
      "\n"
      R"(@nix {"action":"nonsense","type":999})"
      "\n@nix {broken\n";
  CHECK(lines_of_log(log) == Lines{"buildPhase|" + drv + "|red"});
}

TEST_CASE("an error in internal-json is read as Nix's words") {
  Recorder recorder;
  recorder.reader.feed(
      R"(@nix {"action":"msg","level":0,"msg":"\u001b[31;1merror:\u001b[0m builder for '\u001b[35;1m)" +
      drv + R"(\u001b[0m' failed with exit code 1"})");
  recorder.reader.finish();
  REQUIRE(recorder.outcomes.size() == 1);
  CHECK(recorder.outcomes[0].derivation == drv);
  CHECK(recorder.origins == std::vector<Origin>{Origin::nix});
}

TEST_CASE("prefixes keep interleaved builders apart") {
  CHECK(lines_of_log("aa> building\nbb> installing\naa> x\nbb>\nbb> y\n") ==
        Lines{"buildPhase|aa|building", "installPhase|bb|installing",
              "buildPhase|aa|x", "installPhase|bb|", "installPhase|bb|y"});
}

TEST_CASE("what only looks like a prefix stays") {
  CHECK(lines_of_log("INTERNALERROR> x\na->b\n>       assert 1\nk=> v\n") ==
        Lines{"||INTERNALERROR> x", "||a->b", "||>       assert 1", "||k=> v"});
}

TEST_CASE("a tail is told from what the builder printed, in every form") {
  const std::vector<std::string> forms = {
      // to 2.3
      "builder for '" + drv +
          "' failed with exit code 1; last 2 log lines:\n  one\n  two\nafter\n",
      // 2.4 to 2.28
      "error: builder for '" + drv +
          "' failed with exit code 1;\n       last 2 log lines:\n       > one\n"
          "       > two\n       For full logs, run 'nix log " +
          drv + "'.\nafter\n",
      // 2.29 on
      "error: Cannot build '" + drv +
          "'.\n       Reason: builder failed with exit code 1.\n       Output "
          "paths:\n         /nix/store/x\n       Last 2 log lines:\n       > "
          "one\n       > two\n       For full logs, run:\n         nix log " +
          drv + "\nafter\n"};
  for (const std::string& form : forms) {
    Recorder recorder;
    recorder.reader.feed(form);
    recorder.reader.finish();
    Lines tail;
    for (std::size_t i = 0; i < recorder.lines.size(); ++i)
      if (recorder.origins[i] == Origin::tail)
        tail.push_back(recorder.lines[i]);
    CHECK(tail == Lines{"|" + drv + "|one", "|" + drv + "|two"});
    CHECK(recorder.lines.back() == "||after");
    REQUIRE(recorder.outcomes.size() == 1);
    CHECK(recorder.outcomes[0].kind == Outcome::Kind::failed);
    CHECK(recorder.outcomes[0].derivation == drv);
  }
}

TEST_CASE("a failed dependency is not a failure of its own") {
  for (const std::string& form :
       {"cannot build derivation '" + drv +
            "': 1 dependencies couldn't be built\n",
        "error: 1 dependencies of derivation '" + drv + "' failed to build\n",
        "error: Cannot build '" + drv +
            "'.\n       Reason: 1 dependency failed.\n"}) {
    Recorder recorder;
    recorder.reader.feed(form);
    recorder.reader.finish();
    REQUIRE(recorder.outcomes.size() == 1);
    CHECK(recorder.outcomes[0].kind == Outcome::Kind::dependency_failed);
  }
}

TEST_CASE("colour, CR, NUL, time stamps, frames and markers are taken off") {
  CHECK(lines_of_log(std::string("\x1b[1;31mred\x1b[0m\r\n", 14)) ==
        Lines{"||red"});
  CHECK(lines_of_log("10%\r20%\rdone\n") == Lines{"||10%", "||20%", "||done"});
  CHECK(lines_of_log(std::string("a\0b\n", 4)) == Lines{"||ab"});
  CHECK(lines_of_log("2026-07-09T06:41:10.1234567Z ##[error]x\n") ==
        Lines{"||x"});
  CHECK(lines_of_log("job\tstep\t2026-07-09T06:41:10.1234567Z x\n") ==
        Lines{"||x"});
  CHECK(lines_of_log("\u250f\u2501 1 Errors:\n\u2503 x\n\u2517\u2501\n") ==
        Lines{"||x"});
  CHECK(lines_of_log("[17](https://example.org/1)\nx\n") == Lines{"||x"});
  CHECK(lines_of_log("<pre>a &lt;b&gt; &#x27;c&#x27;</pre>\n") ==
        Lines{"||a <b> 'c'"});
}

TEST_CASE("stamps of CI systems are taken off, pieces put together") {
  CHECK(lines_of_log("2026-07-09T06:41:10.123456Z 01E one\n"
                     "2026-07-09T06:41:10.123457Z 01E tw\n"
                     "2026-07-09T06:41:10.123458Z 01E+o\nthree\n") ==
        Lines{"||one", "||two", "||three"});
  CHECK(lines_of_log(
            "\x1b_bk;t=1720507270123\aone\n_bk;t=17205072701232 two\n") ==
        Lines{"||one", "||2 two"});
  CHECK(
      lines_of_log("[2026-01-01T12:00:00.000Z] x\n12:00:00  y\n12:00:00 z\n") ==
      Lines{"||x", "||y", "||12:00:00 z"});
  CHECK(lines_of_log("#9 12.34 x\n#9 DONE\n#1 2.y\n") ==
        Lines{"||x", "||#9 DONE", "||#1 2.y"});
}

TEST_CASE("Nix's progress bar is no line, a build tool's counter is") {
  CHECK(lines_of_log("[1/0/2 built (1 failed), 0.3 MiB DL] building aa-1: x\n"
                     "[1/2] Building C object y\n") ==
        Lines{"||[1/2] Building C object y"});
  CHECK(lines_of_log("aa (post)> pushed\n") == Lines{"|aa|pushed"});
}

TEST_CASE("a monitor's prefix on the starting line says whose it is") {
  CHECK(lines_of_log("py> building '" + drv + "'...\npy> x\n") ==
        Lines{"|" + drv + "|x"});
}

TEST_CASE("a bar drawn several times is no line between others") {
  Recorder recorder;
  recorder.reader.feed("a\n1% x\r2% x\n b\rc\n");
  recorder.reader.finish();
  CHECK(recorder.lines == Lines{"||a", "||1% x", "||2% x", "|| b", "||c"});
  CHECK(recorder.redrawn == std::vector<bool>{false, true, true, true, false});
}

TEST_CASE("two bytes for each character, and bytes that are not UTF-8") {
  CHECK(lines_of_log(std::string("\xff\xfe\x1b\0[\0"
                                 "1\0m\0a\0\n\0b\0\n",
                                 17)) == Lines{"||a", "||b"});
  CHECK(lines_of_log("\xe9x\xe9y\xe9\n\u00e9\n") ==
        Lines{"||x\xe9y", "||\u00e9"});
  CHECK(lines_of_log("@nix {\"action\":\"msg\",\"msg\":\"a\xe9\"}\n") ==
        Lines{"||a\ufffd"});
}

TEST_CASE("lines may be split anywhere, and the last may lack its end") {
  const std::string log = "aa> one\naa> two\nbuilding '" + drv + "'...\nthree";
  const Lines whole = lines_of_log(log);
  for (std::size_t cut = 0; cut <= log.size(); ++cut) {
    Recorder recorder;
    recorder.reader.feed(log.substr(0, cut));
    recorder.reader.feed(log.substr(cut));
    recorder.reader.finish();
    CHECK(recorder.lines == whole);
  }
  CHECK(whole.back() == "|" + drv + "|three");
}

TEST_CASE("a line of many megabytes takes bounded memory and is numbered") {
  Recorder recorder;
  for (int i = 0; i < 100; ++i)
    recorder.reader.feed(std::string(100000, 'x'));
  recorder.reader.feed("\nnext\n");
  recorder.reader.finish();
  REQUIRE(recorder.lines.size() == 2);
  CHECK(recorder.lines[0].size() < 70000);
  CHECK(recorder.numbers[1] == 2);
}

TEST_CASE("colours go even where their escape character is lost") {
  CHECK(lines_of_log("[31;1merror:[0m a[0] [1mb[0m\n[31m kept\n") ==
        Lines{"||error: a[0] b", "||[31m kept"});
}
