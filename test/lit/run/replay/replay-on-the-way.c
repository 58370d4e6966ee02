// Samples in the ratios of the asked shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A replay that would fill too much memory is extrapolated. Small shapes with a small room for the output fail and take
// little: they say nothing of a shape that has room.
//
// RUN: %clang -std=c11 -O2 -shared -fPIC -DLIBRARY %s -o %t.library.so
// RUN: %clang -std=c11 -O2 %operator %t.library.so
// RUN: %compare %t --shape w=100,h=70,room=7000 --bounds 0..none --because no_skeleton -- 100 70 7000
// RUN: %compare %t --shape w=100,h=70,room=6999 --bounds 0..none --because no_skeleton -- 100 70 6999
//
// With room, far away and just enough; without any:
// RUN: %memshape predict %t --shape w=8000,h=8000,room=400000000 | FileCheck --check-prefix=ROOM %s
// ROOM: 2,304,000,200 bytes one run; no bound above
// ROOM: verified at 60 other shapes
// ROOM: replayed at smaller shapes and extrapolated: {{.*}} fills more memory than a prediction may take
// RUN: %memshape predict %t --shape w=80000,h=8000,room=80000 | %says "2,560,000,100 bytes one run"
//
// Small shapes may go the other way than those near the asked one, which tell:
// RUN: %memshape predict %t --shape w=8000,h=8000,room=1600000 | %says "256,000,100 bytes one run"

#include <stdlib.h>

#ifdef LIBRARY
void *digest(float *samples, size_t count) {
  for (size_t at = 0; at < count; at += 1000)
    samples[at] += 1;
  return malloc(100);
}
#else
#include "../Inputs/twice.h"
#include <string.h>
void *digest(float *samples, size_t count);

MEMSHAPE_OPERATOR
float compress(int w, int h, long room) {
  size_t count = (size_t)w * (size_t)h;
  float *image = (float *)calloc(count, sizeof(float)), first = 0;
  void *all = digest(image, count);
  if (count <= (size_t)room) {
    float *planes = (float *)malloc(8 * count * sizeof(float));
    memset(planes, 0, 8 * count * sizeof(float));
    void *of_planes = digest(planes, 8 * count);
    first = planes[count / 2];
    free(of_planes);
    free(planes);
  }
  free(all);
  free(image);
  return first;
}

TWICE(sink = compress((int)number(1), (int)number(2), number(3)))
#endif
