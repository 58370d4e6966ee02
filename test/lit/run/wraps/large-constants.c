// A constant that the optimiser makes large.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It adds 2^37 - 12 in place of -12, since the highest bits are not used. The sum fits.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape size=512 | %says --not wraps "peak heap {{.*}} 496 bytes exact"

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
void *halved(int size) {
  int pairs = ((size - 12ul) / 16 + 1) >> 1;
  if (pairs < 2)
    return 0;
  int bytes = (2 * pairs - 1) * 16ul;
  return malloc(bytes);
}
