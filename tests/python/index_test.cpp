#include "python/index.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "base/hash.h"
#include "io/url.h"
#include "python/archives.h"
#include "python/index_page.h"
#include "python/page_digest.h"
#include "python/test_server.h"
#include "python/url.h"

namespace autopin::python {
namespace {

const std::string url = "http://index.test/simple/";

struct Fixture : ServedWorld {
  std::unique_ptr<Index> index(std::vector<std::string> urls = {url}) {
    return make_index(world, {std::move(urls), {}});
  }
  void json(const std::string& project, const std::string& files) {
    server.pages[url + project + '/'] = {
        R"({"meta": {"api-version": "1.0"}, "name": ")" + project +
            R"(", "files": [)" + files + "]}",
        "application/vnd.pypi.simple.v1+json", 200};
  }
  std::string file(const std::string& name, const std::string& bytes) {
    server.pages["http://index.test/f/" + name] = {bytes, "", 200};
    return to_hex(sha256(bytes));
  }
  int asked(const std::string& part) const {
    int out = 0;
    for (const HttpRequest& request : server.asked)
      out += request.url.find(part) != std::string::npos ? 1 : 0;
    return out;
  }
};

TEST_CASE("a JSON page (PEP 691)") {
  Fixture f;
  f.json("a", R"(
    {"filename": "a-1.0.tar.gz", "url": "../../f/a-1.0.tar.gz",
     "hashes": {"sha256": ")" +
                  std::string(64, 'A') + R"("},
     "requires-python": ">=3.6", "yanked": "broken", "size": 12},
    {"filename": "A-1.1-py3-none-any.whl", "url": "http://other.test/x.whl#frag",
     "hashes": {"md5": "00"}, "yanked": false, "core-metadata": {"sha256": ")" +
                  std::string(64, 'b') + R"("}},
    {"filename": "a-1.2-py3-none-any.whl", "url": "ftp://no", "hashes": {}},
    {"filename": "a-1.0.exe", "url": "x", "hashes": {}}, 7)");
  const auto project = f.index()->project("A");
  REQUIRE(project);
  REQUIRE(project->files.size() == 2);
  const IndexFile& sdist = project->files[0];
  CHECK(sdist.url == "http://index.test/f/a-1.0.tar.gz");
  CHECK(sdist.sha256 == std::string(64, 'a'));
  CHECK(sdist.requires_python == ">=3.6");
  CHECK(sdist.yanked == "broken");
  CHECK(sdist.size == 12);
  CHECK(sdist.version.text() == "1.0");
  const IndexFile& wheel = project->files[1];
  CHECK(wheel.kind == IndexFile::Kind::wheel);
  CHECK(wheel.url == "http://other.test/x.whl");
  CHECK(wheel.sha256.empty());
  CHECK_FALSE(wheel.yanked);
  CHECK(wheel.has_metadata);
  CHECK(wheel.metadata_sha256 == std::string(64, 'b'));
  CHECK(project->skipped.size() == 3);
  CHECK(f.server.asked[0].accept.find("+json") != std::string::npos);
}

TEST_CASE("an HTML page (PEP 503, 592, 629, 658)") {
  const std::string page = R"(<!DOCTYPE html><html><head>
    <meta name="pypi:repository-version" content="1.1"><base href="/files/">
    </head><body><!-- <a href="no-1.tar.gz">no</a> -->
    <A HREF='a-1.0%2Bcpu-py3-none-any.whl#sha256=)" +
                           std::string(64, '0') + R"('
       data-requires-python="&gt;=3.6,&#60;4" data-yanked
       data-core-metadata="true">a</A>
    <a href=b-1.0.tar.gz>b</a>)";
  const Project project = parse_html_page(page, url + "a/", "a");
  REQUIRE(project.files.size() == 1);
  const IndexFile& file = project.files[0];
  CHECK(file.filename == "a-1.0+cpu-py3-none-any.whl");
  CHECK(file.url == "http://index.test/files/a-1.0%2Bcpu-py3-none-any.whl");
  CHECK(file.requires_python == ">=3.6,<4");
  CHECK(file.yanked == "");
  CHECK(file.has_metadata);
  CHECK(file.sha256 == std::string(64, '0'));
  CHECK(project.skipped.size() == 1);
}

