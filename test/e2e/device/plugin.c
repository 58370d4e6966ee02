/* A library that brings CUDA for itself alone.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "cuda_names.h"

int pluginWork(size_t bytes);

int pluginWork(size_t bytes) {
  void *block;
  int status = cudaMalloc(&block, bytes);
  return status ? status : cudaFree(block);
}
