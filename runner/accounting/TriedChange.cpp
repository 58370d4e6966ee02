// What blocks would count as if a line were changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/accounting/TriedChange.h"

#include "runner/states/StateHash.h"

#include <algorithm>

using namespace memshape;

static bool contains(const std::vector<std::int32_t> &Sites, std::int32_t Site) {
  return std::find(Sites.begin(), Sites.end(), Site) != Sites.end();
}

/// Sums of these are equal where sites hold as many bytes in as many blocks.
static std::uint64_t hashOf(const TriedChange::Block &Of) {
  return Of.Bytes * mixed(std::uint64_t(Of.Site) + 2) + mixed(~std::uint64_t(Of.Site));
}

void TriedChange::begin(const Change &Given, const std::vector<std::int64_t> &Shape) {
  Of = Given;
  if (Of.Extent >= 0)
    Of.Parts = std::size_t(Of.Extent) < Shape.size() && Shape[std::size_t(Of.Extent)] > 0
                   ? std::uint64_t(Shape[std::size_t(Of.Extent)])
                   : 1;
  Of.Parts = std::max<std::uint64_t>(Of.Parts, 1);
  Of.Times = std::min(Of.Times, Of.Parts);
  Applies = CountsWhole = false;
  Learnt.clear();
  beginCall();
}

void TriedChange::beginCall() {
  Open.clear();
  Closed.clear();
  Live.clear();
  LastOf.clear();
  Requests.clear();
}

/// Blocks that take each other's places count what is written of the last one, from the first one on.
void TriedChange::apply() {
  Learnt = std::move(Requests);
  std::vector<std::size_t> Ends(Learnt.size()), Starts(Learnt.size());
  std::vector<bool> IsMeant(Learnt.size());
  for (std::size_t I = Learnt.size(); I-- > 0;) {
    const std::size_t Next = Learnt[I].ReplacedBy;
    Ends[I] = Next == SIZE_MAX ? I : Ends[Next];
    Starts[Ends[I]] = I;
    if (contains(Of.Sites, Learnt[I].Of.Site))
      IsMeant[Ends[I]] = true;
  }
  for (std::size_t I = 0; I < Learnt.size(); ++I) {
    const std::size_t Last = Ends[I], First = Starts[Last];
    const bool Grows = IsMeant[Last] && First != Last;
    CountsWhole |= Grows && !Learnt[Last].IsTold;
    const std::uint64_t Final = std::min(Learnt[Last].Written, Learnt[Last].Of.Bytes);
    Learnt[I].Adds = !Grows ? Learnt[I].Of.Bytes : I == First ? Final : 0;
    Learnt[I].TakesAway = !Grows ? Learnt[I].Of.Bytes : I == Last ? Final : 0;
  }
  Applies = true;
}

std::uint64_t TriedChange::scaled(const Block &Each) const {
  __extension__ typedef unsigned __int128 Wide;
  return contains(Of.Sites, Each.Site)
             ? std::uint64_t((static_cast<Wide>(Each.Bytes) * Of.Times + Of.Parts - 1) / Of.Parts)
             : Each.Bytes;
}

std::uint64_t TriedChange::allocated(const Block &New, bool Announced) {
  Balance += hashOf(New);
  switch (Of.What) {
  case Change::Kind::None: break;
  case Change::Kind::Scale: return scaled(New);
  case Change::Kind::Close:
    if (contains(Of.Sites, New.Site))
      Open[New.At] = New;
    break;
  case Change::Kind::Reserve:
    Live[New.At] = LastOf[New.Site] = Requests.size();
    Requests.push_back({New, Announced ? 0 : New.Bytes, Announced});
    if (const Request *Known = learnt(Requests.size() - 1))
      return Known->Adds;
  }
  return New.Bytes;
}

/// What the same request of the last call came to; null where this call goes another way.
const TriedChange::Request *TriedChange::learnt(std::size_t Number) const {
  if (!Applies || Number >= Learnt.size() || Learnt[Number].Of.Site != Requests[Number].Of.Site ||
      Learnt[Number].Of.Bytes != Requests[Number].Of.Bytes)
    return nullptr;
  return &Learnt[Number];
}

/// A larger block that came last, of a site whose blocks are given what was in Old's, takes its place. Between the two
/// nothing goes but what has made place for it, too.
void TriedChange::link(std::size_t Old, bool Moved) {
  std::size_t New = Moved ? Requests.size() - 1 : SIZE_MAX;
  for (const auto &[Site, Last] : LastOf)
    if (!Moved && Last > Old && Requests[Last].Of.Bytes > Requests[Old].Of.Bytes && contains(Of.Into, Site) &&
        (New == SIZE_MAX || Last > New))
      New = Last;
  if (New == SIZE_MAX || (!Moved && !contains(Of.Sites, Requests[Old].Of.Site))) {
    LastOf.clear();
    return;
  }
  Requests[Old].ReplacedBy = New;
  if (Moved) {
    Requests[New].Written = std::max(Requests[New].Written, Requests[Old].Written);
    Requests[New].IsTold &= Requests[Old].IsTold;
  }
}

std::uint64_t TriedChange::released(const Block &Gone, bool Moved) {
  Balance -= hashOf(Gone);
  switch (Of.What) {
  case Change::Kind::None: break;
  case Change::Kind::Scale: return scaled(Gone);
  case Change::Kind::Close:
    if (contains(Of.Sites, Gone.Site) && Closed.erase(Gone.At))
      return 0;
    Open.erase(Gone.At);
    break;
  case Change::Kind::Reserve:
    if (const auto There = Live.find(Gone.At); There != Live.end()) {
      const std::size_t Number = There->second;
      link(Number, Moved);
      Live.erase(There);
      if (const Request *Known = learnt(Number))
        return Known->TakesAway;
    }
  }
  return Gone.Bytes;
}

std::vector<std::pair<std::int32_t, std::uint64_t>> TriedChange::freedBefore(std::int32_t Site) {
  std::vector<std::pair<std::int32_t, std::uint64_t>> Freed;
  if (Open.empty() || !contains(Of.Before, Site))
    return Freed;
  for (const auto &[At, Each] : Open) {
    Freed.emplace_back(Each.Site, Each.Bytes);
    Closed.insert(At);
  }
  Open.clear();
  return Freed;
}

void TriedChange::touched(std::uintptr_t At, std::uint64_t Bytes) {
  const auto There = Live.find(At);
  if (There == Live.end())
    return;
  Request &Touched = Requests[There->second];
  Touched.Written = std::max(Touched.Written, Bytes);
  Touched.IsTold &= Bytes <= Touched.Of.Bytes;
}
