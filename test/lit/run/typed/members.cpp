// Classes that no function makes from numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their members have the symbols. Members that decide nothing need not be given.
//
// RUN: %held -std=c++17 -O2
// HELD -fplugin-arg-memshape-operator=weights c.points.size=300,c.kept.size=20
// HELD -DFROM_RANGE -fplugin-arg-memshape-operator=weights c.points.size=300,c.kept.size=20
// HELD -DROWS -fplugin-arg-memshape-operator=energy r.regions=7,r.cells=700

#include "../Inputs/twice.h"
#include <vector>

#ifdef ROWS

class Regions {
public:
  Regions(int regions, int cells) : n(regions), size(new int[regions]), list(new int *[regions]) {
    for (int r = 0; r < n; ++r) {
      size[r] = cells / n;
      list[r] = new int[size[r]]();
    }
  }
  Regions(const Regions &) = delete;
  ~Regions() {
    for (int r = 0; r < n; ++r)
      delete[] list[r];
    delete[] list;
    delete[] size;
  }
  int n, *size, **list;
};

double *energy(const Regions &r) {
  double *sums = new double[r.n]();
  for (int k = 0; k < r.n; ++k)
    sums[k] += r.list[k][0];
  return sums;
}

TWICE(sink = (float)energy(Regions((int)number(1), (int)number(2)))[0])

#else

struct Cloud {
#ifdef FROM_RANGE
  template <class Iterator> Cloud(Iterator begin, Iterator end) : points(begin, end) {}
#else
  Cloud() {}
  template <class T> explicit Cloud(const std::vector<T> &from) : points(from.begin(), from.end()) {}
#endif
  std::size_t size() const { return points.size(); }
  std::vector<double> points;
  std::vector<short> kept;
  int rank = 3;
};

double *weights(const Cloud &c) {
  std::vector<short> kept = c.kept;
  double *all = new double[c.size()]();
  all[0] = c.points[0] + kept[0];
  return all;
}

static double once(float *from, int n, int kept) {
  std::vector<float> values(from, from + n);
#ifdef FROM_RANGE
  Cloud cloud(values.begin(), values.end());
#else
  Cloud cloud(values);
#endif
  cloud.kept.assign(std::size_t(kept), 7);
  return weights(cloud)[0];
}

TWICE(sink = (float)once(data, (int)number(1), (int)number(2)))

#endif
