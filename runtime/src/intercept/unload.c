/* dlclose.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Threads remember which library an address belongs to. After dlclose, another library may be loaded at that address,
   so the memory of it is dropped. */

#include "count/sites.h"

#include <dlfcn.h>

__attribute__((visibility("default"))) int dlclose(void *handle) {
  static int (*next)(void *);
  int (*found)(void *) = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (!found) {
    *(void **)&found = dlsym(RTLD_NEXT, "dlclose");
    __atomic_store_n(&next, found, __ATOMIC_RELAXED);
  }
  int status = found(handle);
  memshape_sites_moved();
  return status;
}
