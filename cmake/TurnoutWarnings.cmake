add_library(turnout_warnings INTERFACE)
target_compile_options(turnout_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough -Wswitch-enum)
if(TURNOUT_WARNINGS_AS_ERRORS)
  target_compile_options(turnout_warnings INTERFACE -Werror)
endif()
