# The manual page and the completions are printed by the program itself.
set(autopin_docs_folder ${CMAKE_BINARY_DIR}/docs)
file(MAKE_DIRECTORY ${autopin_docs_folder})
function(autopin_doc what file destination)
  add_custom_command(OUTPUT ${autopin_docs_folder}/${file}
    COMMAND autopin docs ${what} > ${autopin_docs_folder}/${file}
    DEPENDS autopin VERBATIM)
  set_property(GLOBAL APPEND PROPERTY autopin_docs ${autopin_docs_folder}/${file})
  install(FILES ${autopin_docs_folder}/${file} DESTINATION ${destination})
endfunction()
autopin_doc(man autopin.1 ${CMAKE_INSTALL_MANDIR}/man1)
autopin_doc(bash autopin ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
autopin_doc(zsh _autopin ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
autopin_doc(fish autopin.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
get_property(autopin_docs GLOBAL PROPERTY autopin_docs)
add_custom_target(docs ALL DEPENDS ${autopin_docs})
