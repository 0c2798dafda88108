# c-ares as c-ares::cares, included as <ares.h>: its CMake package (Debian 13 and others), else the library that Debian 12 packages
# without one, else a pinned release.
find_package(c-ares QUIET CONFIG)
if(NOT TARGET c-ares::cares)
  find_path(TURNOUT_CARES_INCLUDE_DIR NAMES ares.h)
  find_library(TURNOUT_CARES_LIBRARY NAMES cares)
  if(TURNOUT_CARES_INCLUDE_DIR AND TURNOUT_CARES_LIBRARY)
    add_library(c-ares::cares UNKNOWN IMPORTED)
    set_target_properties(c-ares::cares PROPERTIES
      IMPORTED_LOCATION ${TURNOUT_CARES_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${TURNOUT_CARES_INCLUDE_DIR})
  else()
    set(CARES_STATIC ON)
    set(CARES_SHARED OFF)
    set(CARES_INSTALL OFF)
    set(CARES_BUILD_TOOLS OFF)
    turnout_fetch(c-ares v1.34.5 https://github.com/c-ares/c-ares.git)
  endif()
endif()
