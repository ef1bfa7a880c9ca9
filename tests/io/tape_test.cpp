#include "io/tape.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "base/error.h"
#include "base/text.h"
#include "io/fake_world.h"
#include "io/process.h"
#include "io/temporary.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;
using namespace std::literals;

ScrubRules rules(const std::string& draft) {
  return {{{draft, "@DRAFT@"}}, {}};
}

/// Everything that a World can be asked, with answers as one text.
std::string ask_all(World& world, const fs::path& draft) {
  std::string seen;
  const auto see = [&](std::string_view text) {
    seen += text;
    seen += '\n';
  };
  const auto time = [&] {
    see(std::to_string(world.clock.now().time_since_epoch().count()));
  };
  time();
  see(world.environment.get("NIX_PATH").value_or("(unset)"));
  see(world.environment.get("NOWHERE").value_or("(unset)"));
  see(world.files.read(draft / "draft.nix").value_or("(none)"));
  see(world.files.read(draft / "none").value_or("(none)"));
  Command command;
  command.argv = {"nix-build", (draft / "draft.nix").string(), "-A", "x"};
  command.folder = draft;
  command.environment = {{"A", draft.string()}, {"B", std::nullopt}};
  command.input = "in\0put"s;
  command.timeout = 5s;
  std::string heard;
  const CommandResult result =
      world.commands.run(command, [&](Stream stream, std::string_view bytes) {
        heard += stream == Stream::err ? "E:" : "O:";
        heard += bytes;
      });
  see(std::to_string(result.exit_code) + (result.timed_out ? " late" : ""));
  see(result.out + "|" + result.err + "|" + heard);
  for (const char* url : {"http://index/simple/x/", "http://none/"}) {
    try {
      const HttpResponse page = world.http.get({url, "text/html", {}, 1000});
      see(std::to_string(page.status) + page.body + page.url);
      for (const auto& [name, value] : page.headers)
        if (name != "set-cookie")
          see(name + value);
    } catch (const Error& error) {
      see(error.what());
    }
  }
  const fs::path temporary = world.files.make_temporary_folder();
  see(temporary.string());
  world.files.make_folders(draft / "new");
  world.files.write(draft / "new" / "file", "fixed in " + draft.string());
  world.files.append(temporary / "log", "line");
  world.files.remove(draft / "none");
  see(world.files.exists(draft / "draft.nix") ? "there" : "gone");
  see(join(world.files.list(draft), ","));
  time();
  return seen;
}

std::string noise() {  // neither UTF-8 nor short
  std::string bytes;
  for (int i = 0; i < 5000; ++i)
    bytes += static_cast<char>(i * 7 + i / 256);
  return bytes;
}

void prepare(FakeWorld& fake, const std::string& draft) {
  fake.environment.variables["NIX_PATH"] = "nixpkgs=" + draft + "/pkgs";
  fake.files.files[draft + "/draft.nix"] = "{ src = " + draft + "; }\n";
  fake.commands.answers.push_back(
      {100, true, noise(), "error: in " + draft + "/draft.nix:1\n"});
  HttpResponse page;
  page.status = 200;
  page.url = "http://index/simple/x/";
  page.headers = {{"content-type", "text/html"}, {"set-cookie", "id=7"}};
  page.body = "<a href=x.whl>\xff</a>";
  fake.http.pages[page.url] = page;
}

struct Recorded {
  TemporaryFolder folder;
  fs::path tape = folder.path() / "tape";
  std::string seen;

  explicit Recorded(const std::string& draft) {
    FakeWorld fake;
    prepare(fake, draft);
    Recorder recorder(tape, rules(draft), fake.world);
    seen = ask_all(recorder.world(), draft);
    recorder.close();
  }
};

std::string play(const fs::path& tape, const std::string& draft) {
  Player player(tape, rules(draft));
  const std::string seen = ask_all(player.world(), draft);
  player.finish();
  return seen;
}

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("a replay sees what the recording saw, at another place too") {
  const Recorded recorded("/home/me/draft");
  CHECK(play(recorded.tape, "/home/me/draft") == recorded.seen);
  CHECK(play(recorded.tape, "/srv/x") ==
        replace_all(recorded.seen, "/home/me/draft", "/srv/x"));
  const std::string text =
      DiskFiles().read(recorded.tape / "events.jsonl").value();
  CHECK(text.find("/home/me") == std::string::npos);
  CHECK(text.find("id=7") == std::string::npos);
  CHECK(text.find("error: in @DRAFT@/draft.nix:1") != std::string::npos);
}

