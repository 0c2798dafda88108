# TURNOUT_SANITIZE reaches everything built here, fetched dependencies included: a sanitizer that sees half a program lies.
set(TURNOUT_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize takes them")
if(TURNOUT_SANITIZE)
  add_compile_options(-fsanitize=${TURNOUT_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${TURNOUT_SANITIZE})
endif()
