add_library(turnout_warnings INTERFACE)
target_compile_options(turnout_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough -Wswitch-enum)
if(TURNOUT_WARNINGS_AS_ERRORS)
  target_compile_options(turnout_warnings INTERFACE -Werror)
endif()

# For what is compiled many files at a time, behind those: -Wshadow would tell of names of other files, and GCC 12 takes a
# unit's second file for a header and what it inlined for errors. Dev builds, whose warnings are errors, keep all.
add_library(turnout_unity_warnings INTERFACE)
target_link_libraries(turnout_unity_warnings INTERFACE turnout_warnings)
target_compile_options(turnout_unity_warnings INTERFACE -Wno-shadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(turnout_unity_warnings INTERFACE
    -Wno-restrict -Wno-maybe-uninitialized -Wno-use-after-free -Wno-subobject-linkage)
endif()
