// State that no call restores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a static variable leads to changes with each call, though the first calls take the same: each eighth call is
// another one, and a list is emptied when it has ten entries. Where a call leaves what it has found, all calls are
// alike: two buffers that change places, a block that is replaced by one like it, a count that is taken back.
//
// RUN: %held -std=c++20 -O2
// HELD -DSTATE=listed n=200 --bounds 0..816
// HELD -DSTATE=exchanged n=200
// HELD -DSTATE=replaced n=200
// HELD -DSTATE=taken_back n=200
// HELD -DSTATE=eighth n=200 --bounds 0..3204
// RUN: %predict --shape n=200 | %says "each call leaves other values behind in 'engine'"

#include "../Inputs/twice.h"
#include <memory>
#include <utility>
#include <vector>

struct Engine {
  int calls = 0;
};
struct Node {
  Node *next;
  int number;
};
static std::unique_ptr<Engine> engine;
static Node *head;
static int *front, *back;

static int eighth() {
  if (!engine)
    engine = std::make_unique<Engine>();
  return ++engine->calls % 8 ? 1 : 4;
}

static int listed() {
  head = new Node{head, 1};
  int entries = 0;
  for (Node *at = head; at; at = at->next)
    ++entries;
  while (entries > 9 && head)
    delete std::exchange(head, head->next);
  return 1;
}

static int exchanged() {
  if (!front) {
    front = new int(2);
    back = new int(2);
  }
  std::swap(front, back);
  return *front;
}

static int replaced() {
  delete front;
  front = new int(2);
  return *front;
}

static int taken_back() {
  if (!engine)
    engine = std::make_unique<Engine>();
  ++engine->calls;
  const int width = engine->calls + 1;
  --engine->calls;
  return width;
}

MEMSHAPE_OPERATOR
float widened(const float *in, int n) {
  std::vector<float> all(n * STATE(), in[0]);
  return all[n / 2];
}
