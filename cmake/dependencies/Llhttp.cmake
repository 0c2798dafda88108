# llhttp as llhttp::turnout, included as <llhttp.h>: its CMake package (Debian 13 and others), else the sources that Debian 12 ships
# in node-llhttp, else a pinned release.
find_package(llhttp QUIET CONFIG) # its package has no version file, so asking for a version would find none
if(NOT llhttp_FOUND)
  find_path(TURNOUT_LLHTTP_SOURCE_DIR NAMES llhttp.c api.c http.c PATHS /usr/share/llhttp NO_DEFAULT_PATH)
  find_path(TURNOUT_LLHTTP_INCLUDE_DIR NAMES llhttp.h PATHS /usr/share/include/llhttp NO_DEFAULT_PATH)
  if(TURNOUT_LLHTTP_SOURCE_DIR AND TURNOUT_LLHTTP_INCLUDE_DIR)
    add_library(turnout_llhttp STATIC
      ${TURNOUT_LLHTTP_SOURCE_DIR}/llhttp.c ${TURNOUT_LLHTTP_SOURCE_DIR}/api.c ${TURNOUT_LLHTTP_SOURCE_DIR}/http.c)
    # 8.x is loose unless told otherwise, and loose means request smuggling. 9.x ignores the macro.
    target_compile_definitions(turnout_llhttp PUBLIC LLHTTP_STRICT_MODE=1)
    target_compile_options(turnout_llhttp PRIVATE -O2 -w)
    target_include_directories(turnout_llhttp SYSTEM PUBLIC ${TURNOUT_LLHTTP_INCLUDE_DIR})
    add_library(llhttp::llhttp ALIAS turnout_llhttp)
  else()
    set(BUILD_STATIC_LIBS ON)
    turnout_fetch(llhttp release/v9.2.1 https://github.com/nodejs/llhttp.git)
  endif()
endif()

add_library(turnout_llhttp_any INTERFACE)
foreach(candidate llhttp::llhttp llhttp::llhttp_static llhttp::llhttp_shared llhttp_static llhttp_shared)
  if(TARGET ${candidate})
    target_link_libraries(turnout_llhttp_any INTERFACE ${candidate})
    add_library(llhttp::turnout ALIAS turnout_llhttp_any)
    break()
  endif()
endforeach()
if(NOT TARGET llhttp::turnout)
  message(FATAL_ERROR "turnout: llhttp was found, but exports none of the targets that are known here")
endif()
