// Members that a constructor leaves as they were: others have set them before a call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number is a setting that has to be given, where the operator reads it. Pointers, arrays of numbers, and rows of a
// matrix that nobody has made yet are data.
//
// RUN: %clangxx -O2 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -c %s -o %t.o
// RUN: not %predict --operator Cell::areas --shape out.size=1 2>&1 | %says "setting missing for operator 'Cell::areas': this.used"
// RUN: %predict --operator Cell::areas --shape out.size=1,this.used=50 | %says "peak heap {{.*}} 760 bytes exact"
// RUN: %predict --operator byRow --shape c.used=1 | FileCheck %s
// RUN: %predict --operator byPlace | FileCheck %s
// RUN: %predict --operator byName | FileCheck %s
// RUN: %clangxx -O0 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -c %s -o %t.o
// RUN: %predict --operator byRow --shape c.used=1 | FileCheck %s
// CHECK: peak heap {{.*}} 80 bytes at most

#include <vector>

class Cell {
public:
  explicit Cell(double scale);
  void areas(std::vector<double> &out);
  int most, used, places[3], **edges;
  double scale;
  const char *name;
};

Cell::Cell(double s) : most(5), edges(new int *[most]), scale(s) {}

void Cell::areas(std::vector<double> &out) {
  out.clear();
  for (int i = 1; i < used; ++i)
    out.push_back(i);
}

int *byRow(Cell &c) { return new int[c.edges[c.used][1] > 3 ? 10 : 20]; }
int *byPlace(Cell &c) { return new int[c.places[1] > 3 ? 10 : 20]; }
int *byName(Cell &c) { return new int[c.name[1] == 'a' ? 10 : 20]; }
