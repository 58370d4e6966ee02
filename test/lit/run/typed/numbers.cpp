// Classes built from integers and other numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constructor may take truth values, numbers with a point and pointers to numbers beside integers. Defaults that are
// no numbers are left as they are, and all behind them.
//
// RUN: %held -std=c++17 -O2
// HELD -DPLAN -fplugin-arg-memshape-operator=Plan::again this.length=600,times=3 --set this.inverse=true -- 600 1 3
// HELD -DPLAN -fplugin-arg-memshape-operator=Plan::again this.length=600,times=3 --set this.inverse=false -- 600 0 3
// HELD -fplugin-arg-memshape-operator=unpacked p.nx=40,p.ny=30 --set p.rate=8
//
// RUN: %memshape predict %t --shape p.nx=40,p.ny=30 --set p.rate=8 | FileCheck %s
// CHECK: peak heap {{.*}} 4,800 bytes exact
// CHECK: argument p {{.*}} 1,200 bytes

#include "../Inputs/twice.h"
#include <vector>

#ifdef PLAN
class Plan {
public:
  Plan(std::size_t length, bool inverse) : twiddles(inverse ? 2 * length : length) {}
  double again(int times) const {
    std::vector<double> work(twiddles.size() * times);
    return work.back();
  }

private:
  std::vector<double> twiddles;
};

TWICE({ Plan kept(number(1), number(2)); sink = kept.again(int(number(3))); })
#else
class Packed {
public:
  Packed(std::size_t nx, std::size_t ny, double rate, const float *from = nullptr, std::size_t cache = 0)
      : nx(nx), ny(ny), bytes(std::size_t(nx * ny * rate / 8)) {
    if (from)
      bytes.resize(bytes.size() + cache);
  }
  std::size_t size() const { return nx * ny; }
  unsigned char first() const { return bytes[0]; }

private:
  std::size_t nx, ny;
  std::vector<unsigned char> bytes;
};

double unpacked(const Packed &p) {
  std::vector<float> all(p.size());
  all[p.first()] = 1;
  return all.back();
}

TWICE({ Packed kept(number(1), number(2), 8.0); sink = unpacked(kept); })
#endif
