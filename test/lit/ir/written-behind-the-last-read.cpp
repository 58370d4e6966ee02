// Data that comes too late.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable of the operator is used for sizes first and for data later. What is written behind the last read, or into
// a variable whose lifetime has ended, is seen by no read. It is seen by the next iteration where the variable lives on,
// by the next call where it is static, and by a thread that runs beside it.
//
// RUN: %clangxx -std=c++20 -O2 -DSIZES=behind -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -disable-output 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %clangxx -std=c++20 -O2 -DSIZES=anew -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -disable-output 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %clangxx -std=c++20 -O2 -DSIZES=again -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -disable-output 2>&1 | FileCheck --check-prefix=SOME %s
// RUN: %clangxx -std=c++20 -O2 -DSIZES=before -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -disable-output 2>&1 | FileCheck --check-prefix=SOME %s
// RUN: %clangxx -std=c++20 -O2 -DSIZES=nextCall -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -disable-output 2>&1 | FileCheck --check-prefix=SOME %s
// RUN: %clangxx -std=c++20 -O2 -DSIZES=beside -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -disable-output 2>&1 | FileCheck --check-prefix=SOME %s
//
// NONE: "decisions": [],
// NONE: "status": "sliced"
// SOME: "decisions": [
// SOME-NEXT: {
// SOME: "status": "sliced"

#include <atomic>
#include <memshape/operator.h>
#include <thread>

using Table = std::atomic<int>[8];

static void fill(Table &table, int n) {
  for (int i = 0; i < 8; ++i)
    table[i] = n + i;
}

static void overwrite(Table &table, const float *in) {
  for (int i = 0; i < 8; ++i)
    table[i] = int(in[i]);
}

static void take(const Table &table, int n) {
  volatile char *block = new char[table[n & 7]];
  block[0] = 1;
  delete[] block;
}

static float behind(const float *in, int n) {
  Table table;
  fill(table, n);
  for (int turn = 0; turn < n; ++turn)
    take(table, turn);
  overwrite(table, in);
  return float(table[int(in[0]) & 7]);
}

static float anew(const float *in, int n) {
  float sum = 0;
  for (int turn = 0; turn < n; ++turn) {
    Table table;
    fill(table, n);
    take(table, turn);
    overwrite(table, in);
    sum += float(table[int(in[0]) & 7]);
  }
  return sum;
}

static float again(const float *in, int n) {
  Table table;
  fill(table, n);
  for (int turn = 0; turn < n; ++turn) {
    take(table, turn);
    overwrite(table, in);
  }
  return float(table[int(in[0]) & 7]);
}

static float before(const float *in, int n) {
  Table table;
  fill(table, n);
  overwrite(table, in);
  take(table, n);
  return float(table[int(in[0]) & 7]);
}

static float nextCall(const float *in, int n) {
  static Table table;
  take(table, n);
  overwrite(table, in);
  return float(table[int(in[0]) & 7]);
}

static float beside(const float *in, int n) {
  Table table;
  fill(table, n);
  std::thread other([&] { take(table, n); });
  overwrite(table, in);
  other.join();
  return float(table[int(in[0]) & 7]);
}

MEMSHAPE_OPERATOR
float sizes(const float *in, int n) { return SIZES(in, n); }
