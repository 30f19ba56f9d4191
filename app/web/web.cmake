# The program for browsers and Node.js: WebAssembly, and the module that runs it.
add_executable(attn_web web/attn_web.cpp)
target_link_libraries(attn_web PRIVATE attn_app attn_build)
target_link_options(attn_web PRIVATE --no-entry
  -sMODULARIZE -sENVIRONMENT=web,worker,node -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB
  -sTOTAL_STACK=1MB -sEXPORTED_FUNCTIONS=_attn_run,_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,ENV
  -sFORCE_FILESYSTEM -lnodefs.js)
set_target_properties(attn_web PROPERTIES OUTPUT_NAME attn-core SUFFIX .js
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/npm)
foreach(file IN ITEMS package.json README.md attn.mjs run.mjs cli.mjs)
  configure_file(web/npm/${file} ${PROJECT_BINARY_DIR}/npm/${file} @ONLY)
endforeach()

# The same, and its views, in one page.
find_program(ATTN_NODE NAMES node nodejs REQUIRED)
set(page ${CMAKE_CURRENT_SOURCE_DIR}/web/page)
file(GLOB page_parts CONFIGURE_DEPENDS ${page}/* ${PROJECT_SOURCE_DIR}/lib/page/*)
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/attn.html
  COMMAND ${ATTN_NODE} ${page}/join.mjs ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/npm
    ${PROJECT_VERSION} ${PROJECT_BINARY_DIR}/attn.html
  DEPENDS attn_web ${page_parts} ${CMAKE_CURRENT_SOURCE_DIR}/web/npm/run.mjs VERBATIM)
add_custom_target(attn_page ALL DEPENDS ${PROJECT_BINARY_DIR}/attn.html)
