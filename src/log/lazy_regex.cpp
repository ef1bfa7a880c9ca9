#include <mutex>

#include <re2/re2.h>

#include "base/error.h"
#include "log/rule.h"

namespace autopin {

namespace {

RE2::Options latin1() {
  // Every byte is a character, so that no byte can break a match.
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_log_errors(false);
  return options;
}

}  // namespace

struct LazyRegex::State {
  explicit State(std::string pattern) : text(std::move(pattern)) {}

  std::string text;
  std::once_flag compiled;
  std::unique_ptr<const RE2> regex;
};

LazyRegex::LazyRegex(const std::string& pattern)
    : state_(std::make_shared<State>(pattern)) {}

const RE2& LazyRegex::operator*() const {
  std::call_once(state_->compiled, [this] {
    auto regex = std::make_unique<const RE2>(state_->text, latin1());
    if (!regex->ok())
      throw Error("reading rules", state_->text, regex->error());
    state_->regex = std::move(regex);
  });
  return *state_->regex;
}

}  // namespace autopin
