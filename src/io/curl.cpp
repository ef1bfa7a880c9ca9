#include "io/curl.h"

#include <curl/curl.h>

#include <algorithm>
#include <list>
#include <optional>

#include "base/error.h"
#include "io/curl_transfer.h"
#include "io/interrupt.h"
#include "io/url.h"

namespace autopin {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;
using std::chrono::milliseconds;

constexpr int max_redirects = 10;
constexpr milliseconds longest_wait{30'000};

/// The connection could not be had or was lost before anything came.
bool worth_retrying(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    default:
      return false;
  }
}

bool worth_retrying(int status) {
  return status == 429 || (status >= 500 && status <= 599);
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 ||
         status == 308;
}

/// In seconds, or a date (RFC 9110, 10.2.3).
milliseconds wait_asked_by(const HttpResponse& response) {
  const auto found = response.headers.find("retry-after");
  if (found == response.headers.end())
    return milliseconds(0);
  const std::string& text = found->second;
  long seconds = std::strtol(text.c_str(), nullptr, 10);
  if (text.find_first_not_of("0123456789") != std::string::npos)
    seconds = static_cast<long>(curl_getdate(text.c_str(), nullptr) -
                                std::time(nullptr));
  return std::min(milliseconds(1000 * std::clamp(seconds, 0L, 60L)),
                  longest_wait);
}

std::string redirected(const Url& from, const std::string& location) {
  const Url to = Url::parse(resolve_url(from.without_credentials, location));
  if (from.origin.starts_with("https:") && !to.origin.starts_with("https:"))
    throw Error("cannot get", from.without_credentials,
                "it redirects from https to " + to.without_credentials);
  // What a server writes there is not the user's word: not remembered.
  return to.without_credentials;
}

/// A request on its way through redirects and further tries.
struct Task {
  HttpRequest request;
  /// What is asked now: the URL of this hop, without credentials.
  HttpRequest hop;
  Url url;
  int redirects = 0;
  int tries = 0;
  SteadyTime not_before;
  std::unique_ptr<CurlTransfer> transfer;
  std::optional<HttpResponse> response;
  std::optional<Error> failure;

  bool is_done() const { return response || failure; }
  bool is_waiting() const { return !is_done() && !transfer; }
};

}  // namespace

class CurlHttpClient::Pool {
 public:
  explicit Pool(CurlOptions options)
      : options_(std::move(options)), multi_(curl_multi_init()) {
    if (multi_ == nullptr)
      throw Error("cannot start", "libcurl", "out of memory");
    curl_multi_setopt(multi_, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS,
                      static_cast<long>(options_.parallel));
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    for (Task& task : tasks_)
      stop(task);
    curl_multi_cleanup(multi_);
  }

  void expect(const std::vector<HttpRequest>& soon) {
    for (const HttpRequest& request : soon)
      if (find(request) == tasks_.end())
        add(request);
    wake_up();
    move();
  }

  HttpResponse get(const HttpRequest& request) {
    wake_up();
    auto task = find(request);
    if (task == tasks_.end())
      task = add(request);
    // Before what is only expected.
    tasks_.splice(tasks_.begin(), tasks_, task);
    try {
      while (!task->is_done()) {
        move();
        stop_if_interrupted();
        if (!task->is_done())
          wait();
      }
    } catch (...) {
      forget(task);
      throw;
    }
    Task done = std::move(*task);
    tasks_.erase(task);
    if (done.failure)
      throw Error(*done.failure);
    return *std::move(done.response);
  }

 private:
  using Tasks = std::list<Task>;

  Tasks::iterator find(const HttpRequest& request) {
    return std::find_if(tasks_.begin(), tasks_.end(), [&](const Task& task) {
      return task.request == request;
    });
  }

  Tasks::iterator add(const HttpRequest& request) {
    const auto task = tasks_.emplace(tasks_.end());
    task->request = request;
    task->hop = request;
    go_to(*task, request.url);
    return task;
  }

  void go_to(Task& task, const std::string& url) {
    try {
      task.url = Url::parse(url);
    } catch (const Error& error) {
      task.failure = error;
      return;
    }
    task.hop.url = task.url.without_credentials;
    if (!task.url.credentials.empty())
      credentials_[task.url.origin] = task.url.credentials;
  }

  void stop(Task& task) {
    if (task.transfer)
      curl_multi_remove_handle(multi_, task.transfer->handle());
    task.transfer.reset();
  }

  void forget(Tasks::iterator task) {
    stop(*task);
    tasks_.erase(task);
  }

