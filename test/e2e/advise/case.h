// A regression and its fix, in every source of this folder.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each has the operators `regressed` and `fixed`. The line that the fix changes says which advice that is.
#pragma once

#define OPERATOR __attribute__((annotate("memshape.operator"))) __attribute__((noinline))
