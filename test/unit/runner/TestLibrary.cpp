// What skeletons of the tests call for real.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ordinary shared library that knows nothing of memshape.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>

extern "C" {

void library_free(void *Block) { free(Block); }
void *library_make(std::uint64_t Bytes) { return malloc(Bytes); }
void *library_grow(void *Block, std::uint64_t Bytes) { return realloc(Block, Bytes); }

/// Keeps 1 MiB from its first call on, and replaces a block of Bytes at each call.
void library_cache(std::uint64_t Bytes) {
  static void *Kept = malloc(1 << 20);
  static void *Latest = nullptr;
  free(Latest);
  Latest = Kept ? malloc(Bytes) : nullptr;
}

/// Needs two blocks of 500 bytes, one after the other, and counts its calls in the object.
void library_work(std::uint64_t *Calls) {
  ++*Calls;
  free(malloc(500));
  free(malloc(500));
}

static pthread_barrier_t AllHold;

static void *holdBlock(void *Bytes) {
  void *Block = malloc(reinterpret_cast<std::uintptr_t>(Bytes));
  pthread_barrier_wait(&AllHold);
  for (int I = 0; I < 1000; ++I)
    free(malloc(1));
  pthread_barrier_wait(&AllHold);
  free(Block);
  return nullptr;
}

/// Four threads hold a block of Bytes each at the same time.
void library_threads(std::uint64_t Bytes) {
  pthread_t Threads[4];
  pthread_barrier_init(&AllHold, nullptr, 4);
  for (pthread_t &Thread : Threads)
    pthread_create(&Thread, nullptr, holdBlock, reinterpret_cast<void *>(Bytes));
  for (pthread_t Thread : Threads)
    pthread_join(Thread, nullptr);
  pthread_barrier_destroy(&AllHold);
}

void library_abort() { abort(); }
void library_exit() { exit(0); }
void library_exit_silently() { _exit(0); }
void library_throw() { throw std::runtime_error("a library's own"); }

void library_print() {
  puts("{\"status\": \"ok\", \"peak\": 42}");
  fflush(stdout);
}

/// Ends the process where it can write a file or start another process.
void library_write() {
  if (open("/tmp/memshape-skeleton-test-must-not-appear", O_WRONLY | O_CREAT, 0600) >= 0 || fork() >= 0)
    _exit(1);
}
}
