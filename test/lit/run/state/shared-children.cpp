// A tree of nodes that own each other together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two sites make leaves, all leaves sit behind one base class, and a leaf keeps a tensor beside its length.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100,depth=7 -- 100 7
// RUN: %compare %t --shape n=3,depth=1 -- 3 1

#include "../Inputs/twice.h"
#include <memory>
#include <vector>

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

TWICE(sink = total(data, number(1), number(2)))
