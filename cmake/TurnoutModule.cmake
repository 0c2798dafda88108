# One static library per folder of cpp/, linked only to what its layer may use.
set(TURNOUT_STANDARD_HEADERS
  <algorithm> <array> <charconv> <chrono> <cstdint> <functional> <memory> <optional> <span> <string> <string_view>
  <utility> <variant> <vector>)
set(TURNOUT_SOCKET_HEADERS <boost/asio/io_context.hpp> <boost/asio/ip/tcp.hpp> <boost/asio/post.hpp>
  <boost/container/small_vector.hpp> <boost/intrusive/list.hpp> <boost/smart_ptr/intrusive_ptr.hpp>)

function(turnout_module name)
  cmake_parse_arguments(ARG "" "" "LINK;PRECOMPILE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cpp/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(sources)
    add_library(turnout_${name} STATIC ${sources})
    target_include_directories(turnout_${name} PUBLIC ${CMAKE_SOURCE_DIR}/cpp)
    target_link_libraries(turnout_${name} PUBLIC ${ARG_LINK} PRIVATE turnout_warnings)
    if(TURNOUT_PRECOMPILED_HEADERS)
      target_precompile_headers(turnout_${name} PRIVATE ${TURNOUT_STANDARD_HEADERS} ${ARG_PRECOMPILE})
    endif()
  else()
    add_library(turnout_${name} INTERFACE)
    target_include_directories(turnout_${name} INTERFACE ${CMAKE_SOURCE_DIR}/cpp)
    target_link_libraries(turnout_${name} INTERFACE ${ARG_LINK})
  endif()
  add_library(turnout::${name} ALIAS turnout_${name})
endfunction()
