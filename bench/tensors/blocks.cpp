// Bytes of blocks that are live, as malloc sees them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines malloc and its kin in front of the C library's. To be compiled without the plugin: nothing of memshape is
// asked, and no operator has these functions in its own unit.

#include "blocks.h"

#include <cerrno>
#include <cstddef>
#include <utility>

extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void __libc_free(void *);
}

namespace {

constexpr std::size_t Most = 1 << 10;
struct Block {
  void *begin;
  std::size_t bytes;
};
Block blocks[Most]; ///< a hash table; a block that was freed leaves its place
long live;

Block &placeOf(void *begin) {
  std::size_t at = reinterpret_cast<std::size_t>(begin) / 16 % Most;
  while (blocks[at].begin && blocks[at].begin != begin)
    at = (at + 1) % Most;
  return blocks[at];
}

void *taken(void *begin, std::size_t bytes) {
  if (begin) {
    placeOf(begin) = {begin, bytes};
    live += long(bytes);
  }
  return begin;
}

void given(void *begin) {
  if (begin)
    live -= long(std::exchange(placeOf(begin).bytes, 0));
}

} // namespace

extern "C" {
void *malloc(std::size_t bytes) { return taken(__libc_malloc(bytes), bytes); }
void *calloc(std::size_t count, std::size_t bytes) { return taken(__libc_calloc(count, bytes), count * bytes); }
void *realloc(void *begin, std::size_t bytes) {
  given(begin);
  return taken(__libc_realloc(begin, bytes), bytes);
}
void *aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return taken(__libc_memalign(alignment, bytes), bytes);
}
int posix_memalign(void **begin, std::size_t alignment, std::size_t bytes) {
  *begin = aligned_alloc(alignment, bytes);
  return *begin ? 0 : ENOMEM;
}
void free(void *begin) {
  given(begin);
  __libc_free(begin);
}
}

long liveBytes() { return live; }
