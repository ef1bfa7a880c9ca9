// parse_json_page of index_page.h, without a tree: a page may hold a hundred
// thousand files, or millions of anything that a hostile index likes.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "python/index_page.h"
#include "python/index_page_parts.h"
#include "python/name.h"
#include "python/url.h"

namespace autopin::python {

namespace {

using nlohmann::json;

/// Root object 1, "files" 2, its entry 3, what is in that 4.
enum Depth { in_root = 1, in_section = 2, in_entry = 3, in_detail = 4 };

class Reader final : public json::json_sax_t {
 public:
  Reader(const std::string& url, std::string_view name)
      : url_(url), classifier_(normalize_name(name)) {
    page_.name = normalize_name(name);
  }

  Project take(std::string_view body) {
    if (!json::sax_parse(body, this))
      fail_page(url_, "it is no valid JSON");
    if (!root_is_object_)
      fail_page(url_, "it is no JSON object");
    check_api_version(version_, url_);
    if (!has_files_)
      fail_page(url_, "it lists no files");
    return std::move(page_);
  }

  bool start_object(std::size_t) override {
    if (depth_ == 0)
      root_is_object_ = true;
    if (depth_ == in_section && in_files_) {
      entry_ = {};
      link_.clear();
      newer_offer_ = false;
      is_entry_ = true;
    }
    if (depth_ == in_entry && is_entry_)
      offer(true);
    detail_.clear();
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    if (depth_ == in_section && is_entry_)
      finish_entry();
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ == in_root && section_ == "files")
      in_files_ = has_files_ = true;
    odd_entry();
    detail_.clear();
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    if (depth_ == in_root)
      in_files_ = false;
    return true;
  }
  bool key(string_t& text) override {
    if (depth_ == in_root)
      section_ = std::move(text);
    else if (depth_ == in_section || depth_ == in_entry)
      field_ = std::move(text);
    else if (depth_ == in_detail)
      detail_ = std::move(text);
    return true;
  }
  bool string(string_t& text) override {
    if (depth_ == in_section && section_ == "meta" && field_ == "api-version")
      version_ = std::move(text);
    else if (depth_ == in_entry && is_entry_)
      take_text(text);
    else if (depth_ == in_detail && is_entry_ && detail_ == "sha256")
      take_hash(text);
    odd_entry();
    return true;
  }
  bool boolean(bool value) override {
    if (depth_ == in_entry && is_entry_) {
      if (field_ == "yanked")
        entry_.yanked = value ? std::optional<std::string>("") : std::nullopt;
      offer(value);
    }
    odd_entry();
    return true;
  }
  bool number_unsigned(std::uint64_t value) override {
    if (depth_ == in_entry && is_entry_ && field_ == "size" &&
        value <= static_cast<std::uint64_t>(INT64_MAX))
      entry_.size = static_cast<std::int64_t>(value);
    odd_entry();
    return true;
  }
  bool null() override {
    odd_entry();
    return true;
  }
  bool number_integer(std::int64_t) override { return null(); }
  bool number_float(double, const string_t&) override { return null(); }
  bool binary(binary_t&) override { return null(); }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  void odd_entry() {
    if (depth_ == in_section && in_files_)
      skip(page_, "an entry that is no object");
    if (depth_ == in_section)
      is_entry_ = false;
  }

  void take_text(std::string& text) {
    if (field_ == "filename")
      entry_.filename = std::move(text);
    else if (field_ == "url")
      link_ = std::move(text);
    else if (field_ == "requires-python")
      entry_.requires_python = std::move(text);
    else if (field_ == "yanked")
      entry_.yanked = std::move(text);
  }

  void take_hash(const std::string& text) {
    if (field_ == "hashes")
      entry_.sha256 = checked_sha256(text);
    else if (is_offer())
      entry_.metadata_sha256 = checked_sha256(text);
  }

  bool is_offer() const {
    return field_ == "core-metadata" ||
           (field_ == "dist-info-metadata" && !newer_offer_);
  }

  /// PEP 714: "core-metadata" before the older name; true, or its hashes.
  void offer(bool is_made) {
    if (!is_offer())
      return;
    if (field_ == "core-metadata") {
      newer_offer_ = true;
      entry_.metadata_sha256.clear();
    }
    entry_.has_metadata = is_made;
  }

  void finish_entry() {
    is_entry_ = false;
    auto link =
        entry_.filename.empty() ? std::nullopt : follow_link(url_, link_);
    if (!link)
      return skip(page_, entry_.filename + ": no usable URL");
    entry_.url = *std::move(link);
    add_file(std::move(entry_), classifier_, page_);
  }

  const std::string& url_;
  Classifier classifier_;
  Project page_;
  int depth_ = 0;
  bool root_is_object_ = false;
  bool has_files_ = false;
  bool in_files_ = false;
  std::string section_;
  std::string field_;
  std::string detail_;
  std::string version_;
  // The entry that is being read.
  bool is_entry_ = false;
  bool newer_offer_ = false;
  IndexFile entry_;
  std::string link_;
};

}  // namespace

Project parse_json_page(std::string_view body, const std::string& url,
                        std::string_view name) {
  return Reader(url, name).take(body);
}

}  // namespace autopin::python
