// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  Rank Now = rank(Which, Of.NextUses.empty() ? Never : Of.NextUses.front(), Of.LastUse, Width);
  Now.Away = !Of.Resident;
  return Now;
}

/// Of one in memory.
Replacement::Rank Replacement::rank(ExecutorId Which, std::uint64_t NextUse, std::uint64_t LastUse,
                                    std::uint64_t Width) const {
  const std::uint64_t Next = NextUse == Never ? Never : NextUse + later(Which, Width);
  return {false, !Known[Which].Finished, How == Policy::next_use ? Never - Next : 0, LastUse, Which};
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

/// So many executors more may leave too early, and the reads will be near the least all the same.
std::uint64_t Replacement::mayLeaveEarly() const {
  std::uint64_t Most = Never;
  for (const Replacement &Each : Least) {
    const std::uint64_t Allowed = (21 * Each.Reads + Each.ToBeRead) / 20, Counted = Reads + Behind;
    Most = Allowed - std::min(Allowed, Counted);
  }
  return Most;
}

void Replacement::sort(std::uint64_t Width) {
  std::set<Rank> Sorted;
  while (!Order.empty()) {
    auto Node = Order.extract(Order.begin());
    Node.value() = rank(Node.value().Which, Width);
    Sorted.insert(std::move(Node));
  }
  Order.swap(Sorted);
  Ahead.Width = Width;
}

/// What will have been read before the place End of the queue, where next uses are taken for later by up to Width. One
/// access is made after the other.
Replacement::Outlook Replacement::outlook(std::uint64_t End, std::uint64_t Budget, std::uint64_t Width) const {
  struct Access {
    std::uint64_t Place, Next;
    ExecutorId Which;
  };
  std::vector<Access> Accesses;
  std::set<Rank> Here;
  std::vector<bool> Made;
  std::vector<std::uint64_t> LastUse;
  for (ExecutorId Each = 0; Each < Known.size(); ++Each) {
    const State &Of = Known[Each];
    for (auto Use = Of.NextUses.begin(); Use != Of.NextUses.end() && *Use < End; ++Use)
      Accesses.push_back({*Use, std::next(Use) == Of.NextUses.end() ? Never : *std::next(Use), Each});
    if (Of.Resident)
      Here.insert(rank(Each, Width));
    Made.push_back(Of.Made);
    LastUse.push_back(Of.LastUse);
  }
  std::sort(Accesses.begin(), Accesses.end(), [](const Access &A, const Access &B) { return A.Place < B.Place; });
  Outlook Found{Reads, std::vector<bool>(Known.size())};
  std::uint64_t Bytes = Held, Use = Used;
  for (const Access &Now : Accesses) {
    ++Use;
    if (Here.erase(rank(Now.Which, Now.Place, LastUse[Now.Which], Width)) == 0) {
      Found.Reads += Made[Now.Which];
      Made[Now.Which] = true;
      Bytes += Known[Now.Which].Bytes;
      for (auto First = Here.begin(); Bytes > Budget && First != Here.end();)
        if (First->LastUse != 0 && First->LastUse + Recent >= Use) {
          ++First;
        } else {
          Bytes -= Known[First->Which].Bytes;
          First = Here.erase(First);
        }
    }
    LastUse[Now.Which] = Use;
    Here.insert(rank(Now.Which, Now.Next, Use, Width));
  }
  for (const Rank &Each : Here)
    Found.WillStay[Each.Which] = Each.Sooner != 0;
  return Found;
}

/// Decides how the queue that is known is gone through. What has been looked at is not looked at again before an eighth
/// of it has been used, so that a task takes no longer than microseconds for it.
void Replacement::lookAhead(std::uint64_t Budget) {
  constexpr std::uint64_t Most = 16384; // places and executors: the store stands still for a look
  const std::uint64_t Next = Expected - Waiting;
  if (Ahead.IsDecided && (Next >= Ahead.Until || Budget != Ahead.Budget)) {
    sort(0);
    Ahead.IsDecided = false;
  }
  if (Ahead.IsDecided || Used < Ahead.NextLook || Sizes <= Budget || Sizes > Budget / 32 * Known.size() ||
      Known.size() > Most)
    return;
  Ahead.Until = std::min({Expected, Next + 16 * Known.size(), Next + Most});
  Ahead.NextLook = Used + (Ahead.Until - Next + Known.size()) / 8;
  Ahead.Budget = Budget;
  try {
    for (const Replacement &Each : Least) {
      const Outlook Fewest = Each.outlook(Ahead.Until, Budget, 0);
      for (const std::uint64_t Width : {Known.size(), Known.size() / 2, Known.size() / 4, std::size_t(0)}) {
        Outlook Here = outlook(Ahead.Until, Budget, Width);
        for (ExecutorId One = 0; One < Known.size(); ++One) // which are read again later
          Here.Reads += Fewest.WillStay[One] && !Here.WillStay[One];
        if (25 * Here.Reads > 26 * Fewest.Reads)
          continue;
        sort(Width);
        Ahead.IsDecided = true;
        return;
      }
    }
  } catch (const std::bad_alloc &) { // then each use decides for itself
  }
}

/// The first of the latest uses, Most at most, whose executors are spared.
std::uint64_t Replacement::firstOfRecent(std::uint64_t Budget, std::uint64_t Most) const {
  if (How != Policy::next_use)
    return Never;
  std::uint64_t First = Used, Bytes = 0;
  if (RecentBytes.empty() || RecentBytes.back() > Budget / 32)
    return First;
  for (auto Each = RecentBytes.rbegin(); Each != RecentBytes.rend() && Used - First < Most; ++Each, --First)
    if ((Bytes += *Each) > Budget / 8)
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
  const std::uint64_t FirstOfRecent =
      firstOfRecent(Budget, Ahead.IsDecided ? Never : mayLeaveEarly() / std::max<std::size_t>(1, Which.size()));
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