TEST_CASE("real commands are recorded and replayed") {
  const TemporaryFolder folder;
  FakeWorld fake;
  ProcessRunner runner;
  World real{runner, fake.http, fake.files, fake.clock, fake.environment};
  Command good;
  good.argv = {"sh", "-c", "printf 'a\\377'; echo b >&2"};
  Command bad;
  bad.argv = {"sh", "-c", "exit 9"};
  Command none;
  none.argv = {"autopin-no-such-program"};
  Recorder recorder(folder.path() / "tape", {}, real);
  recorder.world().commands.run(good);
  recorder.world().commands.run(bad);
  const std::string why =
      error_of([&] { recorder.world().commands.run(none); });
  recorder.close();

  Player player(folder.path() / "tape", {});
  const CommandResult result = player.world().commands.run(good);
  CHECK(result.out == "a\xff");
  CHECK(result.err == "b\n");
  CHECK(player.world().commands.run(bad).exit_code == 9);
  CHECK(error_of([&] { player.world().commands.run(none); }) == why);
  player.finish();
  const auto failing = failing_commands(folder.path() / "tape");
  REQUIRE(failing.size() == 1);
  CHECK(failing[0].event == 2);
  CHECK(failing[0].exit_code == 9);
  CHECK(failing[0].argv == bad.argv);
}

TEST_CASE("a replay that asks something else says where it departs") {
  const Recorded recorded("/d");
  Player player(recorded.tape, rules("/d"));
  World& world = player.world();
  CHECK_THROWS_WITH(
      world.files.read("/d/other.nix"),
      "the replay departs from the tape: event 4 (read @DRAFT@/draft.nix): "
      "path differs at byte 3 (line 1): “/d/other.nix” where “/d/draft.nix” "
      "was expected");
  CHECK_THROWS_WITH(world.files.exists("/d/draft.nix"),
                    Catch::Contains("event 4 ") &&
                        Catch::Contains("asks instead: exists /d/draft.nix"));
  Command command;
  command.argv = {"nix-build", "/d/draft.nix", "-A", "y"};
  CHECK_THROWS_WITH(world.commands.run(command),
                    Catch::Contains("event 6 ") &&
                        Catch::Contains("argument 3 differs at byte 0"));
  command.argv = {"nix-build", "/d/draft.nix", "-A", "x", "--keep-going"};
  CHECK_THROWS_WITH(world.commands.run(command),
                    Catch::Contains("argument 4 is more than is on the tape") &&
                        Catch::Contains("--keep-going"));
  command.argv.resize(3);
  CHECK_THROWS_WITH(world.commands.run(command),
                    Catch::Contains("argument 3 is missing"));
  CHECK_THROWS_WITH(player.finish(), Catch::Contains("event 1 (now)") &&
                                         Catch::Contains("ended without"));
  world.clock.now();
  world.clock.now();
  CHECK_THROWS_WITH(world.clock.now(), Catch::Contains("asks for more: now"));
}

TEST_CASE("credentials do not reach the tape") {
  const TemporaryFolder folder;
  FakeWorld fake;
  fake.commands.answers.push_back({0, false, "at https://u:hunter2@h/", ""});
  fake.environment.variables["NIX_CONFIG"] = "access-tokens = h=hunter2\n";
  const std::string url = "https://u:hunter2@h/x?token=hunter2";
  fake.http.pages[url] = {
      200,
      {{"authorization", "hunter2"}, {"content-type", "application/json"}},
      "{\"url\":\"x?sig=hunter2\"}",
      "https://u:hunter2@h/x"};
  Command command;
  command.argv = {"nix-build", "--option", "access-tokens", "h=hunter2"};
  const auto ask = [&](World& world) {
    world.commands.run(command);
    world.environment.get("NIX_CONFIG");
    return world.http.get({url, "", {}, 1000}).body;
  };
  Recorder recorder(folder.path() / "tape", {}, fake.world);
  CHECK(ask(recorder.world()).find("hunter2") != std::string::npos);
  recorder.close();
  DiskFiles files;
  CHECK(files.read(folder.path() / "tape" / "events.jsonl")->find("hunter2") ==
        std::string::npos);
  CHECK_FALSE(files.exists(folder.path() / "tape" / "blobs"));
  Player player(folder.path() / "tape", {});
  CHECK(ask(player.world()) == "{\"url\":\"x?sig=secret\"}");
}

