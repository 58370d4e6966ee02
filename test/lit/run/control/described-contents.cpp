// A description is one way to build an object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A document, or a line MEMSHAPE_BUILD, builds an object of zeros; others come with other contents. So the contents are
// data, as those of a class without a description, and extents are not. A document may say that they are fixed. A member
// with a point that a line or a constructor sets to a constant, others set otherwise.
//
// DEFINE: %{compile} = %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// DEFINE: %{ask} = %python %S/../refused.py %memshape %t.o cells:c.size=1000 copied:c.size=1000
// RUN: %{compile} -fplugin-arg-memshape-summaries=%inputs/clouds.json
// RUN: %{ask} kinds:c.size=1000 kept:c.size=1000 | FileCheck %s --check-prefixes=CHECK,DOCUMENT
// RUN: %{compile} -DLINE
// RUN: %{ask} | FileCheck %s
// RUN: %{compile} -DMEMBERS
// RUN: %python %S/../refused.py %memshape %t.o line:g.n=20 member:f.n=20 computed:c.n=20 constant:c.n=20 | FileCheck %s --check-prefix=MEMBERS
// RUN: %{compile} -DPLAIN
// RUN: %python %S/../refused.py %memshape %t.o cells:c.p.size=1000 copied:c.p.size=1000 | FileCheck %s
//
// CHECK: cells at {{.*}}status 0
// CHECK-NOT: exact
// CHECK: peak heap 40 B {{.*}} at least
// CHECK: copied at {{.*}}status 0
// CHECK: 8,000 bytes exact
// DOCUMENT: kinds at {{.*}}status 0
// DOCUMENT-NOT: exact
// DOCUMENT: peak heap 40 B {{.*}} at least
// DOCUMENT: kept at {{.*}}status 0
// DOCUMENT: 40 bytes exact

#include <memshape/operator.h>
#include <set>
#include <vector>

#ifdef MEMBERS
// MEMBERS: line at {{.*}}status 0
// MEMBERS: peak heap {{.*}} at least, and what
struct Grid {
  int n;
  double h;
  std::vector<double> values;
  template <typename T> Grid(T n, double h) : n(n), h(h), values(n) {}
};
MEMSHAPE_BUILD(Grid, (int n), Grid(n, 0.5))
MEMSHAPE_OPERATOR std::vector<float> line(const Grid &g) { return std::vector<float>(g.n / g.h); }

// MEMBERS: member at {{.*}}status 0
// MEMBERS: peak heap {{.*}} at least, and what
struct Field {
  explicit Field(int n) : n(n) {}
  int n;
  double step = 0.5;
};
MEMSHAPE_OPERATOR std::vector<float> member(const Field &f) { return std::vector<float>(f.n / f.step); }

// MEMBERS: computed at {{.*}}status 0
// MEMBERS: peak heap 80 B 80 bytes exact
struct Computed {
  explicit Computed(int n) : n(n), step(1.0 / n) {}
  int n;
  double step;
};
MEMSHAPE_OPERATOR std::vector<float> computed(const Computed &c) { return std::vector<float>(1 / c.step + 0.5); }

// MEMBERS: constant at {{.*}}status 0
// MEMBERS: peak heap 160 B 160 bytes exact
struct Constant {
  explicit Constant(int n) : n(n) {}
  int n;
  const double step = 0.5;
};
MEMSHAPE_OPERATOR std::vector<float> constant(const Constant &c) { return std::vector<float>(c.n / c.step); }
#else
struct Cloud {
  std::vector<double> points;
  Cloud() {}
#ifdef PLAIN
  explicit Cloud(const std::vector<double> &p) : points(p) {}
#else
  template <typename T> explicit Cloud(const std::vector<T> &p) : points(p.begin(), p.end()) {}
#endif
};
#ifdef LINE
MEMSHAPE_BUILD(Cloud, (int size), Cloud(std::vector<double>(size, 0.0)))
#endif

MEMSHAPE_OPERATOR
long cells(const Cloud &c) {
  std::set<long> found;
  for (double p : c.points)
    found.insert(long(p / 0.5));
  return found.size();
}

MEMSHAPE_OPERATOR
std::vector<double> copied(const Cloud &c) { return c.points; }

#if !defined(LINE) && !defined(PLAIN)
struct Labelled {
  std::vector<double> points;
  std::vector<int> labels;
  template <typename T, typename U>
  Labelled(const std::vector<T> &p, const std::vector<U> &l) : points(p.begin(), p.end()), labels(l.begin(), l.end()) {}
};
struct Marks {
  std::vector<double> points;
  template <typename T> explicit Marks(const std::vector<T> &p) : points(p.begin(), p.end()) {}
};

MEMSHAPE_OPERATOR
long kinds(const Labelled &c) {
  std::set<long> found;
  for (int label : c.labels)
    found.insert(label);
  return found.size();
}

MEMSHAPE_OPERATOR
long kept(const Marks &c) {
  std::set<long> found;
  for (double p : c.points)
    found.insert(long(p / 0.5));
  return found.size();
}
#endif
#endif
