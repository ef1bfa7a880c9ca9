# Targets for whoever works on autopin, where the tools are there.
find_program(AUTOPIN_CLANG_FORMAT clang-format)
if(AUTOPIN_CLANG_FORMAT)
  file(GLOB_RECURSE autopin_sources CONFIGURE_DEPENDS
    ${CMAKE_SOURCE_DIR}/src/*.h ${CMAKE_SOURCE_DIR}/src/*.cpp
    ${CMAKE_SOURCE_DIR}/tests/*.h ${CMAKE_SOURCE_DIR}/tests/*.cpp)
  add_custom_target(format COMMAND ${AUTOPIN_CLANG_FORMAT} -i ${autopin_sources})
  add_custom_target(format-check
    COMMAND ${AUTOPIN_CLANG_FORMAT} --dry-run --Werror ${autopin_sources})
endif()
