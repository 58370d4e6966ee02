// Shapes at which no call returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape at which the operator never returns is refused, wherever it ends: behind its allocations, by a case of a
// switch, under other conditions, in functions. What data decides is passed.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %python %S/../refused.py %memshape %t.o cases:kind=3,n=100 cases:kind=4,n=100 cases:kind=7,n=100 some:kind=7,n=100 some:kind=5,n=100 under:kind=7,n=5 under:kind=7,n=100 under:kind=8,n=100 alike:kind=2,n=10 alike:kind=7,n=10 called:kind=3,n=10 called:kind=7,n=10 deep:n=10,depth=3 deep:n=10,depth=40 forever:kind=3,n=10 forever:kind=7,n=10 trapped:kind=7,n=10 finished:kind=7,n=10 quick:kind=7,n=10 jumps:kind=3,n=10 jumps:kind=7,n=10 inside:kind=3,n=10 inside:kind=7,n=10 data:n=10 steady:n=5,step=3,kind=7 steady:n=5,step=3,kind=3 computed:n=10,m=4 computed:n=10,m=3 computed:n=0,m=4 looped:n=0 looped:n=9 ring:n=5,m=4 ring:n=0,m=4 root:n=5,m=3 root:n=5,m=4 | FileCheck %s
//
// Where counters, and what they are compared with, lie in memory:
//
// RUN: %clangxx -std=c++20 -O0 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %python %S/../refused.py %memshape %t.o alike:kind=2,n=10 alike:kind=7,n=10 steady:n=5,step=3,kind=7 steady:n=5,step=3,kind=3 computed:n=10,m=4 computed:n=10,m=3 computed:n=0,m=4 steps:n=10,size=5 steps:n=10,size=9 filled:n=10,at=9 filled:n=10,at=10 | FileCheck --check-prefix=LOOPS %s

#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memshape/operator.h>
#include <stdexcept>
#include <vector>

static float *block(int n) { return static_cast<float *>(std::malloc(sizeof(float) * n)); }

static void fail(const char *what, int kind) {
  std::fprintf(stderr, "%s %d\n", what, kind);
  std::exit(1);
}

static void fill(float *t, int n, float value) {
  for (int i = 0; i < n; ++i)
    t[i] = value;
}

// CHECK: cases at kind=3,n=100: status 0
// CHECK: peak heap{{.*}} 1,200 bytes exact
// CHECK: cases at kind=4,n=100: status 0
// CHECK: peak heap{{.*}} 1,600 bytes exact
// CHECK: cases at kind=7,n=100: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
float *cases(int kind, int n) {
  float *t = block(kind * n);
  switch (kind) {
  case 3:
    fill(t, n, 3);
    break;
  case 4:
    fill(t, n, 4);
    break;
  default:
    fail("unsupported", kind);
  }
  return t;
}

// CHECK: some at kind=7,n=100: status 2: {{.*}}throws
// CHECK: some at kind=5,n=100: status 0
// CHECK: peak heap{{.*}} 400 bytes exact
MEMSHAPE_OPERATOR
float *some(int kind, int n) {
  float *t = block(n);
  switch (kind) {
  case 7:
  case 9:
    fail("unsupported", kind);
    break;
  case 3:
    fill(t, n, 3);
    break;
  default:
    fill(t, n / 2, 4);
  }
  return t;
}

// CHECK: under at kind=7,n=5: status 0
// CHECK: peak heap{{.*}} 20 bytes exact
// CHECK: under at kind=7,n=100: status 2: {{.*}}throws
// CHECK: under at kind=8,n=100: status 0
// CHECK: peak heap{{.*}} 400 bytes exact
MEMSHAPE_OPERATOR
float *under(int kind, int n) {
  float *t = block(n);
  if (n > 10) {
    fill(t, n, 1);
    if (kind == 7)
      std::abort();
  }
  return t;
}

// CHECK: alike at kind=2,n=10: status 0
// CHECK: peak heap{{.*}} 40 bytes exact
// CHECK: alike at kind=7,n=10: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
float *alike(int kind, int n) {
  float *t = block(n);
  for (int i = 0; i < n; ++i) {
    t[i] = float(i);
    if (kind == 7)
      throw std::invalid_argument("kind");
  }
  return t;
}

// CHECK: called at kind=3,n=10: status 0
// CHECK: peak heap{{.*}} 40 bytes exact
// CHECK: called at kind=7,n=10: status 2: {{.*}}throws
__attribute__((noinline)) static void validate(int kind) {
  if (kind == 7)
    fail("unsupported", kind);
}
MEMSHAPE_OPERATOR
float *called(int kind, int n) {
  float *t = block(n);
  validate(kind);
  return t;
}

// CHECK: deep at n=10,depth=3: status 0
// CHECK: peak heap{{.*}} 160 bytes exact
// CHECK: deep at n=10,depth=40: status 2: {{.*}}throws
static float levels(int depth, int n) {
  if (depth > 30)
    throw std::length_error("too deep");
  float *t = block(n);
  t[n / 2] = depth ? levels(depth - 1, n) : 1;
  const float sum = t[n / 2] + t[n / 3];
  std::free(t);
  return sum;
}
MEMSHAPE_OPERATOR
float deep(int n, int depth) { return levels(depth, n); }

// CHECK: forever at kind=3,n=10: status 0
// CHECK: peak heap{{.*}} 40 bytes exact
// CHECK: forever at kind=7,n=10: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
float *forever(int kind, int n) {
  float *t = block(n);
  if (kind == 7)
    for (;;)
      std::puts("waiting");
  return t;
}

