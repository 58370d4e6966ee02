# memshape::instrument and memshape_operator() inside this tree, for the examples, the tests and for projects that hold memshape
# as a subdirectory.

set(MEMSHAPE_PLUGIN "$<TARGET_FILE:memshape_loader>")
set(MEMSHAPE_CLANG_VERSIONS "${MEMSHAPE_LLVM_FOUND}")
if(NOT TARGET memshape::headers)
  add_library(memshape::headers ALIAS memshape_headers)
endif()
include(MemshapeInstrument)
include(MemshapeCheck)
include(MemshapeEmit)

# What is compiled with the flag waits for the modules: CMake hands an interface library's dependencies on to its users.
# ccache and build systems watch the file behind -fplugin=, which is the loader: it is made to age with its modules, or objects
# of an older module would be taken for fresh.
list(TRANSFORM MEMSHAPE_LLVM_FOUND PREPEND memshape_plugin_ OUTPUT_VARIABLE memshape_module_targets)
add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/modules.stamp"
                   COMMAND "${CMAKE_COMMAND}" -E touch "${PROJECT_BINARY_DIR}/modules.stamp" "$<TARGET_FILE:memshape_loader>"
                   DEPENDS memshape_loader ${memshape_module_targets} VERBATIM)
add_custom_target(memshape_modules DEPENDS "${PROJECT_BINARY_DIR}/modules.stamp")
add_dependencies(memshape_instrument memshape_modules)
