# cpack -G DEB: three Debian packages, from the components of MemshapeInstall.cmake.
#
#   memshape           tools        the commands, the plugin, libmemshape.so.0
#   memshape-runtime   runtime      what instrumented programs run with
#   memshape-dev       development  headers, CMake files, static libraries
#
# Their files all begin with memshape_, so that `apt install ./memshape_*.deb` installs the three together.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME memshape)
set(CPACK_PACKAGE_VENDOR memshape)
set(CPACK_PACKAGE_CONTACT "memshape developers <developers@memshape.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tools runtime development)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
                                                WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
find_program(MEMSHAPE_SHLIBDEPS dpkg-shlibdeps)
find_program(MEMSHAPE_DPKG dpkg)
if(MEMSHAPE_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # names the packages of the libraries that ours are linked with
endif()
set(architecture "${CMAKE_SYSTEM_PROCESSOR}")
if(MEMSHAPE_DPKG)
  execute_process(COMMAND "${MEMSHAPE_DPKG}" --print-architecture OUTPUT_VARIABLE architecture OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${architecture}")
set(this_version "(= ${PROJECT_VERSION})")

# Objects are compiled by a clang that has a module here; any one of them will do.
list(TRANSFORM MEMSHAPE_LLVM_FOUND PREPEND "clang-" OUTPUT_VARIABLE compilers)
list(JOIN compilers " | " compilers)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME memshape)
set(CPACK_DEBIAN_TOOLS_FILE_NAME "memshape_${PROJECT_VERSION}_${architecture}.deb")
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "memshape-runtime ${this_version}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "${compilers}, memshape-dev ${this_version}")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "Commands and clang plugin.\n`memshape predict` tells what an operator takes at a shape.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME memshape-runtime)
set(CPACK_DEBIAN_RUNTIME_FILE_NAME "memshape_runtime_${PROJECT_VERSION}_${architecture}.deb")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS memshape)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The runtime of instrumented programs.\nIt counts what each operator allocates.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME memshape-dev)
set(CPACK_DEBIAN_DEVELOPMENT_FILE_NAME "memshape_dev_${PROJECT_VERSION}_${architecture}.deb")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "memshape ${this_version}, memshape-runtime ${this_version}")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers, CMake files and static libraries.\nFor programs that name operators or ask for predictions.")

include(CPack)
