// The extents of what an operator returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"

namespace memshape {

/// The skeleton tells extents that data cannot change. What else is in doubt - a call that was left out, another device,
/// earlier calls - may change them.
static bool areProven(const Prediction &P) {
  return P.Range.ResultsHold && !P.Range.Presumed && !P.Extrapolated && P.Heap.UnknownMet.empty();
}

std::vector<OutputExtent> outputShapeOf(const Prediction &P) {
  const Skeleton &S = *P.Operator;
  std::vector<OutputExtent> Shape;
  if (!areProven(P))
    return Shape;
  for (std::size_t I = 0; I < S.Sites.size(); ++I) {
    const auto Id = static_cast<std::int64_t>(I);
    const auto Told = P.Heap.SiteBytes.find(Id);
    if (!S.Sites[I].isResult() || Told == P.Heap.SiteBytes.end())
      continue;
    OutputExtent Each{S.Sites[I].Allocator, Told->second, {}};
    if (const auto Found = P.Formulas.Arguments.find(Id); Found != P.Formulas.Arguments.end())
      Each.Formula = Found->second.Value.str(P.Formulas.Symbols);
    Shape.push_back(std::move(Each));
  }
  return Shape;
}

} // namespace memshape
