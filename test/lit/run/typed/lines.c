/* MEMSHAPE_BUILD in C.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A function of the program makes a structure, or a pointer to one. A document says the same.

   DEFINE: %{compile} = %clang -std=c11 -O2 -pedantic -Wall -Wextra -Werror -fplugin=%plugin -I%include -c %s -o %t.o
   RUN: %{compile} -DPOINTER -fplugin-arg-memshape-operator=total
   RUN: %clang %t.o -o %t
   RUN: %compare %t --shape cube.ni=20,cube.nx=30 -- 20 30
   RUN: %predict --shape cube.ni=20,cube.nx=30 | %says "argument cube {{.*}} 2,416 bytes"

   RUN: %{compile} -DVALUE -fplugin-arg-memshape-operator=total
   RUN: %clang %t.o -o %t
   RUN: %compare %t --shape cube.ni=20,cube.nx=30 -- 20 30

   RUN: %{compile} -fplugin-arg-memshape-operator=total -fplugin-arg-memshape-summaries=%inputs/cube.json
   RUN: %clang %t.o -o %t
   RUN: %compare %t --shape cube.ni=20,cube.nx=30 -- 20 30
   */

#include "../Inputs/twice.h"

struct cube {
  unsigned short ni, nx; /* less than what a symbol may be */
  float *samples;
};

static struct cube *cube_new(int ni, int nx) {
  struct cube *made = malloc(sizeof *made);
  made->ni = (unsigned short)ni;
  made->nx = (unsigned short)nx;
  made->samples = malloc(sizeof(float) * made->ni * made->nx);
  return made;
}

#if defined(POINTER)
MEMSHAPE_BUILD(struct cube *, (int ni, int nx), cube_new(ni, nx))
#elif defined(VALUE)
MEMSHAPE_BUILD(struct cube, (int ni, int nx), *cube_new(ni, nx))
#endif

double *total(const struct cube *cube) {
  double *sums = calloc(cube->ni, sizeof *sums);
  for (unsigned i = 0; i < cube->ni; ++i)
    for (unsigned x = 0; x < cube->nx; ++x)
      sums[i] += (double)cube->samples[i * cube->nx + x];
  return sums;
}

static double once(int ni, int nx) {
  struct cube *cube = cube_new(ni, nx);
  double *sums, first;
  for (int i = 0; i < ni * nx; ++i)
    cube->samples[i] = 1;
  sums = total(cube);
  first = sums[0];
  free(sums);
  free(cube->samples);
  free(cube);
  return first;
}

TWICE(sink = once((int)number(1), (int)number(2)))
