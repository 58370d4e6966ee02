// Sites as a page shows them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/SiteGroups.h"
#include "libmemshape/prediction/Prediction.h"

#include <algorithm>

namespace memshape {

std::vector<SiteGroup> groupSites(const Footprint &Heap, const Skeleton &S, const FormulaSet &Formulas) {
  std::vector<SiteGroup> Groups;
  const auto PeakOf = [&](const std::string &Space) {
    auto Known = Heap.Spaces.find(Space);
    return Space.empty() || Known == Heap.Spaces.end() ? Heap.Peak : Known->second;
  };
  for (auto [Id, Held] : sitesByBytes(Heap, S)) {
    if (Held == 0)
      continue;
    SiteGroup Next;
    if (Id == LibrarySite) {
      Next.Where = "inside libraries";
      Next.Peak = Heap.Peak;
    } else {
      const SourcePlace &Place = S.Sites[static_cast<std::size_t>(Id)].Place;
      Next.Where = Place.File.empty() ? "(no line known)" : shortPlace(Place);
      Next.Function = shortFunction(Place.Function);
      Next.Peak = PeakOf(S.Sites[static_cast<std::size_t>(Id)].Space);
    }
    Next.Bytes = Held;
    if (auto Found = Formulas.Sites.find(Id); Found != Formulas.Sites.end())
      Next.Sum = Found->second.Value;
    auto Same = std::find_if(Groups.begin(), Groups.end(), [&](const SiteGroup &Group) {
      return Group.Where == Next.Where && Group.Function == Next.Function && Group.Peak == Next.Peak;
    });
    if (Same == Groups.end()) {
      Groups.push_back(std::move(Next));
      continue;
    }
    Same->Bytes += Next.Bytes;
    Same->Sum = Same->Sum && Next.Sum ? Formula::sum(*Same->Sum, *Next.Sum) : std::nullopt;
  }
  // sitesByBytes() gave the order of equal groups; indices keep it.
  std::vector<std::size_t> Order(Groups.size());
  for (std::size_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
  std::sort(Order.begin(), Order.end(), [&](std::size_t A, std::size_t B) {
    return Groups[A].Bytes != Groups[B].Bytes ? Groups[A].Bytes > Groups[B].Bytes : A < B;
  });
  std::vector<SiteGroup> Sorted;
  for (std::size_t I : Order)
    Sorted.push_back(std::move(Groups[I]));
  return Sorted;
}

} // namespace memshape
