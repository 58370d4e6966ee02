// Tensors that a caller may leave out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an operator asks whether a tensor of an object is there, the answer says that it is taken to be. A setting says
// otherwise, and both ways are exact. A tensor that decides no allocation is not listed.
//
// RUN: %clang -std=c11 -O2 -fplugin-arg-memshape-operator=background %operator
// RUN: %compare %t --shape im.w=10,im.h=20 -- 10 20 1
// RUN: %compare %t --shape im.w=10,im.h=20 --set im.mask.present=1 -- 10 20 1
// RUN: %compare %t --shape im.w=10,im.h=20 --set im.mask.present=0 -- 10 20 0
//
// RUN: %predict --shape im.w=10,im.h=20 | FileCheck %s --implicit-check-not "im.noise' is" --implicit-check-not "im.data' is"
// CHECK: peak heap {{.*}} 2,400 bytes exact
// CHECK: 'im.mask' is taken to be there, not null, which {{.*}}absent.c:[[#LINE:]] asks: --set im.mask.present=0
// RUN: %predict --shape im.w=10,im.h=20 --json | FileCheck --check-prefix=JSON %s
// JSON: "code": "present_tensor"
// JSON-NEXT: "text": "'im.mask' is taken to be there
//
// RUN: %predict --shape im.w=10,im.h=20 --set im.mask.present=0 | FileCheck --check-prefix=ABSENT %s --implicit-check-not "taken to be there"
// ABSENT: background at im.w=10, im.h=20; im.mask.present=0
// ABSENT-NOT: argument im.mask
// ABSENT: peak heap {{.*}} 800 bytes exact
// ABSENT: formula 4*im.w*im.h
//
// RUN: %memshape report %t.o | %says "peak heap 12*im.w*im.h" "'im.mask' is taken to be there"
// RUN: %memshape report %t.o --set im.mask.present=0 | %says --not "taken to be there" "peak heap 4*im.w*im.h"
//
// RUN: not %predict --shape im.w=10,im.h=20 --set im.mask.present=2 2>&1 | %says "setting im.mask.present=2 is neither true nor false"
// RUN: not %predict --shape im.w=10,im.h=20 --set im.sky.present=0 2>&1 | %says "has no setting 'im.sky.present'"

#include "../Inputs/twice.h"

struct image {
  const float *data, *noise, *mask;
  int w, h;
};

float background(const struct image *im) {
  const size_t n = (size_t)im->w * im->h;
  float *copy = malloc(n * sizeof *copy);
  for (size_t i = 0; i < n; ++i)
    copy[i] = im->data[i];
  if (im->noise)
    for (size_t i = 0; i < n; ++i)
      copy[i] -= im->noise[i];
  if (im->mask) {
    double *kept = malloc(n * sizeof *kept);
    for (size_t i = 0; i < n; ++i)
      kept[i] = (double)copy[i] * im->mask[i];
    copy[0] = (float)kept[n / 3];
    free(kept);
  }
  const float middle = copy[n / 2];
  free(copy);
  return middle;
}

static struct image image_of(const float *data, int w, int h, int masked) {
  struct image im = {data, 0, masked ? data : 0, w, h};
  return im;
}

TWICE({
  const struct image im = image_of(data, (int)number(1), (int)number(2), (int)number(3));
  sink = background(&im);
})
