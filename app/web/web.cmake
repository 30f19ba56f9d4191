# The program for browsers and Node.js: WebAssembly, and the module that runs it.
add_executable(attn_web web/attn_web.cpp)
target_link_libraries(attn_web PRIVATE attn_app attn_build)
target_link_options(attn_web PRIVATE --no-entry
  -sMODULARIZE -sENVIRONMENT=web,worker,node -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB
  -sTOTAL_STACK=1MB -sEXPORTED_FUNCTIONS=_attn_run,_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,ENV
  -sFORCE_FILESYSTEM -lnodefs.js)
set_target_properties(attn_web PROPERTIES OUTPUT_NAME attn-core SUFFIX .js
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/npm)
foreach(file IN ITEMS package.json attn.mjs cli.mjs)
  configure_file(web/npm/${file} ${PROJECT_BINARY_DIR}/npm/${file} @ONLY)
endforeach()
