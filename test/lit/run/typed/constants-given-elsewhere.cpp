// Members to which a constructor gives a constant by other means than an initializer or a statement of its body.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are settings as well, and told. Whether they are constants is seen in the code that is made of the constructor.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=* -c %s -o %t.o
// RUN: %predict --operator by_function --shape a.n=8 | %says "by_function at a.n=8; a.items=3{{$}}" "12 bytes exact"
// RUN: %predict --operator by_function --shape a.n=8 --set a.items=9 | %says "36 bytes exact"
// RUN: %predict --operator by_reference --shape a.n=8 | %says "by_reference at a.n=8; a.items=0{{$}}"
// RUN: %predict --operator by_base --shape a.n=8 --set a.items=7 | %says "28 bytes exact"
// RUN: %predict --operator by_delegation --shape a.n=8 | %says "by_delegation at a.n=8; a.items=0{{$}}"
// RUN: %predict --operator by_bytes --shape a.n=8 | %says "by_bytes at a.n=8; a.items=0{{$}}"
// RUN: %predict --operator of_pointer --shape a.n=8 | %says "of_pointer at a.n=8; a.part.present=0{{$}}"
// RUN: %predict --operator of_owner --shape a.n=8 | %says "of_owner at a.n=8; a.part.present=0{{$}}"
// RUN: %predict --operator of_atomic --shape a.n=8 | %says "bytes {{.*}}at least"
// RUN: %predict --operator of_size --shape a.n=8 | %says "of_size at a.n=8; a.items.size=4{{$}}" "16 bytes exact"
// RUN: %predict --operator of_size --shape a.n=8 --set a.items.size=50 | %says "200 bytes exact"
// RUN: %predict --operator of_one --shape a.n=8 | %says "of_one at a.n=8; a.items.size=1{{$}}" "4 bytes exact"
// RUN: %predict --operator of_its_size --shape a.n=8 | %says "of_its_size at a.n=8{{$}}" "64 bytes exact"
// RUN: %predict --operator of_computed --shape a.n=8 | %says "of_computed at a.n=8{{$}}" "64 bytes exact"

#include <atomic>
#include <cstring>
#include <memory>
#include <vector>

static float *made(int items) { return new float[items]; }

class ByFunction {
  int n, items;
  void reset() { items = 3; }

public:
  explicit ByFunction(int n) : n(n) { reset(); }
  void fill(int count) { items = count; }
  float *get() const { return made(items); }
};
float *by_function(const ByFunction &a) { return a.get(); }

class ByReference {
  int n, items;
  static void zero(int &number) { number = 0; }

public:
  explicit ByReference(int n) : n(n) { zero(items); }
  float *get() const { return made(items); }
};
float *by_reference(const ByReference &a) { return a.get(); }

struct Counted {
  int items;
  Counted() { items = 0; }
};
class ByBase : Counted {
  int n;

public:
  explicit ByBase(int n) : n(n) {}
  float *get() const { return made(items); }
};
float *by_base(const ByBase &a) { return a.get(); }

class ByDelegation {
  int n, items;
  ByDelegation(int n, int items) : n(n), items(items) {}

public:
  explicit ByDelegation(int n) : ByDelegation(n, 0) {}
  float *get() const { return made(items); }
};
float *by_delegation(const ByDelegation &a) { return a.get(); }

class ByBytes {
  int n, items;

public:
  explicit ByBytes(int n) : n(n) { memset(&items, 0, sizeof items); }
  float *get() const { return made(items); }
};
float *by_bytes(const ByBytes &a) { return a.get(); }

struct Part {
  int items = 5;
};
class OfPointer {
  int n;
  Part *part;
  void init() { part = nullptr; }

public:
  explicit OfPointer(int n) : n(n) { init(); }
  float *get() const { return part ? made(part->items) : nullptr; }
};
float *of_pointer(const OfPointer &a) { return a.get(); }

class OfOwner {
  int n;
  std::unique_ptr<Part> part;

public:
  explicit OfOwner(int n) : n(n) {}
  float *get() const { return part ? made(1000) : nullptr; }
};
float *of_owner(const OfOwner &a) { return a.get(); }

class OfAtomic {
  int n;
  std::atomic<int> items;

public:
  explicit OfAtomic(int n) : n(n) { items = 0; }
  float *get() const { return made(items); }
};
float *of_atomic(const OfAtomic &a) { return a.get(); }

class OfComputed {
  int n, items;
  void set(int by) {
    n = by;
    items = 2 * by;
  }

public:
  explicit OfComputed(int n) { set(n); }
  float *get() const { return made(items); }
};
float *of_computed(const OfComputed &a) { return a.get(); }

class OfSize {
  int n;
  std::vector<int> items;

public:
  explicit OfSize(int n) : n(n), items(4) {}
  float *get() const { return made(int(items.size())); }
};
float *of_size(const OfSize &a) { return a.get(); }

class OfOne {
  int n;
  std::vector<int> items;

public:
  explicit OfOne(int n) : n(n) { items.push_back(n); }
  float *get() const { return made(int(items.size())); }
};
float *of_one(const OfOne &a) { return a.get(); }

class OfItsSize {
  int n;
  std::vector<int> items;

public:
  explicit OfItsSize(int n) : n(n), items(2 * n) {}
  float *get() const { return made(int(items.size())); }
};
float *of_its_size(const OfItsSize &a) { return a.get(); }
