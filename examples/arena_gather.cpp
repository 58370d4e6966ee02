// Gathers of traces in an arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces are sorted by offset into gathers and stacked. Each gather keeps a list of its traces. The nodes of all lists
// come from one arena, which takes blocks of 64 KiB from malloc and hands out 24 bytes at a time. To malloc these are a
// few allocations; the annotations of <memshape/annotate.h> show how full the arena is. The program also names its two
// phases. Without memshape the annotations have no effect.

#include "driver.h"

#include <algorithm>
#include <cstddef>
#include <memshape/annotate.h>
#include <memshape/operator.h>
#include <new>
#include <vector>

namespace {

/// Nodes of one size, given back all at once.
class Arena {
public:
  Arena() { memshape_pool_create(this, "gather lists"); }
  ~Arena() {
    for (char *Block : Blocks)
      std::free(Block);
    memshape_pool_destroy(this);
  }
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  void *take(std::size_t Bytes) {
    if (Left < Bytes) {
      Next = static_cast<char *>(std::malloc(BlockBytes));
      if (!Next)
        throw std::bad_alloc();
      Left = BlockBytes;
      Blocks.push_back(Next);
      memshape_pool_holds(this, Blocks.size() * BlockBytes);
    }
    void *Node = Next;
    Next += Bytes;
    Left -= Bytes;
    memshape_pool_alloc(this, Node, Bytes);
    return Node;
  }

private:
  static constexpr std::size_t BlockBytes = 64 * 1024;
  std::vector<char *> Blocks;
  char *Next = nullptr;
  std::size_t Left = 0;
};

struct Node {
  const float *Trace;
  Node *Rest;
  int Number;
};

} // namespace

MEMSHAPE_OPERATOR
void stack_gathers(const float *traces, int nt, int ns, int ng, float *stacked) {
  Arena Nodes;
  std::vector<Node *> Gathers(ng, nullptr);
  {
    MEMSHAPE_PHASE("sort");
    for (int T = 0; T < nt; ++T) {
      Node *&First = Gathers[static_cast<std::size_t>(T) % static_cast<std::size_t>(ng)];
      First = new (Nodes.take(sizeof(Node))) Node{traces + static_cast<std::size_t>(T) * ns, First, T};
    }
  }
  MEMSHAPE_PHASE("stack");
  std::vector<float> Sum(ns);
  for (int G = 0; G < ng; ++G) {
    std::fill(Sum.begin(), Sum.end(), 0.0f);
    for (const Node *Each = Gathers[static_cast<std::size_t>(G)]; Each; Each = Each->Rest)
      for (int S = 0; S < ns; ++S)
        Sum[static_cast<std::size_t>(S)] += Each->Trace[S];
    std::copy(Sum.begin(), Sum.end(), stacked + static_cast<std::size_t>(G) * ns);
  }
}

int main(int argc, char **argv) {
  int shape[3];
  driver_read_shape(argc, argv, "nt ns ng", 3, shape);
  const std::size_t samples = std::size_t(shape[0]) * std::size_t(shape[1]);
  const std::size_t sums = std::size_t(shape[2]) * std::size_t(shape[1]);
  float *traces = driver_make_input(samples), *stacked = driver_make(sums);
  for (int call = 0; call < DriverCalls; ++call)
    stack_gathers(traces, shape[0], shape[1], shape[2], stacked);
  printf("arena_gather %.6e\n", driver_checksum(stacked, sums));
  free(traces);
  free(stacked);
}
