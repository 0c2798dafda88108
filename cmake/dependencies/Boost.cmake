# Boost's headers (Asio, System) as Boost::headers. 1.81 is the first release whose coroutine and cancellation parts we need.
if(POLICY CMP0167)
  cmake_policy(SET CMP0167 NEW)
endif()
find_package(Boost 1.81 QUIET CONFIG)
if(NOT TARGET Boost::headers)
  message(STATUS "turnout: Boost 1.81 or newer is not installed, fetching 1.81.0")
  FetchContent_Declare(boost
    URL https://archives.boost.io/release/1.81.0/source/boost_1_81_0.tar.bz2
    URL_HASH SHA256=71feeed900fbccca04a3b4f2f84a7c217186f28a940ed8b7ed4725986baf99fa
    DOWNLOAD_EXTRACT_TIMESTAMP OFF
    SOURCE_SUBDIR no-build) # the headers are enough
  FetchContent_MakeAvailable(boost)
  add_library(turnout_boost_headers INTERFACE)
  target_include_directories(turnout_boost_headers SYSTEM INTERFACE ${boost_SOURCE_DIR})
  add_library(Boost::headers ALIAS turnout_boost_headers)
endif()
