#include "python/unpack.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/error.h"

namespace autopin::python {

namespace {

// xz -9 asks for 65 MiB to unpack.
constexpr std::uint64_t max_xz_memory = std::uint64_t{96} << 20U;

[[noreturn]] void fail(std::string_view where, std::string_view why) {
  throw Error("read the archive", where, why);
}

class Plain final : public Unpacker {
 public:
  explicit Plain(std::string_view data) : data_(data) {}
  std::size_t read(char* out, std::size_t size) override {
    size = std::min(size, data_.size());
    std::memcpy(out, data_.data(), size);
    data_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view data_;
};

enum class Turn { more, end, damaged };

/// The three libraries have one way to be fed; a Codec is one of them:
/// `stream`, `start()`, `turn()` and `stop()`.
template <typename Codec>
class Packed final : public Unpacker {
 public:
  Packed(std::string_view data, std::string_view where)
      : data_(data), where_(where) {
    if (!codec_.start())
      fail(where, "no memory");
  }
  ~Packed() override { codec_.stop(); }

  std::size_t read(char* out, std::size_t size) override {
    std::size_t have = 0;
    while (have < size && !ended_)
      have += step(out + have, size - have);
    return have;
  }

 private:
  std::size_t step(char* out, std::size_t size) {
    auto& stream = codec_.stream;
    constexpr std::size_t most = std::numeric_limits<unsigned>::max();
    const auto given = static_cast<unsigned>(std::min(data_.size(), most));
    const auto room = static_cast<unsigned>(std::min(size, most));
    // C interfaces that predate const.
    char* in = const_cast<char*>(data_.data());                 // NOLINT
    stream.next_in = reinterpret_cast<typename Codec::In>(in);  // NOLINT
    stream.avail_in = given;
    stream.next_out = reinterpret_cast<typename Codec::Out>(out);  // NOLINT
    stream.avail_out = room;
    const Turn turn = codec_.turn(given == data_.size());
    const std::size_t used = given - stream.avail_in;
    const std::size_t made = room - stream.avail_out;
    data_.remove_prefix(used);
    if (turn == Turn::damaged)
      fail(where_, "its compressed data is damaged");
    if (turn == Turn::end) {
      // Streams may follow each other (RFC 1952, 2.2).
      codec_.stop();
      ended_ = data_.empty();
      if (!codec_.start())
        fail(where_, "no memory");
    } else if (used == 0 && made == 0) {
      ended_ = true;  // cut short: who reads on finds too little
    }
    return made;
  }

  Codec codec_;
  std::string_view data_;
  std::string_view where_;
  bool ended_ = false;
};

struct Gzip {
  using In = Bytef*;
  using Out = Bytef*;
  z_stream stream{};
  // 16: a gzip header is expected.
  bool start() { return inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK; }
  Turn turn(bool /*last*/) {
    const int status = inflate(&stream, Z_NO_FLUSH);
    if (status == Z_STREAM_END)
      return Turn::end;
    return status == Z_OK || status == Z_BUF_ERROR ? Turn::more : Turn::damaged;
  }
  void stop() { inflateEnd(&stream); }
};

struct Bzip2 {
  using In = char*;
  using Out = char*;
  bz_stream stream{};
  bool start() { return BZ2_bzDecompressInit(&stream, 0, 0) == BZ_OK; }
  Turn turn(bool /*last*/) {
    const int status = BZ2_bzDecompress(&stream);
    if (status == BZ_STREAM_END)
      return Turn::end;
    return status == BZ_OK ? Turn::more : Turn::damaged;
  }
  void stop() { BZ2_bzDecompressEnd(&stream); }
};

struct Xz {
  using In = const std::uint8_t*;
  using Out = std::uint8_t*;
  lzma_stream stream = LZMA_STREAM_INIT;
  bool start() {
    return lzma_stream_decoder(&stream, max_xz_memory, 0) == LZMA_OK;
  }
  Turn turn(bool last) {
    const lzma_ret status = lzma_code(&stream, last ? LZMA_FINISH : LZMA_RUN);
    if (status == LZMA_STREAM_END)
      return Turn::end;
    return status == LZMA_OK || status == LZMA_BUF_ERROR ? Turn::more
                                                         : Turn::damaged;
  }
  void stop() { lzma_end(&stream); }
};

}  // namespace

std::unique_ptr<Unpacker> make_unpacker(std::string_view data,
                                        std::string_view where) {
  using namespace std::literals;
  if (data.starts_with("\x1f\x8b"sv))
    return std::make_unique<Packed<Gzip>>(data, where);
  if (data.starts_with("BZh"sv))
    return std::make_unique<Packed<Bzip2>>(data, where);
  if (data.starts_with("\xfd"
                       "7zXZ\0"sv))
    return std::make_unique<Packed<Xz>>(data, where);
  return std::make_unique<Plain>(data);
}

}  // namespace autopin::python
