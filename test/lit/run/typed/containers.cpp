// Operators on containers of the library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers are built with what they hold: nodes, elements that are objects, objects behind pointers. Their bytes are
// those that a caller's object holds.
//
// RUN: %clang -O2 -c %counting -o %t-counted.o
// RUN: %clangxx -std=c++20 -O2 %operatorxx %t-counted.o
// RUN: %python %S/../typed.py %memshape %t.o %t --not-exact applied --not-held arr3
//
// RUN: %clangxx -std=c++20 -O0 %operatorxx %t-counted.o
// RUN: %python %S/../typed.py %memshape %t.o %t --not-exact applied --not-held arr3

#include "../Inputs/counted.h"
#include <array>
#include <complex>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <memshape/operator.h>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

using V = std::vector<float>;
struct Cube {
  Cube(int ni, int nx) : ni(ni), nx(nx), s(std::size_t(ni) * nx) {}
  int ni, nx;
  std::vector<float> s;
};
struct Point {
  float x, y;
  int k;
};
MEMSHAPE_OPERATOR V nested(const std::vector<V> &in) {
  std::size_t n = 0;
  for (auto &r : in)
    n += r.size();
  V out(n);
  std::size_t k = 0;
  for (auto &r : in)
    for (float x : r)
      out[k++] = x;
  return out;
}
MEMSHAPE_OPERATOR V cubes(const std::vector<Cube> &in) {
  V out(in.size() * in[0].ni * 3);
  for (auto &c : in)
    out[0] += c.s[0];
  return out;
}
MEMSHAPE_OPERATOR V points(const std::vector<Point> &in) {
  V out(in.size() * 2);
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = in[i].x;
  return out;
}
MEMSHAPE_OPERATOR V arr3(const std::array<float, 3> &a, int n) {
  V out(n);
  out[0] = a[0];
  return out;
}
MEMSHAPE_OPERATOR V arri(const std::array<int, 3> &a) {
  V out(a[0] * a[1] * a[2]);
  return out;
}
MEMSHAPE_OPERATOR V arrv(const std::array<V, 2> &a) {
  V out(a[0].size() + 2 * a[1].size());
  out[0] = a[0][0];
  return out;
}
MEMSHAPE_OPERATOR V pr(const std::pair<V, Cube> &a) {
  V out(a.first.size() + a.second.ni);
  out[0] = a.first[0];
  return out;
}
MEMSHAPE_OPERATOR V tup(const std::tuple<V, int, Cube> &a) {
  V out(std::get<0>(a).size() * std::get<1>(a) + std::get<2>(a).nx);
  return out;
}
MEMSHAPE_OPERATOR V opt(const std::optional<V> &a, int n) {
  V out(a ? a->size() : n);
  return out;
}
MEMSHAPE_OPERATOR V uniq(const std::unique_ptr<Cube> &a) {
  V out(a->s);
  return out;
}
MEMSHAPE_OPERATOR V uniqa(const std::unique_ptr<float[]> &a, int n) {
  V out(a.get(), a.get() + n);
  return out;
}
MEMSHAPE_OPERATOR V shrd(std::shared_ptr<Cube> a) {
  V out(a->s);
  return out;
}
MEMSHAPE_OPERATOR V shrv(const std::vector<std::shared_ptr<V>> &a) {
  V out(a.size() * a[0]->size());
  return out;
}
MEMSHAPE_OPERATOR V rawv(const std::vector<Cube *> &a) {
  V out(a.size() * a[0]->ni);
  return out;
}
MEMSHAPE_OPERATOR V refw(std::reference_wrapper<const V> a) {
  V out(a.get());
  return out;
}
MEMSHAPE_OPERATOR std::string str(const std::string &a) {
  std::string out(a);
  out.push_back('y');
  return out;
}
MEMSHAPE_OPERATOR V deq(const std::deque<float> &a) {
  V out(a.begin(), a.end());
  return out;
}
MEMSHAPE_OPERATOR V lst(const std::list<int> &a) {
  V out;
  out.reserve(a.size());
  for (int x : a)
    out.push_back(x);
  return out;
}
MEMSHAPE_OPERATOR V inOrder(const std::set<int> &a) {
  V out(a.size());
  int i = 0;
  for (int x : a)
    out[i++] = x;
  return out;
}
MEMSHAPE_OPERATOR V table(const std::map<int, double> &a) {
  V out(a.size());
  int i = 0;
  for (auto &x : a)
    out[i++] = x.second;
  return out;
}
MEMSHAPE_OPERATOR V ump(const std::unordered_map<int, float> &a) {
  V out(a.size());
  int i = 0;
  for (auto &x : a)
    out[i++] = x.second;
  return out;
}
MEMSHAPE_OPERATOR V boolv(const std::vector<bool> &a) {
  V out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    out[i] = a[i];
  return out;
}
MEMSHAPE_OPERATOR std::vector<std::complex<float>> cplx(const std::vector<std::complex<float>> &a) {
  auto out(a);
  for (auto &x : out)
    x *= x;
  return out;
}
MEMSHAPE_OPERATOR V applied(const V &a, const std::function<float(float)> &f) {
  V out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    out[i] = f(a[i]);
  return out;
}
MEMSHAPE_OPERATOR V strs(const std::vector<std::string> &a) {
  V out;
  for (auto &s : a)
    out.push_back(s.size());
  return out;
}

