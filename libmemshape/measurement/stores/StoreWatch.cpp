// The stores of one process, again and again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/stores/StoreWatch.h"

#include "libmemshape/measurement/record/LiveRecord.h"
#include "libmemshape/text/Split.h"

#include <algorithm>
#include <map>

namespace memshape {
/// How many generations of a process are asked.
constexpr int MostGenerations = 3;

/// The process at or below Pid that has stores.
static int processWithStores(int Pid, int Depth) {
  if (const FoundStores Found = storesOfProcess(Pid); !Found.Files.empty() || !Found.Unreadable.empty())
    return Pid;
  for (const int Child : Depth ? childrenOf(Pid) : std::vector<int>())
    if (const int With = processWithStores(Child, Depth - 1))
      return With;
  return 0;
}

static bool holds(int Pid, const StoreFile &File) {
  const FoundStores Found = storesOfProcess(Pid);
  return std::any_of(Found.Files.begin(), Found.Files.end(),
                     [&](const StoreFile &Each) { return Each.isSameAs(File); });
}

static StoreRates ratesOf(const StoreRecord &Before, const StoreRecord &Now, double Seconds) {
  const auto Rate = [&](std::uint64_t StoreRecord::*Member) {
    return Now.*Member > Before.*Member ? static_cast<double>(Now.*Member - Before.*Member) / Seconds : 0.0;
  };
  return {Rate(&StoreRecord::reads), Rate(&StoreRecord::read_bytes), Rate(&StoreRecord::writes),
          Rate(&StoreRecord::written_bytes)};
}

Result<std::optional<StoreWatch>> StoreWatch::ofProcess(int Pid) {
  const int With = processWithStores(Pid, MostGenerations);
  if (!With)
    return std::optional<StoreWatch>();
  FoundStores Found = storesOfProcess(With);
  StoreWatch Made(With);
  for (StoreFile &Each : Found.Files) {
    if (Result<StoreRecord> Read = Each.read(); !Read)
      Found.Unreadable.push_back(Read.failure());
    else
      Made.All.push_back({std::move(Each), {}, 0});
  }
  if (Made.All.empty() && !Found.Unreadable.empty())
    return Found.Unreadable.front();
  return std::optional(std::move(Made));
}

Result<StoreWatch> StoreWatch::ofFolder(const std::string &Folder) {
  FoundStores Found = storesInFolder(Folder);
  std::map<int, std::vector<StoreFile>> Alive;
  std::vector<StoreFile> Left;
  StoreRecord Latest;
  for (StoreFile &Each : Found.Files) {
    const Result<StoreRecord> Read = Each.read();
    if (!Read) {
      Found.Unreadable.push_back(Read.failure());
    } else if (const int Pid = static_cast<int>(Read->pid); holds(Pid, Each)) {
      Alive[Pid].push_back(std::move(Each));
    } else if (Read->updated >= Latest.updated) {
      Latest = *Read;
      Left.clear();
      Left.push_back(std::move(Each));
    }
  }
  if (Alive.size() > 1)
    return Failure{Folder + " has stores of several processes: watch one of " +
                   joined(Alive, ", ", [](const auto &Each) { return std::to_string(Each.first); })};
  StoreWatch Made(Alive.empty() ? static_cast<int>(Latest.pid) : Alive.begin()->first);
  Made.add(Alive.empty() ? std::move(Left) : std::move(Alive.begin()->second));
  if (!Made.All.empty())
    return Made;
  return Found.Unreadable.empty() ? Failure{Folder + " is not a run record, nor a folder with a store in it"}
                                  : Found.Unreadable.front();
}

void StoreWatch::add(std::vector<StoreFile> Found) {
  for (StoreFile &Each : Found)
    if (std::none_of(All.begin(), All.end(), [&](const Watched &Known) { return Known.File.isSameAs(Each); }))
      All.push_back({std::move(Each), {}, 0});
}

/// Stores that are gone, and were shown so; the last one stays where there is no other.
void StoreWatch::forgetShown() {
  const auto IsShown = [](const Watched &Each) { return Each.Last && Each.Last->ended; };
  if (std::all_of(All.begin(), All.end(), IsShown))
    All.erase(All.begin(), All.end() - std::min<std::ptrdiff_t>(1, std::ssize(All)));
  else
    std::erase_if(All, IsShown);
}

std::vector<StoreLook> StoreWatch::look(double Seconds, bool Alive) {
  if (Alive)
    add(storesOfProcess(Pid).Files);
  forgetShown();
  std::vector<StoreLook> Seen;
  for (Watched &Each : All) {
    const Result<StoreRecord> Read = Each.File.read();
    if (!Read && !Each.Last)
      continue; // just made, or not ours
    StoreLook Now{Each.File.folder(), Read ? *Read : *Each.Last, Alive, {}};
    if (Each.Last && Seconds > Each.Seconds)
      Now.Rates = ratesOf(*Each.Last, Now.Now, Seconds - Each.Seconds);
    Each.Last = Now.Now;
    Each.Seconds = Seconds;
    Seen.push_back(std::move(Now));
  }
  return Seen;
}

} // namespace memshape
