// What initialisers of static variables set up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that an initialiser alone names, and that the operator finds by their addresses or in tables of virtual
// functions: what they request is the operator's. An initialiser that calls what the operator calls, too, has run.
//
// RUN: %held -std=c++20 -O2
// RUN: %held -std=c++20 -O0

#include "../Inputs/twice.h"
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace {
void touched(std::size_t bytes) {
  char *volatile block = static_cast<char *>(std::malloc(bytes));
  block[0] = 1;
  std::free(block);
}

// A list of layers. Nothing in the operator names their classes.
// HELD forward n=100
struct Layer {
  virtual ~Layer() = default;
  virtual void run(int n) = 0;
};
struct Narrow : Layer {
  void run(int n) override { touched(n); }
};
struct Wide : Layer {
  void run(int n) override { touched(n * 3); }
};
std::vector<std::unique_ptr<Layer>> layers;
struct Layers {
  Layers() {
    layers.push_back(std::make_unique<Narrow>());
    layers.push_back(std::make_unique<Wide>());
  }
} const all_layers;

// Functions in objects and in a table.
// HELD by_name n=100
const std::map<int, std::function<void(int)>> named{{1, [](int n) { touched(n * 5); }}};

// A function that frees what the operator holds.
// HELD lent n=100
struct Lender {
  void *(*lend)(std::size_t);
  void (*take)(void *);
};
std::unique_ptr<Lender> lender;
struct Lenders {
  Lenders() {
    lender.reset(
        new Lender{[](std::size_t bytes) { return std::malloc(bytes); }, [](void *block) { std::free(block); }});
  }
} const all_lenders;

// A function that an initialiser and the operator call. The list leads to the operator's frame, which is another one in
// each call.
// HELD listed n=100 --bounds 0..none --because unbounded_size
struct Node {
  static Node *first;
  Node *next;
  int size;
  explicit Node(int size) : next(first), size(size) { first = this; }
};
Node *Node::first;
const Node small(8), large(16);
} // namespace

MEMSHAPE_OPERATOR
void forward(int n) {
  for (const auto &layer : layers)
    layer->run(n);
}

MEMSHAPE_OPERATOR
void by_name(int n) {
  if (const auto at = named.find(1); at != named.end())
    at->second(n);
}

MEMSHAPE_OPERATOR
void lent(float *out, int n) {
  void *block = lender->lend(n * 2);
  *static_cast<char *>(block) = 1;
  out[0] = *static_cast<char *>(block);
  lender->take(block);
}

MEMSHAPE_OPERATOR
void listed(int n) {
  Node own(n);
  int all = 0;
  for (const Node *at = Node::first; at; at = at->next)
    all += at->size;
  touched(all);
  Node::first = own.next;
}
