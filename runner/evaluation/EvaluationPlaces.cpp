// Which of two places comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/evaluation/Evaluation.h"
#include "runner/evaluation/Exploration.h"

#include <algorithm>
#include <memshape/SkeletonAbi.h>

using namespace memshape;

/// Null, and what is near it, lies in no object.
static bool isNearNull(const void *Address) {
  constexpr std::uintptr_t FirstPage = 4096;
  return reinterpret_cast<std::uintptr_t>(Address) < FirstPage;
}

bool Evaluation::isInOneObject(const void *One, const void *Other) {
  if (isNearNull(One) && isNearNull(Other))
    return true;
  if (Exploring && Exploring->blockAround(One) && Exploring->blockAround(Other))
    return Exploring->blockAround(One) == Exploring->blockAround(Other);
  if (Memory.owns(One) && Memory.owns(Other))
    return Memory.isInOneBlock(One, Other);
  const std::uint64_t Tensor = tensorAt(One);
  return Tensor && tensorAt(Other) == Tensor;
}

/// A distance is no order: it may be part of a sum in which the places of blocks cancel. Ranges in two blocks do not
/// overlap; arrays of a program may lie side by side.
void Evaluation::compareBlocks(const void *One, const void *Other, std::uint32_t Asked) {
  if (Exploring)
    return Exploring->compare(One, Other, Asked);
  if (Asked == MEMSHAPE_SK_OVERLAP && Memory.owns(One) && Memory.owns(Other))
    return;
  const OwnWork Own;
  for (const void *Each : {One, Other})
    if (const std::uint32_t Number = Asked == MEMSHAPE_SK_ORDER && Memory.owns(Each) ? Memory.around(Each).Number : 0;
        std::find(InRequest.Compared.begin(), InRequest.Compared.end(), Number) == InRequest.Compared.end())
      InRequest.Compared.push_back(Number);
}
