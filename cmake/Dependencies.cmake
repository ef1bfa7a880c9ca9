# Debian's packages, found as they are; tree-sitter-nix is in its own file.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS filesystem)
find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
if(BUILD_TESTING)
  find_package(Catch2 2 REQUIRED)
endif()
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(tree_sitter REQUIRED IMPORTED_TARGET tree-sitter)
include(TreeSitterNix)

add_library(autopin_warnings INTERFACE)
target_compile_options(autopin_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wformat=2)
