/* Functions that the program fetches itself.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   by_name LIBRARY: takes cudaMalloc from it by dlsym, as a binding for Python does; and the driver's functions by
   cuGetProcAddress, with per-thread streams. */

#define _GNU_SOURCE
#include "../run/programs/instrumented.h"
#include "cuda_names.h"
#include "truth.h"

#include <dlfcn.h>

static void fetch(void *library, const char *name, void *function) {
  *(void **)function = dlsym(library, name);
  if (!*(void **)function) {
    printf("%s is not there\n", name);
    exit(3);
  }
}

int main(int count, char **words) {
  int (*makes)(void **, size_t), (*ends)(void *), (*find)(const char *, void **, int, uint64_t, int *);
  int (*makesLater)(CUdeviceptr *, size_t, CUstream), (*endsLater)(CUdeviceptr, CUstream);
  /* What is nowhere is not found, though we stand in front of it. */
  if (dlsym(RTLD_DEFAULT, "cudaMalloc") || dlsym(RTLD_NEXT, "hipMalloc"))
    return 5;
  void *runtime = count > 1 ? dlopen(words[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!runtime || !driver) {
    puts("no device");
    return 77;
  }
  fetch(runtime, "cudaMalloc", &makes);
  fetch(runtime, "cudaFree", &ends);
  fetch(driver, "cuGetProcAddress_v2", &find);
  int outcome, PerThreadStream = 2, Version = 12000;
  MUST(find("cuMemAllocAsync", (void **)&makesLater, Version, (uint64_t)PerThreadStream, &outcome));
  MUST(find("cuMemFreeAsync", (void **)&endsLater, Version, (uint64_t)PerThreadStream, &outcome));

  ENTER("work", 1);
  void *a;
  CUdeviceptr b;
  TAKES(makes(&a, 1000), DEVICE, 1000);
  TAKES(makesLater(&b, 4096, 0), DEVICE, 4096);
  GIVES(ends(a), DEVICE, 1000);
  GIVES(endsLater(b, 0), DEVICE, 4096);
  LEAVE;
  printTruth();
  return 0;
}
