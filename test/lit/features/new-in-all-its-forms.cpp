// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// Arrays, objects, nothrow, aligned and direct calls of the allocation function are requests; placement is not.

#include <memory>
#include <new>

struct Counted {
  ~Counted();
  int Value;
};

[[memshape::operator]] void forms(float *, int n) {
  auto *a = new float[n * 2];
  auto *b = new double(1.0);
  auto *c = new (std::nothrow) short[n];
  auto *d = new Counted[n];
  void *e = ::operator new(n + 1);
  alignas(8) char room[8];
  auto *f = new (room) int(3);
  auto g = std::make_unique<double[]>(n);
  std::unique_ptr<float[]> h(new float[n + 3]);
  delete[] a;
  delete b;
  delete[] c;
  delete[] d;
  ::operator delete(e);
  *f = int(g[0] + h[0]);
}

// CHECK: allocation function={forms} name={a} kind={array} space={host} size_written={n * 2}
// CHECK-NEXT: allocation function={forms} name={b} kind={object} space={host} size_written={null}
// CHECK-NEXT: allocation function={forms} name={c} kind={array} space={host} size_written={n}
// CHECK-NEXT: allocation function={forms} name={d} kind={array} space={host} size_written={n}
// CHECK-NEXT: allocation function={forms} name={e} kind={raw} space={host} size_written={n + 1}
// CHECK-NEXT: allocation function={forms} name={g} kind={array} space={host} size_written={n}
// CHECK-NEXT: allocation function={forms} name={h} kind={array} space={host} size_written={n + 3}
// CHECK-NOT: {{^}}allocation
