// What a device is asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows that the device pads, and buffers for each of its multiprocessors: exact where somebody says which device it is,
// without bounds otherwise. Arrays and memory of pools do not depend on it.
//
// DEFINE: %{cuda} = -x cuda --cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version -I%S/../../../e2e/device/minimal
// RUN: %clangxx %{cuda} -O2 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -c %s -o %t.o
// RUN: %predict --operator padded --shape w=100,h=30 --machine gpu=h100 | FileCheck --check-prefix=TOLD %s
// RUN: %predict --operator padded --shape w=100,h=30 --machine pitch=64 | %says "peak device {{.*}} 40,320 bytes exact"
// RUN: %predict --operator padded --shape w=100,h=30 | FileCheck --check-prefix=UNTOLD %s
// RUN: %predict --operator spread --shape n=10 --machine gpu=a100 | %says "peak device {{.*}} 4,320 bytes exact"
// RUN: %predict --operator spread --shape n=10 | FileCheck --check-prefix=UNTOLD %s
// RUN: %predict --operator texels --shape w=100,h=30 | %says "peak device {{.*}} 60,000 bytes exact"
// RUN: %predict --operator pooled --shape n=1000 | %says "peak device {{.*}} 12,000 bytes exact"
// RUN: not %predict --operator padded --shape w=100,h=30 --machine gpu=voodoo 2>&1 | FileCheck --check-prefix=STRANGE %s
//
// TOLD: peak device {{.*}} 46,080 bytes exact
// TOLD: depends on the machine: pitch=512
// UNTOLD: peak device {{.*}} one run; the device decides
// UNTOLD: the device is presumed to be an H100, so that there are no bounds
// STRANGE: memshape: --machine gpu=voodoo: known are {{.*}}h100

#include "cuda_runtime.h"

extern "C" cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind);

void padded(const float *in, int w, int h) {
  char *rows;
  size_t pitch, width = 4l * w;
  cudaMallocPitch(&rows, &pitch, width, h);
  cudaMemcpy2D(rows, pitch, in, width, width, h, cudaMemcpyHostToDevice);
  char *more; // as wide as what came back
  cudaPitchedPtr cube;
  cudaMalloc3D(&cube, cudaExtent{width, size_t(h), 1});
  cudaMalloc(&more, pitch * h);
  cudaFree(more);
  cudaFree(cube.ptr);
  cudaFree(rows);
}

void spread(const float *in, int n) {
  int device, count;
  float *parts;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  cudaMalloc(&parts, 4l * n * count);
  cudaFree(parts);
}

void texels(const float *in, int w, int h) {
  cudaChannelFormatDesc kind = cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t plane, cube;
  cudaMallocArray(&plane, &kind, w, h, 0);
  cudaMalloc3DArray(&cube, &kind, cudaExtent{size_t(w), size_t(h) / 2, 3}, 0);
  cudaFreeArray(plane);
  cudaFreeArray(cube);
}

void pooled(const float *in, int n) {
  cudaMemPool_t pool;
  void *values, *more;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMallocFromPoolAsync(&values, 4l * n, pool, 0);
  cudaMallocAsync(&more, 8l * n, 0);
  cudaFreeAsync(values, 0);
  cudaFreeAsync(more, 0);
  cudaMemPoolTrimTo(pool, 0);
}
