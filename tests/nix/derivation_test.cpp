#include "nix/derivation.h"

#include <catch2/catch.hpp>

#include "base/error.h"

using namespace autopin::nix;
using Catch::Matchers::Contains;

namespace {

const char* const plain =
    R"drv(Derive([("dev","/nix/store/7rb3zrpg7sv6zyfqmx9d3mpy0hb04z8d-t-dev","",""),)drv"
    R"drv(("out","/nix/store/wl4ahzw4pq7j0azpgfxm6nj24rrqfbqg-t","","")],)drv"
    R"drv([("/nix/store/0ka5ff19qncriyr2cbvxd7ddrbjp97gg-a.drv",["dev","out"])],)drv"
    R"drv(["/nix/store/1yv8gqk2h4yvqg3hqg3b0y3w9j3v7k2z-builder.sh"],)drv"
    R"drv("x86_64-linux","/bin/sh",["-c","echo \"hi\"\n"],)drv"
    R"drv([("list","a  b\nc"),("name","t"),("tab","\t\\")])drv"
    ")";

std::string structured(const std::string& json) {
  std::string escaped;
  for (const char c : json) {
    if (c == '"' || c == '\\')
      escaped += '\\';
    escaped += c;
  }
  return R"(Derive([("out","","","")],[],[],"s","b",[],[("__json",")" +
         escaped + R"("),("out","/nix/store/x")]))";
}

}  // namespace

TEST_CASE("a derivation is read whole") {
  const Derivation drv = Derivation::parse(plain, "t.drv");
  CHECK(drv.outputs.at("out").path ==
        "/nix/store/wl4ahzw4pq7j0azpgfxm6nj24rrqfbqg-t");
  CHECK(drv.input_drvs.begin()->second == std::set<std::string>{"dev", "out"});
  CHECK(drv.input_srcs.size() == 1);
  CHECK(drv.system == "x86_64-linux");
  CHECK(drv.builder == "/bin/sh");
  CHECK(drv.args == std::vector<std::string>{"-c", "echo \"hi\"\n"});
  CHECK(drv.env.at("tab") == "\t\\");
  CHECK(drv.name() == "t");
  CHECK_FALSE(drv.is_fixed());
  CHECK(drv.list_attribute("list") == std::vector<std::string>{"a", "b", "c"});
  CHECK_FALSE(drv.attribute("absent"));
}

TEST_CASE("a fixed output says its hash") {
  const Derivation drv = Derivation::parse(
      R"(Derive([("out","/nix/store/x","r:sha256","00ff")],[],[],"s","b",[],[]))",
      "f.drv");
  CHECK(drv.is_fixed());
  CHECK(drv.outputs.at("out").hash_algorithm == "r:sha256");
}

TEST_CASE("structured attributes read as bash would see them") {
  const Derivation drv = Derivation::parse(
      structured(
          R"({"name":"env","doCheck":true,"no":false,"nothing":null,)"
          R"("pkgs":["/a",["/b",{"x":"/c"}]],"n":3,"env":{"CFLAGS":"-O"}})"),
      "s.drv");
  CHECK(drv.has_structured_attrs());
  CHECK(drv.name() == "env");
  CHECK(drv.attribute("doCheck") == "1");
  CHECK(drv.attribute("no") == "");
  CHECK(drv.attribute("nothing") == "");
  CHECK(drv.attribute("n") == "3");
  CHECK(drv.attribute("CFLAGS") == "-O");
  CHECK(drv.attribute("pkgs") == "/a /b /c");
  CHECK(drv.list_attribute("pkgs") ==
        std::vector<std::string>{"/a", "/b", "/c"});
  CHECK(drv.attribute("out") == "/nix/store/x");
}

TEST_CASE("structured attributes nested without end do no harm") {
  const std::string deep(200000, '[');
  const Derivation drv = Derivation::parse(
      structured(R"({"a":)" + deep + std::string(deep.size(), ']') + "}"),
      "deep.drv");
  CHECK(drv.attribute("a") == "");
}

TEST_CASE("every cut of a derivation is refused, and says where") {
  const std::string text = plain;
  for (std::size_t size = 0; size < text.size(); ++size)
    CHECK_THROWS_AS(Derivation::parse(text.substr(0, size), "cut.drv"),
                    autopin::Error);
  CHECK_THROWS_WITH(Derivation::parse(text + "x", "more.drv"),
                    Contains("more.drv") && Contains("after the end"));
}

TEST_CASE("store paths are found in text and cut to what they are") {
  const std::string hash = "wl4ahzw4pq7j0azpgfxm6nj24rrqfbqg";
  const std::string path = "/nix/store/" + hash + "-t-1.0";
  CHECK(store_name(path) == "t-1.0");
  CHECK(store_name("/nix/store/short-t") == "");
  CHECK(store_name("/home/x") == "");
  CHECK(store_paths("PATH=" + path + "/bin:" + path + "/sbin and '" + path +
                    "'") == std::vector<std::string>{path});
  CHECK(store_paths("/elsewhere/store/" + hash + "-a") ==
        std::vector<std::string>{"/elsewhere/store/" + hash + "-a"});
  CHECK(store_paths("/nix/store/.links /store/").empty());
}
