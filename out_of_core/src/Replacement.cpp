//===- Replacement.cpp ----------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Replacement.h"

#include <algorithm>
#include <new>
#include <utility>

namespace memshape::out_of_core {

/// Places of the queue, below Width. Those of executors that are numbered one after the other lie evenly, however many
/// these are: multiples of the golden ratio.
static std::uint64_t later(ExecutorId Which, std::uint64_t Width) {
  return Width * ((Which * 0x9E3779B97F4A7C15ull) >> 32) >> 32;
}

Replacement::Replacement(Policy How, std::size_t Recent, std::size_t Together)
    : How(How), Recent(Recent), Together(Together) {
  if (How == Policy::next_use && Recent != 0)
    Least.emplace_back(How, 0, Together);
}

Replacement::Rank Replacement::rank(ExecutorId Which, std::uint64_t Width) const {
  const State &Of = Known[Which];
  const std::uint64_t Next = Of.NextUses.empty() ? Never : Of.NextUses.front() + later(Which, Width);
  return {!Of.Resident, !Of.Finished, How == Policy::next_use ? Never - Next : 0, Of.LastUse, Which};
}

template <class Apply> void Replacement::change(ExecutorId Which, Apply What) {
  State &Of = Known[Which];
  auto Node = Order.extract(rank(Which));
  const std::uint64_t Was = Of.Resident ? Of.Bytes : 0;
  const bool WasToBeRead = isToBeRead(Of);
  try {
    What(Of);
  } catch (...) {
    Order.insert(std::move(Node));
    throw;
  }
  Held += (Of.Resident ? Of.Bytes : 0) - Was;
  ToBeRead = ToBeRead + std::uint64_t(isToBeRead(Of)) - std::uint64_t(WasToBeRead);
  Node.value() = rank(Which);
  Order.insert(std::move(Node));
}

void Replacement::add(std::uint64_t Bytes) {
  Known.push_back({.Bytes = Bytes, .NextUses = {}});
  const auto Which = static_cast<ExecutorId>(Known.size() - 1);
  try {
    Order.insert(rank(Which));
    for (Replacement &Each : Least)
      Each.add(Bytes);
    Sizes += Bytes;
  } catch (...) {
    Order.erase(rank(Which));
    Known.pop_back();
    throw;
  }
}

void Replacement::resize(ExecutorId Which, std::uint64_t Bytes) {
  Sizes += Bytes - Known[Which].Bytes;
  change(Which, [&](State &Of) { Of.Bytes = Bytes; });
  for (Replacement &Each : Least)
    Each.resize(Which, Bytes);
}

void Replacement::expect(ExecutorId Which) {
  const std::uint64_t Place = Expected++;
  change(Which, [&](State &Of) { Of.NextUses.push_back(Place); });
  try {
    for (Replacement &Each : Least)
      Each.expect(Which);
  } catch (...) {
    change(Which, [&](State &Of) { Of.NextUses.pop_back(); });
    throw;
  }
  ++Waiting;
}

void Replacement::unexpect(ExecutorId Which) {
  change(Which, [&](State &Of) { Of.NextUses.pop_back(); });
  --Waiting;
  for (Replacement &Each : Least)
    Each.unexpect(Which);
}

void Replacement::forget() {
  for (ExecutorId Each = 0; Each < Known.size(); ++Each)
    change(Each, [](State &Of) {
      Of.NextUses.clear();
      Of.Finished = false;
    });
  Waiting = 0;
  for (Replacement &Each : Least)
    Each.forget();
  release();
}

void Replacement::place(ExecutorId Which, bool IsResident) {
  change(Which, [&](State &Of) { Of.Resident = IsResident; });
}

void Replacement::setResident(ExecutorId Which, bool Is) {
  place(Which, Is);
  for (Replacement &Each : Least)
    Each.place(Which, Is);
  compare({&Which, 1});
}

/// Finds out which of these are behind.
void Replacement::compare(std::span<const ExecutorId> Which) {
  for (const Replacement &Other : Least)
    for (const ExecutorId Each : Which) {
      State &Of = Known[Each];
      const bool Now = Other.Known[Each].Resident && !Of.Resident;
      Behind = Behind + std::uint64_t(Now) - std::uint64_t(std::exchange(Of.Behind, Now));
    }
}

/// Whether the reads will be near the least, although so many more executors leave too early.
bool Replacement::maySpare(std::size_t More) const {
  for (const Replacement &Each : Least)
    if (20 * (Reads + Behind + More) > 21 * Each.Reads + Each.ToBeRead)
      return false;
  return true;
}

void Replacement::spread(std::uint64_t Width) {
  std::set<Rank> Sorted;
  while (!Order.empty()) {
    auto Node = Order.extract(Order.begin());
    Node.value() = rank(Node.value().Which, Width);
    Sorted.insert(std::move(Node));
  }
  Order.swap(Sorted);
  Spread.Width = Width;
}

/// What will have been read before the place End of the queue, where next uses are taken for later by up to Width. One
/// access is made after the other.
Replacement::Outlook Replacement::outlook(std::uint64_t End, std::uint64_t Budget, std::uint64_t Width) const {
  struct Access {
    std::uint64_t Place, Next;
    ExecutorId Which;
  };
  using Stay = std::pair<std::uint64_t, ExecutorId>; // by what the next use is taken for
  std::vector<Access> Accesses;
  std::set<Stay> Here;
  std::vector<bool> Made;
  const auto Taken = [&](std::uint64_t Next, ExecutorId Which) {
    return Stay(Next == Never ? Never : Next + later(Which, Width), Which);
  };
  for (ExecutorId Each = 0; Each < Known.size(); ++Each) {
    const State &Of = Known[Each];
    for (auto Use = Of.NextUses.begin(); Use != Of.NextUses.end() && *Use < End; ++Use)
      Accesses.push_back({*Use, std::next(Use) == Of.NextUses.end() ? Never : *std::next(Use), Each});
    if (Of.Resident)
      Here.insert(Taken(Of.NextUses.empty() ? Never : Of.NextUses.front(), Each));
    Made.push_back(Of.Made);
  }
  std::sort(Accesses.begin(), Accesses.end(), [](const Access &A, const Access &B) { return A.Place < B.Place; });
  Outlook Found{Reads, std::vector<bool>(Known.size())};
  std::uint64_t Bytes = Held;
  for (auto Now = Accesses.begin(); Now != Accesses.end(); ++Now) {
    if (Here.erase(Taken(Now->Place, Now->Which)) == 0) {
      Found.Reads += Made[Now->Which];
      Made[Now->Which] = true;
      Bytes += Known[Now->Which].Bytes;
      const auto First = Now - std::min(Now - Accesses.begin(), std::ptrdiff_t(Recent));
      for (auto Last = Here.end(); Bytes > Budget && Last != Here.begin();) {
        --Last;
        if (std::any_of(First, Now, [&](const Access &Each) { return Each.Which == Last->second; }))
          continue;
        Bytes -= Known[Last->second].Bytes;
        Last = Here.erase(Last);
      }
    }
    Here.insert(Taken(Now->Next, Now->Which));
  }
  for (const auto &[Next, Which] : Here)
    Found.WillStay[Which] = Next != Never;
  return Found;
}

/// Whether next uses are to be spread from here on. What has been looked at is not looked at again before an eighth of it
/// has been used, so that a task takes no longer than microseconds for it.
void Replacement::lookAhead(std::uint64_t Budget) {
  constexpr std::uint64_t Most = 16384; // places and executors: the store stands still for a look
  const std::uint64_t Next = Expected - Waiting;
  if (Spread.Width && (Next >= Spread.Until || Budget != Spread.Budget))
    spread(0);
  if (Spread.Width || Used < Spread.NextLook || Sizes <= Budget || Sizes > Budget / 32 * Known.size() ||
      Known.size() > Most)
    return;
  Spread.Until = std::min({Expected, Next + 16 * Known.size(), Next + Most});
  Spread.NextLook = Used + (Spread.Until - Next + Known.size()) / 8;
  Spread.Budget = Budget;
  try {
    for (const Replacement &Each : Least) {
      const Outlook Fewest = Each.outlook(Spread.Until, Budget, 0);
      for (const std::uint64_t Width : {Known.size(), Known.size() / 2, Known.size() / 4}) {
        Outlook Here = outlook(Spread.Until, Budget, Width);
        for (ExecutorId One = 0; One < Known.size(); ++One) // which are read again later
          Here.Reads += Fewest.WillStay[One] && !Here.WillStay[One];
        if (40 * Here.Reads <= 41 * Fewest.Reads)
          return spread(Width);
      }
    }
  } catch (const std::bad_alloc &) { // then the furthest leave
  }
}

std::uint64_t Replacement::firstOfRecent(std::uint64_t Budget) const {
  if (How != Policy::next_use)
    return Never;
  std::uint64_t First = Used, Bytes = 0;
  for (auto Each = RecentBytes.rbegin(); Each != RecentBytes.rend(); ++Each, --First)
    if ((Bytes += *Each) > Budget / 32)
      break;
  return First;
}

void Replacement::evict(std::uint64_t Budget, const std::function<bool(ExecutorId)> &Stays, Change &Into,
                        bool OnlyFinished) {
  for (auto Each = Order.begin();
       Each != Order.end() && !Each->Away && !(OnlyFinished && Each->Wanted) && Held + Reserved > Budget;) {
    const ExecutorId Which = (Each++)->Which;
    if (!Stays(Which)) {
      place(Which, false);
      Into.Out.push_back(Which);
    }
  }
}

void Replacement::giveBack(std::uint64_t Before, std::uint64_t Budget, Change &Into) {
  while (!Rooms.empty() && Rooms.front().Use < Before && Held + Reserved > Budget) {
    Into.Over.push_back(Rooms.front().Use);
    Reserved -= Rooms.front().Bytes;
    Rooms.pop_front();
  }
}

void Replacement::finish(ExecutorId Which) {
  change(Which, [](State &Of) { Of.Finished = true; });
  for (Replacement &Each : Least)
    Each.finish(Which);
}

void Replacement::end(std::uint64_t Use) {
  for (Room &Each : Rooms)
    Each.Ended |= Each.Use == Use;
  while (Rooms.size() > Together && Rooms.front().Ended) {
    Reserved -= Rooms.front().Bytes;
    Rooms.pop_front();
  }
  for (Replacement &Each : Least)
    Each.end(Use);
}

void Replacement::release() {
  for (Replacement &Each : Least)
    Each.release();
  Rooms.clear();
  Reserved = 0;
}

/// The first of the latest uses that, with all behind it, may run beside this one: what they need fits. Staying becomes
/// what they use.
std::uint64_t Replacement::firstTogether(std::span<const ExecutorId> Which, std::uint64_t Budget,
                                         std::set<ExecutorId> &Staying) const {
  std::uint64_t First = Used, Bytes = 0;
  Staying.insert(Which.begin(), Which.end());
  for (const ExecutorId Each : Staying)
    Bytes += Known[Each].Bytes;
  for (auto Each = Rooms.rbegin(); Each != Rooms.rend() && Each->Use + Together > Used; ++Each) {
    Bytes += Each->Bytes;
    std::vector<ExecutorId> Further;
    for (const ExecutorId One : Each->With)
      if (Known[One].Resident && !Staying.contains(One)) {
        Further.push_back(One);
        Bytes += Known[One].Bytes;
      }
    if (Bytes > Budget)
      break;
    First = Each->Use;
    Staying.insert(Further.begin(), Further.end());
  }
  return First;
}

Replacement::Change Replacement::shrink(std::uint64_t Budget, const std::function<bool(ExecutorId)> &Pinned) {
  Change Made;
  giveBack(Never, Budget, Made);
  evict(Budget, Pinned, Made);
  for (Replacement &Each : Least)
    compare(Each.shrink(Budget, Pinned).Out);
  compare(Made.Out);
  return Made;
}

std::optional<ExecutorId> Replacement::first(const std::function<bool(ExecutorId)> &May) const {
  for (const Rank &Each : Order)
    if (May(Each.Which))
      return Each.Which;
  return std::nullopt;
}

Replacement::Change Replacement::use(std::span<const ExecutorId> Which, bool InQueue, std::uint64_t Budget,
                                     const std::function<bool(ExecutorId)> &Pinned, std::uint64_t Besides) {
  Change Made;
  if (InQueue)
    lookAhead(Budget);
  const std::uint64_t FirstOfRecent = Spread.Width || maySpare(Which.size()) ? firstOfRecent(Budget) : Used;
  std::uint64_t Bytes = 0;
  ++Used;
  for (const ExecutorId Each : Which) {
    if (!Known[Each].Resident) {
      Made.In.push_back(Each);
      Reads += Known[Each].Made;
    }
    Bytes += Known[Each].Bytes;
    change(Each, [&](State &Of) {
      Of.Resident = Of.Made = true;
      Of.LastUse = Used;
      if (InQueue)
        Of.NextUses.pop_front();
    });
    Waiting -= InQueue;
  }
  std::set<ExecutorId> Staying;
  if (Besides) {
    Rooms.push_back({.Use = Used, .Bytes = Besides, .With = {Which.begin(), Which.end()}});
    Reserved += Besides;
  }
  if (!Rooms.empty())
    giveBack(firstTogether(Which, Budget, Staying), Budget, Made);
  const auto InUse = [&](ExecutorId Each) { return Known[Each].LastUse == Used || Pinned(Each); };
  const auto Runs = [&](ExecutorId Each) { return Staying.contains(Each) || InUse(Each); };
  evict(Budget, Runs, Made, true);
  evict(Budget, [&](ExecutorId Each) { return Known[Each].LastUse > FirstOfRecent || Runs(Each); }, Made);
  evict(Budget, Runs, Made);
  giveBack(Used, Budget, Made); // handles may leave too little for those that would run together
  evict(Budget, InUse, Made);
  RecentBytes.push_back(Bytes);
  if (RecentBytes.size() > Recent)
    RecentBytes.pop_front();
  for (Replacement &Each : Least) {
    Each.Used = Used - 1; // also where this was cut short before, for want of memory
    compare(Each.use(Which, InQueue, Budget, Pinned, Besides).Out);
  }
  compare(Which);
  compare(Made.Out);
  return Made;
}

std::vector<ExecutorId> Replacement::awaited() const {
  std::vector<ExecutorId> All;
  for (ExecutorId Each = 0; Each < Known.size(); ++Each)
    if (!Known[Each].Resident && !Known[Each].NextUses.empty())
      All.push_back(Each);
  std::sort(All.begin(), All.end(),
            [&](ExecutorId A, ExecutorId B) { return Known[A].NextUses.front() < Known[B].NextUses.front(); });
  return All;
}

std::vector<ExecutorId> Replacement::residents() const {
  std::vector<ExecutorId> All;
  for (auto Each = Order.begin(); Each != Order.end() && !Each->Away; ++Each)
    All.push_back(Each->Which);
  std::sort(All.begin(), All.end(), [&](ExecutorId A, ExecutorId B) { return Known[A].LastUse < Known[B].LastUse; });
  return All;
}

} // namespace memshape::out_of_core
