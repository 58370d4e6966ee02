//===- BlockMemory.cpp ----------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockMemory.h"

#include <cstddef>
#include <new>
#include <sys/mman.h>

namespace memshape::out_of_core {

namespace {

constexpr std::uint64_t HugePage = 2 << 20;

/// Fresh pages. Huge ones begin where the block does, and none reaches beyond its end.
void *mapped(std::uint64_t Bytes) {
  const std::uint64_t Beyond = Bytes < HugePage ? 0 : HugePage;
  void *Found = ::mmap(nullptr, Bytes + Beyond, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Found == MAP_FAILED)
    throw std::bad_alloc();
  if (!Beyond)
    return Found;
  auto *const First = static_cast<std::byte *>(Found);
  const std::uint64_t Before = (HugePage - reinterpret_cast<std::uintptr_t>(First) % HugePage) % HugePage;
  if (Before)
    ::munmap(First, Before);
  if (Before < Beyond)
    ::munmap(First + Before + Bytes, Beyond - Before);
  ::madvise(First + Before, Bytes, MADV_HUGEPAGE);
  return First + Before;
}

} // namespace

BlockMemory::Taken BlockMemory::take(std::uint64_t Bytes) {
  if (const auto Found = Spare.find(Bytes); Found != Spare.end()) {
    void *At = Found->second;
    Spare.erase(Found);
    Kept -= Bytes;
    return {At, false};
  }
  return {mapped(Bytes), true};
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
