/* Libraries that follow each other at one address.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* reload LIBRARY... */

#define _GNU_SOURCE
#include "instrumented.h"

#include <dlfcn.h>
#include <stdio.h>

int main(int count, char **libraries) {
  ENTER("work", count);
  void *at = NULL;
  for (int i = 1; i < count; ++i) {
    void *library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    void *(*makes)(size_t) = NULL;
    if (library)
      *(void **)&makes = dlsym(library, "libraryMakes");
    if (!makes)
      return 1;
    if (at && at != *(void **)&makes)
      fprintf(stderr, "apart\n");
    at = *(void **)&makes;
    makes((size_t)(20000 * i));
    dlclose(library);
  }
  LEAVE;
  return 0;
}
