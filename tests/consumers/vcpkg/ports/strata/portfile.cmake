# An overlay port that builds these sources: vcpkg install strata --overlay-ports=tests/consumers/vcpkg/ports
# A port of the registry downloads a release instead of setting SOURCE_PATH:
#   vcpkg_from_github(OUT_SOURCE_PATH SOURCE_PATH REPO <owner>/strata REF v${VERSION} SHA512 <sum>)
#
# Tried: vcpkg's CMake scripts of August 2026 build the release half of this port for x64-linux, and a program finds the
# package. Not tried: the vcpkg tool itself, which downloads from its servers; debug libraries; any other triplet.
set(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../../..")

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/strata)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
