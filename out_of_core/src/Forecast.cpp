// What a queue will read and write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"

namespace memshape::out_of_core::detail {

/// The decisions of a run, without it.
Forecast Core::forecast(std::uint64_t With) const {
  const std::lock_guard Held(Mutex);
  struct Copy {
    bool OnDisk, Dirty;
  };
  std::vector<Copy> Copies;
  for (const ExecutorState &Each : Executors)
    Copies.push_back({!Each.OnDisk.Name.empty(), Each.Here && Each.Here->Dirty});
  Replacement Ahead = Planner;
  Forecast Costs;
  const auto Pinned = [&](ExecutorId Each) { return isPinned(Each); };
  const auto Leave = [&](const Replacement::Change &Of) {
    for (const ExecutorId Each : Of.Out)
      if (std::exchange(Copies[Each].Dirty, false)) {
        Copies[Each].OnDisk = true;
        ++Costs.writes;
        Costs.written_bytes += Executors[Each].Bytes;
      }
  };
  if (Runs == 0)
    Ahead.release();
  Leave(Ahead.shrink(With, Pinned));
  for (const Entry &Task : Queue) {
    if (Task.What == Kind::Eviction) {
      const ExecutorId Which = Task.Accesses[0].id;
      if (With != unlimited && Ahead.isResident(Which) && !isPinned(Which)) {
        Ahead.setResident(Which, false);
        Leave({.Out = {Which}, .In = {}, .Over = {}});
      }
      continue;
    }
    if (bytes(Task) > With)
      throw Error(ErrorCode::too_large, "a task uses " + std::to_string(bytes(Task)) +
                                            " bytes at once, more than a budget of " + std::to_string(With));
    std::vector<ExecutorId> Which;
    for (const Access &Each : Task.Accesses)
      Which.push_back(Each.id);
    const Replacement::Change Made = Ahead.use(Which, true, With, Pinned, Task.Besides);
    Leave(Made);
    for (const ExecutorId Each : Made.In) {
      Costs.reads += Copies[Each].OnDisk;
      Costs.read_bytes += Copies[Each].OnDisk ? Executors[Each].Bytes : 0;
      Copies[Each].Dirty |= Executors[Each].Type && !Copies[Each].OnDisk; // an object that was made
    }
    for (const Access &Each : Task.Accesses)
      if (Each.ends) {
        Copies[Each.id].Dirty = false;
        Ahead.finish(Each.id);
      } else
        Copies[Each.id].Dirty |= Each.writes;
  }
  return Costs;
}

} // namespace memshape::out_of_core::detail
