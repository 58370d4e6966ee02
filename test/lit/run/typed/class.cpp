// Operators on classes of the user's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class is built by its constructor that takes integers, whose parameters name the symbols. Its invariants follow
// from running that. A member function is an operator on `this`.
//
// RUN: %clangxx -std=c++17 -O2 -DMEMBER -fplugin-arg-memshape-operator=Cube::smoothed %operatorxx
// RUN: %compare %t --shape this.ni=10,this.nx=20,this.ns=30,width=4 -- 10 20 30 4
//
// RUN: %clangxx -std=c++17 -O0 -g -DFREE -fplugin-arg-memshape-operator=stack %operatorxx
// RUN: %compare %t --shape c.ni=10,c.nx=20,c.ns=30,fold=3 -- 10 20 30 3
//
// RUN: %clangxx -std=c++17 -O2 -DRAW -fplugin=%plugin -fplugin-arg-memshape-operator=sum -I%include -c %s -o %t.o
// RUN: %predict --shape b.n=100,c.n=200 | FileCheck --check-prefix=COPY %s
// The copy of b is made by the call, before the operator is entered, and counts.
// COPY: peak heap {{.*}} 3,200 bytes exact
// COPY: argument b {{.*}} 800 bytes
// COPY: argument c {{.*}} 1,600 bytes
//
// RUN: %clangxx -std=c++17 -O2 -DDATA -fplugin-arg-memshape-operator=live %operatorxx
// RUN: %compare %t --shape c.ni=10,c.nx=20,c.ns=30 --bounds 0..96 -- 10 20 30 3
//
// RUN: %clangxx -std=c++17 -O2 -DABSTRACT -fplugin=%plugin -fplugin-arg-memshape-operator=pulled -I%include -c %s -o %t.o
// RUN: not %predict --shape n=1 2>&1 | %says "parameter 's': its type 'Source' is abstract" \
// RUN:   "MEMSHAPE_BUILD(Source *, (int step), new Steps(step))"

#include "../Inputs/twice.h"
#include <cstring>
#include <vector>

class Cube {
public:
  Cube(int ni, int nx, int ns_) : ni(ni), nx(nx), ns(ns_), samples(std::size_t(ni) * nx * ns_) {}
  float &at(int i, int x, int s) { return samples[(std::size_t(i) * nx + x) * ns + s]; }
  float at(int i, int x, int s) const { return samples[(std::size_t(i) * nx + x) * ns + s]; }
  int inlines() const { return ni; }
  int crosslines() const { return nx; }
  int depth() const { return ns; }
  void fill(const float *from) { std::memcpy(samples.data(), from, samples.size() * sizeof(float)); }
  Cube smoothed(int width) const;

private:
  int ni, nx, ns;
  std::vector<float> samples;
};

struct Buffer {
  explicit Buffer(std::size_t n) : n(n), at(new double[n]()) {}
  Buffer(const Buffer &other) : n(other.n), at(new double[other.n]) { std::memcpy(at, other.at, n * sizeof(double)); }
  ~Buffer() { delete[] at; }
  std::size_t n;
  double *at;
};

#if defined(MEMBER)
Cube Cube::smoothed(int width) const {
  Cube out(ni, nx, ns);
  std::vector<double> sums(ns + width + 1);
  for (int i = 0; i < ni; ++i)
    for (int x = 0; x < nx; ++x) {
      for (int s = 0; s < ns; ++s)
        sums[s + 1] = sums[s] + at(i, x, s);
      for (int s = 0; s < ns; ++s)
        out.at(i, x, s) = float(sums[s + 1] - sums[s > width ? s - width : 0]);
    }
  return out;
}
#define CALL kept.smoothed(number(4)).at(0, 0, 0)
#elif defined(FREE)
Cube stack(const Cube &c, int fold) {
  Cube out((c.inlines() + fold - 1) / fold, c.crosslines(), c.depth());
  for (int i = 0; i < c.inlines(); ++i)
    for (int x = 0; x < c.crosslines(); ++x)
      for (int s = 0; s < c.depth(); ++s)
        out.at(i / fold, x, s) += c.at(i, x, s);
  return out;
}
#define CALL stack(kept, number(4)).at(0, 0, 0)
#elif defined(RAW)
double sum(Buffer b, const Buffer &c) {
  double *both = new double[b.n + c.n];
  for (std::size_t i = 0; i < b.n + c.n; ++i)
    both[i] = i < b.n ? b.at[i] : c.at[i - b.n];
  double result = both[c.n];
  delete[] both;
  return result;
}
#elif defined(ABSTRACT)
struct Source {
  virtual ~Source() = default;
  virtual float next() = 0;
};
class Steps : public Source {
public:
  explicit Steps(int step) : step(step) {}
  float next() override { return at += float(step); }

private:
  int step;
  float at = 0;
};
float pulled(Source &s, int n) { return n > 0 ? s.next() : 0; }
#else
double live(const Cube &c) {
  std::vector<int> traces;
  for (int i = 0; i < c.inlines(); ++i)
    if (c.at(i, 0, 0) > 0)
      traces.push_back(i);
  return traces.empty() ? 0 : traces.back();
}
#define CALL live(kept)
#endif

#ifdef CALL
TWICE({ static Cube kept(number(1), number(2), number(3)); kept.fill(data); sink = CALL; })
#endif
