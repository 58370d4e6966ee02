// What an operator returns has extents as its arguments have. They are told with a formula; what data decides is named
// with its line, and has no number.
//
// RUN: %clangxx -std=c++17 -O2 -I%include -fplugin=%plugin -c %s -o %t.o
//
// RUN: %predict --operator sums --shape in.size=1000,width=7 --json | FileCheck %s --check-prefix SUMS
// SUMS: "exact": true
// SUMS: "output_shape": {
// SUMS-NEXT: "result.size": 994
// SUMS-NEXT: },
// SUMS-NEXT: "output_formulas": {
// SUMS-NEXT: "result.size": "in.size - width + 1"
// SUMS-NEXT: },
// SUMS-NEXT: "output_decided": []
//
// RUN: %predict --operator sums --shape in.size=1000,width=7 | FileCheck %s --check-prefix PAGE
// PAGE: What it returns
// PAGE-NEXT: result.size 994 in.size - width + 1
//
// RUN: %predict --operator above --shape in.size=1000 --set limit=1 --json | FileCheck %s --check-prefix ABOVE
// ABOVE: "peak_bytes": 4000,
// ABOVE: "exact": true
// ABOVE: "output_shape": {
// ABOVE-NEXT: "result.values.size": 1000
// ABOVE-NEXT: },
// ABOVE-NEXT: "output_formulas": {
// ABOVE-NEXT: "result.values.size": "in.size"
// ABOVE-NEXT: },
// ABOVE-NEXT: "output_decided": [
// ABOVE-NEXT: {
// ABOVE-NEXT: "symbol": "result.count",
// ABOVE-NEXT: "file": "{{.*}}results.cpp",
// ABOVE-NEXT: "line": [[@LINE+49]],
// ABOVE: "condition": "each > limit"
// RUN: %predict --operator above --shape in.size=1000 --set limit=1 | FileCheck %s --check-prefix NAMED
// NAMED: What it returns
// NAMED-NEXT: result.values.size 1,000 in.size
// NAMED-NEXT: result.count ? data decides at {{.*}}results.cpp:[[@LINE+44]]: each > limit
//
// An object that the operator may change has its symbols at the return; one that it only reads has none.
// RUN: %predict --operator append --shape in.size=10,out.size=5 --json | FileCheck %s --check-prefix APPEND
// APPEND: "output_shape": {
// APPEND-NEXT: "out.size": 15
// APPEND-NEXT: },
// APPEND: "out.size": "in.size + out.size"
//
// RUN: %predict --operator halved --shape a.ni=101,a.nx=7 --json | FileCheck %s --check-prefix HALVED
// HALVED: "output_shape": {
// HALVED-NEXT: "result.ni": 50,
// HALVED-NEXT: "result.nx": 14
// HALVED-NEXT: },
// HALVED: "result.nx": "2*a.nx"
//
// What completions ask for.
// RUN: %memshape --shape-symbols %t.o | FileCheck %s --check-prefix SYMBOLS
// SYMBOLS: a.ni
// SYMBOLS-NEXT: a.nx
// SYMBOLS-NEXT: in.size
// SYMBOLS-NEXT: out.size
// SYMBOLS-NEXT: width
#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
std::vector<float> sums(const std::vector<float> &in, int width) {
  std::vector<float> out(in.size() - width + 1);
  for (size_t i = 0; i != out.size(); ++i)
    for (int w = 0; w != width; ++w)
      out[i] += in[i + w];
  return out;
}

struct Picks {
  int count;
  std::vector<float> values;
};

MEMSHAPE_OPERATOR
Picks above(const std::vector<float> &in, float limit) {
  Picks all{0, std::vector<float>(in.size())};
  for (float each : in)
    if (each > limit)
      all.values[all.count++] = each;
  return all;
}

MEMSHAPE_OPERATOR
void append(const std::vector<float> &in, std::vector<float> &out) { out.insert(out.end(), in.begin(), in.end()); }

class Grid {
public:
  Grid(int ni, int nx) : Ni(ni), Nx(nx), Values(size_t(ni) * nx) {}
  int Ni, Nx;
  std::vector<float> Values;
};

MEMSHAPE_OPERATOR
Grid halved(const Grid &a) { return Grid(a.Ni / 2, 2 * a.Nx); }
