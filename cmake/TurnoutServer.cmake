# The server binary, at the top of the build folder.
file(GLOB main CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/cpp/server/main.cpp)
if(main)
  add_executable(turnout ${main})
  target_link_libraries(turnout PRIVATE turnout::server turnout_warnings)
  set_target_properties(turnout PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  install(TARGETS turnout RUNTIME DESTINATION bin COMPONENT server)
endif()
