/* The compiler's library that walks stacks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   C++ programs have loaded it. For C programs it is loaded when their first instrumented module attaches. Statically
   linked programs do without. */

#include "count/callsite.h"
#include "count/count.h"

#include <dlfcn.h>

void memshape_unwinder_load(void) {
  ++memshape_self.bypass; /* what the loader allocates is not the program's */
  void *library = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library) {
    *(void **)&memshape_unwinder.ip = dlsym(library, "_Unwind_GetIP");
    *(void **)&memshape_unwinder.frame = dlsym(library, "_Unwind_GetCFA");
    *(void **)&memshape_unwinder.walk = dlsym(library, "_Unwind_Backtrace");
  }
  --memshape_self.bypass;
}