TEST_CASE("a file's bytes are not touched, whatever stands in them") {
  const TemporaryFolder folder;
  FakeWorld fake;
  const std::string body = "/d @DRAFT@ https://u:p@h " + noise();
  fake.http.pages["http://i/x.whl"] = {
      200, {{"content-type", "application/zip"}}, body, "http://i/x.whl"};
  Recorder recorder(folder.path() / "tape", rules("/d"), fake.world);
  recorder.world().http.get({"http://i/x.whl", "", {}, 9000});
  recorder.close();
  Player player(folder.path() / "tape", rules("/elsewhere"));
  CHECK(player.world().http.get({"http://i/x.whl", "", {}, 9000}).body == body);
}

TEST_CASE("writes of a replay happen for real where a mirror asks for it") {
  const Recorded recorded("/d");
  FakeFiles mirror;
  Player player(recorded.tape, rules("/e"), {&mirror, {"/e/new"}});
  ask_all(player.world(), "/e");
  CHECK(mirror.files ==
        std::map<std::string, std::string>{{"/e/new/file", "fixed in /e"}});
  CHECK(mirror.folders == std::vector<std::string>{"/e/new"});
}

TEST_CASE("a tape that was not ended, or of which a part is gone, is refused") {
  const Recorded recorded("/d");
  const fs::path file = recorded.tape / "events.jsonl";
  const std::string whole = DiskFiles().read(file).value();
  const auto refused_as = [&](const std::string& text) {
    DiskFiles().write(file, text);
    return error_of([&] { Player(recorded.tape, rules("/d")); });
  };
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  CHECK_THAT(refused_as(whole.substr(0, last)), Catch::Contains("cut short"));
  CHECK_THAT(refused_as(""), Catch::Contains("cut short"));
  const std::size_t first = whole.find('\n') + 1;
  const std::size_t second = whole.find('\n', first) + 1;
  CHECK_THAT(refused_as(whole.substr(0, first) + whole.substr(second)),
             Catch::Contains("line 2"));
  fs::remove(file);
  CHECK_THAT(error_of([&] { Player(recorded.tape, rules("/d")); }),
             Catch::Contains("there is no such file"));
}

TEST_CASE("no byte of a tape can be changed unnoticed") {
  const Recorded recorded("/d");
  std::size_t tried = 0;
  for (const auto& entry : fs::recursive_directory_iterator(recorded.tape)) {
    if (!entry.is_regular_file())
      continue;
    const std::string whole = DiskFiles().read(entry.path()).value();
    // Every byte of the index; of the blobs, which are hashed whole, some.
    const std::size_t step = entry.path().filename() == "events.jsonl" ? 1 : 97;
    for (std::size_t i = 0; i < whole.size(); i += step) {
      std::string flipped = whole;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
      std::ofstream(entry.path(), std::ios::binary) << flipped;
      const std::string why =
          error_of([&] { Player(recorded.tape, rules("/d")); });
      if (why.find(entry.path().string()) == std::string::npos)
        FAIL(entry.path() << " byte " << i << ": " << why);
      ++tried;
    }
    std::ofstream(entry.path(), std::ios::binary) << whole;
  }
  CHECK(tried > 3000);
  CHECK(play(recorded.tape, "/d") == recorded.seen);
}

TEST_CASE("an old tape is not written over") {
  const Recorded recorded("/d");
  FakeWorld fake;
  CHECK_THROWS_WITH(Recorder(recorded.tape, {}, fake.world),
                    Catch::Contains("not empty"));
}

TEST_CASE("texts are compared for people") {
  CHECK(first_difference("a\nb", "a\nb").empty());
  CHECK(first_difference("a\nbc", "a\nbd") ==
        "byte 3 (line 2): “a bd” where “a bc” was expected");
  CHECK(first_difference("ab", "a") ==
        "byte 1 (line 1): its end where “ab” was expected");
}

}  // namespace
}  // namespace autopin
