// Which of two places comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/evaluation/Evaluation.h"

#include <algorithm>
#include <memshape/SkeletonAbi.h>

using namespace memshape;

bool Evaluation::isInOneObject(const void *One, const void *Other) {
  if (Memory.owns(One) && Memory.owns(Other))
    return Memory.isInOneBlock(One, Other);
  const std::uint64_t Tensor = tensorAt(One);
  return Tensor && tensorAt(Other) == Tensor;
}

/// A distance is no order: it may be part of a sum in which the places of blocks cancel. Ranges in two blocks do not
/// overlap; arrays of a program may lie side by side.
void Evaluation::compareBlocks(const void *One, const void *Other, std::uint32_t Asked) {
  if (Asked == MEMSHAPE_SK_OVERLAP && Memory.owns(One) && Memory.owns(Other))
    return;
  const OwnWork Own;
  for (const void *Each : {One, Other})
    if (const std::uint32_t Number = Asked == MEMSHAPE_SK_ORDER && Memory.owns(Each) ? Memory.around(Each).Number : 0;
        std::find(InRequest.Compared.begin(), InRequest.Compared.end(), Number) == InRequest.Compared.end())
      InRequest.Compared.push_back(Number);
}
