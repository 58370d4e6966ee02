# Where everything goes under the prefix, and in which package (MemshapePackages.cmake):
#
#   tools        bin/memshape, bin/memshape-report          the commands
#                bin/memshape-rustc                         a wrapper of rustc for cargo
#                libexec/memshape/memshape-skeleton         runs skeletons, away from the commands
#                libexec/memshape/memshape-extractor        makes instrumented object files of bitcode
#                libexec/memshape/memshape-slicer           makes skeletons when they are asked for
#                libexec/memshape/memshape-jit.so           its compiler, for skeletons that bring no machine code
#                lib/memshape, lib/memshape-22*.so, ...     the loader behind -fplugin=memshape and a module per clang
#                lib/memshape-pass.so, lib/memshape-pass-22.so, ...  the same behind -fpass-plugin=, for flang and opt
#                lib/libmemshape.so.0                       the commands' answers, for programs
#                share/man/, share/bash-completion/, share/zsh/, share/fish/, share/doc/memshape/
#   runtime      lib/libmemshape_rt.so                      the runtime
#   development  include/memshape/, lib/cmake/memshape/, lib/libmemshape.so, lib/libmemshape_rt*.a,
#                lib/libmemshape_ooc.a
#
# lib is lib/<multiarch> where the prefix is /usr on Debian: a folder that the loader of programs searches, so that there
# the literal -fplugin=memshape works. The loader finds its modules beside itself, the commands find theirs by ../.
include(CMakePackageConfigHelpers)

set(memshape_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/memshape")

install(TARGETS memshape memshape-report RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
install(PROGRAMS tools/memshape/memshape-rustc DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
install(DIRECTORY "${PROJECT_BINARY_DIR}/share/" DESTINATION "${CMAKE_INSTALL_DATADIR}" COMPONENT tools
        PATTERN pages.stamp EXCLUDE)
install(TARGETS memshape-extractor memshape-skeleton memshape-slicer RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/memshape" COMPONENT tools)
install(TARGETS memshape_jit LIBRARY DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/memshape" COMPONENT tools)
install(TARGETS memshape_loader memshape_pass_loader LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT tools)
foreach(version IN LISTS MEMSHAPE_LLVM_FOUND)
  install(TARGETS memshape_plugin_${version} memshape_gate_${version} memshape_pass_${version}
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT tools)
endforeach()

set_target_properties(memshape_rt PROPERTIES EXPORT_NAME rt)
set_target_properties(memshape_rt_static PROPERTIES EXPORT_NAME rt_static)
set_target_properties(memshape_rt_wrapped PROPERTIES EXPORT_NAME rt_wrapped)
set_target_properties(memshape_headers PROPERTIES EXPORT_NAME headers)
set_target_properties(memshape_ooc PROPERTIES EXPORT_NAME out_of_core)
install(TARGETS memshape_rt EXPORT memshapeTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS memshape_library EXPORT memshapeTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT tools NAMELINK_COMPONENT development
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(TARGETS memshape_rt_static memshape_rt_wrapped memshape_headers memshape_ooc EXPORT memshapeTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY runtime/include/memshape libmemshape/include/memshape out_of_core/include/memshape
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development FILES_MATCHING PATTERN "*.h")

install(EXPORT memshapeTargets NAMESPACE memshape:: DESTINATION "${memshape_package_dir}" COMPONENT development)
configure_package_config_file(cmake/memshapeConfig.cmake.in "${PROJECT_BINARY_DIR}/cmake/memshapeConfig.cmake"
                              INSTALL_DESTINATION "${memshape_package_dir}"
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/memshapeConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/memshapeConfig.cmake" "${PROJECT_BINARY_DIR}/cmake/memshapeConfigVersion.cmake"
              cmake/MemshapeInstrument.cmake cmake/MemshapeCheck.cmake cmake/MemshapeEmit.cmake
        DESTINATION "${memshape_package_dir}" COMPONENT development)

install(FILES README.md LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tools)
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tools PATTERN "*.md" PATTERN "*.json" PATTERN "*.svg")

if(PROJECT_IS_TOP_LEVEL)
  include(MemshapePackages)
endif()