  /// What was expected and left alone for long would be taken for stalled.
  void wake_up() {
    const SteadyTime now = std::chrono::steady_clock::now();
    if (now - last_move_ > options_.stall_timeout / 2)
      for (Task& task : tasks_)
        stop(task);
    last_move_ = now;
  }

  /// Starts what may start, and takes what has come; does not wait.
  void move() {
    last_move_ = std::chrono::steady_clock::now();
    std::size_t running = 0;
    for (const Task& task : tasks_)
      running += task.transfer ? 1U : 0U;
    for (Task& task : tasks_) {
      if (running >= options_.parallel)
        break;
      if (!task.is_waiting() || task.not_before > last_move_)
        continue;
      start(task);
      ++running;
    }
    int left = 0;
    check(curl_multi_perform(multi_, &left));
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left))
      if (message->msg == CURLMSG_DONE)
        finish(message->easy_handle, message->data.result);
  }

  void start(Task& task) {
    const auto known = credentials_.find(task.url.origin);
    task.transfer = std::make_unique<CurlTransfer>(
        task.hop, options_,
        known == credentials_.end() ? nullptr : &known->second);
    check(curl_multi_add_handle(multi_, task.transfer->handle()));
  }

  /// Until something comes, a pause ends, or the user asks to stop.
  void wait() {
    const SteadyTime now = std::chrono::steady_clock::now();
    milliseconds pause(1000);
    for (const Task& task : tasks_)
      if (task.is_waiting() && task.not_before > now)
        pause = std::min(
            pause, std::chrono::ceil<milliseconds>(task.not_before - now));
    curl_waitfd stop{interrupt_descriptor(), CURL_WAIT_POLLIN, 0};
    check(curl_multi_poll(multi_, &stop, stop.fd == -1 ? 0 : 1,
                          static_cast<int>(pause.count()), nullptr));
  }

  void finish(CURL* handle, CURLcode code) {
    const auto task =
        std::find_if(tasks_.begin(), tasks_.end(), [&](const Task& t) {
          return t.transfer && t.transfer->handle() == handle;
        });
    const auto transfer = std::move(task->transfer);
    curl_multi_remove_handle(multi_, handle);
    transfer->finish(code);
    try {
      settle(*task, *transfer);
    } catch (const Error& error) {
      task->failure = error;
    }
  }

  void settle(Task& task, CurlTransfer& transfer) {
    const std::string& where = task.hop.url;
    HttpResponse& response = transfer.response();
    const bool answered = transfer.code() == CURLE_OK;
    if (transfer.too_large())
      throw Error("cannot get", where,
                  "it has more than " + std::to_string(task.request.max_bytes) +
                      " bytes");
    if (task.tries < options_.retries &&
        (answered ? worth_retrying(response.status)
                  : worth_retrying(transfer.code())))
      return try_later(task, wait_asked_by(response));
    if (!answered)
      throw Error("cannot get", where, transfer.why());
    const auto location = response.headers.find("location");
    if (!is_redirect(response.status) || location == response.headers.end()) {
      response.url = where;
      task.response = std::move(response);
      return;
    }
    if (task.redirects++ == max_redirects)
      throw Error("cannot get",
                  Url::parse(task.request.url).without_credentials,
                  "more than 10 redirects");
    task.tries = 0;
    go_to(task, redirected(task.url, location->second));
  }

  void try_later(Task& task, milliseconds asked) const {
    const auto pause =
        std::min(options_.back_off * (1 << std::min(task.tries, 10)),
                 milliseconds(longest_wait));
    ++task.tries;
    task.not_before = std::chrono::steady_clock::now() + std::max(pause, asked);
  }

  static void check(CURLMcode code) {
    if (code != CURLM_OK)
      throw Error("cannot use", "libcurl", curl_multi_strerror(code));
  }

  CurlOptions options_;
  CURLM* multi_;
  std::map<std::string, Credentials> credentials_;  // by origin
  /// Those asked for first, then in the order in which they are expected.
  Tasks tasks_;
  SteadyTime last_move_ = std::chrono::steady_clock::now();
};

CurlHttpClient::CurlHttpClient(CurlOptions options)
    : pool_(std::make_unique<Pool>(std::move(options))) {}

CurlHttpClient::~CurlHttpClient() = default;

HttpResponse CurlHttpClient::get(const HttpRequest& request) {
  return pool_->get(request);
}

void CurlHttpClient::expect(const std::vector<HttpRequest>& soon) {
  pool_->expect(soon);
}

}  // namespace autopin
