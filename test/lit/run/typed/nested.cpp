// Containers of objects, keys, adaptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an element holds has symbols of its own; keys differ; fixed extents and plain data have none.
//
// RUN: %clang -O2 -c %counting -o %t-counted.o
// RUN: %clangxx -std=c++20 -O2 %operatorxx %t-counted.o
// RUN: %python %S/../typed.py %memshape %t.o %t

#include "../Inputs/counted.h"
#include <array>
#include <bitset>
#include <complex>
#include <deque>
#include <forward_list>
#include <list>
#include <map>
#include <memory>
#include <memshape/operator.h>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <stack>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>
using V = std::vector<float>;
struct Cube {
  Cube(int ni, int nx) : ni(ni), nx(nx), s(std::size_t(ni) * nx) {}
  int ni, nx;
  std::vector<float> s;
};
MEMSHAPE_OPERATOR V n3(const std::vector<std::vector<V>> &in) { return V(in.size() * in[0].size() * in[0][0].size()); }
MEMSHAPE_OPERATOR V va(const std::vector<std::array<float, 3>> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V vai(const std::vector<std::array<int, 3>> &in) {
  V o(in.size());
  o[0] = in[0][0];
  return o;
}
MEMSHAPE_OPERATOR V vpif(const std::vector<std::pair<int, float>> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V vtup(const std::vector<std::tuple<V, int>> &in) { return V(in.size() + std::get<0>(in[0]).size()); }
MEMSHAPE_OPERATOR V msv(const std::map<std::string, V> &in) {
  V o;
  o.reserve(in.size() * 100);
  for (auto &[k, v] : in)
    o.push_back(v[0]);
  return o;
}
MEMSHAPE_OPERATOR V msd(const std::map<std::string, double> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V mpd(const std::map<std::pair<int, int>, double> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V umsv(const std::unordered_map<std::string, V> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V sets(const std::set<std::string> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V mm(const std::multimap<int, double> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V umm(const std::unordered_multimap<int, double> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V ms(const std::multiset<int> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V us(const std::unordered_set<int> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V mv(const std::map<int, V> &in) {
  std::size_t n = 0;
  for (auto &[k, v] : in)
    n += v.size();
  return V(n);
}
MEMSHAPE_OPERATOR V dv(const std::deque<V> &in) {
  std::size_t n = 0;
  for (auto &v : in)
    n += v.size();
  return V(n);
}
MEMSHAPE_OPERATOR V lv(const std::list<V> &in) {
  std::size_t n = 0;
  for (auto &v : in)
    n += v.size();
  return V(n);
}
MEMSHAPE_OPERATOR V fl(const std::forward_list<int> &in) {
  V o;
  o.reserve(1000);
  for (auto &v : in)
    o.push_back(v);
  return o;
}
MEMSHAPE_OPERATOR V que(const std::queue<int> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V stk(const std::stack<double> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V pq(const std::priority_queue<float> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V oc(const std::optional<Cube> &in) { return in ? in->s : V(3); }
MEMSHAPE_OPERATOR V varc(const std::variant<V, Cube> &in) {
  return in.index() == 0 ? std::get<0>(in) : std::get<1>(in).s;
}
MEMSHAPE_OPERATOR V varn(const std::variant<int, double> &in) { return in.index() == 0 ? V(std::get<0>(in)) : V(7); }
MEMSHAPE_OPERATOR V spc(std::shared_ptr<const V> in) { return *in; }
MEMSHAPE_OPERATOR V upva(const std::unique_ptr<V[]> &in, int n) { return V(n + in[0].size()); }
MEMSHAPE_OPERATOR V vup(const std::vector<std::unique_ptr<Cube>> &in) { return V(in.size() + in[0]->s.size()); }
MEMSHAPE_OPERATOR V spa(std::shared_ptr<float[]> in, int n) { return V(in.get(), in.get() + n); }
MEMSHAPE_OPERATOR V bits(const std::bitset<100> &in, int n) { return V(n); }
MEMSHAPE_OPERATOR V span8(std::span<const float, 8> in) { return V(in.size()); }
MEMSHAPE_OPERATOR V vals(const std::valarray<double> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V cp(std::complex<double> z, int n) { return V(n); }
MEMSHAPE_OPERATOR V vov(const std::vector<std::optional<V>> &in) { return V(in.size()); }
MEMSHAPE_OPERATOR V vmat(const std::array<Cube, 3> &a) { return V(a[0].ni + a[1].nx + a[2].ni); }
MEMSHAPE_OPERATOR V pll(const std::pair<long, long> &a) { return V(a.first * a.second); }
MEMSHAPE_OPERATOR V tii(std::tuple<int, double, bool> a) { return V(std::get<0>(a)); }
int main() {
  COUNTED(n3, "in.size=3,in[0].size=4,in[0][0].size=5", (std::vector(3, std::vector(4, V(5)))));
  COUNTED(va, "in.size=3", (std::vector<std::array<float, 3>>(3)));
  COUNTED(vai, "in.size=3", (std::vector<std::array<int, 3>>(3)));
  COUNTED(vpif, "in.size=3", (std::vector<std::pair<int, float>>(3)));
  COUNTED(vtup, "in.size=3,in[0][0].size=40,in[0][1]=5", (std::vector(3, std::tuple(V(40), 5))));
  counted(
      "msv", "in.size=3,in[0].size=5,in.key.size=40", "",
      [] {
        std::map<std::string, V> m;
        for (int i = 0; i < 3; ++i)
          m[std::string(40, 'a' + i)] = V(5);
        return m;
      },
      [](auto &a) { return msv(a); });
  counted(
      "msd", "in.size=3,in.key.size=40", "",
      [] {
        std::map<std::string, double> m;
        for (int i = 0; i < 3; ++i)
          m[std::string(40, 'a' + i)] = 5;
        return m;
      },
      [](auto &a) { return msd(a); });
  counted(
      "mpd", "in.size=3", "",
      [] {
        std::map<std::pair<int, int>, double> m;
        for (int i = 0; i < 3; ++i)
          m[{i, i}] = 5;
        return m;
      },
      [](auto &a) { return mpd(a); });
  counted(
      "umsv", "in.size=3,in[0].size=5,in.key.size=40", "",
      [] {
        std::unordered_map<std::string, V> m;
        for (int i = 0; i < 3; ++i)
          m[std::string(40, 'a' + i)] = V(5);
        return m;
      },
      [](auto &a) { return umsv(a); });
  counted(
      "sets", "in.size=3,in[0].size=40", "",
      [] {
        std::set<std::string> m;
        for (int i = 0; i < 3; ++i)
          m.insert(std::string(40, 'a' + i));
        return m;
      },
      [](auto &a) { return sets(a); });
  counted(
      "mm", "in.size=3", "",
      [] {
        std::multimap<int, double> m;
        for (int i = 0; i < 3; ++i)
          m.emplace(i, i);
        return m;
      },
      [](auto &a) { return mm(a); });
  counted(
      "umm", "in.size=3", "",
      [] {
        std::unordered_multimap<int, double> m;
        for (int i = 0; i < 3; ++i)
          m.emplace(i, i);
        return m;
      },
      [](auto &a) { return umm(a); });
  counted(
      "ms", "in.size=3", "",
      [] {
        std::multiset<int> m;
        for (int i = 0; i < 3; ++i)
          m.insert(i);
        return m;
      },
      [](auto &a) { return ms(a); });
  counted(
      "us", "in.size=3", "",
      [] {
        std::unordered_set<int> m;
        for (int i = 0; i < 3; ++i)
          m.insert(i);
        return m;
      },
      [](auto &a) { return us(a); });
  counted(
      "mv", "in.size=3,in[0].size=5", "",
      [] {
        std::map<int, V> m;
        for (int i = 0; i < 3; ++i)
          m[i] = V(5);
        return m;
      },
      [](auto &a) { return mv(a); });
  COUNTED(dv, "in.size=3,in[0].size=5", (std::deque<V>(3, V(5))));
  COUNTED(lv, "in.size=3,in[0].size=5", (std::list<V>(3, V(5))));
  COUNTED(fl, "in.size=3", (std::forward_list<int>(3, 5)));
  COUNTED(que, "in.size=30", (std::queue<int>(std::deque<int>(30))));
  COUNTED(stk, "in.size=30", (std::stack<double>(std::deque<double>(30))));
  COUNTED(pq, "in.size=30", (std::priority_queue<float>({}, V(30))));
  counted(
      "oc", "in.ni=30,in.nx=4", "in.has_value=1", [] { return std::optional<Cube>(Cube(30, 4)); },
      [](auto &a) { return oc(a); });
  counted(
      "varc", "in[0].size=30,in[1].ni=4,in[1].nx=5", "in.index=0", [] { return (std::variant<V, Cube>(V(30))); },
      [](auto &a) { return varc(a); });
  counted(
      "varc", "in[0].size=30,in[1].ni=4,in[1].nx=5", "in.index=1", [] { return (std::variant<V, Cube>(Cube(4, 5))); },
      [](auto &a) { return varc(a); });
  counted(
      "varn", "in[0]=30", "in.index=0,in[1]=3", [] { return (std::variant<int, double>(30)); },
      [](auto &a) { return varn(a); });
  COUNTED(spc, "in.size=30", (std::shared_ptr<const V>(std::make_shared<V>(30))));
  counted(
      "upva", "in.size=30,in[0].size=4,n=5", "",
      [] {
        std::unique_ptr<V[]> p(new V[30]);
        for (int i = 0; i < 30; ++i)
          p[i] = V(4);
        return p;
      },
      [](auto &a) { return upva(a, 5); });
  counted(
      "vup", "in.size=3,in[0].ni=4,in[0].nx=5", "",
      [] {
        std::vector<std::unique_ptr<Cube>> v;
        v.reserve(3);
        for (int i = 0; i < 3; ++i)
          v.emplace_back(new Cube(4, 5));
        return v;
      },
      [](auto &a) { return vup(a); });
  counted(
      "spa", "in.size=30,n=5", "", [] { return std::shared_ptr<float[]>(new float[30]); },
      [](auto &a) { return spa(a, 5); });
  counted("bits", "n=5", "", [] { return std::bitset<100>(); }, [](auto &a) { return bits(a, 5); });
  counted(
      "span8", "", "",
      [] {
        static float f[8];
        return (std::span<const float, 8>(f));
      },
      [](auto &a) { return span8(a); });
  COUNTED(vals, "in.size=30", (std::valarray<double>(30)));
  counted("cp", "n=30", "", [] { return std::complex<double>(); }, [](auto &a) { return cp(a, 30); });
  counted(
      "vov", "in.size=30,in[0].size=4", "in[0].has_value=1", [] { return std::vector<std::optional<V>>(30, V(4)); },
      [](auto &a) { return vov(a); });
  counted(
      "vmat", "a[0].ni=2,a[0].nx=3,a[1].ni=4,a[1].nx=5,a[2].ni=6,a[2].nx=7", "",
      [] { return (std::array<Cube, 3>{Cube(2, 3), Cube(4, 5), Cube(6, 7)}); }, [](auto &a) { return vmat(a); });
  COUNTED(pll, "a.first=3,a.second=4", (std::pair<long, long>(3, 4)));
  counted(
      "tii", "a[0]=3", "a[1]=1,a[2]=1", [] { return (std::tuple<int, double, bool>(3, 4, 1)); },
      [](auto &a) { return tii(a); });
}
