# SPDX-License-Identifier: MIT
#
# What `make install` puts where: both libraries, the public headers, the
# command and its worker, and the two files by which others find them (pkg-config, CMake).

include(CMakePackageConfigHelpers)

install(TARGETS codemode EXPORT codemode-targets
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/codemode DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET codemode_program)
	install(TARGETS codemode_program codemode_net codemode_worker
		RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

file(RELATIVE_PATH up_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
	${CMAKE_INSTALL_PREFIX})
configure_file(tool/codemode.pc.in codemode.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/codemode.pc
	DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/codemode)
configure_package_config_file(tool/codemode-config.cmake.in
	codemode-config.cmake INSTALL_DESTINATION ${package_dir}
	PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/codemode-config-version.cmake
	COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/codemode-config.cmake
	${CMAKE_BINARY_DIR}/codemode-config-version.cmake
	DESTINATION ${package_dir})
install(EXPORT codemode-targets NAMESPACE codemode::
	FILE codemode-targets.cmake DESTINATION ${package_dir})
