// Containers under all kinds of options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers under all kinds of options
//
// flags:
// flags: -g
// flags: -g -gsplit-dwarf
// flags: -flto
// flags: -flto=thin
// flags: -ffat-lto-objects -flto
// flags: -fembed-bitcode
// flags: -flto=thin -fsplit-lto-unit
// flags: -fno-builtin
// flags: -ffreestanding
// flags: -mcmodel=large
// flags: -mcmodel=medium
// flags: -fcf-protection=full
// flags: -fsanitize=undefined
// flags: -fsanitize=address
// flags: -fsanitize=memory
// flags: -fsanitize=thread
// flags: -flto -fvisibility=hidden -fsanitize=cfi
// flags: -fsanitize=fuzzer-no-link
// flags: -fsanitize=safe-stack
// flags: -finstrument-functions
// flags: -fprofile-generate
// flags: -fprofile-instr-generate -fcoverage-mapping
// flags: --coverage
// flags: -fxray-instrument
// flags: -save-temps=obj
// flags: -D_GLIBCXX_DEBUG
// flags: -D_GLIBCXX_ASSERTIONS
// flags: -fno-inline
// flags: -fno-rtti
// flags: -ftrivial-auto-var-init=pattern
// flags: -fstack-protector-all
// flags: -fstack-clash-protection
// flags: -fsplit-stack
// flags: -mllvm -inline-threshold=0
// flags: -mllvm -force-vector-width=8
// flags: -fno-integrated-as -S
// flags: -fPIC
// flags: -fno-plt
// flags: -ffast-math
// flags: -fwrapv
// flags: -march=native
// flags: -march=x86-64-v4
// flags: -mno-sse -mno-80387 -ffreestanding -DNO_FLOATS
// flags: -fno-strict-aliasing
// flags: -Weverything
// flags: -Werror -w
// flags: -S
// flags: -emit-llvm
// flags: -S -emit-llvm
// flags: -fsyntax-only
// flags: -E
// flags: -fno-integrated-cc1
// flags: -fopenmp -nogpulib
// flags: -funique-internal-linkage-names
// flags: -ffunction-sections -fdata-sections
// flags: -fbasic-block-sections=all
// flags: -mno-red-zone
// flags: -fno-exceptions -DNO_THROW
// flags: -fms-extensions
// flags: -ftime-report
// flags: -fsave-optimization-record
// flags: -fwhole-program-vtables -flto
// flags: -fvirtual-function-elimination -flto
// flags: -fno-semantic-interposition -fPIC
// flags: -fzero-call-used-regs=all
// flags: -fpatchable-function-entry=4
// flags: -pg
// flags: -fmodules
// flags: -ftls-model=initial-exec

#ifdef NO_FLOATS
extern "C" void *malloc(unsigned long);
extern "C" void free(void *);
extern "C" int widths(int n) {
  int *Work = static_cast<int *>(malloc(4ul * n));
  int Last = Work ? Work[n - 1] : 0;
  free(Work);
  return Last;
}
#else
#include <vector>

struct Step {
  virtual ~Step() = default;
  virtual int extent(int n) const { return n; }
};
struct Doubled : Step {
  int extent(int n) const override { return 2 * n; }
};

float smooth(const float *in, int n, float *out) {
  Step *By = n > 8 ? new Doubled : new Step;
  std::vector<double> Sums(By->extent(n));
  std::vector<std::vector<float>> Parts(4);
  delete By;
  for (int I = 0; I < n; ++I) {
    Sums[I] = in[I] + (I ? Sums[I - 1] : 0);
    Parts[I % 4].push_back(in[I]);
  }
#ifndef NO_THROW
  if (n < 0)
    throw n;
#endif
  for (int I = 0; I < n; ++I)
    out[I] = static_cast<float>(Sums[I]);
  return Parts.front().front();
}
#endif
