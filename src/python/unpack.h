#pragma once
// Compressed bytes as a stream of plain ones, never as a whole: gzip, bzip2 and
// xz, as source distributions of all ages have them. Private to this folder.

#include <cstddef>
#include <memory>
#include <string_view>

namespace autopin::python {

class Unpacker {
 public:
  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  virtual ~Unpacker() = default;

  /// Gives `size` bytes, and fewer at the end only. Throws Error where the data
  /// is damaged.
  virtual std::size_t read(char* out, std::size_t size) = 0;
};

/// Told by the first bytes; what is none of the three passes as it is. `data`
/// and `where` (for messages) must outlive it.
std::unique_ptr<Unpacker> make_unpacker(std::string_view data,
                                        std::string_view where);

}  // namespace autopin::python