int main() {
  COUNTED(nested, "in.size=5,in[0].size=7", (std::vector<V>(5, V(7))));
  COUNTED(cubes, "in.size=5,in[0].ni=3,in[0].nx=4", (std::vector<Cube>(5, Cube(3, 4))));
  COUNTED(points, "in.size=50", (std::vector<Point>(50)));
  counted("arr3", "n=9", "", [] { return std::array<float, 3>{}; }, [](auto &a) { return arr3(a, 9); });
  COUNTED(arri, "a[0]=2,a[1]=3,a[2]=4", (std::array<int, 3>{2, 3, 4}));
  COUNTED(arrv, "a[0].size=5,a[1].size=6", (std::array<V, 2>{V(5), V(6)}));
  COUNTED(pr, "a.first.size=5,a.second.ni=6,a.second.nx=7", (std::pair<V, Cube>(V(5), Cube(6, 7))));
  COUNTED(tup, "a[0].size=5,a[1]=3,a[2].ni=6,a[2].nx=7", (std::tuple<V, int, Cube>(V(5), 3, Cube(6, 7))));
  counted(
      "opt", "a.size=5,n=9", "a.has_value=1", [] { return std::optional<V>(V(5)); }, [](auto &a) { return opt(a, 9); });
  counted("opt", "a.size=5,n=9", "a.has_value=0", [] { return std::optional<V>(); }, [](auto &a) { return opt(a, 9); });
  COUNTED(uniq, "a.ni=6,a.nx=7", (std::make_unique<Cube>(6, 7)));
  counted(
      "uniqa", "a.size=9,n=9", "", [] { return std::make_unique<float[]>(9); }, [](auto &a) { return uniqa(a, 9); });
  COUNTED(shrd, "a.ni=6,a.nx=7", (std::make_shared<Cube>(6, 7)));
  counted(
      "shrv", "a.size=3,a[0].size=6", "",
      [] {
        std::vector<std::shared_ptr<V>> v;
        v.reserve(3);
        for (int i = 0; i < 3; ++i)
          v.push_back(std::make_shared<V>(6));
        return v;
      },
      [](auto &a) { return shrv(a); });
  counted(
      "rawv", "a.size=3,a[0].ni=6,a[0].nx=7", "",
      [] {
        std::vector<Cube *> v;
        v.reserve(3);
        for (int i = 0; i < 3; ++i)
          v.push_back(new Cube(6, 7));
        return v;
      },
      [](auto &a) { return rawv(a); });
  COUNTED(refw, "a.size=8", (std::reference_wrapper<const V>(*new V(8))));
  COUNTED(str, "a.size=100", (std::string(100, 'x')));
  COUNTED(deq, "a.size=1000", (std::deque<float>(1000)));
  COUNTED(lst, "a.size=100", (std::list<int>(100)));
  counted(
      "inOrder", "a.size=100", "",
      [] {
        std::set<int> s;
        for (int i = 0; i < 100; ++i)
          s.insert(i * 7919 % 1000);
        return s;
      },
      [](auto &a) { return inOrder(a); });
  counted(
      "table", "a.size=100", "",
      [] {
        std::map<int, double> s;
        for (int i = 0; i < 100; ++i)
          s[i * 7919 % 1000] = i;
        return s;
      },
      [](auto &a) { return table(a); });
  counted(
      "ump", "a.size=100", "",
      [] {
        std::unordered_map<int, float> s;
        for (int i = 0; i < 100; ++i)
          s[i * 7919 % 1000] = i;
        return s;
      },
      [](auto &a) { return ump(a); });
  COUNTED(boolv, "a.size=1000", (std::vector<bool>(1000)));
  COUNTED(cplx, "a.size=100", (std::vector<std::complex<float>>(100)));
  counted(
      "applied", "a.size=100", "", [] { return V(100); },
      [](auto &a) { return applied(a, [](float x) { return x * 2; }); });
  COUNTED(strs, "a.size=5,a[0].size=30", (std::vector<std::string>(5, std::string(30, 'x'))));
}
