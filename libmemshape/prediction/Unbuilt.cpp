// Arguments that cannot be built as asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Methods.h"
#include "libmemshape/prediction/Prediction.h"

#include <algorithm>

namespace memshape {

/// The site that stands for an argument: the first sites do. Number 0: the only one.
static const SkeletonSite *argumentSite(const Skeleton &S, std::uint32_t Number) {
  const auto IsArgument = [&](std::size_t At) { return At < S.Sites.size() && S.Sites[At].isArgument(); };
  const std::size_t At = Number ? Number - 1 : 0;
  return IsArgument(At) && (Number || !IsArgument(1)) ? &S.Sites[At] : nullptr;
}

static Failure refusal(const Skeleton &S, const Question &Asked, std::uint32_t Number, const std::string &Why,
                       const std::string &First) {
  const SkeletonSite *Site = argumentSite(S, Number);
  const std::string Type = Site ? Site->Place.Function : "", Called = Site ? "'" + Site->Allocator + "'" : "";
  return Failure{(Called.empty() ? "an argument" : "argument " + Called) + " of operator '" + S.Operator +
                 "' cannot be built at " + shapeText(S, Asked.Shape) + ": " + Why + "; " + First +
                 "say in a line MEMSHAPE_BUILD(" + (Type.empty() ? "TYPE" : Type) +
                 ", (int size), ...) how one is built from sizes alone"};
}

std::string reachingOut(const Skeleton &S, const Footprint &Heap) {
  constexpr std::size_t Shown = 3;
  std::vector<std::string> Names;
  for (const std::uint32_t Id : Heap.UnknownInArguments) {
    if (Id >= S.Unknown.size() ||
        (S.Unknown[Id].Reason != CallReason::ReachesOut && S.Unknown[Id].Reason != CallReason::FindsNothing))
      continue;
    const std::string Name = "'" + S.Unknown[Id].Symbol + "'";
    if (std::find(Names.begin(), Names.end(), Name) == Names.end())
      Names.push_back(Name);
  }
  std::string Listed;
  for (std::size_t I = 0; I != std::min(Names.size(), Shown); ++I)
    Listed += (I ? ", " : "") + Names[I];
  return Names.size() > Shown ? Listed + " and " + std::to_string(Names.size() - Shown) + " more" : Listed;
}

Failure notBuilt(const Skeleton &S, const Question &Asked, std::uint32_t Number, const std::string &Called) {
  return refusal(S, Asked, Number,
                 "what builds it calls " + Called +
                     ", which reaches out of the process, and a prediction knows nothing of what is found there",
                 "");
}

Failure notBuilt(const Skeleton &S, const Question &Asked, const Footprint &Heap) {
  if (const std::string Called = reachingOut(S, Heap); !Called.empty())
    return notBuilt(S, Asked, Heap.Building, Called);
  const bool Throws = Heap.Outcome == Footprint::Status::Throws;
  return refusal(S, Asked, Heap.Building, Throws ? "what builds it " + endingOf(S) : Heap.Message,
                 Throws ? "give other extents, or " : "");
}

} // namespace memshape
