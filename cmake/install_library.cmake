# The shared library, and what other projects need to find it: the header, files for find_package(ptxmc), and for
# pkg-config. The header needs no other library; libptxmc.so is linked with what it uses, and with Z3, since programs
# that load it may bind all symbols at once.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(ptxmc_shared SHARED ${PROJECT_SOURCE_DIR}/include/ptxmc.hpp)
add_library(ptxmc::ptxmc ALIAS ptxmc_shared)
set_target_properties(ptxmc_shared PROPERTIES
  LINKER_LANGUAGE CXX OUTPUT_NAME ptxmc EXPORT_NAME ptxmc
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_compile_features(ptxmc_shared INTERFACE cxx_std_20)
target_include_directories(ptxmc_shared INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(ptxmc_shared PRIVATE $<BUILD_INTERFACE:$<LINK_LIBRARY:WHOLE_ARCHIVE,ptxmc_library>>)
target_link_options(ptxmc_shared PRIVATE
  LINKER:--push-state LINKER:--no-as-needed ${PTXMC_Z3} LINKER:--pop-state)

install(TARGETS ptxmc_shared EXPORT ptxmc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(FILES include/ptxmc.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/ptxmc)
install(EXPORT ptxmc FILE ptxmcConfig.cmake NAMESPACE ptxmc:: DESTINATION ${package} COMPONENT library)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ptxmcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ptxmcConfigVersion.cmake DESTINATION ${package} COMPONENT library)
file(RELATIVE_PATH up_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/ptxmc.pc.in ${PROJECT_BINARY_DIR}/ptxmc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ptxmc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT library)
