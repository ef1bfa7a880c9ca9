#pragma once
// The client of package indexes: the Simple API in both its forms (PEP 691
// JSON, PEP 503 HTML), and the metadata of single files by the cheapest way
// that the index offers. What an index says is checked, never trusted.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/http.h"
#include "io/world.h"
#include "python/archive.h"
#include "python/metadata.h"
#include "python/setup_py.h"
#include "python/version.h"

namespace autopin::python {

/// One file of a project page.
struct IndexFile {
  enum class Kind { wheel, sdist };

  std::string filename;
  /// Absolute, without fragment.
  std::string url;
  Kind kind = Kind::sdist;
  Version version;
  /// Lower-case hex, from the page; empty where the index gave none.
  std::string sha256;
  std::string requires_python;
  /// PEP 592: set where yanked, with the reason or "".
  std::optional<std::string> yanked;
  /// PEP 658/714: the metadata is served beside the file.
  bool has_metadata = false;
  std::string metadata_sha256;
  std::optional<std::int64_t> size;
  /// The index it came from, for reports.
  std::string index;
};

/// All that the indexes know of one project, in no special order.
struct Project {
  std::string name;  ///< PEP 503.
  std::vector<IndexFile> files;
  /// One sentence for each file name that could not be understood.
  std::vector<std::string> skipped;
};

/// Bytes of a file, their SHA-256 checked against the page's where it had one.
struct Download {
  IndexFile file;
  std::string bytes;
  std::string sha256;  ///< Hex.
};

/// What a file's own contents say about requirements.
struct FileFacts {
  Metadata metadata;
  /// Of a source distribution's setup.py, setup.cfg, pyproject.toml.
  DeclaredRequirements declared;
  bool requirements_are_final = true;
  /// The way it was read: "metadata file", "range", "whole file".
  std::string how;
};

/// Where packages are looked up, in order; see `find_index_urls`.
struct IndexOptions {
  std::vector<std::string> index_urls;
  /// Pages or folders with files, such as pip's --find-links takes.
  std::vector<std::string> find_links;
  std::int64_t max_page_bytes = 64LL << 20;
  std::int64_t max_file_bytes = 2LL << 30;
};

/// The indexes to use: those of the command line; else what pip is told by its
/// environment (PIP_INDEX_URL, PIP_EXTRA_INDEX_URL, PIP_FIND_LINKS,
/// PIP_NO_INDEX) and configuration files; else the one found when autopin was
/// built; else pip's own, asked now. Throws Error where none is left.
/// `extra` and `links` add to whichever it is.
IndexOptions find_index_options(World& world,
                                const std::optional<std::string>& index_url,
                                const std::vector<std::string>& extra,
                                const std::vector<std::string>& links);

class Index {
 public:
  virtual ~Index() = default;
  Index() = default;
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  /// Nothing where no index knows the project; files of all that do. Throws
  /// Error where an index fails or answers nonsense.
  virtual std::shared_ptr<const Project> project(std::string_view name) = 0;

  /// Name, version and requirements of one file: PEP 658, else the end of the
  /// wheel by range, else the whole file.
  virtual const FileFacts& facts(const IndexFile& file) = 0;

  /// The whole file, kept: one that was read for its facts is not fetched
  /// twice. Throws Error where it is not what the page promised.
  virtual const Download& download(const IndexFile& file) = 0;

  /// Hints at what will be asked next, so that all of it is on its way at a
  /// time. They decide nothing and fail never.
  virtual void expect_projects(const std::vector<std::string>& /*names*/) {}
  virtual void expect_facts(const IndexFile& /*file*/) {}
  virtual void expect_download(const IndexFile& /*file*/) {}
};

/// The real one. Answers are kept for its lifetime; safe to share by threads.
std::unique_ptr<Index> make_index(World& world, IndexOptions options);

}  // namespace autopin::python
