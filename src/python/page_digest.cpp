#include "python/page_digest.h"

#include <charconv>
#include <utility>

#include "base/error.h"
#include "python/index_page.h"
#include "python/name.h"

namespace autopin::python {

namespace {

// Fields end in a byte that no field holds: text with it is not well-formed
// UTF-8 for JSON, nor a file name or URL.
constexpr char end_of_field = '\0';

void put(std::string_view text, std::string& out) {
  for (const char c : text)
    if (c != end_of_field)
      out += c;
  out += end_of_field;
}

class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  std::string_view next() {
    const std::size_t end = rest_.find(end_of_field);
    if (end == std::string_view::npos)
      throw Error("read the cache", "an index page", "it is cut short");
    const std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return out;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::string digest_type() {
  return "application/x-autopin-page-1";
}

std::string digest_of(const Project& page) {
  std::string out;
  for (const IndexFile& file : page.files) {
    put(file.filename, out);
    put(file.url, out);
    put(file.sha256, out);
    put(file.requires_python, out);
    put(file.yanked ? '+' + *file.yanked : "", out);
    put(file.has_metadata ? '+' + file.metadata_sha256 : "", out);
    put(file.size ? std::to_string(*file.size) : "", out);
  }
  // A file has a name; what follows is what was passed over.
  put("", out);
  for (const std::string& why : page.skipped)
    put(why, out);
  return out;
}

Project read_digest(std::string_view text, std::string_view name) {
  Project page;
  page.name = normalize_name(name);
  Classifier classifier(page.name);
  Fields fields(text);
  for (auto filename = fields.next(); !filename.empty();
       filename = fields.next()) {
    IndexFile file;
    file.filename = filename;
    file.url = fields.next();
    file.sha256 = fields.next();
    file.requires_python = fields.next();
    if (const auto yanked = fields.next(); !yanked.empty())
      file.yanked = yanked.substr(1);
    if (const auto offer = fields.next(); !offer.empty()) {
      file.has_metadata = true;
      file.metadata_sha256 = offer.substr(1);
    }
    if (const auto size = fields.next(); !size.empty()) {
      file.size = 0;
      std::from_chars(size.data(), size.data() + size.size(), *file.size);
    }
    if (classifier.classify(file))
      page.files.push_back(std::move(file));
  }
  while (!fields.at_end())
    page.skipped.emplace_back(fields.next());
  return page;
}

}  // namespace autopin::python
