// Objects whose class the caller chooses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What virtual functions of an argument do is up to who derives from its class. That they are called decides, and
// whether somebody can derive; a line of the user's says which class it is.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --operator called --shape n=100 | FileCheck %s
// RUN: %predict --operator called_by_others --shape n=100 | FileCheck %s
// RUN: %predict --operator asked --shape n=100 | FileCheck %s
// RUN: %predict --operator shared --shape n=100 | FileCheck %s
// RUN: %predict --operator by_member_pointer --shape n=100 | FileCheck %s
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -DOTHER -c %s -o %t-other.o
// RUN: %predict %t-other.o --operator called_elsewhere --shape n=100 | FileCheck %s
// RUN: %predict --operator qualified --shape n=100 | %says "peak heap {{.*}} exact"
// RUN: %predict --operator copied --shape n=100 | %says "peak heap {{.*}} exact"
// RUN: %predict --operator closed --shape n=100 | %says "peak heap {{.*}} exact"
// RUN: %predict --operator said --shape n=100 | %says "peak heap {{.*}} exact"
//
// CHECK-NOT: exact
// CHECK: virtual functions of classes derived from survey::Kernel: a caller may give an object of such a class

#include <memory>
#include <memshape/operator.h>
#include <vector>

namespace survey {
struct Kernel {
  virtual ~Kernel() = default;
  virtual int width(int n) const { return n; }
  int twice(int n) const { return 2 * width(n); }
};
struct Wide : Kernel {
  int width(int n) const override { return 3 * n; }
};
struct Last final : Kernel {
  int width(int n) const override { return 5 * n; }
};
struct Filter {
  virtual ~Filter() = default;
  virtual int width(int n) const { return n; }
};
struct Gaussian : Filter {
  int width(int n) const override { return 7 * n; }
};
MEMSHAPE_BUILD(Filter *, (), new Gaussian)
} // namespace survey
using namespace survey;

int elsewhere(const Kernel &k, int n);
#ifdef OTHER
int elsewhere(const Kernel &k, int n) { return k.width(n); }
#else

MEMSHAPE_OPERATOR std::vector<char> called(const Kernel &k, int n) { return std::vector<char>(k.width(n)); }
MEMSHAPE_OPERATOR std::vector<char> called_by_others(const Kernel *k, int n) { return std::vector<char>(k->twice(n)); }
MEMSHAPE_OPERATOR std::vector<char> asked(const Kernel &k, int n) {
  return std::vector<char>(dynamic_cast<const Wide *>(&k) ? 2 * n : n);
}
MEMSHAPE_OPERATOR std::vector<char> shared(std::shared_ptr<Kernel> k, int n) { return std::vector<char>(k->width(n)); }
MEMSHAPE_OPERATOR std::vector<char> qualified(const Kernel &k, int n) { return std::vector<char>(k.Kernel::width(n)); }
MEMSHAPE_OPERATOR std::vector<char> copied(Kernel k, int n) { return std::vector<char>(k.width(n)); }
MEMSHAPE_OPERATOR std::vector<char> closed(const Last &k, int n) { return std::vector<char>(k.width(n)); }
MEMSHAPE_OPERATOR std::vector<char> said(const Filter *f, int n) { return std::vector<char>(f->width(n)); }
MEMSHAPE_OPERATOR std::vector<char> by_member_pointer(const Kernel &k, int n) {
  int (Kernel::*width)(int) const = &Kernel::width;
  return std::vector<char>((k.*width)(n));
}
MEMSHAPE_OPERATOR std::vector<char> called_elsewhere(const Kernel &k, int n) {
  return std::vector<char>(elsewhere(k, n));
}
#endif
