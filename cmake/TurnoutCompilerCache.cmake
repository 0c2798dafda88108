# ccache where it is installed, unless the caller chose a launcher. Paths count relative to the checkout, so that another
# clone of the same sources finds what this one compiled.
find_program(TURNOUT_CCACHE ccache)
if(TURNOUT_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${TURNOUT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
