# cmake -DSOURCE=FOLDER -DHEADER=FILE -P MemshapeRevision.cmake: writes the commit of FOLDER to FILE, where it differs from what
# FILE says. "unknown" without git, and where FOLDER is not the root of a repository, as in an unpacked archive.
set(commit unknown)
set(modified false)
find_program(GIT git)
if(GIT)
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" rev-parse --show-prefix --short=12 HEAD
                  OUTPUT_VARIABLE told ERROR_QUIET RESULT_VARIABLE status)
  # First the path from the root of the repository, which is an empty line.
  if(status EQUAL 0 AND told MATCHES "^\n([0-9a-f]+)\n$")
    set(commit "${CMAKE_MATCH_1}")
    execute_process(COMMAND "${GIT}" -C "${SOURCE}" --no-optional-locks status --porcelain --untracked-files=no
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      set(modified true)
    endif()
  endif()
endif()
set(text "#define MEMSHAPE_COMMIT \"${commit}\"\n#define MEMSHAPE_MODIFIED ${modified}\n")
set(before "")
if(EXISTS "${HEADER}")
  file(READ "${HEADER}" before)
endif()
if(NOT text STREQUAL before)
  file(WRITE "${HEADER}" "${text}")
endif()
