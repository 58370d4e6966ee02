// Assembly with all kinds of constraints, and at file l.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly with all kinds of constraints, and at file level
//
// flags:

#include <stdlib.h>

__asm__(".globl assembled\nassembled:\n\tmovl %edi, %eax\n\tretq");
int assembled(int n);

int constrained(int n, long m, double x) {
  int A, B, Carry;
  __asm__ volatile("movl %1, %0" : "=r"(A) : "g"(n) : "cc");
  __asm__("addl %2, %0" : "=&r"(B), "=@ccc"(Carry) : "i"(42), "0"(n));
  __asm__ volatile("" : "+m"(m) : "x"(x), "a"(n), "d"(A) : "memory", "rbx", "xmm7");
  __asm__ goto("testl %0, %0\n\tjz %l1" : : "r"(n) : : Zero);
  void *Work = malloc((size_t)(A + B + Carry));
  free(Work);
  return assembled(n);
Zero:
  return 0;
}
