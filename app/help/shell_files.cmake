# The manual page and the completions, made by the program itself, where shells look for them.
function(attn_shell_file name folder)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/shell/${name})
  add_custom_command(OUTPUT ${file} DEPENDS attn_main
    COMMAND attn_main ${ARGN} --quiet -o ${file})
  install(FILES ${file} DESTINATION ${folder})
  set(attn_shell_files ${attn_shell_files} ${file} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/shell/bash)
attn_shell_file(attn.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
attn_shell_file(bash/attn ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completions bash)
attn_shell_file(_attn ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completions zsh)
attn_shell_file(attn.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completions fish)
add_custom_target(attn_shell_files ALL DEPENDS ${attn_shell_files})
