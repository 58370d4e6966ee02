# memshape_emit(TARGET <target> OPERATOR <name> HEADER <file> [CHECK] [LANGUAGE c|python] [ARGUMENTS <argument>...])
#
# Writes the memory of an operator as a header (memshape emit) when <target>, in which the operator is compiled with memshape,
# is built. A relative <file> is one of the binary folder. Who includes it links the target that is called as the file is, without
# its suffix: target_link_libraries(app PRIVATE smooth_memory) for HEADER smooth_memory.h.
#
# With CHECK, <file> is kept with the sources: a relative one is one of the source folder. The test memshape-emit-<name of the
# file> fails where it is not what would be written now, and the target memshape-update-<name of the file> writes it anew. That
# is also for a header that <target> itself includes.
include_guard(GLOBAL)

function(memshape_emit)
  cmake_parse_arguments(PARSE_ARGV 0 use "CHECK" "TARGET;OPERATOR;HEADER;LANGUAGE" "ARGUMENTS")
  foreach(part TARGET OPERATOR HEADER)
    if(NOT use_${part})
      message(FATAL_ERROR "memshape_emit: ${part} is missing, as in TARGET filters OPERATOR smooth HEADER smooth_memory.h")
    endif()
  endforeach()
  if(use_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "memshape_emit(${use_HEADER}): unknown arguments: ${use_UNPARSED_ARGUMENTS}")
  endif()
  memshape_files_of(memshape_emit ${use_TARGET} files)
  memshape_command(${use_TARGET} command)
  if(use_CHECK)
    set(base "${CMAKE_CURRENT_SOURCE_DIR}")
  else()
    set(base "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  cmake_path(ABSOLUTE_PATH use_HEADER BASE_DIRECTORY "${base}" NORMALIZE)
  cmake_path(GET use_HEADER STEM name)
  if(NOT use_LANGUAGE)
    set(use_LANGUAGE c)
  endif()
  set(emit "${command}" emit ${files} --operator "${use_OPERATOR}" --language ${use_LANGUAGE} ${use_ARGUMENTS} -o "${use_HEADER}")
  if(use_CHECK)
    add_test(NAME memshape-emit-${name} COMMAND ${emit} --check COMMAND_EXPAND_LISTS)
    add_custom_target(memshape-update-${name} COMMAND ${emit} COMMENT "Memory of ${use_OPERATOR}: ${use_HEADER}"
                      COMMAND_EXPAND_LISTS VERBATIM)
    add_dependencies(memshape-update-${name} ${use_TARGET})
    return()
  endif()
  add_custom_command(OUTPUT "${use_HEADER}" COMMAND ${emit} DEPENDS ${use_TARGET}
                     COMMENT "Memory of ${use_OPERATOR}: ${use_HEADER}" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(memshape-emit-${name} ALL DEPENDS "${use_HEADER}")
  cmake_path(GET use_HEADER PARENT_PATH folder)
  add_library(${name} INTERFACE)
  add_dependencies(${name} memshape-emit-${name})
  target_include_directories(${name} INTERFACE "${folder}")
endfunction()