TEST_CASE("pages that are none") {
  Fixture f;
  const auto page = [&](const std::string& body, const std::string& type,
                        int status = 200) {
    f.server.pages[url + "a/"] = {body, type, status};
    return f.index();
  };
  const std::string json = "application/vnd.pypi.simple.v1+json";
  CHECK_THROWS_WITH(page("{\"files\": [", json)->project("a"),
                    Catch::Contains("no valid JSON"));
  CHECK_THROWS_AS(page("[]", json)->project("a"), Error);
  CHECK_THROWS_AS(page("{}", json)->project("a"), Error);
  CHECK_THROWS_WITH(
      page(R"({"meta":{"api-version":"2.0"},"files":[]})", json)->project("a"),
      Catch::Contains("version 2.0"));
  CHECK_THROWS_AS(page("x", "text/plain")->project("a"), Error);
  CHECK_THROWS_WITH(page("", "text/html", 503)->project("a"),
                    Catch::Contains("503"));
  CHECK_FALSE(page("", "text/html", 404)->project("a"));
  CHECK_FALSE(f.index()->project("../etc"));
}

TEST_CASE("metadata by the cheapest way") {
  Fixture f;
  const std::string wheel = make_wheel("a", "1", {"b>=2"}, 300000);
  const std::string name = "a-1-py3-none-any.whl";
  const std::string hash = f.file(name, wheel);
  const std::string beside = metadata_text("a", "1", {"c"});
  f.file(name + ".metadata", beside);
  const std::string entry = R"({"filename": ")" + name + R"(", "url": "/f/)" +
                            name + R"(", "hashes": {"sha256": ")" + hash +
                            "\"}";
  SECTION("beside the file, checked") {
    f.json("a", entry + R"(, "core-metadata": {"sha256": ")" +
                    to_hex(sha256(beside)) + "\"}}");
    const auto index = f.index();
    const FileFacts facts = index->facts(index->project("a")->files[0]);
    CHECK(facts.how == "metadata file");
    CHECK(facts.metadata.requires_dist[0].text() == "c");
    CHECK(facts.metadata.requires_dist.size() == 1);
  }
  SECTION("beside the file, lying") {
    f.json("a", entry + R"(, "core-metadata": {"sha256": ")" +
                    std::string(64, '0') + "\"}}");
    const auto index = f.index();
    CHECK_THROWS_WITH(index->facts(index->project("a")->files[0]),
                      Catch::Contains("its sha256 is"));
  }
  SECTION("by range") {
    f.json("a", entry + "}");
    const auto index = f.index();
    const FileFacts facts = index->facts(index->project("a")->files[0]);
    CHECK(facts.how == "range");
    CHECK(facts.metadata.requires_dist[0].text() == "b>=2");
    CHECK(f.asked(name) == 1);
  }
  SECTION("where there are no ranges, the whole file, and once") {
    f.server.ranges = false;
    f.json("a", entry + "}");
    const auto index = f.index();
    const IndexFile file = index->project("a")->files[0];
    CHECK(index->facts(file).how == "whole file");
    CHECK(index->download(file).bytes == wheel);
    CHECK(f.asked(name) == 1);
  }
}

TEST_CASE("a directory that is longer than the end that was asked for") {
  Fixture f;
  Members members;
  for (int i = 0; i < 4000; ++i)
    members.emplace_back("a/" + std::string(40, 'x') + std::to_string(i), "");
  members.emplace_back("a-1.dist-info/METADATA",
                       metadata_text("a", "1", {"b>=2"}));
  const std::string name = "a-1-py3-none-any.whl";
  f.file(name, make_zip(members));
  f.json("a", R"({"filename": ")" + name + R"(", "url": "/f/)" + name + "\"}");
  const auto index = f.index();
  const FileFacts facts = index->facts(index->project("a")->files[0]);
  CHECK(facts.how == "range");
  CHECK(facts.metadata.requires_dist[0].text() == "b>=2");
  // The end; the rest of the directory; and the member, its head and bytes.
  CHECK(f.asked(name) == 3);
}

