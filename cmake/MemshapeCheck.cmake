# memshape_check(<target> [BASELINE <file>] [CONTRACTS] [TOLERANCE <5%>] [SOURCE_ROOT <folder>] [ARGUMENTS <argument>...])
#
# Adds the test memshape-check-<target>: `memshape check` of what <target> builds, against the baseline, and the target
# memshape-update-<target>, which writes the baseline anew. With CONTRACTS it checks what the sources promise, too, or alone. <target> is an executable, a library or an object library that is
# compiled with memshape (memshape::instrument, memshape_operator()). A relative <file> is one of the source folder. With
# -DMEMSHAPE_CHECK_FORMAT=github, or sarif, the test prints that.
#
# A tree that holds memshape can name an installed command with -DMEMSHAPE_EXECUTABLE=FILE; else it builds its own.
include_guard(GLOBAL)
set_property(GLOBAL PROPERTY MEMSHAPE_EXECUTABLE "${MEMSHAPE_EXECUTABLE}")
set(MEMSHAPE_CHECK_FORMAT "text" CACHE STRING "What tests of memshape_check() print: text, json, markdown, sarif, github, gitlab or junit")

# What <target> builds, for the command; <caller> is named in messages.
function(memshape_files_of caller target result)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${caller}: there is no target '${target}'")
  endif()
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL "OBJECT_LIBRARY")
    set(${result} "$<TARGET_OBJECTS:${target}>" PARENT_SCOPE)
  elseif(kind STREQUAL "INTERFACE_LIBRARY")
    message(FATAL_ERROR "${caller}(${target}): an interface library builds nothing to look at")
  else()
    set(${result} "$<TARGET_FILE:${target}>" PARENT_SCOPE)
  endif()
endfunction()

# The command memshape, there before <target> is.
function(memshape_command target result)
  get_property(command GLOBAL PROPERTY MEMSHAPE_EXECUTABLE)
  if(NOT command)
    # In a tree that holds memshape nobody else may have asked for the command.
    set(command "$<TARGET_FILE:memshape>")
    add_dependencies(${target} memshape)
  endif()
  set(${result} "${command}" PARENT_SCOPE)
endfunction()

function(memshape_check target)
  cmake_parse_arguments(PARSE_ARGV 1 use "CONTRACTS" "BASELINE;TOLERANCE;SOURCE_ROOT" "ARGUMENTS")
  if(NOT use_BASELINE AND NOT use_CONTRACTS)
    message(FATAL_ERROR "memshape_check(${target}): name the baseline, as in BASELINE memshape.lock, or CONTRACTS")
  endif()
  if(use_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "memshape_check(${target}): unknown arguments: ${use_UNPARSED_ARGUMENTS}")
  endif()
  memshape_files_of(memshape_check ${target} files)
  if(NOT use_SOURCE_ROOT)
    set(use_SOURCE_ROOT "${CMAKE_SOURCE_DIR}")
  endif()
  set(options --source-root "${use_SOURCE_ROOT}" ${use_ARGUMENTS})
  if(use_BASELINE)
    cmake_path(ABSOLUTE_PATH use_BASELINE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    list(APPEND options --baseline "${use_BASELINE}")
  endif()
  if(use_CONTRACTS)
    set(contracts --contracts)
  endif()
  if(use_TOLERANCE)
    list(APPEND options --tolerance "${use_TOLERANCE}")
  endif()
  memshape_command(${target} command)
  add_test(NAME memshape-check-${target}
           COMMAND "${command}" check ${options} ${contracts} --format "${MEMSHAPE_CHECK_FORMAT}" "${files}" COMMAND_EXPAND_LISTS)
  if(NOT use_BASELINE)
    return()
  endif()
  add_custom_target(memshape-update-${target} COMMAND "${command}" check ${options} --update "${files}"
                    COMMENT "Baseline of ${target}: ${use_BASELINE}" COMMAND_EXPAND_LISTS VERBATIM)
  add_dependencies(memshape-update-${target} ${target})
endfunction()
