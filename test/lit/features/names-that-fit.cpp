// A name may leave out scopes and template arguments, at compile time as with --operator. One that fits nothing though
// something is called much the same gets a warning, -Werror or not; one that belongs to another unit gets none.

// RUN: %clangxx -O0 -Werror -c -fplugin=%plugin -fplugin-arg-memshape-operator=fill -fplugin-arg-memshape-operator=Grid::size \
// RUN:   -fplugin-arg-memshape-operator=make %s -o %t.o 2>&1 | count 0
// RUN: %python %S/read_features.py %t.o | FileCheck %s
// RUN: %clangxx -O0 -Werror -c -fplugin=%plugin -fplugin-arg-memshape-operator=elsewhere -fplugin-arg-memshape-operator=lib::blurr \
// RUN:   -fplugin-arg-memshape-operator=unused %s -o %t.none.o 2>&1 | FileCheck --check-prefix=WARNED %s

namespace lib {
template <class T> struct Grid {
  T *fill(int n) { return new T[n]; }
  long size(int n) { return n; }
};
template <class T> T *make(int n) { return new T[n]; }
int *blur(int n) { return new int[n]; }
static int unused(int n) { return n; }
} // namespace lib
int *fill(int n) { return new int[n]; }

long use(lib::Grid<float> &grid) { return grid.fill(3)[0] + grid.size(2) + lib::make<long>(1)[0]; }

// The name of all of it counts more than that of a part: no Grid::fill.
// CHECK-DAG: operator lib::Grid<float>::size
// CHECK-DAG: operator lib::make<long>
// CHECK-DAG: operator fill
// CHECK-NOT: operator

// WARNED: warning: memshape: this unit defines no function 'lib::blurr'; did you mean 'lib::blur'?
// WARNED: warning: memshape: 'lib::unused' has no code in this unit, since nothing calls it here
// WARNED-NOT: elsewhere
