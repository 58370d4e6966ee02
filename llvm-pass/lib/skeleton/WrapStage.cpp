// Sizes that can wrap, with their places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/Stages.h"
#include "wraps/SizeWraps.h"

using namespace llvm;

namespace memshape {

bool announceSizeWraps(Module &M, SkeletonState &State) {
  for (SizeWrap &Found : announceWraps(M)) {
    SkeletonWrap Wrap;
    Wrap.Place = displayPlace(Found.Where);
    // In a library's header, where that is what the place came to.
    Wrap.Expression = expressionText(innermostPlace(Found.Where));
    Wrap.Bits = Found.Bits;
    Wrap.IsSigned = Found.IsSigned;
    Wrap.Sites = std::move(Found.Sites);
    State.Facts.Wraps.push_back(std::move(Wrap));
  }
  return true;
}

} // namespace memshape
