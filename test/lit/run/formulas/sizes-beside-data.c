// Extents in the block that holds the data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool hands out images and their pixels; a vector begins with its length, and grows. The numbers lie in memory that
// data is written to, but never where.
//
// RUN: %held -std=c11 -O2
// HELD n=100 n=31
// HELD -DGROWS n=100 n=31

#include "../Inputs/twice.h"

static void *volatile kept;

#ifndef GROWS

struct pool {
  char *memory;
  size_t used;
};

struct image {
  int width, height;
  int *pixels;
};

static void *take(struct pool *from, size_t bytes) {
  void *taken = from->memory + from->used;
  from->used += (bytes + 7) & ~7ul;
  return taken;
}

static struct image *make(struct pool *from, int width, int height) {
  struct image *made = take(from, sizeof *made);
  made->width = width;
  made->height = height;
  made->pixels = take(from, sizeof(int) * (size_t)(width * height));
  return made;
}

static struct image *half(struct pool *from, const struct image *source) {
  struct image *made = make(from, source->width / 2, source->height / 2);
  for (int y = 0; y < made->height; ++y)
    for (int x = 0; x < made->width; ++x) {
      const int *pair = source->pixels + 2 * y * source->width + 2 * x;
      made->pixels[y * made->width + x] = pair[0] / 2 + pair[1] / 2;
    }
  return made;
}

MEMSHAPE_OPERATOR
int sum(const int *in, int n) {
  struct pool pool = {malloc(16 * (size_t)n * (size_t)n + 4096), 0};
  struct image *level = make(&pool, n, n);
  memcpy(level->pixels, in, sizeof(int) * (size_t)(n * n));
  int result = 0;
  while (level->width > 4) {
    level = half(&pool, level);
    int *work = malloc(sizeof(int) * (size_t)(level->width * level->height) + 1);
    kept = work;
    work[0] = level->pixels[0];
    result += work[0];
    free(work);
  }
  free(pool.memory);
  return result;
}

#else

struct vector {
  int length, capacity;
  int elements[];
};

static struct vector *push(struct vector *to, int element) {
  if (to->length == to->capacity) {
    to->capacity *= 2;
    to = realloc(to, sizeof *to + sizeof(int) * (size_t)to->capacity);
  }
  to->elements[to->length++] = element;
  return to;
}

MEMSHAPE_OPERATOR
int sum(const int *in, int n) {
  struct vector *all = malloc(sizeof *all + 4 * sizeof(int));
  all->length = 0;
  all->capacity = 4;
  for (int i = 0; i < n; ++i)
    all = push(all, in[i]);
  int *work = malloc(sizeof(int) * (size_t)all->length);
  kept = work;
  memcpy(work, all->elements, sizeof(int) * (size_t)all->length);
  int result = work[n / 2];
  free(work);
  free(all);
  return result;
}

#endif
