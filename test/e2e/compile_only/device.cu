// Device code is left alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code is left alone
//
// flags: -nocudainc -nocudalib -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -S
// flags: -nocudainc -nocudalib -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -emit-llvm
// flags: -nogpuinc -nogpulib -x hip --cuda-device-only --offload-arch=gfx90a -S
// flags: -nogpuinc -nogpulib -x hip --cuda-device-only --offload-arch=gfx90a -emit-llvm

extern "C" void *malloc(unsigned long);
extern "C" void free(void *);

__attribute__((device)) int scaled(int n, int by) { return n * by; }

__attribute__((global)) void fill(int *a, int n) {
  for (int I = 0; I < n; ++I)
    a[I] = scaled(I, 2);
}

extern "C" int host(int n) {
  int *Work = static_cast<int *>(malloc(4ul * n));
  int Last = Work ? Work[n - 1] : 0;
  free(Work);
  return Last;
}
