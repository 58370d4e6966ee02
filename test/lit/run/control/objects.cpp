// Objects of the program's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes chosen by the shape, functions behind tables and objects, containers that keep their first elements inside.
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Objects behind a base class. Which class it is depends on a shape symbol; the virtual calls follow it.
// HELD filter kind=0,n=50 kind=1,n=50
struct Filter {
  virtual ~Filter() = default;
  virtual void run(const float *in, int n) = 0;
};
struct Mean : Filter {
  void run(const float *in, int n) override {
    std::vector<double> sums(n);
    sums[0] = in[0];
  }
};
struct Median : Filter {
  std::vector<float> sorted;
  explicit Median(int n) : sorted(n) {}
  void run(const float *in, int n) override { sorted.assign(in, in + 2 * n); }
};

static std::unique_ptr<Filter> make(int kind, int n) {
  if (kind == 0)
    return std::make_unique<Mean>();
  return std::make_unique<Median>(n);
}

MEMSHAPE_OPERATOR
void filter(const float *in, int kind, int n) { make(kind, n)->run(in, n); }

// Objects whose class is asked for. The class of an object says whether a cast succeeds. The operator is exact where
// each object is of one class, and where a shape symbol chooses the class.
// HELD by_class kind=0,n=50 kind=1,n=50
struct Shape {
  virtual ~Shape() = default;
};
struct Line : Shape {};
struct Grid : Shape {
  int rows;
  explicit Grid(int n) : rows(2 * n) {}
};
struct Cube : Grid {
  explicit Cube(int n) : Grid(3 * n) {}
};

static __attribute__((noinline)) int extent(const Shape &of) {
  const auto *grid = dynamic_cast<const Grid *>(&of);
  return grid ? grid->rows : 1;
}

MEMSHAPE_OPERATOR
void by_class(const float *in, int kind, int n) {
  std::unique_ptr<Shape> chosen;
  if (kind == 0)
    chosen = std::make_unique<Line>();
  else
    chosen = std::make_unique<Cube>(n);
  std::vector<float> sums(extent(*chosen)), more(extent(Grid(n)));
  sums[0] = more[0] = in[0];
}

// A list of named functions that grows. A growing vector finds the place of its new element by the distance of two
// pointers: a multiple of the element's size, so that names, functions and what these hold stay apart.
// HELD process n=100,steps=5 n=7,steps=1
using Trace = std::vector<float>;

MEMSHAPE_OPERATOR
float process(const float *in, int n, int steps) {
  std::vector<std::pair<std::string, std::function<Trace(const Trace &)>>> all;
  for (int s = 0; s < steps; ++s) {
    if (s % 2)
      all.emplace_back("scale the whole trace", [s](const Trace &t) {
        Trace scaled(t);
        for (float &v : scaled)
          v *= s;
        return scaled;
      });
    else
      all.emplace_back("pad" + std::to_string(s), [n, s, steps](Trace t) {
        t.resize(n + s * steps);
        return t;
      });
  }
  Trace trace(in, in + n);
  for (auto &step : all)
    trace = step.second(trace);
  return trace[n / 2];
}

// A tree of nodes that own each other together. Two sites make leaves, all leaves sit behind one base class, and a leaf
// keeps a tensor beside its length.
// HELD total n=100,depth=7 n=3,depth=1
struct Node {
  virtual ~Node() = default;
  virtual std::vector<double> values() const = 0;
};

struct Leaf : Node {
  const float *first;
  int length;
  Leaf(const float *first, int length) : first(first), length(length) {}
  std::vector<double> values() const override { return std::vector<double>(first, first + length); }
};

struct Sum : Node {
  std::shared_ptr<Node> left, right;
  Sum(std::shared_ptr<Node> left, std::shared_ptr<Node> right) : left(std::move(left)), right(std::move(right)) {}
  std::vector<double> values() const override {
    std::vector<double> sum = left->values(), other = right->values();
    for (unsigned i = 0; i < sum.size(); ++i)
      sum[i] += other[i];
    return sum;
  }
};

MEMSHAPE_OPERATOR
double total(const float *in, int n, int depth) {
  std::shared_ptr<Node> tree = std::make_shared<Leaf>(in, n);
  for (int i = 0; i < depth; ++i)
    tree = std::make_shared<Sum>(tree, std::make_shared<Leaf>(in, n));
  return tree->values()[n / 2];
}

// Pointers kept in atomic variables. Parts are made when first asked for and kept in atomic pointers, which lie in the
// object or, where there are many, on the heap.
// HELD last n=100,parts=7 n=50,parts=3
struct Part {
  const float *first;
  long length;
  double *own;
};

struct Slots {
  const float *first;
  long length, count;
  std::atomic<Part *> *parts;
  std::atomic<Part *> few[4];

  Slots(const float *first, long length, long count)
      : first(first), length(length), count(count), parts(count > 4 ? new std::atomic<Part *>[count] : few) {
    for (long i = 0; i < count; ++i)
      parts[i] = nullptr;
  }
  ~Slots() {
    for (long i = 0; i < count; ++i)
      if (Part *part = parts[i].load()) {
        delete[] part->own;
        delete part;
      }
    if (count > 4)
      delete[] parts;
  }
  Part &part(long i) {
    if (!parts[i].load())
      parts[i].store(new Part{first + i * length, length, new double[length]});
    return *parts[i].load();
  }
};

MEMSHAPE_OPERATOR
double last(const float *in, int n, int parts) {
  Slots slots(in, n, parts);
  double *copy = new double[slots.part(parts - 1).length];
  for (int i = 0; i < n; ++i)
    copy[i] = in[i];
  double result = copy[n / 2];
  delete[] copy;
  return result;
}

