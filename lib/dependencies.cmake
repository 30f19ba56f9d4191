# Installed package first, a pinned commit second.
set(JSON_Install OFF)
set(EIGEN_BUILD_DOC OFF)
set(EIGEN_BUILD_PKGCONFIG OFF)
FetchContent_Declare(Eigen3
  GIT_REPOSITORY https://gitlab.com/libeigen/eigen.git
  GIT_TAG 3147391d946bb4b6c68edd901f2add6ac1f31f8c  # 3.4.0
  FIND_PACKAGE_ARGS 3.4 NO_MODULE)
FetchContent_Declare(nlohmann_json
  GIT_REPOSITORY https://github.com/nlohmann/json.git
  GIT_TAG 9cca280a4d0ccf0c08f47a99aa71d1b0e52f8d03  # 3.11.3
  FIND_PACKAGE_ARGS 3.11)
FetchContent_Declare(CLI11
  GIT_REPOSITORY https://github.com/CLIUtils/CLI11.git
  GIT_TAG 6c7b07a878ad834957b98d0f9ce1dbe0cb204fc9  # 2.4.2
  FIND_PACKAGE_ARGS 2.1)
FetchContent_MakeAvailable(Eigen3 nlohmann_json CLI11)
if(ATTN_STATIC AND NOT BUILD_SHARED_LIBS)  # the static one need not be relocatable
  set(ZLIB_USE_STATIC_LIBS ON)
  find_package(ZLIB QUIET)
  set(ZLIB_USE_STATIC_LIBS OFF)
endif()
find_package(ZLIB REQUIRED)

if(ATTN_STATIC AND NOT BUILD_SHARED_LIBS)
  set(UTF8PROC_NAMES libutf8proc.a)
endif()
include(${CMAKE_CURRENT_LIST_DIR}/utf8proc.cmake)
if(NOT TARGET utf8proc::utf8proc)
  message(FATAL_ERROR "utf8proc is not installed. Debian and Ubuntu: sudo apt-get install libutf8proc-dev")
endif()
