#include "cli/log_input.h"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "nix/build_log.h"
#include "nix/derivation.h"
#include "nix/draft.h"
#include "nix/evaluator.h"
#include "nix/store.h"

namespace autopin {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_size = 256U << 10;

void read_stream(std::istream& in, const std::string& name,
                 const ByteSink& sink) {
  std::vector<char> buffer(piece_size);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    sink({buffer.data(), static_cast<std::size_t>(in.gcount())});
  }
  if (in.bad())
    throw Error("reading the log", name, "the read failed");
}

std::ifstream open_file(const std::string& name) {
  if (fs::is_directory(name))
    throw Error("reading the log", name, "it is a folder");
  std::ifstream file(name, std::ios::binary);
  if (!file)
    throw Error("reading the log", name,
                "no such file, or no right to read it");
  return file;
}

void read_pipe(const std::string& name, const ByteSink& sink) {
  if (name == "-") {
    read_stream(std::cin, "standard input", sink);
  } else {
    std::ifstream file = open_file(name);
    read_stream(file, name, sink);
  }
}

/// A pipe gives its bytes once: what comes out of it is kept in a file without
/// a name, so that it can be read again and memory does not grow with it.
class KeptPipe {
 public:
  explicit KeptPipe(std::string name) : name_(std::move(name)) {}

  void read(const ByteSink& sink) {
    if (kept_)
      read_again(sink);
    else
      read_first(sink);
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void read_first(const ByteSink& sink) {
    kept_.reset(std::tmpfile());
    if (!kept_)
      throw Error("keeping the log", name_, "no temporary file can be made");
    read_pipe(name_, [&](std::string_view bytes) {
      if (std::fwrite(bytes.data(), 1, bytes.size(), kept_.get()) !=
          bytes.size())
        throw Error("keeping the log", name_, "the temporary file is full");
      sink(bytes);
    });
  }

  void read_again(const ByteSink& sink) {
    std::rewind(kept_.get());
    std::vector<char> buffer(piece_size);
    while (const std::size_t count =
               std::fread(buffer.data(), 1, buffer.size(), kept_.get()))
      sink({buffer.data(), count});
  }

  std::string name_;
  std::unique_ptr<std::FILE, Close> kept_;
};

LogInput kept_log(const std::string& drv, std::string log) {
  const auto text = std::make_shared<std::string>(std::move(log));
  return {drv, "", drv, [text](const ByteSink& sink) { sink(*text); }};
}

class LogFinder {
 public:
  LogFinder(World& world, const LogRequest& request, std::ostream& notes)
      : world_(world), request_(request), notes_(notes), store_(world, {}) {}

  std::vector<LogInput> run() {
    const std::string& what = request_.what;
    if (!request_.attributes.empty() || !request_.expression.empty())
      return of_expression();
    if (what.empty() || what == "-")
      return {log_file("-", request_.once)};
    std::error_code problem;
    const bool folder = fs::is_directory(what, problem);
    if (const auto path = nix::store_path_of(what);
        path && (folder || path->ends_with(".drv") || !fs::exists(what)))
      return of_store_path(*path);
    if (folder && fs::exists(fs::path(what) / "flake.nix", problem))
      return of_derivations({nix::flake_derivation(world_, what)});
    if (folder || (what.ends_with(".nix") && fs::exists(what, problem)))
      return of_expression();
    if (fs::exists(what, problem))
      return {log_file(what, request_.once)};
    if (what.find('#') == std::string::npos &&
        what.find(':') == std::string::npos)
      throw Error("finding the log", what,
                  "there is no such file; a log, a .drv or other store path, "
                  "an installable such as .#name, or -A NAME FILE.nix is "
                  "wanted");
    return of_derivations({nix::flake_derivation(world_, what)});
  }

