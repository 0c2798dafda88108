add_library(turnout_warnings INTERFACE)
target_compile_options(turnout_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough -Wswitch-enum)
if(TURNOUT_UNITY_BUILD)
  # Of names of other files in the unit; dev builds warn of those in one file.
  target_compile_options(turnout_warnings INTERFACE -Wno-shadow)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT TURNOUT_WARNINGS_AS_ERRORS)
  # GCC 12 takes what it inlined of std::string and of shared objects for errors, and a unit's second file for a header.
  target_compile_options(turnout_warnings INTERFACE
    -Wno-restrict -Wno-maybe-uninitialized -Wno-use-after-free -Wno-subobject-linkage)
endif()
if(TURNOUT_WARNINGS_AS_ERRORS)
  target_compile_options(turnout_warnings INTERFACE -Werror)
endif()
