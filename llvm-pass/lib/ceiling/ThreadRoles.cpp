// Which thread executes what.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/ThreadRoles.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

ThreadRoles::ThreadRoles(Function &F, const PointsTo &Memory) {
  SmallVector<const CallBase *, 4> Starts;
  for (const Instruction &I : instructions(F))
    if (marksThread(I, RunnerCall::Spawn))
      Starts.push_back(cast<CallBase>(&I));
  if (Starts.empty())
    return;
  AtStart.try_emplace(&F.getEntryBlock());
  SmallVector<const BasicBlock *, 16> Work = {&F.getEntryBlock()};
  while (!Work.empty() && Known) {
    const BasicBlock *Block = Work.pop_back_val();
    Stack Open = AtStart.lookup(Block);
    for (const Instruction &I : *Block)
      if (marksThread(I, RunnerCall::Spawn))
        Open.push_back(cast<CallBase>(&I));
      else if (marksThread(I, RunnerCall::Spawned) && !Open.empty())
        Open.pop_back();
      else
        Known &= !marksThread(I, RunnerCall::Spawned);
    for (const BasicBlock *Next : successors(Block))
      if (!AtStart.contains(Next))
        Work.push_back(Next), AtStart.try_emplace(Next, Open);
      else
        Known &= enter(*Next, Open);
  }
  for (const CallBase *Start : Starts) {
    Roles[roleOf(Start)].push_back(Start);
    Behind[Start] = reachedFrom(*Start);
  }
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isInlineAsm())
      for (const Use &U : Call->args())
        for (unsigned Id : Memory.reachable(U.get()))
          Shared.insert(Id);
  for (unsigned Id = 0; Id != Memory.objectCount(); ++Id)
    if (const PointsTo::Object &O = Memory.object(Id); O.Kind == PointsTo::ObjectKind::Global || O.Escapes) {
      Shared.insert(Id);
      if (O.Origin)
        for (unsigned Reached : Memory.reachable(O.Origin))
          Shared.insert(Reached);
    }
}

const CallBase *ThreadRoles::roleOf(const CallBase *Start) const {
  while (const CallBase *Same = SameAs.lookup(Start))
    Start = Same;
  return Start;
}

/// Ways that lead to the end of a thread from several calls which start it make these calls one role.
bool ThreadRoles::enter(const BasicBlock &Block, const Stack &Open) {
  const Stack &Before = AtStart.find(&Block)->second;
  if (Before.size() != Open.size())
    return false;
  for (auto [X, Y] : zip_equal(Before, Open))
    if (roleOf(X) != roleOf(Y))
      SameAs[roleOf(Y)] = roleOf(X);
  return true;
}

/// The threads that have begun and not ended in front of I.
ThreadRoles::Stack ThreadRoles::openAt(const Instruction &I) const {
  Stack Open = AtStart.lookup(I.getParent());
  for (const Instruction &Before : *I.getParent()) {
    if (&Before == &I)
      break;
    if (marksThread(Before, RunnerCall::Spawn))
      Open.push_back(cast<CallBase>(&Before));
    if (marksThread(Before, RunnerCall::Spawned))
      Open.pop_back();
  }
  return Open;
}

/// A region's end, in the thread that began the region, waits for all of its team.
ThreadRoles::Reached ThreadRoles::reachedFrom(const CallBase &Start) const {
  const size_t Depth = openAt(Start).size();
  const auto WaitsHere = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && runnerCall(*Call) == RunnerCall::RegionEnd && openAt(I).size() == Depth;
  };
  Reached Found;
  SmallVector<const BasicBlock *, 16> Ways(successors(Start.getParent()));
  while (!Ways.empty()) {
    const BasicBlock *Block = Ways.pop_back_val();
    if (Found.contains(Block))
      continue;
    const auto End = isTeam(Start) ? find_if(*Block, WaitsHere) : Block->end();
    Found[Block] = End == Block->end() ? nullptr : &*End;
    if (End == Block->end())
      Ways.append(succ_begin(Block), succ_end(Block));
  }
  return Found;
}

const CallBase *ThreadRoles::of(const Instruction &I) const {
  if (Roles.empty())
    return nullptr;
  const Stack Open = openAt(I);
  return Open.empty() ? nullptr : roleOf(Open.back());
}

bool ThreadRoles::endsThread(const Instruction &I) { return marksThread(I, RunnerCall::Spawned); }

bool ThreadRoles::isTeam(const CallBase &Role) {
  return cast<ConstantInt>(Role.getArgOperand(0))->getZExtValue() == TeamMember;
}

bool ThreadRoles::mayRunAt(const CallBase &Role, const Instruction &I) const {
  if (const CallBase *Outer = of(Role)) // who starts them is one of several
    return !isTeam(Role) || mayRunAt(*Outer, I);
  return any_of(Roles.find(&Role)->second, [&](const CallBase *Start) {
    if (Start == &I)
      return true;
    const Reached &From = Behind.find(Start)->second;
    const auto Here = From.find(I.getParent());
    return (Here != From.end() && (!Here->second || I.comesBefore(Here->second))) ||
           (Start->getParent() == I.getParent() && Start->comesBefore(&I));
  });
}

} // namespace memshape
