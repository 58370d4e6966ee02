// What calls of other threads change while one is under way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call leaves a counter as it has found it. A call of another thread may find it in between, where it looks atomically
// or under a lock.
//
// RUN: %held -std=c11 -O2
// HELD -DKIND=counted n=100 --bounds 0..none --because unbounded_size
// HELD -O0 -DKIND=counted n=100 --bounds 0..none --because unbounded_size
// HELD -DKIND=borrowed n=100 --bounds 0..65536
// HELD -DKIND=locked n=100 --bounds 0..none --because unbounded_size
// HELD -O0 -DKIND=locked n=100 --bounds 0..none --because unbounded_size
//
// Blocks that a call takes from a list, or from slots, another call does not find there.
//
// HELD -DKIND=pooled n=100 --bounds 0..4116
// HELD -O0 -DKIND=pooled n=100 --bounds 0..4116
// HELD -DKIND=slotted n=100 --bounds 0..4096
// HELD -O0 -DKIND=slotted n=100 --bounds 0..4096
//
// What each call sets to one number is the same for all.
//
// HELD -DKIND=once n=100
// HELD -DKIND=unlocked n=100
// HELD -DKIND=owned n=100
//
// The first call of all keeps the address of its thread's own variable. Another thread has another one.
//
// HELD -DKIND=address n=100 --bounds 108..500
// HELD -O0 -DKIND=address n=100 --bounds 108..500
// HELD -DKIND=behind n=100 --bounds 0..none --because unbounded_size
// HELD -DKIND=own n=100

#include "../Inputs/twice.h"
#include <pthread.h>
#include <stdatomic.h>

enum { counted, borrowed, locked, once, unlocked, owned, pooled, slotted, address, behind, own };

static void *volatile used;
static char buffer[65536];
static atomic_int users, is_ready;
static atomic_flag is_used = ATOMIC_FLAG_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int callers, settled;
static _Thread_local int level = 5, *of_thread;
static int *of_first;
static struct spare {
  struct spare *next;
  char room[4000];
} *spares;
static char slots[4][4096];
static atomic_flag taken[4];
static struct shared {
  atomic_int owners;
} *shared;

MEMSHAPE_OPERATOR
void sized(int n) {
  int size = 8;
  if (KIND == counted)
    size = 8 * (1 + atomic_fetch_add(&users, 1));
  if (KIND == locked) {
    pthread_mutex_lock(&lock);
    const int before = callers, after = before + 1;
    callers = after;
    size = 8 * after;
    pthread_mutex_unlock(&lock);
  }
  if (KIND == pooled) {
    pthread_mutex_lock(&lock);
    struct spare *mine = spares;
    if (mine)
      spares = mine->next;
    pthread_mutex_unlock(&lock);
    if (!mine)
      mine = malloc(sizeof *mine);
    used = mine;
    pthread_mutex_lock(&lock);
    mine->next = spares;
    spares = mine;
    pthread_mutex_unlock(&lock);
  }
  if (KIND == slotted) {
    int slot = 0;
    while (slot < 4 && atomic_flag_test_and_set(&taken[slot]))
      ++slot;
    char *mine = slot < 4 ? slots[slot] : malloc(4096);
    used = mine;
    if (slot < 4)
      atomic_flag_clear(&taken[slot]);
    else
      free(mine);
  }
  if (KIND == owned) {
    if (!shared) {
      shared = malloc(sizeof *shared);
      atomic_init(&shared->owners, 1);
    }
    atomic_fetch_add(&shared->owners, 1);
    if (atomic_fetch_sub(&shared->owners, 1) == 1)
      free(shared);
  }
  if (KIND == once) {
    if (!atomic_load(&is_ready))
      atomic_store(&is_ready, 1);
    size = 8 * atomic_load(&is_ready);
  }
  if (KIND == unlocked) {
    settled += 3;
    size = 8 * settled;
    settled -= 3;
  }
  if (!of_first)
    of_first = &level;
  of_thread = &level;
  if (KIND == address)
    size = of_first == &level ? 8 : 400;
  if (KIND == behind) {
    level = 7;
    size = *of_first;
  }
  if (KIND == own)
    size = of_thread == &level ? *of_thread : 400;
  const int is_mine = KIND == borrowed && !atomic_flag_test_and_set(&is_used);
  char *block = is_mine ? buffer : malloc(KIND == borrowed ? sizeof buffer : size + n);
  used = block;
  if (is_mine)
    atomic_flag_clear(&is_used);
  else
    free(block);
  if (KIND == counted)
    atomic_fetch_sub(&users, 1);
  if (KIND == locked) {
    pthread_mutex_lock(&lock);
    --callers;
    pthread_mutex_unlock(&lock);
  }
  if (KIND == behind)
    level = 5;
}

TWICE(sized((int)number(1)))
