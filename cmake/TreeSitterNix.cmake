# The grammar: the generated parser of the tree-sitter-nix 0.1.0 source
# distribution (ABI 14, which libtree-sitter 0.20 reads), got by pip at configure
# time and checked, or taken from -DAUTOPIN_TREE_SITTER_NIX=DIR (a folder that
# holds src/parser.c and src/scanner.c).
set(AUTOPIN_TREE_SITTER_NIX "" CACHE PATH "Folder with the unpacked tree-sitter-nix 0.1.0")
set(autopin_grammar "${AUTOPIN_TREE_SITTER_NIX}")
if(NOT autopin_grammar)
  set(autopin_grammar_sha256 b551fd00fbbac92f300fa941f3c41b661f290c141559de0f690d5509d9ac3cb0)
  set(autopin_grammar_home "${CMAKE_BINARY_DIR}/_deps/tree-sitter-nix")
  set(autopin_grammar "${autopin_grammar_home}/tree_sitter_nix-0.1.0")
  set(autopin_grammar_archive "${autopin_grammar}.tar.gz")
  if(NOT EXISTS "${autopin_grammar}/src/parser.c")
    file(MAKE_DIRECTORY "${autopin_grammar_home}")
    if(NOT EXISTS "${autopin_grammar_archive}")
      file(WRITE "${autopin_grammar_home}/requirements.txt"
        "tree-sitter-nix==0.1.0 --hash=sha256:${autopin_grammar_sha256}\n")
      execute_process(
        COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/download-sdist.py
                "${autopin_grammar_home}/requirements.txt" "${autopin_grammar_home}"
        ERROR_VARIABLE autopin_grammar_words)  # of two ways the first may fail
    endif()
    if(EXISTS "${autopin_grammar_archive}")
      file(SHA256 "${autopin_grammar_archive}" autopin_grammar_found)
    endif()
    if(NOT autopin_grammar_found STREQUAL autopin_grammar_sha256)
      file(REMOVE "${autopin_grammar_archive}")
      message(FATAL_ERROR "tree-sitter-nix 0.1.0 could not be had by pip with the right sha256; "
        "unpack its sdist somewhere and pass -DAUTOPIN_TREE_SITTER_NIX=DIR\n${autopin_grammar_words}")
    endif()
    file(ARCHIVE_EXTRACT INPUT "${autopin_grammar_archive}" DESTINATION "${autopin_grammar_home}")
  endif()
endif()

add_library(tree_sitter_nix STATIC
  "${autopin_grammar}/src/parser.c" "${autopin_grammar}/src/scanner.c")
target_include_directories(tree_sitter_nix SYSTEM PRIVATE "${autopin_grammar}/src")
target_link_libraries(tree_sitter_nix PUBLIC PkgConfig::tree_sitter)
target_compile_options(tree_sitter_nix PRIVATE -w)