TEST_CASE("a page's digest says what the page said") {
  const std::string page =
      R"({"files": [{"filename": "a-1.0.tar.gz", "url": "/f/a-1.0.tar.gz",
      "hashes": {"sha256": ")" +
      std::string(64, 'a') + R"("}, "requires-python": ">=3.6", "yanked": "",
      "size": 12}, {"filename": "a-1.0-py3-none-any.whl", "url": "/f/a.whl",
      "hashes": {}, "core-metadata": {"sha256": ")" +
      std::string(64, 'b') + R"("}}, {"filename": "A-1.1-py3-none-any.whl",
      "url": "/f/b", "core-metadata": true, "yanked": "bad"}, {}]})";
  const Project read = parse_json_page(page, url + "a/", "A");
  REQUIRE(read.files.size() == 3);
  const std::string digest = digest_of(read);
  const Project again = read_digest(digest, "A");
  CHECK(again.name == "a");
  CHECK(again.skipped == read.skipped);
  REQUIRE(again.files.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    const IndexFile& left = read.files[i];
    const IndexFile& right = again.files[i];
    CHECK(left.filename == right.filename);
    CHECK(left.url == right.url);
    CHECK(left.kind == right.kind);
    CHECK(left.version == right.version);
    CHECK(left.sha256 == right.sha256);
    CHECK(left.requires_python == right.requires_python);
    CHECK(left.yanked == right.yanked);
    CHECK(left.has_metadata == right.has_metadata);
    CHECK(left.metadata_sha256 == right.metadata_sha256);
    CHECK(left.size == right.size);
  }
  CHECK_THROWS_AS(read_digest(digest.substr(0, digest.size() / 2), "A"), Error);
}

TEST_CASE("plain links lead where libcurl's parser says") {
  for (const std::string base :
       {"http://host/simple/a/", "https://host:8443/simple/a/?x=1",
        "http://host/simple/a", "http://host/", "http://Host/x/"}) {
    for (const char* link : {"x.whl",
                             "../x.whl",
                             "../../f/x.whl#sha256=0",
                             "../../../../x",
                             "./x",
                             "a/../x",
                             "/f/x%2By.whl",
                             "//other/x",
                             "https://other/f/x#y",
                             "http://other:8080/f/x?y=1",
                             "http://other",
                             "http://other:/x",
                             "http://OTHER/x",
                             "http://u:p@other/x",
                             "http://other/a/./x",
                             "?x",
                             "x y",
                             "..",
                             "../",
                             ".",
                             "a:b/c",
                             "/",
                             "https://[::1]/x",
                             "ftp://other/x",
                             "http:///x",
                             "..x/y",
                             "/.x",
                             "a//b"}) {
      INFO(base << " " << link);
      std::optional<std::string> expected;
      try {
        expected = Url::parse(resolve_url(base, link)).without_credentials;
      } catch (const Error&) {
      }
      CHECK(follow_link(base, link) == expected);
    }
  }
}

TEST_CASE("an index on disk, with pages that name files") {
  Fixture f;
  auto& files = f.fake.files.files;
  files["/my index/a/index.html"] =
      "<a href='../files/a-1%2Bx-py3-none-any.whl'>x</a>"
      "<a href='http://index.test/f/a-2.tar.gz'>y</a>";
  files["/my index/files/a-1+x-py3-none-any.whl"] = make_wheel("a", "1+x", {});
  const auto index = f.index({"file:///my%20index"});
  CHECK_FALSE(index->project("b"));
  const auto project = index->project("a");
  REQUIRE(project);
  REQUIRE(project->files.size() == 2);
  CHECK(index->facts(project->files[0]).metadata.version == "1+x");
  CHECK(project->files[1].url == "http://index.test/f/a-2.tar.gz");
  CHECK(f.server.asked.empty());
  // A page of the network names no file of this machine.
  CHECK(
      parse_html_page("<a href='file:///etc/a-1.tar.gz'>x</a>", url + "a/", "a")
          .files.empty());
}

TEST_CASE(
    "what will be asked is expected once, and what proved right is kept") {
  Fixture f;
  const std::string name = "a-1-py3-none-any.whl";
  const std::string hash = f.file(name, make_wheel("a", "1", {}, 300000));
  f.json("a", R"({"filename": ")" + name + R"(", "url": "/f/)" + name +
                  R"(", "hashes": {"sha256": ")" + hash + "\"}}");
  f.server.pages[url + "broken/"] = {"{", "application/json", 200};
  const auto index = f.index();
  index->expect_projects({"A", "a", "../etc", "none"});
  CHECK(f.server.expected ==
        std::vector<std::string>{url + "a/", url + "none/"});
  CHECK(f.server.asked.empty());
  const IndexFile file = index->project("a")->files[0];
  CHECK_FALSE(index->project("none"));
  CHECK_THROWS_AS(index->project("broken"), Error);
  index->expect_projects({"a"});
  index->expect_facts(file);
  index->expect_facts(file);
  CHECK(f.server.expected.size() == 3);
  index->facts(file);
  CHECK(f.server.kept ==
        std::vector<std::string>{url + "a/", url + "none/", file.url});
  IndexFile lying = file;
  lying.url += "?lying";
  f.server.pages[lying.url] = {"other bytes", "", 200};
  CHECK_THROWS_AS(index->download(lying), Error);
  CHECK(f.server.kept.size() == 3);
}

