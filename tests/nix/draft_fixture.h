#pragma once
// Drafts written into a folder for one test, evaluated by the real Nix against
// the small package set beside this file.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "io/environment.h"
#include "io/process.h"
#include "io/system_clock.h"
#include "io/temporary.h"
#include "io/world.h"
#include "nix/evaluator.h"

namespace autopin::nix {

class NoHttp : public HttpClient {
 public:
  HttpResponse get(const HttpRequest& request) override {
    throw Error("a test", request.url, "has no network");
  }
};

class DraftFixture {
 public:
  DraftFixture() {
    std::filesystem::create_directory(folder_ / "draft");
    std::filesystem::create_directory(folder_ / "state");
    invocation.folder = folder_ / "draft";
    invocation.entry = folder_ / "draft/draft.nix";
    invocation.state_folder = folder_ / "state";
    invocation.evaluation_flags = {"-I", std::string("nixpkgs=") +
                                             AUTOPIN_SOURCE_DIR +
                                             "/tests/nix/package_set"};
  }

  std::filesystem::path write(const std::string& name,
                              const std::string& text) {
    const std::filesystem::path file = invocation.folder / name;
    std::filesystem::create_directories(file.parent_path());
    files_.write(file, text);
    return file;
  }

  const std::filesystem::path& folder() const { return invocation.folder; }

  Invocation invocation;

 private:
  TemporaryFolder temporary_;
  std::filesystem::path folder_ = std::filesystem::canonical(temporary_.path());
  ProcessRunner commands_;
  NoHttp http_;
  DiskFiles files_;
  SystemClock clock_;
  ProcessEnvironment environment_;

 public:
  World world{commands_, http_, files_, clock_, environment_};
};

inline const Instantiated& made(const Evaluation& evaluation) {
  if (const auto* failed = std::get_if<EvaluationFailed>(&evaluation)) {
    throw Error("evaluating a test's draft", "nix-instantiate", failed->log);
  }
  return std::get<Instantiated>(evaluation);
}

}  // namespace autopin::nix
