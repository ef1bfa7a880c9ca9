#pragma once
// A world for tests: answers are set, what was asked is kept.

#include <map>

#include "base/error.h"
#include "io/world.h"

namespace autopin {

class FakeCommands : public CommandRunner {
 public:
  using CommandRunner::run;
  CommandResult run(const Command& command, const OutputSink& sink) override {
    asked.push_back(command);
    if (answers.empty())
      throw Error("cannot run", command.argv.at(0), "no answer is set");
    CommandResult result = answers.front();
    answers.erase(answers.begin());
    if (sink && !result.err.empty())
      sink(Stream::err, result.err);
    if (sink && !result.out.empty())
      sink(Stream::out, result.out);
    return result;
  }
  std::vector<Command> asked;
  std::vector<CommandResult> answers;
};

class FakeHttp : public HttpClient {
 public:
  HttpResponse get(const HttpRequest& request) override {
    asked.push_back(request);
    const auto found = pages.find(request.url);
    if (found == pages.end())
      throw Error("cannot get", request.url, "Couldn't resolve host");
    return found->second;
  }
  std::vector<HttpRequest> asked;
  std::map<std::string, HttpResponse> pages;
};

class FakeFiles : public Files {
 public:
  std::optional<std::string> read(const std::filesystem::path& path) override {
    const auto found = files.find(path.string());
    if (found == files.end())
      return std::nullopt;
    return found->second;
  }
  void write(const std::filesystem::path& path,
             std::string_view content) override {
    files[path.string()] = content;
  }
  void append(const std::filesystem::path& path,
              std::string_view content) override {
    files[path.string()] += content;
  }
  bool exists(const std::filesystem::path& path) override {
    return files.count(path.string()) != 0;
  }
  void remove(const std::filesystem::path& path) override {
    std::erase_if(files, [&](const auto& file) {
      return file.first == path.string() ||
             file.first.starts_with(path.string() + "/");
    });
  }
  void make_folders(const std::filesystem::path& path) override {
    folders.push_back(path.string());
  }
  std::filesystem::path make_temporary_folder() override {
    return "/tmp/autopin-" + std::to_string(++temporary);
  }
  std::vector<std::string> list(const std::filesystem::path& folder) override {
    std::vector<std::string> names;
    for (const auto& [path, content] : files)
      if (std::filesystem::path(path).parent_path() == folder)
        names.push_back(std::filesystem::path(path).filename().string());
    return names;
  }
  std::map<std::string, std::string> files;
  std::vector<std::string> folders;
  int temporary = 0;
};

class FakeClock : public Clock {
 public:
  std::chrono::system_clock::time_point now() override {
    time += std::chrono::milliseconds(1500);
    return time;
  }
  std::chrono::system_clock::time_point time;
};

class FakeEnvironment : public Environment {
 public:
  std::optional<std::string> get(const std::string& name) override {
    const auto found = variables.find(name);
    if (found == variables.end())
      return std::nullopt;
    return found->second;
  }
  std::map<std::string, std::string> variables;
};

struct FakeWorld {
  FakeCommands commands;
  FakeHttp http;
  FakeFiles files;
  FakeClock clock;
  FakeEnvironment environment;
  World world{commands, http, files, clock, environment};
};

}  // namespace autopin
