// Formulas, and what they have symbols for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c++20 -O2 -gline-tables-only
//
// They are looked for on a stack as usual, however small the one of the caller is.
// RUN: prlimit --stack=32768:32768 %memshape predict %t --operator padded --shape n=100 --set kind=3,edge=-1 \
// RUN:   | FileCheck --check-prefix=LITTLE %s
// LITTLE: formula

#include "../Inputs/twice.h"
#include <cstring>
#include <map>
#include <memshape/annotate.h>
#include <string>
#include <vector>

// Enumerations are settings. A parameter that is an enumeration is a setting: its number is given. It may be negative.
// HELD padded n=100 --set kind=3,edge=-1 -- 100 3 -1
// HELD padded n=100 --set kind=0,edge=2 -- 100 0 2
// RUN: not %memshape predict %t --operator padded --shape n=100 --set kind=1 2>&1 | %says "setting missing for operator 'padded': edge"
enum Kind { Float, Double, Half, Complex };
enum class Edge : short { Cut = -1, Keep, Mirror = 2 };

static const int bytes_of[] = {4, 8, 2, 8};

MEMSHAPE_OPERATOR
void padded(const float *in, int n, Kind kind, Edge edge) {
  char *work = static_cast<char *>(malloc(bytes_of[kind] * (n + 10 * static_cast<int>(edge))));
  for (int i = 0; i < n; ++i)
    work[i] = in[i] > 0;
  sink = work[n / 2];
  free(work);
}

TWICE_OF(padded, padded(data, number(1), static_cast<Kind>(number(2)), static_cast<Edge>(number(3))))

// A law with a window of its own. Short strings, doubled capacities and exact ones: the peak follows one law over most
// lengths and another over a dozen. No formula is a good answer; one that fails between the lengths that were drawn is
// not.
// HELD text n=28
// RUN: %python %S/../formula.py %memshape %t text n 20 17 40
MEMSHAPE_OPERATOR
float text(const float *in, int n) {
  std::string letters(n, 'a'), longer = letters + "tail", half = longer.substr(n / 2), all;
  all.reserve(n);
  all += half;
  all.insert(n / 3, "xyz");
  all.replace(0, 1, longer);
  return in[all.size() % 3];
}

// A recursion into halves has a formula. A side is halved while it is even and above a threshold. The bytes of all
// depths are a geometric sum, which is a polynomial in the side and in what is left of it.
// HELD halves n=208 n=33
// RUN: %python %S/../formula.py %memshape %t halves n 160 90 130 | %says "halved(n, 24)"
static float product(const float *in, long side) {
  if (side <= 24 || side % 2)
    return in[0];
  long half = side / 2;
  std::vector<float> left(half * half), right(2 * half * half);
  left[0] = in[1];
  right[0] = in[2];
  float first = product(left.data(), half);
  return first + product(right.data(), half);
}

MEMSHAPE_OPERATOR
float halves(const float *in, int n) { return product(in, n); }

// A size from data becomes a symbol. The formula has a symbol for it, and --assume gives it a value. That it is a byte
// bounds it.
// HELD sized n=100 --bounds 800..1820
// RUN: %memshape predict %t --operator sized --shape n=100 | FileCheck %s --check-prefix=SIZED-OPEN
// RUN: %memshape predict %t --operator sized --shape n=100 --assume k=7 | %says "peak heap{{.*}}828 bytes" "formula{{.*}}8*n + 4*k"
// RUN: not %memshape predict %t --operator sized --shape n=100 --assume traces=7 2>&1 | FileCheck %s --check-prefix=SIZED-STRANGE
// SIZED-OPEN: peak heap{{.*}}1,820 bytes at most
// SIZED-OPEN: formula{{.*}}8*n + 4*k
// SIZED-OPEN: comes from data, which can make it anything within the bounds; --assume k=N gives it
// SIZED-STRANGE: memshape: operator 'sized' has no decision 'traces'; it has 1, counted from 0: k
MEMSHAPE_OPERATOR
double sized(const unsigned char *counts, int n) {
  unsigned picks = counts[0];
  float *times = (float *)malloc(picks * sizeof(float));
  double *copy = (double *)malloc(n * sizeof(double));
  memcpy(times, counts, picks * sizeof(float));
  memcpy(copy, counts, n * sizeof(double));
  double result = times[picks / 2] + copy[n / 2];
  free(times);
  free(copy);
  return result;
}

// Objects made before main. What constructors at namespace scope have made is there when the operator starts, and is
// not the operator's: static variables, members of class templates, and what they are made of.
// HELD filters n=100 n=7
static const std::vector<int> widths = {3, 5, 7};
static std::map<std::string, int> passes = {{"low", 2}, {"high", 1}};

template <int Order> struct Spline {
  static const std::vector<double> poles;
};
template <int Order> const std::vector<double> Spline<Order>::poles = std::vector<double>(Order / 2, -0.25);

MEMSHAPE_OPERATOR
float filters(const float *in, int n) {
  float sum = 0;
  for (int width : widths) {
    std::vector<float> kernel(width * n, in[0]);
    sum += kernel[n];
  }
  for (const auto &[name, times] : passes) {
    std::vector<float> pass(times * n, in[1]);
    sum += pass[0];
  }
  std::vector<double> poles(Spline<5>::poles);
  return sum + poles[1];
}

// Annotations are no unknowns. What a program declares about its memory (<memshape/annotate.h>) is given pointers to
// the operator's own objects, and yet changes nothing in them: a prediction is as exact as without.
// HELD declared n=1000 n=3
struct Cells {
  Cells() { memshape_pool_create(this, "cells"); }
  ~Cells() {
    for (float *Row : Rows)
      delete[] Row;
    memshape_pool_destroy(this);
  }
  float *take() {
    if (Used % 64 == 0) {
      Rows.push_back(new float[64]);
      memshape_pool_holds(this, Rows.size() * 64 * sizeof(float));
    }
    float *Cell = Rows.back() + Used++ % 64;
    memshape_pool_alloc(this, Cell, sizeof(float));
    return Cell;
  }
  std::vector<float *> Rows;
  std::size_t Used = 0;
};

MEMSHAPE_OPERATOR
float declared(const float *in, int n) {
  Cells All;
  float Sum = 0;
  memshape_phase_begin("fill");
  for (int i = 0; i < n; ++i)
    *All.take() = in[i];
  memshape_phase_end("fill");
  MEMSHAPE_PHASE("sum");
  std::vector<float> Copy(All.Rows.size());
  for (std::size_t r = 0; r < Copy.size(); ++r)
    Sum += Copy[r] = *All.Rows[r];
  return Sum;
}
