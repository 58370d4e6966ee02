// The malloc family of the process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of the C library's own heap: those of the runner, and those that were made before a skeleton ran.

#pragma once

#include "runner/heap/Heap.h"

namespace memshape {

/// Moves such a block into the skeleton's heap. Its requested size is unknown, so only the new block is counted.
void *adoptForeignBlock(void *Block, const Heap::Request &Wanted);
void freeForeignBlock(void *Block);
/// Bytes that may be used; at least those requested.
std::uint64_t foreignBlockRoom(void *Block);

} // namespace memshape
