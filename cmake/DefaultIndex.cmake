# The default Python index: given, or asked of pip now; absent both, autopin
# asks pip when it runs. No index is named in the sources.
set(AUTOPIN_DEFAULT_INDEX "" CACHE STRING "Simple API URL used when nothing else names an index")
if(NOT AUTOPIN_DEFAULT_INDEX)
  execute_process(
    COMMAND python3 -c "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    OUTPUT_VARIABLE autopin_index_from_pip OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET
    RESULT_VARIABLE autopin_index_status)
  if(autopin_index_status EQUAL 0)
    set(AUTOPIN_DEFAULT_INDEX "${autopin_index_from_pip}")
  endif()
endif()