// CHECK: trapped at kind=7,n=10: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
float *trapped(int kind, int n) {
  float *t = block(n);
  if (kind == 7)
    __builtin_trap();
  return t;
}

// CHECK: finished at kind=7,n=10: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
float *finished(int kind, int n) noexcept {
  float *t = block(n);
  if (kind == 7)
    std::terminate();
  return t;
}

// CHECK: quick at kind=7,n=10: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
float *quick(int kind, int n) {
  float *t = block(n);
  if (kind > 6)
    std::quick_exit(kind);
  return t;
}

// CHECK: jumps at kind=3,n=10: status 0
// CHECK: peak heap{{.*}} 40 bytes exact
// CHECK: jumps at kind=7,n=10: status 2: {{.*}}throws
extern jmp_buf outside;
MEMSHAPE_OPERATOR
float *jumps(int kind, int n) {
  float *t = block(n);
  if (kind == 7)
    std::longjmp(outside, 1);
  return t;
}

// CHECK: inside at kind=3,n=10: status 0
// CHECK: peak heap{{.*}} 40 bytes exact
// CHECK: inside at kind=7,n=10: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
float *inside(int kind, int n) {
  std::vector<float> sums(n);
  for (int i = 0; i < n; ++i)
    sums.at(i) = float(i);
  float *t = block(sums[0] > 0 ? 2 * n : n);
  std::free(t);
  if (n > 5)
    sums.at(kind == 7 ? n : 0) = 1;
  return nullptr;
}

// CHECK: data at n=10: status 0
// CHECK: peak heap{{.*}} 40 bytes exact
MEMSHAPE_OPERATOR
void data(const float *in, int n, float *out) {
  float *t = block(n);
  if (!t)
    std::abort();
  for (int i = 0; i < n; ++i) {
    if (in[i] < 0)
      fail("negative", i);
    t[i] = in[i];
  }
  for (int i = 0; i < n; ++i)
    out[i] = t[n - 1 - i];
  std::free(t);
}

// CHECK: steady at n=5,step=3,kind=7: status 2: {{.*}}throws
// CHECK: steady at n=5,step=3,kind=3: status 0
// CHECK: peak heap{{.*}} 20 bytes exact
// LOOPS: alike at kind=2,n=10: status 0
// LOOPS: alike at kind=7,n=10: status 2: {{.*}}throws
// LOOPS: steady at n=5,step=3,kind=7: status 2: {{.*}}throws
// LOOPS: steady at n=5,step=3,kind=3: status 0
MEMSHAPE_OPERATOR
float *steady(int n, int step, int kind) {
  float *t = block(n);
  int i = 0;
  do {
    t[i] = 1;
    if (kind == 7)
      std::abort();
    i += step;
  } while (i < n);
  return t;
}

// CHECK: computed at n=10,m=4: status 2: {{.*}}throws
// CHECK: computed at n=10,m=3: status 0
// CHECK: computed at n=0,m=4: status 0
// LOOPS: computed at n=10,m=4: status 2: {{.*}}throws
// LOOPS: computed at n=10,m=3: status 0
// LOOPS: computed at n=0,m=4: status 0
MEMSHAPE_OPERATOR
float *computed(int n, int m) {
  float *t = block(n);
  for (int i = 0; i < n; ++i) {
    if ((n * 3 + m) % 5 == 4)
      std::exit(1);
    t[i] = 1;
  }
  return t;
}

// LOOPS: steps at n=10,size=5: status 2: {{.*}}throws
// LOOPS: steps at n=10,size=9: status 0
MEMSHAPE_OPERATOR
float *steps(int n, int size) {
  float *t = block(n);
  for (int i = 0; i < n; i += 2) {
    if (i >= size)
      std::abort();
    t[i] = 1;
  }
  return t;
}

// The way to the end leads through a loop.
// CHECK: looped at n=0: status 0
// CHECK: peak heap{{.*}} 40 bytes exact
// CHECK: looped at n=9: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
float *looped(const float *in, float *out, int n) {
  float *t = block(10);
  fill(t, 10, in[0]);
  if (n > 0) {
    for (int i = 0; i < n; ++i)
      out[i] = in[i] * t[3];
    fail("not empty", n);
  }
  return t;
}

// What calls leave decides, and reaches no size.
// CHECK: ring at n=5,m=4: status 2: {{.*}}throws
// CHECK: ring at n=0,m=4: status 0
struct Ring {
  unsigned at;
  int sizes[9];
};
static Ring *kept;
MEMSHAPE_OPERATOR
float *ring(int n, int m) {
  if (!kept) {
    kept = static_cast<Ring *>(std::calloc(1, sizeof *kept));
    kept->sizes[7] = 40;
  }
  float *t = block(n);
  if ((static_cast<unsigned>(2 * m + kept->sizes[kept->at++ % 9] + 3) & 1) && n)
    std::abort();
  return t;
}

// CHECK: root at n=5,m=3: status 2: {{.*}}throws
// CHECK: root at n=5,m=4: status 0
MEMSHAPE_OPERATOR
float *root(int n, int m) {
  float *t = block(n);
  if (static_cast<int>(std::cbrt(double(m) * m * m)) & 1)
    std::abort();
  return t;
}

// How many there are is where the loop that fills them ends.
// LOOPS: filled at n=10,at=9: status 0
// LOOPS: filled at n=10,at=10: status 2: {{.*}}throws
MEMSHAPE_OPERATOR
void filled(const int *in, int n, int at, float *out) {
  out[0] += static_cast<float>(std::vector<int>(static_cast<unsigned>(n)).at(static_cast<unsigned>(at)));
  if (in[0] > 3)
    std::free(block(n));
}
