# Everything here comes from Debian 12 or Ubuntu 24.04 packages: see the list in ../Makefile.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost REQUIRED)  # Spirit X3: headers only
find_package(PkgConfig REQUIRED)
pkg_check_modules(mpfr REQUIRED IMPORTED_TARGET mpfr)
pkg_check_modules(z3 REQUIRED z3)
# Not linked but loaded by its name when it is first used, which needs functions that are bound when they are
# first called: solver/smt/z3.hpp.
find_library(PTXMC_Z3 z3 HINTS ${z3_LIBRARY_DIRS} REQUIRED)
file(REAL_PATH ${PTXMC_Z3} PTXMC_Z3_FILE)
get_filename_component(PTXMC_Z3_NAME ${PTXMC_Z3_FILE} NAME)
add_library(z3_on_demand INTERFACE)
target_include_directories(z3_on_demand SYSTEM INTERFACE ${z3_INCLUDE_DIRS})
target_link_options(z3_on_demand INTERFACE -Wl,-z,lazy -Wl,-z,dynamic-undefined-weak)
target_link_libraries(z3_on_demand INTERFACE ${CMAKE_DL_LIBS})
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
add_library(tomlplusplus::tomlplusplus ALIAS PkgConfig::tomlplusplus)
