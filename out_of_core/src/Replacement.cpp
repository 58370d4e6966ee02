// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Replacement.h"

#include <algorithm>
#include <utility>

namespace memshape::out_of_core {

Replacement::Replacement(Policy How, std::size_t Recent, std::size_t Together)
    : How(How), Recent(Recent), Together(Together) {}

Replacement::Rank Replacement::rank(ExecutorId Which) const {
  const State &Of = Known[Which];
  const std::uint64_t Next = Of.NextUses.empty() ? Never : Of.NextUses.front();
  return {!Of.Resident, !Of.Finished, How == Policy::next_use ? Never - Next : 0, Of.LastUse, Which};
}

template <class Apply> void Replacement::change(ExecutorId Which, Apply What) {
  State &Of = Known[Which];
  auto Node = Order.extract(rank(Which));
  const std::uint64_t Was = Of.Resident ? Of.Bytes : 0;
  try {
    What(Of);
  } catch (...) {
    Order.insert(std::move(Node));
    throw;
  }
  Held += (Of.Resident ? Of.Bytes : 0) - Was;
  Node.value() = rank(Which);
  Order.insert(std::move(Node));
}

void Replacement::add(std::uint64_t Bytes) {
  Known.push_back({.Bytes = Bytes, .NextUses = {}});
  const auto Which = static_cast<ExecutorId>(Known.size() - 1);
  try {
    Order.insert(rank(Which));
  } catch (...) {
    Known.pop_back();
    throw;
  }
  Sizes += Bytes;
}

void Replacement::resize(ExecutorId Which, std::uint64_t Bytes) {
  Sizes += Bytes - Known[Which].Bytes;
  change(Which, [&](State &Of) { Of.Bytes = Bytes; });
}

void Replacement::expect(ExecutorId Which) {
  change(Which, [&](State &Of) { Of.NextUses.push_back(Expected); });
  ++Expected;
}

void Replacement::unexpect(ExecutorId Which) {
  change(Which, [&](State &Of) { Of.NextUses.pop_back(); });
}

void Replacement::forget() {
  for (ExecutorId Each = 0; Each < Known.size(); ++Each)
    change(Each, [](State &Of) {
      Of.NextUses.clear();
      Of.Finished = false;
    });
  release();
}

void Replacement::setResident(ExecutorId Which, bool IsResident) {
  change(Which, [&](State &Of) { Of.Resident = IsResident; });
}

/// The executors of uses behind it are spared.
std::uint64_t Replacement::firstOfRecent(std::uint64_t Budget) const {
  constexpr std::uint64_t Part = 32;
  std::uint64_t First = Used, Bytes = 0;
  if (How == Policy::next_use && Sizes > Budget)
    for (auto Each = RecentBytes.rbegin(); Each != RecentBytes.rend(); ++Each, --First)
      if ((Bytes += *Each) > std::min(Budget, Sizes - Budget) / Part)
        break;
  return First;
}

void Replacement::evict(std::uint64_t Budget, const std::function<bool(ExecutorId)> &Stays, Change &Into,
                        bool OnlyFinished) {
  for (auto Each = Order.begin();
       Each != Order.end() && !Each->Away && !(OnlyFinished && Each->Wanted) && Held + Reserved > Budget;) {
    const ExecutorId Which = (Each++)->Which;
    if (!Stays(Which)) {
      setResident(Which, false);
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
}

void Replacement::end(std::uint64_t Use) {
  for (Room &Each : Rooms)
    Each.Ended |= Each.Use == Use;
  while (Rooms.size() > Together && Rooms.front().Ended) {
    Reserved -= Rooms.front().Bytes;
    Rooms.pop_front();
  }
}

void Replacement::release() {
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
  const std::uint64_t FirstOfRecent = firstOfRecent(Budget);
  std::uint64_t Bytes = 0;
  ++Used;
  for (const ExecutorId Each : Which) {
    if (!Known[Each].Resident)
      Made.In.push_back(Each);
    Bytes += Known[Each].Bytes;
    change(Each, [&](State &Of) {
      Of.Resident = true;
      Of.LastUse = Used;
      if (InQueue)
        Of.NextUses.pop_front();
    });
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
