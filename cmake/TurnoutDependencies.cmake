# Every dependency: the installed one if there is one, else a pinned release by FetchContent. Their headers are SYSTEM, so our
# warnings do not reach them.
include(FetchContent)
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED) # no fetch: its build is not CMake, and every platform packages it
find_package(SQLite3 REQUIRED) # as OpenSSL
find_package(ZLIB REQUIRED) # as OpenSSL

# turnout_fetch(NAME tag repository): builds a pinned release as static libraries, without its tests and its install rules.
macro(turnout_fetch name tag repository)
  message(STATUS "turnout: ${name} is not installed, fetching ${tag}")
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_TESTING OFF)
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag} GIT_SHALLOW ON SYSTEM EXCLUDE_FROM_ALL)
  FetchContent_MakeAvailable(${name})
endmacro()

include(dependencies/Boost)
include(dependencies/Llhttp)
include(dependencies/CAres)
include(dependencies/Brotli)
include(dependencies/Wslay)

find_package(simdjson QUIET CONFIG) # its package takes another minor version for incompatible; 3.0 and newer will do
if(NOT TARGET simdjson::simdjson)
  set(SIMDJSON_DEVELOPER_MODE OFF)
  turnout_fetch(simdjson v3.12.3 https://github.com/simdjson/simdjson.git)
endif()

find_package(yaml-cpp QUIET CONFIG) # as simdjson; 0.7 and newer will do
if(NOT TARGET yaml-cpp AND NOT TARGET yaml-cpp::yaml-cpp)
  set(YAML_CPP_BUILD_TOOLS OFF)
  set(YAML_CPP_BUILD_TESTS OFF)
  turnout_fetch(yaml-cpp 0.8.0 https://github.com/jbeder/yaml-cpp.git)
endif()
if(NOT TARGET yaml-cpp::yaml-cpp) # 0.7 exports the bare name only
  add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()

find_package(nlohmann_json 3.11 QUIET CONFIG)
if(NOT TARGET nlohmann_json::nlohmann_json)
  set(JSON_BuildTests OFF)
  turnout_fetch(nlohmann_json v3.11.3 https://github.com/nlohmann/json.git)
endif()

find_package(CLI11 2.1 QUIET CONFIG)
if(NOT TARGET CLI11::CLI11)
  set(CLI11_BUILD_TESTS OFF)
  set(CLI11_BUILD_EXAMPLES OFF)
  turnout_fetch(CLI11 v2.4.2 https://github.com/CLIUtils/CLI11.git)
endif()

if(TURNOUT_DEVELOPER_MODE)
  find_package(GTest 1.12 QUIET CONFIG)
  if(NOT TARGET GTest::gmock_main)
    set(INSTALL_GTEST OFF)
    turnout_fetch(googletest v1.15.2 https://github.com/google/googletest.git)
  endif()
endif()

if(TURNOUT_BENCHMARKS)
  find_package(benchmark 1.7 QUIET CONFIG)
  if(NOT TARGET benchmark::benchmark)
    set(BENCHMARK_ENABLE_TESTING OFF)
    set(BENCHMARK_ENABLE_INSTALL OFF)
    turnout_fetch(benchmark v1.8.5 https://github.com/google/benchmark.git)
  endif()
endif()

if(TURNOUT_PYTHON)
  include(dependencies/Pybind11)
endif()
