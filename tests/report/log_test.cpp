#include <catch2/catch.hpp>
#include <cstdlib>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/text.h"
#include "io/fake_world.h"
#include "io/process.h"
#include "io/temporary.h"
#include "report/json.h"
#include "report/log_folder.h"
#include "report/sample.h"

namespace autopin::report {
namespace {

using namespace std::literals;

const std::string schema_file =
    AUTOPIN_SOURCE_DIR "/src/report/log.schema.json";

/// What the validator says of a document; "" when it fits the schema.
std::string departures(const std::string& json) {
  const TemporaryFolder folder;
  DiskFiles().write(folder.path() / "log.json", json);
  Command command;
  command.argv = {"python3", AUTOPIN_SOURCE_DIR "/tests/report/validate.py",
                  schema_file, (folder.path() / "log.json").string()};
  const CommandResult result = ProcessRunner().run(command);
  return std::string(trim(result.out + result.err));
}

TEST_CASE("log.json fits its schema") {
  CHECK(departures(to_json(sample_log())) == "");
  PatchLog fresh;
  fresh.started = std::chrono::system_clock::from_time_t(0);
  CHECK(departures(to_json(fresh)) == "");
}

TEST_CASE("the schema refuses what is no patch log") {
  Json log = json_of(sample_log());
  log["outcome"] = "maybe";
  CHECK_THAT(departures(dump(log)), Catch::Contains("$.outcome"));
  log = json_of(sample_log());
  log["steps"][0].erase("risk");
  CHECK_THAT(departures(dump(log)), Catch::Contains("$.steps[0]"));
  log = json_of(sample_log());
  log["rounds"][0]["started"] = "today";
  CHECK_THAT(departures(dump(log)), Catch::Contains("started"));
  log = json_of(sample_log());
  log["rounds"][0]["failures"][0]["diagnoses"][0]["params"]["x"] = "y";
  CHECK_THAT(departures(dump(log)), Catch::Contains("params.x"));
}

TEST_CASE("the schema knows the outcomes of the exit codes and no others") {
  const Json schema = Json::parse(DiskFiles().read(schema_file).value());
  std::vector<std::string> known{"running"};
  for (const ExitCodeRow& row : exit_codes)
    known.emplace_back(row.word);
  auto stated = schema.at("properties").at("outcome").at("enum");
  CHECK_THAT(stated.get<std::vector<std::string>>(),
             Catch::UnorderedEquals(known));
}

TEST_CASE("a log that was written is read back as it was") {
  const std::string json = to_json(sample_log());
  CHECK(to_json(from_json(json)) == json);
  CHECK(json.find("word") == std::string::npos);
  CHECK(json.find("https://secret@index/simple/") != std::string::npos);
  CHECK(json.find("2026-11-30T00:53:20.042Z") != std::string::npos);
}

TEST_CASE("what is no patch log is refused with a reason") {
  CHECK_THROWS_AS(from_json("{"), Error);
  CHECK_THROWS_AS(from_json("{}"), Error);
  Json log = json_of(sample_log());
  log["schema"] = 2;
  CHECK_THROWS_WITH(from_json(dump(log)), Catch::Contains("schema 2"));
  log = json_of(sample_log());
  log["steps"][0]["risk"] = "none";
  CHECK_THROWS_WITH(from_json(dump(log)), Catch::Contains("no risk: none"));
}

TEST_CASE("totals count the steps that stand") {
  const Json totals = json_of(sample_log()).at("totals");
  CHECK(totals.at("steps") == 2);
  CHECK(totals.at("taken_back") == 1);
  CHECK(totals.at("risk").at("pin") == 1);
  CHECK(totals.at("risk").at("weakens-checks") == 1);
  CHECK(totals.at("failing_builds") == 2);
}

/// A run as the loop tells it.
void run(LogFolder& folder, const std::function<void()>& after_each) {
  const PatchLog sample = sample_log();
  const auto tell = [&](const auto& act) {
    act();
    after_each();
  };
  tell([&] {
    folder.keep_log(1, sample.rounds[0].failures[0].derivation, "x");
  });
  tell([&] { folder.put_round(sample.rounds[0]); });
  tell([&] { folder.count_build(true); });
  tell([&] { folder.put_step(sample.steps[0]); });
  Step second = sample.steps[1];
  second.taken_back.clear();
  tell([&] { folder.put_step(second); });
  tell([&] { folder.put_step(sample.steps[1]); });  // now taken back
  tell([&] { folder.add_learned("one thing"); });
  tell([&] { folder.put_step(sample.steps[2]); });
  tell([&] { folder.put_round(sample.rounds[1]); });
  tell([&] { folder.count_build(false); });
  tell([&] { folder.end("green", 0, "done", 60, sample.diff); });
}

PatchLog start() {
  PatchLog log = sample_log();
  log.outcome = "running";
  log.rounds.clear();
  log.steps.clear();
  log.learned.clear();
  log.builds = log.failing_builds = 0;
  log.diff.clear();
  return log;
}

TEST_CASE("at every moment log.json is whole and log.jsonl has all") {
  FakeFiles files;
  LogFolder folder(files, "/log", start());
  int moments = 0;
  run(folder, [&] {
    ++moments;
    const std::string written = files.files.at("/log/log.json");
    CHECK(to_json(from_json(written)) == written);
    const PatchLog known = recover(files.files.at("/log/log.jsonl"));
    CHECK(to_json(known) == to_json(folder.log()));
  });
  CHECK(moments == 11);
  CHECK(folder.log().steps.size() == 3);
  CHECK(folder.log().builds == 2);
  CHECK(folder.log().failing_builds == 1);
  CHECK(files.files.at("/log/log.json") == to_json(folder.log()));
  CHECK(departures(files.files.at("/log/log.json")) == "");
}

TEST_CASE("a journal that was cut anywhere tells what it holds") {
  FakeFiles files;
  LogFolder folder(files, "/log", start());
  run(folder, [] {});
  const std::string journal = files.files.at("/log/log.jsonl");
  const std::size_t first = journal.find('\n') + 1;
  for (std::size_t size = first; size < journal.size(); size += 101)
    CHECK(recover(journal.substr(0, size)).draft == "draft.nix");
  CHECK_THROWS_AS(recover(journal.substr(0, first - 1)), Error);
  CHECK_THROWS_AS(recover("{}\n"), Error);
}

TEST_CASE("the folder of an earlier run is replaced, other files stay") {
  FakeFiles files;
  files.files = {{"/log/0007-old.patch", ""},
                 {"/log/build-03/x.log", ""},
                 {"/log/log.jsonl", "old\n"},
                 {"/log/notes.txt", "mine"}};
  // FakeFiles lists files only; the folder of the old build is one on disk.
  const TemporaryFolder disk;
  DiskFiles real;
  for (const auto& [path, text] : files.files)
    real.append(disk.path() / path.substr(1), text);
  LogFolder folder(real, disk.path() / "log", start());
  CHECK(real.list(disk.path() / "log") ==
        std::vector<std::string>{"log.json", "log.jsonl", "notes.txt"});
  run(folder, [] {});
  CHECK(real.list(disk.path() / "log") ==
        std::vector<std::string>{"0001-pin-html5lib-to-0-9.patch",
                                 "0003-skip-test-x.patch", "build-01",
                                 "cumulative.patch", "log.json", "log.jsonl",
                                 "notes.txt", "report.html", "report.md"});
}

TEST_CASE(
    "kept logs have names of their own, inside the folder, and no escapes") {
  FakeFiles files;
  LogFolder folder(files, "/log", start());
  const std::string hash(32, '0');
  const std::string one = "/nix/store/" + hash + "-a-1.drv";
  const std::string two = "/nix/store/" + std::string(32, '1') + "-a-1.drv";
  CHECK(folder.keep_log(1, one, "x\x1b]0;t\x07 https://u:p@h/") ==
        "build-01/a-1.log");
  CHECK(folder.keep_log(1, two, "y") == "build-01/a-1-2.log");
  CHECK(folder.keep_log(1, one, "z") == "build-01/a-1.log");
  CHECK(folder.keep_log(12, one, "x\x1b]0;t\x07 https://u:p@h/") ==
        "build-12/a-1.log");
  CHECK(files.files.at("/log/build-12/a-1.log") == "x␛]0;t␇ https://secret@h/");
  CHECK(files.files.at("/log/build-01/a-1.log") == "z");
  CHECK(folder.keep_log(1, "../..", "x") == "build-01/build.log");
  CHECK(folder.keep_log(1, "a b/c;d", "x") == "build-01/c_d.log");
}

}  // namespace
}  // namespace autopin::report
