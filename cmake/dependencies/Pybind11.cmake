# pybind11 for the interpreter named by PYTHON_EXECUTABLE (or Python_EXECUTABLE), else the first python3 found.
if(PYTHON_EXECUTABLE AND NOT Python_EXECUTABLE)
  set(Python_EXECUTABLE ${PYTHON_EXECUTABLE})
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
# The interpreter's own pybind11 first: the wheel is built with that one.
execute_process(COMMAND ${Python_EXECUTABLE} -m pybind11 --cmakedir OUTPUT_VARIABLE pybind11_hint OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
find_package(pybind11 2.10 QUIET CONFIG HINTS ${pybind11_hint})
if(NOT TARGET pybind11::module)
  turnout_fetch(pybind11 v2.13.6 https://github.com/pybind/pybind11.git)
endif()