 private:
  std::vector<LogInput> of_expression() {
    nix::Invocation invocation;
    invocation.folder = fs::current_path();
    invocation.attributes = request_.attributes;
    invocation.evaluation_flags = request_.evaluation_flags;
    fs::path file = request_.what;
    if (!request_.expression.empty())
      invocation.expression = request_.expression;
    else if (request_.what.starts_with('<'))
      invocation.expression = "import " + request_.what;
    else if (file.empty())
      file = "default.nix";
    else if (fs::is_directory(file))
      file /= "default.nix";
    if (!invocation.expression)
      invocation.entry = fs::absolute(file).lexically_normal();
    nix::Evaluator evaluator(world_, invocation);
    const nix::Evaluation made =
        evaluator.instantiate(nix::Draft::open(world_, invocation));
    if (const auto* failed = std::get_if<nix::EvaluationFailed>(&made)) {
      // It fails before anything is built: what Nix says of it is the log.
      LogInput log = kept_log("", failed->log);
      log.name = "the evaluation";
      return {log};
    }
    return of_derivations(std::get<nix::Instantiated>(made).drvs);
  }

  std::vector<LogInput> of_derivations(const std::vector<std::string>& drvs) {
    if (drvs.empty())
      throw Error("finding the log",
                  request_.what.empty() ? "the expression" : request_.what,
                  "no derivation comes out of it");
    std::vector<LogInput> logs;
    for (const std::string& drv : drvs)
      for (LogInput& log : of_derivation(drv))
        logs.push_back(std::move(log));
    return logs;
  }

  std::vector<LogInput> of_store_path(const std::string& path) {
    if (path.ends_with(".drv"))
      return of_derivation(path);
    if (auto log = nix::build_log(world_, path))
      return {kept_log(path, *std::move(log))};
    const auto maker = nix::maker_of(world_, store_, path);
    if (!maker)
      throw Error("finding the log", path,
                  "the store has no log of it and no derivation that makes it");
    return of_derivation(*maker);
  }

  std::vector<LogInput> of_derivation(const std::string& drv) {
    if (auto log = nix::build_log(world_, drv)) {
      if (store_.has_derivation(drv) && store_.is_built(drv))
        notes_ << "autopin: " << printable_line(nix::store_name(drv))
               << " is built: this is the log of a build that went well\n";
      return {kept_log(drv, *std::move(log))};
    }
    if (!store_.has_derivation(drv))
      throw Error("finding the log", drv,
                  "the store has neither a log of it nor the derivation");
    std::vector<LogInput> logs;
    for (const std::string& stopped : nix::stopped_at(world_, store_, drv)) {
      notes_ << "autopin: " << printable_line(nix::store_name(drv))
             << " has no log of its own; it waits for "
             << printable_line(nix::store_name(stopped))
             << ", whose log this is\n";
      if (auto log = nix::build_log(world_, stopped))
        logs.push_back(kept_log(stopped, *std::move(log)));
    }
    if (logs.empty())
      throw Error("finding the log", drv, why_none(drv));
    return logs;
  }

  std::string why_none(const std::string& drv) {
    if (store_.is_built(drv))
      return "it is built, and the store has no log of it: it was not built "
             "here; `nix log` asks the caches";
    return "it was not built here, and nothing that it needs has failed here; "
           "build it (nix-store --realise " +
           drv + ") or give the log as a file";
  }

  World& world_;
  const LogRequest& request_;
  std::ostream& notes_;
  nix::Store store_;
};

}  // namespace

LogInput log_file(const std::string& name, bool once) {
  std::error_code problem;
  if (name != "-" && fs::is_regular_file(name, problem))
    return {name, name, "", [name](const ByteSink& sink) {
              std::ifstream file = open_file(name);
              read_stream(file, name, sink);
            }};
  const std::string shown = name == "-" ? "standard input" : name;
  if (once)
    return {shown, "", "",
            [name](const ByteSink& sink) { read_pipe(name, sink); }};
  const auto pipe = std::make_shared<KeptPipe>(name);
  return {shown, "", "", [pipe](const ByteSink& sink) { pipe->read(sink); }};
}

std::vector<LogInput> find_logs(World& world, const LogRequest& request,
                                std::ostream& notes) {
  return LogFinder(world, request, notes).run();
}

}  // namespace autopin
