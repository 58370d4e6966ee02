# How memshape's own code is compiled, and how the LLVM releases beside each other are found.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)

# Everything a user runs or loads lies where the installed tree has it too, so that the tools find their parts by the
# same relative path in the build tree and after installation.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_BINDIR}")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}")

find_program(MEMSHAPE_CCACHE ccache)
if(MEMSHAPE_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_C_COMPILER_LAUNCHER "${MEMSHAPE_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MEMSHAPE_CCACHE}")
endif()

add_library(memshape_warnings INTERFACE)
target_compile_options(memshape_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-unused-parameter)

# memshape_room(NAME [SOURCE...]): the library memshape_NAME of all sources in this folder and below it, and of further ones.
function(memshape_room name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(memshape_${name} STATIC ${sources} ${ARGN})
endfunction()

# memshape_sanitize_below(): everything this directory adds from here on is built with MEMSHAPE_SANITIZE. A macro, because the
# properties are those of the calling directory and are handed on to the subdirectories added later.
macro(memshape_sanitize_below)
  if(MEMSHAPE_SANITIZE)
    add_compile_options(-fsanitize=${MEMSHAPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -gline-tables-only)
    add_link_options(-fsanitize=${MEMSHAPE_SANITIZE})
  endif()
endmacro()

# memshape_llvm_root(VERSION RESULT): where a release lives: MEMSHAPE_LLVM_ROOT_<VERSION>, or Debian's place for it.
function(memshape_llvm_root version result)
  if(MEMSHAPE_LLVM_ROOT_${version})
    set(${result} "${MEMSHAPE_LLVM_ROOT_${version}}" PARENT_SCOPE)
  else()
    set(${result} "/usr/lib/llvm-${version}" PARENT_SCOPE)
  endif()
endfunction()

# memshape_detect_llvm(): which of MEMSHAPE_LLVM_VERSIONS have development files here.
#   sets MEMSHAPE_LLVM_FOUND (newest first) and MEMSHAPE_TOOLS_LLVM_VERSION.
macro(memshape_detect_llvm)
  set(MEMSHAPE_LLVM_FOUND)
  foreach(version IN LISTS MEMSHAPE_LLVM_VERSIONS)
    memshape_llvm_root(${version} _memshape_root)
    if(EXISTS "${_memshape_root}/lib/cmake/clang/ClangConfig.cmake")
      list(APPEND MEMSHAPE_LLVM_FOUND ${version})
    else()
      message(STATUS "memshape: no clang ${version} development files; its plugin module is left out")
    endif()
  endforeach()
  if(NOT MEMSHAPE_LLVM_FOUND)
    message(FATAL_ERROR "memshape needs the development files of clang 22 or 19: run scripts/bootstrap")
  endif()
  list(SORT MEMSHAPE_LLVM_FOUND COMPARE NATURAL ORDER DESCENDING)
  if(NOT MEMSHAPE_TOOLS_LLVM_VERSION)
    list(GET MEMSHAPE_LLVM_FOUND 0 MEMSHAPE_TOOLS_LLVM_VERSION)
  endif()
endmacro()

# memshape_find_llvm(VERSION): find_package(LLVM) and find_package(Clang) of one release for the calling directory alone.
# Imported targets are visible per directory, so two releases live side by side in one tree.
macro(memshape_find_llvm version)
  memshape_llvm_root(${version} _memshape_root)
  set(LLVM_DIR "${_memshape_root}/lib/cmake/llvm")
  set(Clang_DIR "${_memshape_root}/lib/cmake/clang")
  set(LibEdit_FIND_QUIETLY ON) # LLVM looks for it on its own behalf, and does well without
  find_package(LLVM REQUIRED CONFIG)
  find_package(Clang REQUIRED CONFIG)
  if(NOT LLVM_VERSION_MAJOR EQUAL ${version})
    message(FATAL_ERROR "memshape: ${LLVM_DIR} holds LLVM ${LLVM_VERSION_MAJOR}, not ${version}")
  endif()
  set(MEMSHAPE_LLVM_TOOLS_DIR "${_memshape_root}/bin")
endmacro()

# memshape_llvm_target(TARGET): compile TARGET against the LLVM that memshape_find_llvm() found.
function(memshape_llvm_target target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(${target} PRIVATE ${definitions})
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>)
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
  endif()
endfunction()
