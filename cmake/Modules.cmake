# One static library per folder of src/, named autopin_<folder>. `src/loop.*` is
# the one module that is a pair of files in src/ itself.
function(autopin_module name)
  cmake_parse_arguments(ARG "" "" "USES;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/src/${name}/*.cpp
    ${CMAKE_CURRENT_SOURCE_DIR}/src/${name}.cpp)
  if(NOT sources)
    add_library(autopin_${name} INTERFACE)
    set(scope INTERFACE)
  else()
    add_library(autopin_${name} STATIC ${sources})
    set(scope PUBLIC)
    target_link_libraries(autopin_${name} PRIVATE autopin_warnings)
  endif()
  target_include_directories(autopin_${name} ${scope} ${CMAKE_CURRENT_SOURCE_DIR}/src)
  list(TRANSFORM ARG_USES PREPEND autopin_)
  target_link_libraries(autopin_${name} ${scope} ${ARG_USES} ${ARG_LIBS})
endfunction()
