// Arguments that cannot be built as asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is one line that names what to do, and exit status 2.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %python %S/../refused.py %memshape %t.o mixed: triple:a.size=3,n=1 scaled:a.size=-1 pulled:n=1 sealed: named:d=1 held:a.size=5 reading:a=5 opened:a=5 noted:a=5 | FileCheck %s
// RUN: %predict --operator scaled --shape a=5 --json | %says '"k": 3' '"s": 2.5'
//
// A thread that a constructor starts is executed.
// RUN: %predict --operator working --shape a=5 | %says "peak heap 20 B 20 bytes exact"

#include <cstdio>
#include <memshape/operator.h>
#include <thread>
#include <vector>

using Samples = std::vector<float>;

// CHECK: mixed at nothing: status 2: memshape: shape symbol missing for operator 'mixed': v.size, b.rows, b.cols (--shape v.size=...); 'v' is of type 'Samples': give v.size; 'b' is of type 'Board': give b.rows and b.cols
struct Board {
  Board(int rows, int cols) : cells(rows * cols) {}
  Samples cells;
};
MEMSHAPE_OPERATOR Samples mixed(const Samples &v, const Board &b) { return Samples(v.size() + b.cells.size()); }

// CHECK: triple at a.size=3,n=1: status 2: memshape: operator 'triple' has no shape symbol 'a.size'; it has n; 'a' is of type 'Triple', which has none
struct Triple {
  float of[3];
};
MEMSHAPE_OPERATOR Samples triple(Triple a, int n) { return Samples(n, a.of[0]); }

// CHECK: scaled at a.size=-1: status 2: memshape: shape value a.size=-1 is negative: give an extent of 0 or more

// CHECK: pulled at n=1: status 2: memshape: operator 'pulled' has no skeleton: parameter 's': its type 'Source' is abstract: name an operator that takes a class which can be built
class Source {
public:
  virtual ~Source();
  virtual int count() const = 0;
};
MEMSHAPE_OPERATOR Samples pulled(const Source &s) { return Samples(s.count()); }

// Nobody makes one from numbers, but its members say what it is.
// CHECK: sealed at nothing: status 2: memshape: shape symbol missing for operator 'sealed': s.held.size (
class Sealed {
  explicit Sealed(int n) : held(n) {}

public:
  Samples held;
};
MEMSHAPE_OPERATOR Samples sealed(const Sealed &s) { return s.held; }

// CHECK: named at d=1: status 2: memshape: operator 'named' has no skeleton: parameter 'd': its type 'Declared' is declared only: include its definition, or give the operator another type
class Declared;
int countOf(const Declared &d);
MEMSHAPE_OPERATOR Samples named(const Declared &d) { return Samples(countOf(d)); }

// What does not compile hinders no other operator.
// CHECK: held at a.size=5: status 2: memshape: operator 'held' has no skeleton: its arguments cannot be built: chosen constructor is explicit in copy-initialization
struct Explicit {
  explicit Explicit(int n = 0) : held(n) {}
  Samples held;
};
struct Holder {
  Explicit of;
};
MEMSHAPE_OPERATOR Samples held(Holder a) { return a.of.held; }

// What a constructor reads is no symbol, and a prediction opens no file.
// CHECK: reading at a=5: status 2: memshape: argument 'a' of operator 'reading' cannot be built at a.lines=5: what builds it calls 'fopen'{{.*}}which reaches out of the process{{.*}}; say in a line MEMSHAPE_BUILD(File, (int size), ...) how one is built from sizes alone
struct File {
  explicit File(int lines) {
    std::FILE *from = std::fopen("/dev/null", "r");
    int count = 0;
    if (std::fscanf(from, "%d", &count) == 1)
      held.resize(count + lines);
    std::fclose(from);
  }
  Samples held;
};
MEMSHAPE_OPERATOR Samples reading(const File &a) { return a.held; }

// CHECK: opened at a=5: status 2: memshape: argument 'a' of operator 'opened' cannot be built at a.lines=5: what builds it calls 'fopen'{{.*}}; say in a line MEMSHAPE_BUILD(Opened, (int size), ...)
struct Opened {
  explicit Opened(int lines) {
    std::FILE *from = std::fopen("/dev/null", "r");
    if (!from)
      throw 1;
    int count;
    if (std::fread(&count, sizeof(count), 1, from) == 1)
      held.resize(count + lines);
    std::fclose(from);
  }
  Samples held;
};
MEMSHAPE_OPERATOR Samples opened(const Opened &a) { return a.held; }

// What is read decides no size here.
// CHECK: noted at a=5: status 0:
// CHECK: expected {{.*}} 20 bytes
struct Noted {
  explicit Noted(int lines) : held(lines) {
    if (std::FILE *from = std::fopen("/dev/null", "r")) {
      if (std::fread(held.data(), sizeof(float), held.size(), from) != held.size())
        held[0] = 1;
      std::fclose(from);
    }
  }
  Samples held;
};
MEMSHAPE_OPERATOR Samples noted(const Noted &a) { return a.held; }

struct Worker {
  explicit Worker(int n) : held(n), thread([] {}) {}
  ~Worker() { thread.join(); }
  Samples held;
  std::thread thread;
};
MEMSHAPE_OPERATOR Samples working(const Worker &a) { return Samples(a.held.size()); }

MEMSHAPE_OPERATOR Samples scaled(const Samples &a, int k = 3, double s = 2.5) { return Samples(a.size() * k, s); }
