/* Programs whose heap and resident bytes differ.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   resident HOW: untouched, retained, fragmented, calls, mapped, static or story; sizes are in MiB. */

#define _GNU_SOURCE
#include "instrumented.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { MiB = 1 << 20, Small = 1000, Blocks = 40000 };

static void *volatile Keep;
static char Zeroed[24 * MiB];

/* 64 MiB asked for, 16 of them used. */
static void untouched(void) {
  char *block = malloc(64 * MiB);
  memset(block, 1, 16 * MiB);
  Keep = block;
  free(Keep);
}

static void **smallBlocks(void) {
  void **blocks = malloc(Blocks * sizeof *blocks);
  for (int i = 0; i < Blocks; ++i)
    memset(blocks[i] = malloc(Small), 1, Small);
  return blocks;
}

/* All given back but the last one, which keeps the heap from shrinking. */
static void retained(void) {
  void **blocks = smallBlocks();
  for (int i = 0; i < Blocks - 1; ++i)
    free(blocks[i]);
  Keep = blocks;
}

/* Every second one given back: half of the heap is free, in pieces of one block. */
static void fragmented(void) {
  void **blocks = smallBlocks();
  for (int i = 0; i < Blocks; i += 2)
    free(blocks[i]);
  Keep = blocks;
}

static void work(int64_t n) {
  ENTER("work", n);
  char *block = malloc((size_t)n * MiB);
  memset(block, 1, (size_t)n * MiB);
  Keep = block;
  free(Keep);
  LEAVE;
}

/* A call inside another one, and calls of falling size: the peak of each is its own. */
static void outer(void) {
  ENTER("outer", 1);
  work(48);
  work(4);
  LEAVE;
}

static void calls(void) {
  work(64);
  work(32);
  work(8);
  outer();
}

static void mapped(void) {
  char *pages = mmap(NULL, 32 * MiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(pages, 1, 32 * MiB);
  Keep = pages;
}

/* Asked for, touched, filled with small blocks, all but the last of these freed, the large one freed: a step each. */
static void story(void) {
  struct timespec step = {0, 150000000};
  char *block = malloc(64 * MiB);
  nanosleep(&step, NULL);
  memset(block, 1, 64 * MiB);
  nanosleep(&step, NULL);
  void **blocks = smallBlocks();
  nanosleep(&step, NULL);
  for (int i = 0; i < Blocks - 1; ++i)
    free(blocks[i]);
  nanosleep(&step, NULL);
  Keep = block;
  free(Keep);
  nanosleep(&step, NULL);
  Keep = blocks;
}

int main(int count, char **words) {
  static const struct {
    const char *name;
    void (*run)(void);
  } Ways[] = {{"untouched", untouched}, {"retained", retained}, {"fragmented", fragmented},
              {"calls", calls},         {"mapped", mapped},     {"story", story}};
  const char *how = count > 1 ? words[1] : "";
  for (size_t i = 0; i < sizeof Ways / sizeof Ways[0]; ++i)
    if (strcmp(how, Ways[i].name) == 0)
      Ways[i].run();
  if (strcmp(how, "static") == 0)
    memset(Zeroed, 1, sizeof Zeroed);
  puts("ok");
  return Zeroed[5] > 1;
}
