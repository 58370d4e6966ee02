// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BlockMemory.h"

#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace memshape::out_of_core {

constexpr std::uint64_t HugePage = 2 << 20;

static void *pages(std::uint64_t Bytes) {
  return ::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/// Huge pages begin where the block does, and none reaches beyond its end. Null where there is no room for a page more.
static void *hugePages(std::uint64_t Bytes) {
  void *Found = pages(Bytes + HugePage);
  if (Found == MAP_FAILED)
    return nullptr;
  auto *const First = static_cast<std::byte *>(Found);
  const std::uint64_t Before = (HugePage - reinterpret_cast<std::uintptr_t>(First) % HugePage) % HugePage;
  if (Before)
    ::munmap(First, Before);
  ::munmap(First + Before + Bytes, HugePage - Before);
  ::madvise(First + Before, Bytes, MADV_HUGEPAGE);
  return First + Before;
}

BlockMemory::Taken BlockMemory::take(std::uint64_t Bytes) {
  if (const auto Found = Spare.find(Bytes); Found != Spare.end()) {
    void *At = Found->second;
    Spare.erase(Found);
    Kept -= Bytes;
    return {At, false};
  }
  if (void *At = Bytes < HugePage ? nullptr : hugePages(Bytes))
    return {At, true};
  void *At = pages(Bytes);
  if (At == MAP_FAILED)
    throw std::bad_alloc();
  return {At, true};
}

void BlockMemory::give(void *At, std::uint64_t Bytes) noexcept {
  try {
    Spare.emplace(Bytes, At);
    Kept += Bytes;
  } catch (const std::bad_alloc &) {
    ::munmap(At, Bytes);
  }
}

void BlockMemory::trim(std::uint64_t Bytes) {
  while (Kept > Bytes) {
    const auto Last = std::prev(Spare.end());
    ::munmap(Last->second, Last->first);
    Kept -= Last->first;
    Spare.erase(Last);
  }
}

} // namespace memshape::out_of_core
