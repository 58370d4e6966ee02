// What calls that leave the module do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/PointsTo.h"

using namespace llvm;

namespace memshape {

/// By its summary Call touches, now or later, what argument N points to. A function may keep what it is given for
/// another one; those behind a vtable are described as a whole.
static bool touches(const CallBase &Call, const Summary &S, unsigned N) {
  const uint64_t Kept = Call.isIndirectCall() ? 0 : S.KeptArguments;
  return N >= 64 || (S.ReadArguments | S.WrittenArguments | Kept) >> N & 1;
}

SmallVector<const Function *, 2> PointsTo::calledBack(const CallBase &Call, const Summary &S) const {
  SmallVector<const Function *, 2> Found;
  if (S.Outward) // the system calls no function of ours before it returns
    return Found;
  const auto Take = [&](unsigned Id) {
    const auto *F = dyn_cast_or_null<Function>(Objects[Id].Origin);
    if (F && !F->isDeclaration())
      Found.push_back(F);
  };
  for (const Use &U : Call.args()) {
    if (!carriesPointers(U->getType()))
      continue;
    if (S.FollowsPointers && touches(Call, S, U.getOperandNo()))
      for (unsigned Id : reachable(U.get()))
        Take(Id);
    for (Place T : targets(U.get()))
      Take(T.Object);
  }
  return Found;
}

/// Call leaves the module: what its summary says, and the worst where it says nothing.
void PointsTo::visitUnseenCall(const CallBase &Call) {
  Summary S = summaryFor(Call);
  if (S.OnlyHeadersMatter)
    return visitLibraryCall(Call);
  if (S.LinkBytes)
    return visitLinks(Call);
  if (S.Holder)
    return visitHolders(Call, *S.Holder);
  Treatment How = S.How;
  if (How == Treatment::Compute || How == Treatment::Ask) {
    if (carriesPointers(Call.getType())) // a table of the library's
      addTo(&Call, {Place::anywhere(0)});
    return;
  }
  if (How != Treatment::Inspect && How != Treatment::Skip && S.FollowsPointers)
    for (const Use &U : Call.args())
      if (carriesPointers(U->getType()) && touches(Call, S, U.getOperandNo()))
        escape(U.get());
  if ((How == Treatment::Unknown || How == Treatment::Forbidden) && !S.FollowsPointers)
    for (const Use &U : Call.args())
      if (carriesPointers(U->getType()) && (U.getOperandNo() >= 64 || S.WrittenArguments >> U.getOperandNo() & 1))
        for (Place T : targets(U.get())) // pointers, too
          store({Place::anywhere(T.Object), nullptr}, {Place::anywhere(0)});
  if (S.LeavesInto >= 0 && unsigned(std::max(S.Leaves, S.LeavesInto)) < Call.arg_size())
    for (Place Cell : targets(Call.getArgOperand(S.Leaves)))
      for (Place T : targets(Call.getArgOperand(S.LeavesInto)))
        store({Cell, nullptr}, {Place::anywhere(T.Object)});
  if (S.ResultIsFresh) {
    addTo(&Call, {{objectFor(ObjectKind::Heap, &Call), 0}});
  } else if (S.ResultIsState) {
    const unsigned Id = objectFor(ObjectKind::Library, &Call);
    Objects[Id].IsData = true;
    addTo(&Call, {{Id, 0}});
  } else if (carriesPointers(Call.getType())) {
    addTo(&Call, {Place::anywhere(0)});
    for (const Use &U : Call.args()) // many return what they were given
      if (touches(Call, S, U.getOperandNo()))
        for (Place T : targets(U.get()))
          addTo(&Call, {Place::anywhere(T.Object)});
  }
}

} // namespace memshape
