# wslay as wslay::turnout, included as <wslay/wslay.h>: the library that Debian packages, whose CMake targets differ by version, else a
# pinned release.
find_path(TURNOUT_WSLAY_INCLUDE_DIR NAMES wslay/wslay.h)
find_library(TURNOUT_WSLAY_LIBRARY NAMES wslay)
if(TURNOUT_WSLAY_INCLUDE_DIR AND TURNOUT_WSLAY_LIBRARY)
  add_library(wslay::turnout UNKNOWN IMPORTED)
  set_target_properties(wslay::turnout PROPERTIES
    IMPORTED_LOCATION ${TURNOUT_WSLAY_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${TURNOUT_WSLAY_INCLUDE_DIR})
else()
  set(WSLAY_STATIC ON)
  set(WSLAY_SHARED OFF)
  set(WSLAY_TESTS OFF)
  set(WSLAY_EXAMPLES OFF)
  set(WSLAY_CONFIGURE_INSTALL OFF)
  turnout_fetch(wslay release-1.1.1 https://github.com/tatsuhiro-t/wslay.git)
  add_library(wslay::turnout ALIAS wslay)
endif()
