# What is installed besides the program and the library, and the packages that cpack makes of it all.

# README.md, docs and samples stay beside each other, so that the commands they show work there too.
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs samples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN samples.cmake EXCLUDE)

if(WIN32)
  set(CPACK_GENERATOR ZIP)
else()
  set(CPACK_GENERATOR DEB TGZ)
endif()
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME attn-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_VENDOR "the maintainers of attn")
string(REPLACE ". " ".\n" CPACK_PACKAGE_DESCRIPTION "${ATTN_DESCRIPTION} A C++ library with headers is part of the package.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${CPACK_PACKAGE_VENDOR}")  # they have no address yet
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, libeigen3-dev, zlib1g-dev, libutf8proc-dev")  # to use the library
get_target_property(link_options attn_main LINK_OPTIONS)
if(NOT link_options MATCHES "-static")
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
if(ATTN_NATIVE)
  # A package is installed on other machines, where such a build may not run.
  set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_BINARY_DIR}/no_packages.cmake)
  file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "message(FATAL_ERROR \"This build needs the vector\
 instructions of this machine. For packages: cmake --preset package\")\n")
endif()
include(CPack)
