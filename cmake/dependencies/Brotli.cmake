# Brotli as brotli::dec, and for tests brotli::enc: the libraries that are installed, which Debian packages without a CMake package, else
# a pinned release.
function(turnout_find_brotli part)
  find_path(TURNOUT_BROTLI_INCLUDE_DIR NAMES brotli/decode.h)
  find_library(TURNOUT_BROTLI_${part}_LIBRARY NAMES brotli${part})
  if(TURNOUT_BROTLI_INCLUDE_DIR AND TURNOUT_BROTLI_${part}_LIBRARY)
    add_library(brotli::${part} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(brotli::${part} PROPERTIES
      IMPORTED_LOCATION ${TURNOUT_BROTLI_${part}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${TURNOUT_BROTLI_INCLUDE_DIR})
  endif()
endfunction()

turnout_find_brotli(dec)
if(TURNOUT_DEVELOPER_MODE)
  turnout_find_brotli(enc)
endif()
if(NOT TARGET brotli::dec)
  set(BROTLI_DISABLE_TESTS ON)
  set(BROTLI_BUNDLED_MODE ON)
  turnout_fetch(brotli v1.1.0 https://github.com/google/brotli.git)
  add_library(brotli::dec ALIAS brotlidec)
  add_library(brotli::enc ALIAS brotlienc)
endif()
