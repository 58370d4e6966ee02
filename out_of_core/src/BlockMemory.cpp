//===- BlockMemory.cpp ----------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockMemory.h"

#include <new>
#include <sys/mman.h>

namespace memshape::out_of_core {

BlockMemory::Taken BlockMemory::take(std::uint64_t Bytes) {
  if (const auto Found = Spare.find(Bytes); Found != Spare.end()) {
    void *At = Found->second;
    Spare.erase(Found);
    Kept -= Bytes;
    return {At, false};
  }
  void *At = ::mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
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
