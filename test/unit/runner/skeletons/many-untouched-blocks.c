// n times: a block of 24 bytes, a block of 200 bytes, both freed. The cost of a pair is measured with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define FLAGS MEMSHAPE_SK_UNTOUCHED
#include "many-small-blocks.c"
