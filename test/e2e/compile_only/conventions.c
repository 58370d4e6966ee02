// Calling conventions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calling conventions
//
// flags:

#include <stdlib.h>

#define WORK(n) free(malloc((size_t)(n)))
__attribute__((swiftcall)) int swift(int n, __attribute__((swift_context)) void *c) {
  WORK(n);
  return c != 0;
}
__attribute__((swiftasynccall)) void async(int n, __attribute__((swift_async_context)) char *c) {
  WORK(n);
  c[0] = 1;
}
__attribute__((preserve_most)) void most(int n) { WORK(n); }
__attribute__((preserve_all)) void all(int n) { WORK(n); }
__attribute__((ms_abi)) int windows(int n, double x) {
  WORK(n);
  return (int)x;
}
__attribute__((vectorcall)) float vectors(int n, float x) {
  WORK(n);
  return x;
}
__attribute__((regcall)) int registers(int a, int b, int c, int d, int e, int f, int n) {
  WORK(n);
  return a + b + c + d + e + f;
}
__attribute__((no_caller_saved_registers, target("general-regs-only"))) void saved(int n) { (void)n; }
__attribute__((noreturn)) void gone(int n) {
  WORK(n);
  abort();
}
__attribute__((returns_twice)) int twice(int n);
int calls(int n) {
  WORK(n);
  return twice(n);
}
int variable(int n, ...) {
  WORK(n);
  return 0;
}
