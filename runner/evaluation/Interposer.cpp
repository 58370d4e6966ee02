// The malloc family of the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executable defines malloc and its relatives, so that every library in the process allocates here. While a
// skeleton runs, allocations of libraries are counted at site -1; at other times they go to the C library's heap.
// Threads that libraries start are noted, because the order of their allocations varies from run to run.

#include "runner/evaluation/Interposer.h"

#include "runner/evaluation/Evaluation.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

using namespace memshape;

extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);
}

static bool counting() { return evaluation().mode() != Mode::Outside; }
static bool isOurs(const void *Block) { return evaluation().Memory.owns(Block); }

static void *ours(std::size_t Bytes, std::size_t Alignment = 0) {
  return evaluation().allocate({Bytes, Alignment, LibrarySite, false});
}

static void *aligned(std::size_t Alignment, std::size_t Bytes) {
  if (!counting())
    return __libc_memalign(Alignment, Bytes);
  if (constexpr std::size_t Most = std::size_t(1) << 46; Alignment > Most) { // of addresses there is no more
    errno = ENOMEM;
    return nullptr;
  }
  return ours(Bytes, Alignment);
}

static std::size_t pageBytes() {
  static const std::size_t Page = std::size_t(sysconf(_SC_PAGESIZE));
  return Page;
}

// glibc keeps the size of a block in the word in front of it. Its malloc_usable_size is hidden by this file's.
std::uint64_t memshape::foreignBlockRoom(void *Block) {
  std::size_t Head;
  std::memcpy(&Head, static_cast<char *>(Block) - sizeof(Head), sizeof(Head));
  const bool Mapped = Head & 2;
  return (Head & ~std::size_t(7)) - (Mapped ? 2 : 1) * sizeof(Head);
}

void memshape::freeForeignBlock(void *Block) { __libc_free(Block); }

void *memshape::adoptForeignBlock(void *Block, const Heap::Request &Wanted) {
  void *Moved = nullptr;
  if (Wanted.Bytes) {
    Moved = evaluation().allocate(Wanted);
    if (!Wanted.Untouched)
      std::memcpy(Moved, Block, std::min(foreignBlockRoom(Block), Wanted.Bytes));
  }
  __libc_free(Block);
  return Moved;
}

#define MEMSHAPE_EXPORT extern "C" __attribute__((visibility("default")))

MEMSHAPE_EXPORT void *malloc(std::size_t Bytes) noexcept { return counting() ? ours(Bytes) : __libc_malloc(Bytes); }

MEMSHAPE_EXPORT void free(void *Block) noexcept {
  if (!Block)
    return;
  if (isOurs(Block))
    evaluation().release(Block);
  else
    __libc_free(Block);
}

MEMSHAPE_EXPORT void *calloc(std::size_t Count, std::size_t Bytes) noexcept {
  if (!counting())
    return __libc_calloc(Count, Bytes);
  std::size_t Product;
  if (__builtin_mul_overflow(Count, Bytes, &Product)) {
    errno = ENOMEM;
    return nullptr;
  }
  return ours(Product);
}

MEMSHAPE_EXPORT void *realloc(void *Block, std::size_t Bytes) noexcept {
  if (Block && isOurs(Block))
    return evaluation().reallocate(Block, {Bytes, 0, LibrarySite, false});
  if (!counting())
    return __libc_realloc(Block, Bytes);
  return Block ? adoptForeignBlock(Block, {Bytes, 0, LibrarySite, false}) : ours(Bytes);
}

MEMSHAPE_EXPORT void *reallocarray(void *Block, std::size_t Count, std::size_t Bytes) noexcept {
  std::size_t Product;
  if (__builtin_mul_overflow(Count, Bytes, &Product)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(Block, Product);
}

MEMSHAPE_EXPORT void *memalign(std::size_t Alignment, std::size_t Bytes) noexcept { return aligned(Alignment, Bytes); }

MEMSHAPE_EXPORT void *aligned_alloc(std::size_t Alignment, std::size_t Bytes) noexcept {
  return aligned(Alignment, Bytes);
}

MEMSHAPE_EXPORT int posix_memalign(void **Block, std::size_t Alignment, std::size_t Bytes) noexcept {
  if (!Alignment || Alignment % sizeof(void *) || (Alignment & (Alignment - 1)))
    return EINVAL;
  void *Made = aligned(Alignment, Bytes);
  if (!Made)
    return ENOMEM;
  *Block = Made;
  return 0;
}

MEMSHAPE_EXPORT void *valloc(std::size_t Bytes) noexcept { return aligned(pageBytes(), Bytes); }

MEMSHAPE_EXPORT void *pvalloc(std::size_t Bytes) noexcept {
  const std::size_t Page = pageBytes();
  if (Bytes > SIZE_MAX - Page) {
    errno = ENOMEM;
    return nullptr;
  }
  return aligned(Page, (Bytes + Page - 1) / Page * Page);
}

MEMSHAPE_EXPORT std::size_t malloc_usable_size(void *Block) noexcept {
  if (!Block)
    return 0;
  return isOurs(Block) ? evaluation().bytesOf(Block) : foreignBlockRoom(Block);
}

MEMSHAPE_EXPORT int pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes, void *(*Start)(void *),
                                   void *Argument) noexcept {
  using Function = int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  static const auto Real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "pthread_create"));
  if (counting())
    evaluation().noteThread();
  return Real ? Real(Thread, Attributes, Start, Argument) : EAGAIN;
}
