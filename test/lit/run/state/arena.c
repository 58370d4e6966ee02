// Buffers from chunks of an arena.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers lie in front of the chunks from which buffers are cut, and arithmetic on a buffer must not reach the header.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape rows=10,columns=100 %if clang-19 %{--bounds 0..none --because unbounded_size%} -- 10 100
// RUN: %compare %t --shape rows=3,columns=7 %if clang-19 %{--bounds 0..none --because unbounded_size%} -- 3 7

#include "../Inputs/twice.h"

struct chunk {
  struct chunk *previous;
  size_t capacity, used;
};

struct arena {
  struct chunk *top;
};

static void *cut(struct arena *from, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  if (!from->top || from->top->used + bytes > from->top->capacity) {
    size_t capacity = 1024;
    while (capacity < bytes)
      capacity *= 2;
    struct chunk *added = malloc(sizeof *added + capacity);
    added->previous = from->top;
    added->capacity = capacity;
    added->used = 0;
    from->top = added;
  }
  void *buffer = (char *)(from->top + 1) + from->top->used;
  from->top->used += bytes;
  return buffer;
}

MEMSHAPE_OPERATOR
float folded(const float *in, size_t rows, size_t columns) {
  struct arena arena = {0};
  float sum = 0;
  for (size_t row = 0; row < rows; ++row) {
    float *copy = cut(&arena, columns * sizeof(float));
    float *product = cut(&arena, (columns + row) * sizeof(float));
    memcpy(copy, in + row * columns, columns * sizeof(float));
    for (size_t i = 0; i < columns; ++i)
      product[i] = copy[i] * copy[columns - 1 - i];
    sum += product[row % columns];
  }
  while (arena.top) {
    struct chunk *previous = arena.top->previous;
    free(arena.top);
    arena.top = previous;
  }
  return sum;
}

TWICE(sink = folded(data, number(1), number(2)))
