// Containers and owners of the C++ library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decides how much they take is the shape, or keys from it, whatever they hold.
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

// Vectors of the shape's size. The plain case: buffers of a size made from the shape, filled with data.
// HELD mean n=100 n=7
MEMSHAPE_OPERATOR
void mean(const float *in, int n, float *out) {
  std::vector<double> sums(n + 1);
  std::vector<float> copy(in, in + n);
  for (int i = 0; i < n; ++i)
    sums[i + 1] = sums[i] + copy[i];
  for (int i = 0; i < n; ++i)
    out[i] = static_cast<float>(sums[i + 1] / (i + 1));
}

// push_back without reserve. Capacity doubles; old and new block live side by side while elements move.
// HELD collect n=1000 n=1 n=1024
MEMSHAPE_OPERATOR
double collect(const float *in, int n) {
  std::vector<float> taken;
  for (int i = 0; i < n; ++i)
    taken.push_back(in[i]);
  return taken[n / 2];
}

// A vector of vectors. Pointers in memory that was itself allocated, freed by a destructor that walks over them.
// HELD triangle rows=40 rows=3
MEMSHAPE_OPERATOR
double triangle(const float *in, int rows) {
  std::vector<std::vector<double>> lines(rows);
  for (int r = 0; r < rows; ++r)
    lines[r].assign(in, in + r + 1);
  double sum = 0;
  for (const auto &line : lines)
    sum += line.back();
  return sum;
}

// A result returned in memory. What the result holds is still live at return.
// HELD doubled n=100 n=7
MEMSHAPE_OPERATOR
std::vector<float> doubled(const float *in, int n) {
  std::vector<float> result(n), scratch(n);
  for (int i = 0; i < n; ++i)
    result[i] = scratch[i] + 2 * in[i];
  return result;
}

TWICE_OF(doubled, doubled(data, number(1)))

// std::deque. Blocks of 512 bytes behind a map of pointers.
// HELD window n=1000 n=7
MEMSHAPE_OPERATOR
double window(const float *in, int n) {
  std::deque<double> recent;
  double best = 0;
  for (int i = 0; i < n; ++i) {
    recent.push_back(in[i]);
    if (recent.size() > 100)
      recent.pop_front();
    best += recent.front();
  }
  return best;
}

// std::list. Linked nodes, hooked in by a function of the C++ library and freed by following their links.
// HELD sum n=100 n=7
MEMSHAPE_OPERATOR
double sum(const float *in, int n) {
  std::list<double> parts;
  for (int i = 0; i < n; ++i)
    parts.push_back(in[i]);
  double total = 0;
  for (double part : parts)
    total += part;
  return total;
}

// std::map with keys from the shape. A tree's nodes: whether a key is new is decided by keys, not by data.
// HELD by_key n=100 n=7
MEMSHAPE_OPERATOR
int by_key(const float *in, int n) {
  std::map<int, double> of;
  for (int i = 0; i < n; ++i)
    of[i % 17] += in[i];
  return static_cast<int>(of.size());
}

// std::unordered_map with keys from the shape. Data is kept in the nodes, beside the keys; buckets are indexed by hash.
// HELD by_hash n=100 n=7
MEMSHAPE_OPERATOR
int by_hash(const float *in, int n) {
  std::unordered_map<int, double> of;
  for (int i = 0; i < n; ++i)
    of[i] += in[i];
  return static_cast<int>(of.size());
}

// std::optional and std::variant. Tags in memory say which alternative is alive.
// HELD choose n=100 --set wide=1 -- 100 1
// HELD choose n=100 --set wide=0 -- 100 0
// HELD choose n=10 --set wide=1 -- 10 1
MEMSHAPE_OPERATOR
float choose(const float *in, int n, bool wide) {
  std::optional<std::vector<float>> extra;
  std::variant<std::vector<float>, std::vector<double>> values;
  if (n > 50)
    extra.emplace(n);
  if (wide)
    values = std::vector<double>(n, in[0]);
  else
    values = std::vector<float>(n, in[0]);
  return std::visit([](const auto &v) { return static_cast<float>(v[0]); }, values) + (extra ? (*extra)[0] : 0);
}

