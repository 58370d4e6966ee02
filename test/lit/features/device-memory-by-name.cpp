// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// The allocators of the CUDA and HIP runtimes are known by name, with the memory space they take from.

#include <cstddef>

extern "C" {
int cudaMalloc(void **, std::size_t);
int cudaMallocManaged(void **, std::size_t, unsigned);
int cudaMallocHost(void **, std::size_t);
int hipMalloc(void **, std::size_t);
int hipHostMalloc(void **, std::size_t, unsigned);
}

[[memshape::operator]] void upload(const float *, int n, int m) {
  void *a, *b, *c, *d, *e;
  cudaMalloc(&a, sizeof(float) * n * m);
  cudaMallocManaged(&b, 8 * n, 1);
  cudaMallocHost(&c, n);
  hipMalloc(&d, m);
  hipHostMalloc(&e, n + m, 0);
}

// CHECK: name={a} kind={raw} space={device} size_written={sizeof(float) * n * m}
// CHECK-NEXT: name={b} kind={raw} space={managed} size_written={8 * n}
// CHECK-NEXT: name={c} kind={raw} space={pinned} size_written={n}
// CHECK-NEXT: name={d} kind={raw} space={device} size_written={m}
// CHECK-NEXT: name={e} kind={raw} space={pinned} size_written={n + m}
