# memshape_find_lit(RESULT): LLVM's test runner, a Python program that Debian puts into llvm-N-tools, in a place of its own per
# release. It knows nothing of a compiler's version: the newest that is here serves all.
function(memshape_find_lit result)
  foreach(version IN LISTS MEMSHAPE_LLVM_FOUND)
    memshape_llvm_root(${version} root)
    foreach(place bin/lit build/utils/lit/lit.py)
      if(EXISTS "${root}/${place}")
        set(${result} "${root}/${place}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  message(FATAL_ERROR "memshape: the tests need LLVM's lit, from the package llvm-N-tools: run scripts/bootstrap")
endfunction()
