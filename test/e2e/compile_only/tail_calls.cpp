// Calls that must be jumps, allocations and frees a.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that must be jumps, allocations and frees among them
//
// flags:

#include <cstdlib>

int counted(int n, int sum);
int counted(int n, int sum) {
  if (n == 0)
    return sum;
  [[clang::musttail]] return counted(n - 1, sum + n);
}
void *taken(unsigned long n) { [[clang::musttail]] return malloc(n); }
void given(void *p) { [[clang::musttail]] return free(p); }
void *handed(unsigned long n, int) {
  void *Work = taken(n);
  given(Work);
  return taken(n);
}
