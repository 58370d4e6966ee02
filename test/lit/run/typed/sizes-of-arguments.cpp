// Arguments whose bytes data decides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an argument takes is the caller's: where data decides that alone, it decides nothing of the operator, and the
// bytes of the argument are not told.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin-arg-memshape-operator=force %operatorxx
// RUN: %compare %t --shape m.nx=10,m.nr=3 -- 10 3
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=force -fplugin-arg-memshape-operator=longest -fplugin-arg-memshape-operator=renewed -fplugin-arg-memshape-operator=joined -fplugin-arg-memshape-operator=product -I%include -c %s -o %t.o
// RUN: %predict --operator force --shape m.nx=10,m.nr=3 --json | FileCheck --check-prefix=JSON %s
// RUN: %predict --operator force --shape m.nx=10,m.nr=3 | FileCheck %s
// CHECK: peak heap {{.*}} 8,000 bytes exact
// CHECK: formula 8*m.nx^3
// CHECK-NOT: argument m
// CHECK-NOT: Decisions
// CHECK: - how many bytes 'm' takes comes from data, so that they are not counted{{$}}
// JSON: "name": "m",
// JSON-NEXT: "bytes": null
//
// What the operator takes of such a size has no bound.
// RUN: %predict --operator longest --shape m.nx=10,m.nr=3 --json | FileCheck --check-prefix=LONGEST %s
// LONGEST: "upper_bytes": null
// LONGEST-NEXT: "exact": false
//
// Nor does one begin with a block less that has such a size: then the peak may be lower.
// RUN: %predict --operator renewed --shape m.nx=10,m.nr=3 --json | FileCheck --check-prefix=RENEWED %s
// RENEWED: "lower_bytes": 0,
// RENEWED-NEXT: "upper_bytes": 8000,
// RENEWED: the operator frees or reallocates memory of its caller, 'm'
//
// Objects behind pointers of an object are data. What the operator does not ask of them does not matter.
// RUN: %predict --operator joined --shape rows.n=10 | %says "peak heap {{.*}} 80 bytes exact"
//
// Members need not be given where only the argument depends on them.
// RUN: %predict --operator product --shape a.rows=40 | FileCheck --check-prefix=OPEN %s
// RUN: %predict --operator product --shape a.rows=40,a.level.fine.size=7 | FileCheck --check-prefix=GIVEN %s
// RUN: not %predict --operator product 2>&1 | %says "shape symbol missing for operator 'product': a.rows ("
// OPEN: peak heap {{.*}} 320 bytes exact
// OPEN: - how many bytes 'a' takes is not counted without a.level.fine.size
// GIVEN: peak heap {{.*}} 320 bytes exact
// GIVEN-NOT: not counted

#include "../Inputs/twice.h"
#include <cstdlib>
#include <vector>

class Mesh {
public:
  Mesh(int nx, int nr);
  ~Mesh();
  int cells() const { return m_cells; }
  int size(int r) const { return m_sizes[r]; }
  double &e(int i) { return m_e[i]; }
  void renew(int r) {
    delete[] m_lists[r];
    m_lists[r] = new int[2 * m_cells];
  }

private:
  std::vector<double> m_e;
  int *m_sizes, **m_lists, m_regions, m_cells;
};

Mesh::Mesh(int nx, int nr) : m_sizes(new int[nr]), m_lists(new int *[nr]), m_regions(nr), m_cells(nx * nx * nx) {
  m_e.resize(m_cells);
  for (int i = 0; i < nr; ++i)
    m_sizes[i] = 0;
  for (int i = 0; i < m_cells; ++i)
    ++m_sizes[std::rand() % nr];
  for (int i = 0; i < nr; ++i)
    m_lists[i] = new int[m_sizes[i]];
}
Mesh::~Mesh() {
  for (int i = 0; i < m_regions; ++i)
    delete[] m_lists[i];
  delete[] m_lists;
  delete[] m_sizes;
}

double force(Mesh &m) {
  const int n = m.cells();
  double *stress = static_cast<double *>(std::malloc(sizeof(double) * n)), sum = 0;
  for (int i = 0; i < n; ++i)
    stress[i] = 2 * m.e(i);
  for (int i = 0; i < n; ++i)
    sum += stress[n - 1 - i] * m.e(i);
  std::free(stress);
  return sum;
}

void renewed(Mesh &m) { m.renew(0); }

double *longest(const Mesh &m) {
  double *list = new double[m.size(0)];
  for (int i = 0; i < m.size(0); ++i)
    list[i] = i;
  return list;
}

template <class T> class Array {
public:
  explicit Array(std::size_t n) : values(new T[n]()), n(n) {}
  Array() : values(nullptr), n(0) {}
  ~Array() { delete[] values; }
  std::size_t size() const { return n; }
  const T &operator[](std::size_t i) const { return values[i]; }

private:
  T *values;
  std::size_t n;
};

double *joined(const Array<Array<double>> &rows) {
  double *firsts = new double[rows.size()];
  for (std::size_t i = 0; i < rows.size(); ++i)
    firsts[i] = rows[i].size() ? rows[i][0] : 0;
  return firsts;
}

struct Level {
  std::vector<double> fine;
};
struct Matrix {
  int rows;
  Level level;
};

double product(const Matrix &a) {
  std::vector<double> sums(a.rows);
  for (int i = 0; i < a.rows; ++i)
    sums[i] = a.level.fine.empty() ? i : 2.0;
  return sums[a.rows - 1];
}

static double once(int nx, int nr) {
  Mesh mesh(nx, nr);
  return force(mesh);
}

TWICE(sink = once(int(number(1)), int(number(2))))
