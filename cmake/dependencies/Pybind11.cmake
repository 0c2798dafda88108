# pybind11 for the interpreter named by PYTHON_EXECUTABLE (or Python_EXECUTABLE), else the first python3 found.
if(PYTHON_EXECUTABLE AND NOT Python_EXECUTABLE)
  set(Python_EXECUTABLE ${PYTHON_EXECUTABLE})
endif()
find_package(Python 3.11 REQUIRED COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 QUIET CONFIG)
if(NOT TARGET pybind11::module)
  turnout_fetch(pybind11 v2.13.6 https://github.com/pybind/pybind11.git)
endif()
