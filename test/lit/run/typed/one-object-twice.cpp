// One object in the place of two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A caller may give one object as both arguments of a type. Where the call changes the size of one of them, the answer
// holds for two objects, and says so; where both cannot be one, or no size changes, nothing is said.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --operator grown --shape in.size=100,out.size=100 | FileCheck %s
// RUN: %predict --operator grown --shape in.size=100,out.size=90 | FileCheck %s --check-prefix=HOLDS
// RUN: %predict --operator kept --shape in.size=100,out.size=100 | FileCheck %s --check-prefix=HOLDS
// RUN: %predict --operator joined --shape in.size=100,out.size=100 | FileCheck %s
//
// CHECK: peak heap
// CHECK-NOT: exact
// CHECK: it holds where 'out' and 'in' are different objects: the call changes the size of 'out'
// HOLDS: peak heap {{.*}} exact
// HOLDS-NOT: different objects

#include <memshape/operator.h>
#include <string>
#include <vector>

MEMSHAPE_OPERATOR std::vector<float> grown(const std::vector<float> &in, std::vector<float> &out) {
  out.resize(in.size() + 5);
  return std::vector<float>(in.size());
}

MEMSHAPE_OPERATOR std::vector<float> kept(const std::vector<float> &in, std::vector<float> &out) {
  out.resize(in.size());
  return std::vector<float>(in.size());
}

MEMSHAPE_OPERATOR std::string joined(std::string &out, const std::string &in) {
  out += "and some more";
  return in;
}
