// Vectors of a length that only the processor k.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of a length that only the processor knows
//
// flags: --target=aarch64-linux-gnu -march=armv8-a+sve
// flags: --target=riscv64-linux-gnu -march=rv64gcv

#ifdef __aarch64__
typedef __SVFloat32_t Floats;
#else
typedef __rvv_float32m1_t Floats;
#endif
Floats passed(Floats x, int n) { return n > 1 ? x : passed(x, n + 1); }
