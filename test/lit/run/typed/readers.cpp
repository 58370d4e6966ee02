// What objects tell of how they were built.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symbol is read where a member keeps what the constructor was given, through bases and templates, too; where a file
// says how; and not where the member changes, or where the compiled operator does not read the object: its caller need
// not have written it. A program that lacks the class's other functions links as before.
//
// DEFINE: %{operators} = -fplugin-arg-memshape-operator=Derived::get -fplugin-arg-memshape-operator=Setter::get \
// DEFINE:   -fplugin-arg-memshape-operator=of -fplugin-arg-memshape-operator=outside \
// DEFINE:   -fplugin-arg-memshape-operator=said -fplugin-arg-memshape-operator=assigned \
// DEFINE:   -fplugin-arg-memshape-operator=never -fplugin-arg-memshape-operator=Narrow::get
// DEFINE: %{shapes} = %python -c "import json; [print(c['operator'], *c['shape'].items(), *c['settings'].values()) \
// DEFINE:   for c in json.load(open('%t.json'))['calls']]"
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/read.json %{operators} %s -o %t
// RUN: %memshape run --json %t.json -- %t
// RUN: %{shapes} | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: %clangxx -std=c++20 -O0 -fno-exceptions -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/read.json %{operators} %s -o %t
// RUN: %memshape run --json %t.json -- %t
// RUN: %{shapes} | FileCheck %s --check-prefixes=CHECK,SLOW
// Readers bring no function of the unit along, not even where nothing is inlined.
// RUN: nm %t | sed -E 's/[.][0-9]+$//' | grep -o ' _Z.*' | sort | uniq -d | count 0

#include <span>
#include <vector>

struct Base {
  int n0, n1;
  Base(int a, int b) : n0(a), n1(b) {}
};
class Derived : Base {
  std::vector<float> d;

public:
  Derived(int ni, int nx) : Base(ni, nx), d(ni * nx) {}
  std::vector<float> get() const { return d; }
};

class Setter {
  int n, m;
  std::vector<float> d;

public:
  Setter(int n, int m) {
    this->n = n;
    this->m = m;
    this->m += 1;
    d.resize(n);
  }
  std::vector<float> get() const { return d; }
};

template <class T> class Table {
  std::vector<T> d;
  int rows_, cols_;

public:
  Table(int rows, int cols) : d(rows * cols), rows_{rows}, cols_(cols) {}
  std::vector<T> get() const { return d; }
};
std::vector<float> of(const Table<float> &t) { return t.get(); }

class Narrow {
  short n;
  long m;
  std::vector<float> d;

public:
  Narrow(int n, int m) : n(n), m((unsigned char)m), d(m) {}
  Narrow(int n) : Narrow(n, n) {}
  std::vector<float> get() const { return d; }
};

// Where it is defined, nobody knows.
struct Outside {
  Outside(int n);
  int size() const;
  int n;
  std::vector<int> d;
};
std::vector<int> outside(const Outside *o) { return std::vector<int>(o ? o->n : 3); }

namespace survey {
struct Grid {
  int ni, nx;
};
class Cube {
  std::vector<float> d;
  Grid grid;

public:
  Cube(Grid g) : d(g.ni * g.nx), grid(g) {}
  const Grid &shape() const { return grid; }
  float *samples() { return d.data(); }
};
} // namespace survey
std::vector<float> said(const survey::Cube &c, double by, std::span<const float> s) {
  return std::vector<float>(c.shape().nx, float(by) + s[0]);
}

void assigned(const std::vector<float> &from, std::vector<float> &to) { to = from; }

__attribute__((noinline)) std::vector<int> never(const std::vector<float> &, int n) { return std::vector<int>(n); }

int main() {
  std::vector<float> five(5), three(3);
  Derived(3, 4).get();
  Setter(7, 8).get();
  of(Table<float>(5, 6));
  Narrow(70000, 300).get();
  outside(nullptr);
  said(survey::Cube(survey::Grid{9, 11}), 2.5, five);
  assigned(five, three);
  never(five, 2);
}

// CHECK: Derived::get ('this.ni', 3) ('this.nx', 4)
// CHECK-NEXT: Setter::get ('this.n', 7) ('this.m', None)
// CHECK-NEXT: of ('t.rows', 5) ('t.cols', 6)
// CHECK-NEXT: Narrow::get ('this.n', None) ('this.m', None)
// CHECK-NEXT: outside ('o.n', None)
// FAST-NEXT: said ('c.ni', None) ('c.nx', None) ('s.size', None) None
// SLOW-NEXT: said ('c.ni', 9) ('c.nx', 11) ('s.size', 5) 2.5
// CHECK-NEXT: assigned ('from.size', 5) ('to.size', 3)
// FAST-NEXT: never ('arg0.size', None) ('n', 2)
// SLOW-NEXT: never ('arg0.size', 5) ('n', 2)