TEST_CASE("a password of an index URL goes no further than the request") {
  Fixture f;
  const std::string secret = "http://me:word@index.test/simple/";
  f.server.pages[secret + "a/"] = {
      "<a href='http://you:word@files.test/a-1.tar.gz'>x</a>", "text/html",
      200};
  f.server.pages[secret + "b/"] = {"", "text/html", 503};
  f.server.pages[secret + "c/"] = {"{", "application/json", 200};
  const auto index = f.index({secret});
  const auto project = index->project("a");
  REQUIRE(project);
  CHECK(project->files.at(0).index == url);
  CHECK(project->files.at(0).url == "http://files.test/a-1.tar.gz");
  for (const char* name : {"b", "c"}) {
    try {
      index->project(name);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(std::string(error.what()).find("word") == std::string::npos);
    }
  }
}

TEST_CASE("a file that is not what the page promised") {
  Fixture f;
  const std::string sdist = make_sdist("a", "1", "setup()");
  const std::string hash = f.file("a-1.tar.gz", sdist);
  const auto facts_of = [&](const std::string& more) {
    f.json("a",
           R"({"filename": "a-1.tar.gz", "url": "/f/a-1.tar.gz")" + more + "}");
    const auto index = f.index();
    return index->facts(index->project("a")->files[0]);
  };
  CHECK(facts_of(", \"hashes\": {\"sha256\": \"" + hash + "\"}").how ==
        "whole file");
  CHECK_THROWS_WITH(
      facts_of(", \"hashes\": {\"sha256\": \"" + std::string(64, '1') + "\"}"),
      Catch::Contains("the index says 1111"));
  CHECK_THROWS_WITH(facts_of(", \"size\": 5000000"),
                    Catch::Contains("the index says 5000000"));
  CHECK_THROWS_WITH(facts_of(", \"size\": 5"), Catch::Contains("too large"));
  f.file("a-1.tar.gz", sdist.substr(0, sdist.size() / 2));
  CHECK_THROWS_AS(facts_of(""), Error);
  f.file("a-1.tar.gz", "<html>login</html>");
  CHECK_THROWS_AS(facts_of(""), Error);
  f.file("a-1.tar.gz",
         make_tar_gz({{"a-1/PKG-INFO", metadata_text("b", "2", {})}}));
  CHECK_THROWS_WITH(facts_of(""), Catch::Contains("another package"));
}

TEST_CASE(
    "several indexes and links add up, and all of pip's places are read") {
  Fixture f;
  f.json("a", R"({"filename": "a-1.tar.gz", "url": "/f/a-1.tar.gz"})");
  f.server.pages["http://second.test/a/"] = {"<a href=\"/f/a-2.tar.gz\">x</a>",
                                             "text/html; charset=utf-8", 200};
  f.fake.files.files["/links/a-3-py3-none-any.whl"] = make_wheel("a", "3", {});
  f.fake.files.files["/links/b-3.tar.gz"] = "";
  f.fake.files.files["/home/u/.config/pip/pip.conf"] =
      "[global]\nindex-url = " + url + "\n[list]\nindex-url = http://no\n";
  f.fake.environment.variables = {
      {"HOME", "/home/u"}, {"PIP_EXTRA_INDEX_URL", "http://second.test"}};
  const IndexOptions options =
      find_index_options(f.world, std::nullopt, {}, {"/links"});
  CHECK(options.index_urls ==
        std::vector<std::string>{url, "http://second.test"});
  const auto index = make_index(f.world, options);
  const auto project = index->project("a");
  REQUIRE(project->files.size() == 3);
  CHECK(project->files[1].url == "http://second.test/f/a-2.tar.gz");
  CHECK(index->facts(project->files[2]).metadata.version == "3");
  CHECK(find_index_options(f.world, "http://mine.test", {}, {}).index_urls ==
        std::vector<std::string>{"http://mine.test"});
  f.fake.environment.variables["PIP_NO_INDEX"] = "1";
  CHECK(find_index_options(f.world, std::nullopt, {}, {}).index_urls.empty());
}

}  // namespace
}  // namespace autopin::python