// Containers with room for a few inside. A container with a small buffer of its own, filled by copies of run-time
// length: the sizes behind the buffer are untouched by them.
// HELD slices n=100 n=5
/// Up to four extents in place, more of them on the heap.
class Extents {
  std::size_t *First = Small, *Last = Small, *End = Small + 4;
  std::size_t Small[4];

public:
  Extents() = default;
  Extents(const Extents &Other) { assign(Other.First, Other.Last); }
  ~Extents() {
    if (First != Small)
      delete[] First;
  }
  void assign(const std::size_t *From, const std::size_t *To) {
    std::size_t Count = To - From;
    if (Count > static_cast<std::size_t>(End - First)) {
      if (First != Small)
        delete[] First;
      First = new std::size_t[Count];
      End = First + Count;
    }
    Last = std::copy(From, To, First);
  }
  std::size_t size() const { return Last - First; }
  std::size_t operator[](std::size_t I) const { return First[I]; }
  std::size_t product() const {
    std::size_t P = 1;
    for (const std::size_t *E = First; E != Last; ++E)
      P *= *E;
    return P;
  }
};

struct Array {
  Extents shape;
  std::size_t count;
  std::vector<float> values;
};

MEMSHAPE_OPERATOR
float slices(const float *in, int n) {
  const std::size_t extents[] = {2, static_cast<std::size_t>(n), 3};
  Array a;
  a.shape.assign(extents, extents + 2 + n % 2);
  a.count = a.shape.product();
  a.values.assign(in, in + a.count % 1000);
  Array b = a;
  std::sort(b.values.begin(), b.values.end());
  std::vector<float> last(b.shape[b.shape.size() - 1] * b.count);
  return b.values[n / 2] + last[0];
}

// A small array inside its owner, sorted. The buffer lies behind the header in the same object, and sorting walks
// through it in both directions. Known: the header is taken for data, and the skeleton aborts where the buffer is the
// object's own.
// HELD median n=100 n=10
struct Small {
  unsigned long length;
  float *first;
  float few[16];

  explicit Small(unsigned long length) : length(length), first(length > 16 ? new float[length] : few) {}
  Small(const Small &other) : Small(other.length) { std::copy(other.first, other.first + length, first); }
  ~Small() {
    if (length > 16)
      delete[] first;
  }
};

MEMSHAPE_OPERATOR
float median(const float *in, int n) {
  Small sorted(n);
  std::copy(in, in + n, sorted.first);
  std::sort(sorted.first, sorted.first + sorted.length);
  Small copy(sorted);
  return copy.first[n / 2];
}

// A pointer to a member function, in an object whose base class defines some virtual functions nowhere: to call one of
// those would end the program, so the pointer leads to functions that are seen.
// HELD kernel kind=0,n=50 kind=1,n=50
class Matrix {
public:
  virtual const float *column(int, int) const = 0;
  virtual void exchange(int, int) = 0;
  virtual ~Matrix() = default;
};
class Kernel : public Matrix {
public:
  Kernel(const float *in, int kind, int n);

protected:
  double (Kernel::*between)(int, int) const = nullptr;

private:
  double straight(int i, int j) const { return rows[i][0] * rows[j][0]; }
  double curved(int i, int j) const { return std::tanh(rows[i][0] - rows[j][0]); }
  std::unique_ptr<const float *[]> rows;
};
[[gnu::noinline]] Kernel::Kernel(const float *in, int kind, int n) : rows(new const float *[n]) {
  if (kind == 0)
    between = &Kernel::straight;
  if (kind == 1)
    between = &Kernel::curved;
  for (int i = 0; i < n; ++i)
    rows[i] = in + i;
}
struct Entry {
  Entry *before, *next;
  float *data;
};
struct Ring {
  Entry all, *entries;
  explicit Ring(int n) : entries(new Entry[n]()) { all.before = all.next = &all; }
  ~Ring() {
    for (Entry *each = all.next; each != &all; each = each->next)
      delete[] each->data;
    delete[] entries;
  }
};
class Cached : public Kernel {
  std::unique_ptr<Ring> ring;
  std::unique_ptr<double[]> diagonal;

public:
  Cached(const float *in, int kind, int n) : Kernel(in, kind, n), ring(new Ring(n)), diagonal(new double[n]) {
    for (int i = 0; i < n; ++i)
      diagonal[i] = (this->*between)(i, i);
  }
  void exchange(int i, int j) override {
    std::swap(ring->entries[i], ring->entries[j]);
    std::swap(diagonal[i], diagonal[j]);
  }
  const float *column(int i, int) const override { return ring->entries[i].data + 1; }
};

MEMSHAPE_OPERATOR
void kernel(const float *in, int kind, int n) { Cached cached(in, kind, n); }

// Pointers to members lead to functions that allocate, virtual ones or not, as the shape says.
// HELD distances kind=0,n=50 kind=1,n=50 kind=2,n=50
struct Metric {
  float (Metric::*of)(const float *, int) const;
  float nearest(const float *in, int n) const { return std::vector<float>(in, in + n)[n / 2]; }
  virtual float farthest(const float *in, int n) const { return std::vector<double>(in, in + n)[n / 2]; }
  float none(const float *in, int) const { return in[0]; }
};

MEMSHAPE_OPERATOR
float distances(const float *in, int kind, int n) {
  Metric metric;
  metric.of = kind == 0 ? &Metric::nearest : kind == 1 ? &Metric::farthest : &Metric::none;
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (metric.*metric.of)(in + i, n);
  return sum;
}
