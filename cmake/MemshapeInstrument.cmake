# What a project that uses memshape sees: the target memshape::instrument and the function memshape_operator(). Read by
# the installed package and by a tree that holds memshape as a subdirectory.
#
# Before: MEMSHAPE_PLUGIN      the loader: a path or a generator expression
#         MEMSHAPE_CLANG_VERSIONS   major versions of clang that have a module
#         target memshape::rt       the runtime, and memshape::headers: <memshape/operator.h>
include_guard(GLOBAL)
set_property(GLOBAL PROPERTY MEMSHAPE_CLANG_VERSIONS "${MEMSHAPE_CLANG_VERSIONS}")

add_library(memshape_instrument INTERFACE)
add_library(memshape::instrument ALIAS memshape_instrument)
foreach(language C CXX)
  target_compile_options(memshape_instrument INTERFACE
                         "$<$<COMPILE_LANG_AND_ID:${language},Clang>:-fplugin=${MEMSHAPE_PLUGIN}>")
endforeach()
# The hooks are weak references, which alone do not make a linker keep the library.
target_link_libraries(memshape_instrument INTERFACE memshape::headers
                      "-Wl,--push-state,--no-as-needed" memshape::rt "-Wl,--pop-state")

# memshape_compiler_problem(<result>): what is wrong with this project's compilers, "" if nothing.
function(memshape_compiler_problem result)
  get_property(versions GLOBAL PROPERTY MEMSHAPE_CLANG_VERSIONS)
  list(JOIN versions " or " wanted)
  set(problem "")
  foreach(language C CXX)
    if(NOT CMAKE_${language}_COMPILER_LOADED)
      continue()
    endif()
    string(REGEX MATCH "^[0-9]+" major "${CMAKE_${language}_COMPILER_VERSION}")
    if(NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang")
      string(APPEND problem "the ${language} compiler is ${CMAKE_${language}_COMPILER_ID}; memshape needs clang ${wanted}. ")
    elseif(NOT major IN_LIST versions)
      string(APPEND problem "the ${language} compiler is clang ${major}; this memshape has modules for clang ${wanted}. ")
    endif()
  endforeach()
  set(${result} "${problem}" PARENT_SCOPE)
endfunction()

# memshape_operator(<target> <name>...): compiles <target> with memshape and describes the functions called <name>: a C name, a
# qualified C++ name, or * for every externally visible function with an integer parameter.
function(memshape_operator target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "memshape_operator: there is no target '${target}'")
  endif()
  if(NOT ARGN)
    message(FATAL_ERROR "memshape_operator(${target}): name at least one operator, or *")
  endif()
  memshape_compiler_problem(problem)
  if(problem)
    message(FATAL_ERROR "memshape_operator(${target}): ${problem}")
  endif()
  foreach(name IN LISTS ARGN)
    string(REPLACE ">" "$<ANGLE-R>" name "${name}")
    string(REPLACE "," "$<COMMA>" name "${name}")
    foreach(language C CXX)
      target_compile_options(${target} PRIVATE
                             "$<$<COMPILE_LANG_AND_ID:${language},Clang>:-fplugin-arg-memshape-operator=${name}>")
    endforeach()
  endforeach()
  # The property, not target_link_libraries(): it fits both of that command's signatures.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES memshape::instrument)
endfunction()
