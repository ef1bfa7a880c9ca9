#pragma once
// Makes the archives that tests read: wheels and source distributions with
// chosen members, byte by byte, so that broken ones can be made too.

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autopin::python {

using Members = std::vector<std::pair<std::string, std::string>>;

inline std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return out;
}

inline std::string deflated(const std::string& text, int window_bits) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

/// `declared`: what the headers say of each member's size, where not the truth.
inline std::string make_zip(const Members& members, bool deflate = true,
                            std::uint64_t declared = 0) {
  std::string out;
  std::string directory;
  for (const auto& [name, text] : members) {
    const std::string data = deflate ? deflated(text, -MAX_WBITS) : text;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(text.data()),
                           static_cast<uInt>(text.size()));
    const std::uint64_t size = declared != 0 ? declared : text.size();
    const std::string common = little(deflate ? 8 : 0, 2) + little(0, 4) +
                               little(crc, 4) + little(data.size(), 4) +
                               little(size, 4) + little(name.size(), 2) +
                               little(0, 2);
    directory += "PK\1\2" + little(20, 2) + little(20, 2) + little(0, 2) +
                 common + little(0, 2) + little(0, 2) + little(0, 2) +
                 little(0, 4) + little(out.size(), 4) + name;
    out += "PK\3\4" + little(20, 2) + little(0, 2) + common + name + data;
  }
  const std::size_t start = out.size();
  out += directory;
  out += "PK\5\6" + little(0, 4) + little(members.size(), 2) +
         little(members.size(), 2) + little(directory.size(), 4) +
         little(start, 4) + little(0, 2);
  return out;
}

inline std::string octal(std::uint64_t value, std::size_t width) {
  std::string out(width, '0');
  for (std::size_t i = width; i-- > 0; value /= 8)
    out[i] = static_cast<char>('0' + value % 8);
  return out;
}

inline std::string make_tar(const Members& members) {
  std::string out;
  for (const auto& [name, text] : members) {
    std::string header(512, '\0');
    header.replace(0, name.size(), name);
    header.replace(100, 7, "0000644");
    header.replace(124, 11, octal(text.size(), 11));
    header.replace(136, 11, octal(0, 11));
    header.replace(148, 8, "        ");
    header[156] = '0';
    header.replace(257, 8, std::string("ustar\00000", 8));
    std::uint64_t sum = 0;
    for (const char c : header)
      sum += static_cast<unsigned char>(c);
    header.replace(148, 7, octal(sum, 6) + '\0');
    out += header + text + std::string((512 - text.size() % 512) % 512, '\0');
  }
  return out + std::string(1024, '\0');
}

inline std::string make_tar_gz(const Members& members) {
  return deflated(make_tar(members), 16 + MAX_WBITS);
}

inline std::string make_tar_bz2(const Members& members) {
  std::string tar = make_tar(members);
  std::string out(tar.size() + tar.size() / 100 + 600, '\0');
  auto size = static_cast<unsigned>(out.size());
  BZ2_bzBuffToBuffCompress(out.data(), &size, tar.data(),
                           static_cast<unsigned>(tar.size()), 9, 0, 0);
  out.resize(size);
  return out;
}

inline std::string make_tar_xz(const Members& members) {
  const std::string tar = make_tar(members);
  std::string out(lzma_stream_buffer_bound(tar.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(
      9, LZMA_CHECK_CRC64, nullptr,
      reinterpret_cast<const std::uint8_t*>(tar.data()), tar.size(),
      reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

/// METADATA of a wheel, or PKG-INFO.
inline std::string metadata_text(const std::string& name,
                                 const std::string& version,
                                 const std::vector<std::string>& requires_dist,
                                 const std::string& form = "2.1") {
  std::string out =
      "Metadata-Version: " + form + "\nName: " + name + "\nVersion: " + version;
  for (const std::string& text : requires_dist)
    out += "\nRequires-Dist: " + text;
  return out + "\n\nThe description.\nRequires-Dist: not-this\n";
}

inline std::string make_wheel(const std::string& name,
                              const std::string& version,
                              const std::vector<std::string>& requires_dist,
                              std::size_t padding = 0) {
  return make_zip({{name + "/data.bin", std::string(padding, 'x')},
                   {name + "-" + version + ".dist-info/METADATA",
                    metadata_text(name, version, requires_dist)}},
                  false);
}

inline std::string make_sdist(const std::string& name,
                              const std::string& version,
                              const std::string& setup_py,
                              const std::string& requires_txt = "") {
  const std::string root = name + '-' + version + '/';
  Members members{{root + "PKG-INFO", metadata_text(name, version, {}, "1.1")},
                  {root + "setup.py", setup_py}};
  if (!requires_txt.empty())
    members.emplace_back(root + name + ".egg-info/requires.txt", requires_txt);
  return make_tar_gz(members);
}

}  // namespace autopin::python
