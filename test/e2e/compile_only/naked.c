// A function without a frame.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function without a frame
//
// flags:

__attribute__((naked)) int bare(int n) { __asm__("movl %edi, %eax\n\tretq"); }
int framed(int n) { return bare(n); }
