// Operator new that counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "counted.h"

#include <cstddef>
#include <cstdlib>
#include <new>

Counts &counts() {
  static Counts all;
  return all;
}

/// In front of each block: its bytes, and where it begins.
struct Head {
  std::size_t bytes;
  void *begin;
};

static void *take(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
  const std::size_t front = alignment < sizeof(Head) ? sizeof(Head) : alignment;
  char *begin = static_cast<char *>(std::aligned_alloc(front, (bytes + 2 * front - 1) / front * front));
  if (!begin)
    throw std::bad_alloc();
  reinterpret_cast<Head *>(begin + front)[-1] = {bytes, begin};
  Counts &now = counts();
  now.live += long(bytes);
  now.total += long(bytes);
  ++now.allocations;
  if (now.live > now.peak)
    now.peak = now.live;
  return begin + front;
}

static void give(void *block) {
  if (!block)
    return;
  const Head head = static_cast<Head *>(block)[-1];
  counts().live -= long(head.bytes);
  std::free(head.begin);
}

void *operator new(std::size_t bytes) { return take(bytes); }
void *operator new[](std::size_t bytes) { return take(bytes); }
void *operator new(std::size_t bytes, std::align_val_t alignment) { return take(bytes, std::size_t(alignment)); }
void *operator new[](std::size_t bytes, std::align_val_t alignment) { return take(bytes, std::size_t(alignment)); }
void operator delete(void *block) noexcept { give(block); }
void operator delete[](void *block) noexcept { give(block); }
void operator delete(void *block, std::size_t) noexcept { give(block); }
void operator delete[](void *block, std::size_t) noexcept { give(block); }
void operator delete(void *block, std::align_val_t) noexcept { give(block); }
void operator delete[](void *block, std::align_val_t) noexcept { give(block); }
void operator delete(void *block, std::size_t, std::align_val_t) noexcept { give(block); }
void operator delete[](void *block, std::size_t, std::align_val_t) noexcept { give(block); }
