# Dependencies when compiling for another system.
# The headers of this one must not be seen, except those of the three libraries that are nothing but headers.
foreach(library IN ITEMS Eigen3,eigen3/Eigen/Core,eigen3 nlohmann_json,nlohmann/json.hpp,nlohmann CLI11,CLI/CLI.hpp,CLI)
  string(REPLACE "," ";" library "${library}")
  list(POP_FRONT library name header folder)
  find_path(ATTN_${name} ${header} PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/headers)
  file(CREATE_LINK ${ATTN_${name}}/${folder} ${PROJECT_BINARY_DIR}/headers/${folder} SYMBOLIC)
endforeach()
function(attn_headers TARGET FOLDER)
  add_library(${TARGET} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${TARGET} SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/headers/${FOLDER})
endfunction()
attn_headers(Eigen3::Eigen eigen3)
attn_headers(nlohmann_json::nlohmann_json "")
attn_headers(CLI11::CLI11 "")

# zlib is compiled with us unless the other system has it: from FETCHCONTENT_SOURCE_DIR_ZLIB, or downloaded.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
find_package(ZLIB QUIET)
if(NOT ZLIB_FOUND)
  FetchContent_Declare(zlib
    GIT_REPOSITORY https://github.com/madler/zlib.git
    GIT_TAG 51b7f2abdade71cd9bb0e7a373ef2610ec6f9daf)  # 1.3.1
  FetchContent_GetProperties(zlib)
  if(NOT zlib_POPULATED)
    FetchContent_Populate(zlib)  # its own CMakeLists.txt would build tests and a shared library
  endif()
  enable_language(C)
  add_library(attn_zlib STATIC ${zlib_SOURCE_DIR}/adler32.c ${zlib_SOURCE_DIR}/crc32.c ${zlib_SOURCE_DIR}/inffast.c
    ${zlib_SOURCE_DIR}/inflate.c ${zlib_SOURCE_DIR}/inftrees.c ${zlib_SOURCE_DIR}/zutil.c)
  target_include_directories(attn_zlib SYSTEM PUBLIC ${zlib_SOURCE_DIR})
  add_library(ZLIB::ZLIB ALIAS attn_zlib)
endif()

# So is utf8proc, which is one file: from FETCHCONTENT_SOURCE_DIR_UTF8PROC, or downloaded.
include(${CMAKE_CURRENT_LIST_DIR}/utf8proc.cmake)
if(NOT TARGET utf8proc::utf8proc)
  FetchContent_Declare(utf8proc
    GIT_REPOSITORY https://github.com/JuliaStrings/utf8proc.git
    GIT_TAG v2.8.0)
  FetchContent_GetProperties(utf8proc)
  if(NOT utf8proc_POPULATED)
    FetchContent_Populate(utf8proc)
  endif()
  enable_language(C)
  add_library(attn_utf8proc STATIC ${utf8proc_SOURCE_DIR}/utf8proc.c)
  target_include_directories(attn_utf8proc SYSTEM PUBLIC ${utf8proc_SOURCE_DIR})
  target_compile_definitions(attn_utf8proc PUBLIC UTF8PROC_STATIC)
  add_library(utf8proc::utf8proc ALIAS attn_utf8proc)
endif()
