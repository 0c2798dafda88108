# Developers rebuild the same files in many build folders; a user who builds once gains nothing.
if(TURNOUT_DEVELOPER_MODE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TURNOUT_CCACHE ccache)
  mark_as_advanced(TURNOUT_CCACHE)
  if(TURNOUT_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER ${TURNOUT_CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${TURNOUT_CCACHE})
  endif()
endif()
