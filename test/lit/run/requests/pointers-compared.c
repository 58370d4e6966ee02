// What a pointer is compared with: the caller chooses where it leads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It may pass a constant or a function of the unit, which it knows by name or was given, one block as two tensors, also
// where the source promises that they are apart, and a number that is no address.
//
// RUN: %held -std=c11 -O2

#include "../Inputs/twice.h"

static const float Zeros[300] = {1};
const float *zeros(void) { return Zeros; }

static void request(int bytes) {
  char *volatile block = malloc(bytes);
  block[0] = 1;
  free(block);
}

// HELD constant n=100 --bounds 8..400
MEMSHAPE_OPERATOR
void constant(int n, const float *in) { request(in == Zeros ? 4 * n : 8); }

// HELD literal n=100 --bounds 8..400
MEMSHAPE_OPERATOR
void literal(int n, const char *name) { request(name == "none" ? 4 * n : 8); }

typedef int (*order)(int, int);
int up(int a, int b) { return a - b; }

// HELD ordered n=100 --bounds 8..400
MEMSHAPE_OPERATOR
void ordered(int n, order by) { request(by == up ? 4 * n : 8); }
TWICE_OF(ordered, ordered(number(1), up))

// HELD frees_itself n=100 --bounds 8..400
MEMSHAPE_OPERATOR
void frees_itself(int n, void (*release)(void *)) { request(release == free ? 4 * n : 8); }
TWICE_OF(frees_itself, frees_itself(number(1), free))

// HELD no_address n=100 --bounds 8..400
MEMSHAPE_OPERATOR
void no_address(int n, const float *in) { request(in == (const float *)-1 ? 4 * n : in == (const float *)64 ? 3 * n : 8); }

// HELD apart n=100 --bounds 8..400
MEMSHAPE_OPERATOR
float apart(int n, const float *restrict a, const float *restrict b) {
  request(a == b ? 4 * n : 8);
  return a[0] + b[0];
}

// HELD side_by_side n=100 --bounds 8..400
MEMSHAPE_OPERATOR
void side_by_side(int n, float *restrict a, float *restrict b) {
  request(a + n == b ? 4 * n : 8);
  a[0] = b[0] = 1;
}
