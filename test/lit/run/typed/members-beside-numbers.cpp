// Members that nothing builds from numbers, in an object that its default constructor makes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Others may have done anything to them since: they are data, and operators that do not look there are answered exactly.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -c %s -I%include -o %t.o
// RUN: %predict --operator coordinates --shape context.state=1,n=100 | FileCheck %s
// CHECK: peak heap {{.*}} 800 bytes exact
//
// RUN: %predict --operator shared --shape context.state=1,n=100 | FileCheck %s --check-prefix=ASKED
// ASKED: peak heap {{.*}} 800 bytes at most: data decides
// ASKED: at least {{.*}} 0 bytes

#include <memory>
#include <memshape/operator.h>
#include <stdlib.h>

class Point {
  explicit Point(const char *);
  friend struct Context;

public:
  virtual ~Point();
  virtual int dimension() const = 0;
};

struct Context {
  const void *factory;
  char message[1024];
  std::unique_ptr<Point> point;
  int state;
  Context() : factory(nullptr), state(1) {}
  Context(const Context &) = delete;
};

MEMSHAPE_OPERATOR
double *coordinates(Context *context, unsigned n) {
  return context->state ? static_cast<double *>(calloc(n, sizeof(double))) : nullptr;
}

MEMSHAPE_OPERATOR
double *shared(Context *context, unsigned n) {
  return context->point ? static_cast<double *>(calloc(n, sizeof(double))) : nullptr;
}
