// A virtual call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vtable is memory whose contents are known: the call has the targets that were constructed.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memory>
#include <memshape/operator.h>
#include <vector>

struct Filter {
  virtual ~Filter() = default;
  virtual void run(const float *in, int n, float *out) = 0;
};
struct Mean final : Filter {
  void run(const float *in, int n, float *out) override {
    std::vector<float> copy(in, in + n);
    *out = copy[n / 2];
  }
};
struct Nothing final : Filter {
  void run(const float *, int, float *) override {}
};

MEMSHAPE_OPERATOR
void filter(const float *in, int n, int kind, float *out) {
  std::unique_ptr<Filter> chosen;
  if (kind)
    chosen = std::make_unique<Mean>();
  else
    chosen = std::make_unique<Nothing>();
  chosen->run(in, n, out);
}

// CHECK-NOT: call void @memshape_sk_unknown(
// CHECK: define internal {{.*}}filter
// CHECK-NOT: call void @memshape_sk_unknown(

// FACTS: "decisions": []
// FACTS: "unknown": []
