// Recursion that allocates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <memory>

static void sortBetween(const int *X, std::vector<int> &Order, int Low, int High) {
  if (High - Low < 2)
    return;
  const int Middle = Low + (High - Low) / 2;
  sortBetween(X, Order, Low, Middle);
  sortBetween(X, Order, Middle, High);
  std::vector<int> Merged(static_cast<std::size_t>(High - Low));
  for (int I = Low, J = Middle, K = 0; K < High - Low; ++K)
    Merged[K] = J == High || (I < Middle && X[Order[I]] <= X[Order[J]]) ? Order[I++] : Order[J++];
  for (int K = 0; K < High - Low; ++K)
    Order[Low + K] = Merged[K];
}

BOUND_OPERATOR long merge_sorted(const int *X, int n) {
  std::vector<int> Order(static_cast<std::size_t>(n));
  for (int I = 0; I < n; ++I)
    Order[I] = I;
  sortBetween(X, Order, 0, n);
  return Order[0];
}

struct Node {
  int Value;
  std::unique_ptr<Node> Less, More;
};

BOUND_OPERATOR long search_tree(const int *X, int n) {
  std::unique_ptr<Node> Root;
  long Kept = 0;
  for (int I = 0; I < n; ++I) {
    std::unique_ptr<Node> *At = &Root;
    while (*At && (*At)->Value != X[I])
      At = X[I] < (*At)->Value ? &(*At)->Less : &(*At)->More;
    if (*At)
      continue;
    *At = std::make_unique<Node>();
    (*At)->Value = X[I];
    ++Kept;
  }
  // Taken apart without going down as deep as data makes it.
  std::vector<std::unique_ptr<Node>> Left;
  if (Root)
    Left.push_back(std::move(Root));
  while (!Left.empty()) {
    std::unique_ptr<Node> Each = std::move(Left.back());
    Left.pop_back();
    if (Each->Less)
      Left.push_back(std::move(Each->Less));
    if (Each->More)
      Left.push_back(std::move(Each->More));
  }
  return Kept;
}

static long refined(const int *X, int Low, int High, int Depth) {
  if (Depth == 0 || High - Low < 4 || X[Low] == X[High - 1])
    return 1;
  std::vector<int> Half(static_cast<std::size_t>((High - Low) / 2));
  const int Middle = Low + (High - Low) / 2;
  return refined(X, Low, Middle, Depth - 1) + refined(X, Middle, High, Depth - 1) +
         filled(Half.data(), Half.size(), X + Low);
}

BOUND_OPERATOR long refined_eight_times(const int *X, int n) { return refined(X, 0, n, 8); }

struct Chain {
  int Value;
  Chain *Next;
};

BOUND_OPERATOR long chained(const int *X, int n) {
  Chain *First = nullptr;
  for (int I = 0; I < n; ++I)
    if (X[I] > 0)
      First = new Chain{X[I], First};
  long Length = 0;
  while (First) {
    Chain *Next = First->Next;
    delete First;
    First = Next;
    ++Length;
  }
  return Length;
}

SAMPLES(int, merge_sorted, search_tree, refined_eight_times, chained)
