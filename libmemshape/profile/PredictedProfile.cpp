// What a prediction says of stacks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/profile/Profile.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <filesystem>
#include <set>

namespace memshape {

static std::string pathOf(const Skeleton &S, const SourcePlace &Place) {
  const std::filesystem::path File = Place.File;
  return File.empty() ? "" : (std::filesystem::path(S.Directory) / File).lexically_normal().string();
}

static StackFrame frameOf(const Skeleton &S, const SourcePlace &Place) {
  return {Place.Function.starts_with("_Z") ? functionName(Place.Function) : Place.Function, pathOf(S, Place),
          Place.Line};
}

/// The operator, the calls that lead to a site, and the function that allocates.
static Stack stackOf(const Skeleton &S, const SkeletonSite &Site, const StackFrame &Root) {
  Stack Calls;
  for (auto Call = Site.Chain.rbegin(); Call != Site.Chain.rend(); ++Call)
    Calls.push_back(frameOf(S, *Call));
  return stackBelow(Root, std::move(Calls), frameOf(S, Site.Place));
}

void addCall(Profile &To, const Skeleton &S, const Footprint &Heap, const std::string &Space) {
  const StackFrame Root = {S.Operator, pathOf(S, S.Place), S.Place.Line};
  std::set<std::int64_t> Sites;
  for (const auto &[Id, Bytes] : Heap.SiteBytes)
    Sites.insert(Id);
  for (const auto &[Id, Asked] : Heap.Requested)
    Sites.insert(Id);
  Profile Call;
  for (const std::int64_t Id : Sites) {
    const SkeletonSite *Site = Id >= 0 && Id < std::int64_t(S.Sites.size()) ? &S.Sites[std::size_t(Id)] : nullptr;
    if (Id != LibrarySite && (!Site || !Site->allocates()))
      continue;
    if ((Site && !Site->Space.empty() ? Site->Space : "host") != Space)
      continue;
    const auto Found = [Id](const auto &Map) { return std::int64_t(Map.contains(Id) ? Map.at(Id) : 0); };
    StackFigures Figures;
    Figures.LiveBytes = Found(Heap.SiteBytes);
    Figures.LiveBlocks = Found(Heap.SiteBlocks);
    if (const auto Asked = Heap.Requested.find(Id); Asked != Heap.Requested.end()) {
      Figures.TotalBytes = std::int64_t(Asked->second.Bytes);
      Figures.Reallocations = std::int64_t(Asked->second.Reallocations);
      Figures.Allocations = std::int64_t(Asked->second.Times) - Figures.Reallocations;
    }
    Call.Stacks[Site ? stackOf(S, *Site, Root) : Stack{Root, {"(libraries)", "", 0}}] += Figures;
  }
  Call.complete({std::int64_t(Heap.Peak), 0, std::int64_t(Heap.Total), std::int64_t(Heap.Allocations),
                 std::int64_t(Heap.Reallocations)},
                Root);
  for (const auto &[Where, Figures] : Call.Stacks)
    To.Stacks[Where] += Figures;
}

} // namespace memshape
