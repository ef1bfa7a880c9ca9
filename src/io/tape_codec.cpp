#include "io/tape_codec.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "io/disk.h"

namespace autopin {
namespace {

namespace fs = std::filesystem;

constexpr int version = 1;
constexpr std::size_t longest_inline = 2000;
constexpr std::size_t hex_size = 64;
constexpr std::string_view digest_key = R"(,"digest":")";

std::string hash(std::string_view text) {
  return to_hex(sha256(text));
}

fs::path events_of(const fs::path& folder) {
  return folder / "events.jsonl";
}

/// The line without its digest; an Error unless the digest is right.
std::string checked(std::string_view line, const std::string& where,
                    std::string& digest) {
  const std::size_t tail = digest_key.size() + hex_size + 2;
  const std::string changed = "a byte of it was changed";
  if (line.size() <= tail || !line.ends_with("\"}"))
    throw Error("cannot replay", where, changed);
  const std::string_view stated =
      line.substr(line.size() - hex_size - 2, hex_size);
  if (line.substr(line.size() - tail, digest_key.size()) != digest_key)
    throw Error("cannot replay", where, changed);
  std::string body(line.substr(0, line.size() - tail));
  body += '}';
  const std::string found = hash(digest + body);
  if (found != stated)
    throw Error("cannot replay", where, changed);
  digest = found;
  return body;
}

class Reader {
 public:
  explicit Reader(fs::path folder) : folder_(std::move(folder)) {}

  std::vector<TapeEvent> all() {
    const fs::path file = events_of(folder_);
    const std::optional<std::string> text = DiskFiles().read(file);
    if (!text)
      throw Error("cannot replay", file.string(), "there is no such file");
    const std::vector<std::string> lines = split(*text, '\n');
    // The last piece is what follows the last line end: nothing.
    if (lines.size() < 3 || !lines.back().empty())
      throw Error("cannot replay", file.string(),
                  "it is cut short: the recording did not end");
    std::vector<TapeEvent> events;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      const std::string where =
          file.string() + " line " + std::to_string(i + 1);
      const TapeJson line = TapeJson::parse(checked(lines[i], where, digest_));
      if (i == 0)
        check_head(line, where);
      else if (i + 2 == lines.size())
        check_foot(line, where, events.size());
      else
        events.push_back(event(line));
    }
    return events;
  }

 private:
  static void check_head(const TapeJson& line, const std::string& where) {
    if (line.value("tape", 0) != version)
      throw Error("cannot replay", where, "no tape of a version known here");
  }

  static void check_foot(const TapeJson& line, const std::string& where,
                         std::size_t events) {
    if (line.value("events", std::size_t{0}) != events ||
        !line.contains("events"))
      throw Error("cannot replay", where,
                  "the tape is cut short: the recording did not end");
  }

  TapeEvent event(const TapeJson& line) {
    return {line.at("n").get<int>(), line.at("kind").get<std::string>(),
            unpacked(line.at("request")), unpacked(line.at("result"))};
  }

  TapeJson unpacked(const TapeJson& value) {
    if (value.is_object() && value.size() == 2 && value.contains("blob") &&
        value.contains("bytes"))
      return blob(value.at("blob").get<std::string>());
    if (!value.is_structured())
      return value;
    TapeJson copy = value;
    for (auto& item : copy)
      item = unpacked(item);
    return copy;
  }

  std::string blob(const std::string& name) {
    const fs::path file = folder_ / "blobs" / name;
    const std::optional<std::string> bytes = DiskFiles().read(file);
    if (!bytes)
      throw Error("cannot replay", file.string(), "there is no such file");
    if (hash(*bytes) != name)
      throw Error("cannot replay", file.string(),
                  "a byte of it was changed: it is not what its name says");
    return *bytes;
  }

  fs::path folder_;
  std::string digest_;
};

}  // namespace

TapeWriter::TapeWriter(fs::path folder) : folder_(std::move(folder)) {
  if (!DiskFiles().list(folder_).empty())
    throw Error("cannot record", folder_.string(), "the folder is not empty");
  DiskFiles().make_folders(folder_);
  add_line({{"tape", version}});
}

void TapeWriter::add_line(const TapeJson& line) {
  std::string text = line.dump();
  digest_ = hash(digest_ + text);
  text.pop_back();
  text += digest_key;
  text += digest_ + "\"}\n";
  DiskFiles().append(events_of(folder_), text);
}

TapeJson TapeWriter::packed(const TapeJson& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() <= longest_inline && to_utf8(text) == text)
      return value;
    const std::string name = hash(text);
    const fs::path file = folder_ / "blobs" / name;
    if (!DiskFiles().exists(file)) {
      DiskFiles().make_folders(file.parent_path());
      DiskFiles().write(file, text);
    }
    return {{"blob", name}, {"bytes", text.size()}};
  }
  if (!value.is_structured())
    return value;
  TapeJson copy = value;
  for (auto& item : copy)
    item = packed(item);
  return copy;
}

void TapeWriter::add(const std::string& kind, const TapeJson& request,
                     const TapeJson& result) {
  add_line({{"n", ++events_},
            {"kind", kind},
            {"request", packed(request)},
            {"result", packed(result)}});
}

void TapeWriter::close() {
  add_line({{"events", events_}});
}

std::vector<TapeEvent> read_tape(const fs::path& folder) {
  return Reader(folder).all();
}

}  // namespace autopin
