//===- Abi.cpp - The functions that skeletons call -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines llvm-pass/include/memshape/SkeletonAbi.h over the evaluation.
//
//===----------------------------------------------------------------------===//

#include "Ending.h"
#include "Evaluation.h"
#include "Interposer.h"

#include <memshape/SkeletonAbi.h>

using namespace memshape;

/// Blocks of the C library's heap come from before the skeleton, or from the C library itself.
static bool isOurs(const void *Block) { return evaluation().Memory.owns(Block); }

/// Numbers beyond all announced sites become one that is not known; LibrarySite is not the skeleton's to name.
static std::int32_t siteOf(uint32_t Site) { return Site <= INT32_MAX ? std::int32_t(Site) : INT32_MIN; }

void *memshape_sk_alloc(uint64_t Bytes, uint64_t Alignment, uint32_t Site, uint32_t Flags) {
  return evaluation().allocate({Bytes, Alignment, siteOf(Site), (Flags & MEMSHAPE_SK_UNTOUCHED) != 0});
}

void *memshape_sk_realloc(void *Block, uint64_t Bytes, uint32_t Site, uint32_t Flags) {
  const Heap::Request Wanted = {Bytes, 0, siteOf(Site), (Flags & MEMSHAPE_SK_UNTOUCHED) != 0};
  if (Block && !isOurs(Block))
    return adoptForeignBlock(Block, Wanted);
  return evaluation().reallocate(Block, Wanted);
}

void memshape_sk_free(void *Block) {
  if (!Block)
    return;
  if (isOurs(Block))
    evaluation().release(Block);
  else
    freeForeignBlock(Block);
}

uint32_t memshape_sk_decide(uint32_t Decision, uint32_t Proposed) { return evaluation().decide(Decision, Proposed); }

uint64_t memshape_sk_value(uint32_t Decision, uint64_t Proposed) { return evaluation().value(Decision, Proposed); }

void *memshape_sk_tensor(uint32_t Parameter) { return evaluation().tensor(Parameter); }

void memshape_sk_leave(uint32_t Reason) {
  if (Reason == MEMSHAPE_SK_IMPOSSIBLE)
    endWith("error",
            "the skeleton came to a place that its analysis held for unreachable; please report this operator");
  if (Reason == MEMSHAPE_SK_CAUGHT)
    evaluation().leave("it throws an exception and catches it, which is not followed", Reason);
  evaluation().leave("the operator refuses this shape", Reason);
}

void memshape_sk_unknown(uint32_t Unknown) { evaluation().meetUnknown(Unknown); }

void memshape_sk_repeat(void (*Function)(void *), void *Object) { evaluation().repeat(Function, Object); }

uint64_t memshape_sk_block_size(void *Block) {
  if (!Block)
    return 0;
  return isOurs(Block) ? evaluation().bytesOf(Block) : foreignBlockRoom(Block);
}
