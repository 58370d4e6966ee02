// How arguments are handed over.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By value, moved in, in and out, as a range of iterators or pointers, made by a static function, with defaults; what
// functions that the caller hands over may allocate is named.
//
// RUN: %clang -O2 -c %counting -o %t-counted.o
// RUN: %clangxx -std=c++20 -O2 %operatorxx %t-counted.o
// RUN: %python %S/../typed.py %memshape %t.o %t --not-held ptrs "gen<const float *>"
// RUN: %predict --operator moved --shape in=30 | %says "formula 8*in.size"
// RUN: %predict --operator movedc --shape in.ni=30,in.nx=4 | %says "peak heap 0 B 0 bytes exact"
// RUN: %predict --operator upval --shape in.ni=30,in.nx=4 | %says "peak heap 0 B 0 bytes exact"
// RUN: %predict --operator inout --shape v=30 | %says "formula 8*v.size"
// RUN: %predict --operator shr --shape a=30 | %says "formula 4*a.n"
// RUN: %predict --operator fp --shape a=30 | %says "peak heap {{.*}} at most: if 'f' requests nothing"
// RUN: %predict --operator fv --shape a=30 | %says "peak heap {{.*}} at most: if 'f' requests nothing"

#include "../Inputs/counted.h"
#include <array>
#include <functional>
#include <memory>
#include <memshape/operator.h>
#include <span>
#include <string>
#include <vector>
using V = std::vector<float>;
struct Cube {
  Cube(int ni, int nx) : ni(ni), nx(nx), s(std::size_t(ni) * nx) {}
  int ni, nx;
  std::vector<float> s;
};
MEMSHAPE_OPERATOR V byval(V in) {
  in.push_back(1);
  return in;
}
MEMSHAPE_OPERATOR V moved(V &&in) {
  V o(std::move(in));
  o.push_back(3);
  return o;
}
MEMSHAPE_OPERATOR V movedc(Cube &&in) {
  Cube o(std::move(in));
  return std::move(o.s);
}
MEMSHAPE_OPERATOR V cubeval(Cube in) { return V(in.ni); }
MEMSHAPE_OPERATOR V upval(std::unique_ptr<Cube> in) { return std::move(in->s); }
MEMSHAPE_OPERATOR void inout(V &v) { v.resize(2 * v.size()); }
MEMSHAPE_OPERATOR void outp(const V &in, V *out) { *out = in; }
MEMSHAPE_OPERATOR V its(V::const_iterator b, V::const_iterator e) { return V(b, e); }
MEMSHAPE_OPERATOR V ptrs(const float *first, const float *last) { return V(first, last); }
MEMSHAPE_OPERATOR V ptrn(const float *first, std::size_t n) { return V(first, first + n); }
MEMSHAPE_OPERATOR void alg(std::vector<int>::iterator b, std::vector<int>::iterator e) { std::vector<int> t(b, e); }
template <class It> MEMSHAPE_OPERATOR V gen(It b, It e) { return V(b, e); }
template V gen<const float *>(const float *, const float *);
MEMSHAPE_OPERATOR V fp(const V &a, float (*f)(float)) {
  V o(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    o[i] = f(a[i]);
  return o;
}
MEMSHAPE_OPERATOR V fv(const V &a, const std::function<V(const V &)> &f) {
  V o(a);
  auto t = f(a);
  return o;
}
template <class F> V tf(const V &a, F f) {
  V o(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    o[i] = f(a[i]);
  return o;
}
MEMSHAPE_OPERATOR V lam(const V &a) {
  return tf(a, [](float x) { return x * 2; });
}
MEMSHAPE_OPERATOR V def(const V &a, int n = 3, double s = 2, const std::string &name = "abc") {
  return V(a.size() * n);
}
class Fact {
public:
  static Fact make(int rows, int cols) {
    Fact f;
    f.v.resize(rows * cols);
    f.r = rows;
    return f;
  }
  int rows() const { return r; }
  V v;

private:
  Fact() {}
  int r = 0;
};
MEMSHAPE_OPERATOR V fact(const Fact &a) { return V(a.v.size() + a.rows()); }
class Ptr {
public:
  static std::shared_ptr<Ptr> create(int n) { return std::shared_ptr<Ptr>(new Ptr(n)); }
  V v;

private:
  explicit Ptr(int n) : v(n) {}
};
MEMSHAPE_OPERATOR V shf(const std::shared_ptr<Ptr> &a) { return V(a->v.size()); }
MEMSHAPE_OPERATOR V shr(const Ptr &a) { return V(a.v.size()); }
class Filter {
public:
  explicit Filter(int width) : w(width), k(width) {}
  MEMSHAPE_OPERATOR V apply(std::span<const float> in) const { return V(in.size() + w); }
  MEMSHAPE_OPERATOR V operator()(const V &a) {
    k.resize(a.size());
    return V(a.size());
  }

private:
  int w;
  V k;
};
int main() {
  counted("its", "b.size=30", "", [] { return V(30); }, [](auto &a) { return its(a.begin(), a.end()); });
  counted(
      "ptrs", "first.size=30", "", [] { return std::array<float, 30>(); },
      [](auto &a) { return ptrs(a.data(), a.data() + 30); });
  counted(
      "gen<const float *>", "b.size=30", "", [] { return std::array<float, 30>(); },
      [](auto &a) { return gen(a.data(), a.data() + 30); });
  counted(
      "alg", "b.size=30", "", [] { return std::vector<int>(30); },
      [](auto &a) {
        alg(a.begin(), a.end());
        return 0;
      });

  COUNTED(shf, "a.n=30", (Ptr::create(30)));
  counted(
      "Filter::apply", "this.width=5,in.size=30", "", [] { return Filter(5); },
      [](auto &a) {
        static float f[30];
        return a.apply(f);
      });
  COUNTED(byval, "in.size=30", (V(30)));
  COUNTED(cubeval, "in.ni=30,in.nx=4", (Cube(30, 4)));
  COUNTED(fact, "a.rows=30,a.cols=4", (Fact::make(30, 4)));
  counted("def", "a.size=30,n=2,name.size=5", "s=1", [] { return V(30); }, [](auto &a) { return def(a, 2, 1); });
  COUNTED(lam, "a.size=30", (V(30)));
}
