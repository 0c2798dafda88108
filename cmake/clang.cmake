# Clang for builds that need its libFuzzer. Debian 12 has it under a versioned name unless `clang` itself is installed.
find_program(TURNOUT_CLANG NAMES clang clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 REQUIRED)
find_program(TURNOUT_CLANGXX NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14 REQUIRED)
set(CMAKE_C_COMPILER ${TURNOUT_CLANG})
set(CMAKE_CXX_COMPILER ${TURNOUT_CLANGXX})
