// Bytes of what the caller hands in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors have bytes and a formula of their own: where the peak follows no law (blocks of a cache), too. The resident
// peak counts them. Of a pointer only the caller knows the bytes, and the answer names it.
//
// RUN: %clangxx -std=c++17 -O2 -DNDEBUG -fplugin=%plugin -I/usr/include/eigen3 \
// RUN:   -fplugin-arg-memshape-operator=gram -fplugin-arg-memshape-operator=scaled -c %s -o %t.o
// RUN: %predict --operator gram --shape a.rows=600,a.cols=1500 --json | FileCheck %s --check-prefix=GRAM
// RUN: %predict --operator gram --shape a.rows=600,a.cols=1500 | FileCheck %s --check-prefix=PAGE --implicit-check-not=--held
// RUN: %predict --operator scaled --shape a.rows=300,a.cols=4000,n=7 --json | FileCheck %s --check-prefix=SCALED
// RUN: %predict --operator scaled --shape a.rows=300,a.cols=4000,n=7 --held 9600028 --json | FileCheck %s --check-prefix=HELD
//
// The page of a report has a slider for each symbol.
// RUN: %memshape report %t.o --operator scaled --format html -o %t.html
// RUN: FileCheck %s --check-prefix=HTML --input-file %t.html
// HTML: "formula_symbols":["a.rows","a.cols","n"]

#include <Eigen/Dense>

// GRAM:      "held_known": true
// GRAM:      "formula": {
// GRAM-NEXT:   "peak": null
// GRAM:      "tensors": [
// GRAM-NEXT:   {
// GRAM-NEXT:     "name": "a",
// GRAM-NEXT:     "bytes": 7200000,
// GRAM-NEXT:     "formula": "8*a.rows*a.cols"
// GRAM-NEXT:   }
// GRAM-NEXT: ],
//
// PAGE: argument a {{.*}} 7,200,000 bytes the caller's: 8*a.rows*a.cols
// PAGE: peak RSS {{.*}} expected{{$}}
Eigen::MatrixXd gram(const Eigen::MatrixXd &a) { return a.transpose() * a; }

// SCALED:      "held_known": false
// SCALED:      "tensors": [
// SCALED-NEXT:   {
// SCALED-NEXT:     "name": "a",
// SCALED-NEXT:     "bytes": 9600000,
// SCALED-NEXT:     "formula": "8*a.rows*a.cols"
// SCALED-NEXT:   },
// SCALED-NEXT:   {
// SCALED-NEXT:     "name": "by",
// SCALED-NEXT:     "bytes": null,
// SCALED-NEXT:     "formula": null
// SCALED-NEXT:   }
// SCALED-NEXT: ],
// SCALED: counts the arguments that are built, and not what 'by' points to: give --held BYTES for all tensors together
//
// HELD: "held_known": true
// HELD-NOT: --held
Eigen::MatrixXd scaled(const Eigen::MatrixXd &a, const float *by, int n) { return a * by[n + long(a(0, 0))]; }