// std::function. A closure too large for the object, on the heap, called and destroyed through pointers.
// HELD apply n=100 n=7
MEMSHAPE_OPERATOR
double apply(const float *in, int n) {
  std::vector<double> weights(n, 0.5);
  double gain = 2, offset = 1, limit = 9;
  std::function<double(int)> step = [weights, gain, offset, limit](int i) {
    return weights[i] * gain + offset < limit ? weights[i] : limit;
  };
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += step(i) * in[i];
  return sum;
}

// A closure that holds the one before: which function copies it, its own or the program's, is not followed.
// HELD chained n=3 --bounds 0..none --because no_counted_upper
MEMSHAPE_OPERATOR
double chained(int n) {
  std::function<int(int)> steps = [](int i) { return i + 1; };
  for (int k = 0; k < n; ++k)
    steps = [steps](int i) { return steps(i) + 1; };
  return steps(3);
}

// std::shared_ptr. Reference counts decide when the object is freed; they come from the program, not from data.
// HELD share n=100 n=7
struct Grid {
  std::vector<float> cells;
  explicit Grid(int n) : cells(n) {}
};

MEMSHAPE_OPERATOR
float share(const float *in, int n) {
  auto grid = std::make_shared<Grid>(n);
  std::vector<std::shared_ptr<Grid>> owners(3, grid);
  grid->cells[0] = in[0];
  return owners.back()->cells[0];
}

// std::unique_ptr with a deleter of its own. One deleter is a type, the other a function pointer.
// HELD first n=100 n=7
struct Release {
  void operator()(float *block) const { std::free(block); }
};

MEMSHAPE_OPERATOR
float first(const float *in, int n) {
  std::unique_ptr<float, Release> copy(static_cast<float *>(std::malloc(n * sizeof(float))));
  std::unique_ptr<float, void (*)(float *)> other(static_cast<float *>(std::calloc(n, 2)),
                                                  [](float *block) { std::free(block); });
  copy.get()[0] = in[0];
  return copy.get()[0];
}

// std::sort. Comparisons of data move data; they allocate nothing.
// HELD median n=100 n=7
MEMSHAPE_OPERATOR
float median(const float *in, int n) {
  std::vector<float> copy(in, in + n);
  std::sort(copy.begin(), copy.end());
  return copy[n / 2];
}

// std::stable_sort. The algorithm asks for a buffer of half the range, whatever the values are.
// HELD sorted n=1000 n=1
MEMSHAPE_OPERATOR
void sorted(const float *in, int n, float *out) {
  std::copy(in, in + n, out);
  std::stable_sort(out, out + n);
}

// Two buffers that change places. Sizes wander between two headers.
// HELD steps n=100,turns=9 n=3,turns=20
MEMSHAPE_OPERATOR
float steps(const float *in, int n, int turns) {
  std::vector<float> now(n, in[0]), next;
  for (int step = 0; step < turns; ++step) {
    next.resize(now.size() + step);
    for (std::size_t i = 0; i < now.size(); ++i)
      next[i] = 2 * now[i];
    std::swap(now, next);
  }
  return now[n / 2];
}

// free, called through its address. The optimiser makes the call direct; without it the slicer has to.
// HELD middle n=100
// HELD -O0 middle n=100
MEMSHAPE_OPERATOR
float middle(const float *in, int n) {
  std::unique_ptr<float, decltype(&std::free)> copy(static_cast<float *>(std::malloc(n * sizeof(float))), &std::free);
  for (int i = 0; i < n; ++i)
    copy.get()[i] = in[i];
  return copy.get()[n / 2];
}

// Bytes that are appended from an array of another type: simplification adds the distances in both.
// HELD appended_bytes n=30
// HELD appended_bytes n=1000
MEMSHAPE_OPERATOR
long appended_bytes(int n) {
  std::vector<unsigned char> bytes;
  char from[40] = {3};
  for (int i = 0; i < n; ++i)
    bytes.insert(bytes.end(), from, from + 40);
  return long(bytes.size()) + bytes[n];
}
