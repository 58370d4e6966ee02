// Lists of what is still to do, of what was found, and of where something begins.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data decides how many there are, but each node is found once, and each position passed once. So an upper bound is
// counted: all of them in an array that doubles, beside the one that it replaces.
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <utility>
#include <vector>

// A graph in which the first node leads to all others: whatever was made of data.
static int begins[4097], ends_at[4097];
static void star(int n) {
  for (int node = 1; node <= n; ++node)
    begins[node] = n - 1;
  for (int edge = 0; edge < n - 1; ++edge)
    ends_at[edge] = edge + 1;
}

// A stack of nodes that were not seen before: a mark and a block of four bytes, and 512 elements copied to 1,024.
// HELD reached n=1000 --bounds 1004..7148
// HELD reached n=513 --bounds 517..6661
MEMSHAPE_OPERATOR
int reached(const int *first, const int *to, int n, int *order) {
  std::vector<char> seen(n);
  std::vector<int> stack;
  int count = 0;
  seen[0] = 1;
  stack.push_back(0);
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    order[count++] = node;
    for (int edge = first[node]; edge < first[node + 1]; ++edge)
      if (!seen[to[edge]]) {
        seen[to[edge]] = 1;
        stack.push_back(to[edge]);
      }
  }
  return count;
}

TWICE_OF(reached, {
  star(int(number(1)));
  sink = reached(begins, ends_at, int(number(1)), reinterpret_cast<int *>(more));
})

// A queue, where the distance says whether a node was seen: it is less than 0 before, and never again.
// HELD distances n=1000 --bounds 4004..10148
MEMSHAPE_OPERATOR
int distances(const int *first, const int *to, int n, int *out) {
  std::vector<int> far(n, -1), queue;
  far[0] = 0;
  queue.push_back(0);
  for (unsigned long at = 0; at < queue.size(); ++at)
    for (int edge = first[queue[at]]; edge < first[queue[at] + 1]; ++edge)
      if (far[to[edge]] < 0) {
        far[to[edge]] = far[queue[at]] + 1;
        queue.push_back(to[edge]);
      }
  for (int node = 0; node < n; ++node)
    out[node] = far[node];
  return int(queue.size());
}

TWICE_OF(distances, {
  star(int(number(1)));
  sink = distances(begins, ends_at, int(number(1)), reinterpret_cast<int *>(more));
})

// Connected parts of an image. Two places append pixels, and no pixel is appended twice.
// HELD labelled h=40,w=25 --bounds 4000..20292
MEMSHAPE_OPERATOR
int labelled(const unsigned char *image, int h, int w, int *out) {
  std::vector<int> label(h * w);
  std::vector<std::pair<int, int>> open;
  int last = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      if (!image[y * w + x] || label[y * w + x])
        continue;
      label[y * w + x] = ++last;
      open.push_back({y, x});
      while (!open.empty()) {
        const auto [row, column] = open.back();
        open.pop_back();
        static const int down[] = {0, 0, 1, -1}, right[] = {1, -1, 0, 0};
        for (int side = 0; side < 4; ++side) {
          const int v = row + down[side], u = column + right[side];
          if (v < 0 || v >= h || u < 0 || u >= w || !image[v * w + u] || label[v * w + u])
            continue;
          label[v * w + u] = last;
          open.push_back({v, u});
        }
      }
    }
  std::vector<int> size(last + 1);
  for (int pixel = 0; pixel < h * w; ++pixel)
    ++size[label[pixel]];
  for (int pixel = 0; pixel < h * w; ++pixel)
    out[pixel] = size[label[pixel]];
  return last;
}

// Runs of equal elements: the outer loop goes on where the inner one has come to.
// HELD runs n=1000 --bounds 0..12288 --reached
MEMSHAPE_OPERATOR
int runs(const int *in, int n, int *out) {
  std::vector<std::pair<int, int>> all;
  for (int i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n && in[j] == in[i]; ++j)
      ;
    all.push_back({in[i], j - i});
  }
  for (unsigned long each = 0; each < all.size(); ++each)
    out[each] = all[each].second;
  return int(all.size());
}

// An array of C that doubles: the old block is gone when the new one is there.
// HELD doubled n=1000 --bounds 64..4096
MEMSHAPE_OPERATOR
int doubled(const float *in, int n, float *out) {
  int capacity = 16, length = 0;
  float *kept = static_cast<float *>(malloc(capacity * sizeof *kept));
  for (int i = 0; i < n; ++i) {
    if (in[i] <= 0)
      continue;
    if (length == capacity) {
      capacity *= 2;
      kept = static_cast<float *>(realloc(kept, capacity * sizeof *kept));
    }
    kept[length++] = in[i];
  }
  memcpy(out, kept, length * sizeof *kept);
  free(kept);
  return length;
}
