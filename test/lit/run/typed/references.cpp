// Classes with references to themselves, and to other objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a reference leads to is data, as what a pointer leads to: but for the object that it is a member of, whose sizes
// are as they were built.
//
// RUN: %clangxx -O2 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -c %s -o %t.o
// RUN: %predict --operator Grid::cells --shape this.n=100 | %says "peak heap {{.*}} 400 bytes exact"
// RUN: %predict --operator byLimit --shape v.grid.n=100 | %says "peak heap {{.*}} 80 bytes at most"

class Grid;

struct Walker {
  explicit Walker(Grid &grid) : grid(grid) {}
  Grid &grid;
};

class Grid {
public:
  explicit Grid(int n) : n(n), walker(*this) {}
  int *cells() const;
  int n;
  Walker walker;
};

struct Limit {
  int most;
};

class View {
public:
  View(const Grid &grid, const Limit &limit) : n(grid.n), limit(limit) {}
  int n;
  const Limit &limit;
};

int *Grid::cells() const { return new int[walker.grid.n]; }
int *byLimit(const View &v) { return new int[v.limit.most > 3 ? 10 : 20]; }
