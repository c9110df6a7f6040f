"""Builds a package of these sources: conan create tests/consumers/conan -s compiler.cppstd=20

Tried: Conan 2.9 on Linux, static and shared, with the program in test_package. Not tried: a server, a release downloaded
as a recipe of ConanCenter would do it, and systems other than Linux.
"""

from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, rmdir

SOURCES = Path(__file__).resolve().parent.parent.parent.parent


class Strata(ConanFile):
    name = "strata"
    version = "0.1.0"
    license = "MIT"
    description = "Embeddable entity-component runtime built around hierarchies"
    package_type = "library"
    settings = "os", "compiler", "build_type", "arch"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "core/*", "storage/*", "query/*", "hierarchy/*", "include/*"):
            copy(self, pattern, SOURCES, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        rmdir(self, Path(self.package_folder, "lib/cmake"))  # Conan writes its own.
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["strata"]
        self.cpp_info.set_property("cmake_target_name", "strata::strata")
        if self.options.shared:
            self.cpp_info.defines = ["STRATA_SHARED"]
