// MEMSHAPE_BUILD: how a user says to build a type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no constructor takes numbers alone, a line says how an object comes to be. Numbers with a point are settings.
// A line may stand for an abstract class, and comes before what a document says. No code comes of it, and no warning.
//
// DEFINE: %{compile} = %clangxx -std=c++17 -O2 -pedantic -Wall -Wextra -Werror -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %{compile} -DVALUE -fplugin-arg-memshape-operator=stacked
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape cube.ni=20,cube.nx=30 -- 20 30
// RUN: %predict --shape cube.ni=20,cube.nx=30 | %says "argument cube {{.*}} 2,400 bytes"
// RUN: %llvm_bin/llvm-nm %t.o | %says --not memshape_build "stacked"
//
// RUN: %{compile} -DDERIVED -fplugin-arg-memshape-operator=padded
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape n=100 --set filter.sigma=1.5 -- 100 0
//
// RUN: %{compile} -DFACTORY -fplugin-arg-memshape-operator=doubled
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape track.n=100 -- 100 0
//
// What a pointer to a class with derived ones points to, a factory does not tell.
// RUN: %{compile} -DUNKNOWN -fplugin-arg-memshape-operator=padded
// RUN: not %predict --shape n=1 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: parameter 'filter': what the line MEMSHAPE_BUILD of its type 'survey::Filter' makes may be of a class derived from it: let the line say new

// What a view refers to is data, whatever the line shows it.
// RUN: %{compile} -DVIEW -fplugin-arg-memshape-operator=copied
// RUN: %predict --shape text.n=1,n=100 2>&1 | %says "peak heap {{.*}} 115 bytes at most" "at least 100 B"

#include "../Inputs/twice.h"
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace survey {
#if defined(VALUE)
struct Grid {
  int ni, nx;
};
class Cube {
public:
  explicit Cube(const Grid &grid) : grid(grid), samples(std::size_t(grid.ni) * std::size_t(grid.nx)) {}
  int ni() const { return grid.ni; }
  int nx() const { return grid.nx; }
  float at(int i, int x) const { return samples[std::size_t(i) * std::size_t(grid.nx) + std::size_t(x)]; }

private:
  Grid grid;
  std::vector<float> samples;
};
MEMSHAPE_BUILD(Cube, (int ni, int nx), Cube(Grid{ni, nx}))
std::vector<double> sums(const Cube &cube) {
  std::vector<double> all(std::size_t(cube.nx()));
  for (int i = 0; i < cube.ni(); ++i)
    for (int x = 0; x < cube.nx(); ++x)
      all[std::size_t(x)] += double(cube.at(i, x));
  return all;
}
#elif defined(FACTORY)
class Track {
public:
  static Track *make(int n) { return new Track(std::size_t(n)); }
  const std::vector<double> &values() const { return held; }

private:
  explicit Track(std::size_t n) : held(n) {}
  std::vector<double> held;
};
MEMSHAPE_BUILD(Track *, (int n), Track::make(n))
#elif defined(VIEW)
MEMSHAPE_BUILD(std::string_view, (int n), std::string_view("memshape").substr(std::size_t(n)))
#else
class Filter {
public:
  virtual ~Filter() = default;
  virtual int reach() const = 0;
};
class Gaussian : public Filter {
public:
  explicit Gaussian(double sigma) : half(int(std::ceil(3 * sigma))) {}
  int reach() const override { return half; }

private:
  int half;
};
#ifdef UNKNOWN
Filter *make(double sigma);
MEMSHAPE_BUILD(Filter *, (double sigma), make(sigma))
#else
MEMSHAPE_BUILD(Filter *, (double sigma), new Gaussian(sigma))
#endif
#endif
} // namespace survey

#if defined(VALUE)
std::vector<double> stacked(const survey::Cube &cube) {
  std::vector<double> mean = survey::sums(cube);
  for (double &each : mean)
    each /= cube.ni();
  return mean;
}
static double once(int ni, int nx) { return stacked(survey::Cube({ni, nx}))[0]; }
#elif defined(FACTORY)
std::vector<double> doubled(const survey::Track *track) {
  std::vector<double> out = track->values();
  for (double &each : out)
    each *= 2;
  return out;
}
static double once(int n, int) {
  survey::Track *track = survey::Track::make(n);
  const double first = doubled(track)[0];
  delete track;
  return first;
}
#elif defined(VIEW)
std::vector<char> copied(std::string_view text, int n) {
  return std::vector<char>(std::size_t(n + (text.front() & 15)));
}
static double once(int n, int) { return copied("memshape", n).front(); }
#else
std::vector<float> padded(const survey::Filter &filter, int n) {
  return std::vector<float>(std::size_t(n + 2 * filter.reach()));
}
static double once(int n, int) { return double(padded(survey::Gaussian(1.5), n)[0]); }
#endif

TWICE(sink = once(int(number(1)), int(number(2))))
