// What a budget will cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two vectors of 8 n bytes, one after the other, beside one of 8 n: a peak of 16 n bytes, of 24 n in all.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --operator turns --shape n=1000 --budget 10000 --json | FileCheck %s --check-prefix BEYOND
// RUN: %predict --operator turns --shape n=1000 --budget 16000 --json | FileCheck %s --check-prefix WITHIN
// RUN: %predict --operator turns --shape n=1000 --budget 10000 | FileCheck %s --check-prefix PAGE
// RUN: %predict --operator turns --shape n=1000 --budget 1GiB | FileCheck %s --check-prefix FITS
// RUN: %predict --operator decided --shape n=1000 --budget 10000 --json | FileCheck %s --check-prefix OPEN
// RUN: %predict --operator turns --shape n=1000 --json | FileCheck %s --check-prefix NONE
// RUN: not %predict --operator turns --shape n=1000 --budget 0 2>&1 | FileCheck %s --check-prefix REFUSED

// BEYOND: "io": {
// BEYOND-NEXT: "budget_bytes": 10000,
// BEYOND-NEXT: "beyond": {
// BEYOND-NEXT: "lower_bytes": 6000,
// BEYOND-NEXT: "upper_bytes": 6000,
// BEYOND-NEXT: "evidence": "the source proves the peak",
// BEYOND-NEXT: "expected_bytes": 6000
// BEYOND: "displaced": {
// BEYOND-NEXT: "lower_bytes": 6000,
// BEYOND-NEXT: "upper_bytes": 14000,
// BEYOND: "written": {
// BEYOND-NEXT: "lower_bytes": 6000,
// BEYOND-NEXT: "upper_bytes": null,

// WITHIN: "io": {
// WITHIN: "written": {
// WITHIN-NEXT: "lower_bytes": 0,
// WITHIN-NEXT: "upper_bytes": 0,

// PAGE: Within a budget of 10,000 bytes
// PAGE-NEXT: beyond it at the peak {{.*}} 6,000 bytes exact
// PAGE-NEXT: displaced at most {{.*}} 14,000 bytes
// PAGE-NEXT: written at least {{.*}} 6,000 bytes
// PAGE-NEXT: written at most no bound

// FITS: Within a budget of 1,073,741,824 bytes
// FITS-NEXT: nothing has to leave: the peak is within the budget

// OPEN: "beyond": {
// OPEN-NEXT: "lower_bytes": 0,
// OPEN-NEXT: "upper_bytes": 6000,
// OPEN: "displaced": {
// OPEN-NEXT: "lower_bytes": 0,
// OPEN-NEXT: "upper_bytes": null,

// NONE-NOT: "io"

// REFUSED: --budget '0' is no size; write it as in 8GiB, 500MB or 1000000

#include <vector>

#define OPERATOR extern "C" __attribute__((annotate("memshape.operator")))

OPERATOR double turns(const double *in, int n) {
  std::vector<double> kept(n, in[0]);
  double sum = 0;
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<double> work(n, in[turn]);
    sum += work[n - 1] + kept[turn];
    kept[turn] = work[0];
  }
  return sum;
}

OPERATOR double decided(const double *in, int n) {
  std::vector<double> kept(n, in[0]);
  if (in[1] > 0) {
    std::vector<double> work(n, in[1]);
    kept[0] += work[n - 1];
  }
  return kept[0] + kept[n - 1];
}
