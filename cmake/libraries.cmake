# Everything here comes from Debian 12 or Ubuntu 24.04 packages: see the list in ../Makefile.
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost REQUIRED)  # Spirit X3: headers only
find_package(PkgConfig REQUIRED)
pkg_check_modules(mpfr REQUIRED IMPORTED_TARGET mpfr)
pkg_check_modules(z3 REQUIRED IMPORTED_TARGET z3)
pkg_check_modules(tomlplusplus REQUIRED IMPORTED_TARGET tomlplusplus)
add_library(tomlplusplus::tomlplusplus ALIAS PkgConfig::tomlplusplus)
