// Structures whose pointers a closed library knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that follow and set pointers in what they are given, by rules that a summary knows: nodes of trees and lists,
// and objects that hold one buffer, as strings do. Nothing else escapes into them.

#include "memory/PointsTo.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

AccessType PointsTo::linkType(const CallBase &Call) const {
  const StringRef Wanted = summaryFor(Call).LinkType;
  if (Wanted.empty())
    return nullptr;
  if (!PointerTypes) {
    PointerTypes.emplace();
    for (const Function &F : *Call.getModule())
      for (const Instruction &I : instructions(F)) {
        const auto *T = isa<LoadInst>(I) || isa<StoreInst>(I) ? accessType(I) : nullptr;
        const auto *Name = T ? dyn_cast<MDString>(T->getOperand(0)) : nullptr;
        if (!Name || !Name->getString().starts_with("p1 "))
          continue;
        auto [At, New] = PointerTypes->try_emplace(Name->getString().drop_front(3), T);
        if (At->second != T)
          At->second = nullptr; // units of two languages
      }
  }
  return PointerTypes->lookup(Wanted);
}

PlaceSet PointsTo::linked(const Value *V, const CallBase &Call) const {
  const unsigned LinkBytes = summaryFor(Call).LinkBytes;
  const AccessType Type = linkType(Call);
  PlaceSet Nodes = targets(V);
  for (unsigned I = 0; I < Nodes.size(); ++I) {
    PlaceSet Next;
    load(Next, {Nodes[I], Type}, LinkBytes);
    for (Place T : Next)
      if (!is_contained(Nodes, T))
        Nodes.push_back(T);
  }
  return Nodes;
}

/// Any node of the structure may come to point to any other.
void PointsTo::visitLinks(const CallBase &Call) {
  const unsigned LinkBytes = summaryFor(Call).LinkBytes;
  const AccessType Type = linkType(Call);
  PlaceSet Nodes;
  for (const Use &U : Call.args())
    if (U->getType()->isPointerTy())
      for (Place T : linked(U.get(), Call))
        if (!is_contained(Nodes, T))
          Nodes.push_back(T);
  for (Place Node : Nodes) {
    Memories[Node.Object].Readers.insert(&Call);
    for (unsigned At = 0; At != LinkBytes; At += 8)
      store({Node.moved(At), Type}, Nodes);
  }
  if (Call.getType()->isPointerTy())
    addTo(&Call, Nodes);
}

bool isHolder(const CallBase &Call, unsigned Argument, const BufferHolder &Holder) {
  // The call may know more bytes to be there than the function asks for.
  const Function *Callee = Call.getCalledFunction();
  return Call.getArgOperand(Argument)->getType()->isPointerTy() &&
         (Callee ? Callee->getParamDereferenceableBytes(Argument) : Call.getParamDereferenceableBytes(Argument)) ==
             Holder.Bytes;
}

PlaceSet PointsTo::buffersOf(const Value *V, const BufferHolder &Holder) const {
  PlaceSet Buffers;
  const unsigned PointerBytes = 8;
  for (Place T : targets(V)) {
    load(Buffers, {T.moved(Holder.Pointer), nullptr}, PointerBytes);
    add(Buffers, {T.moved(Holder.Small)});
  }
  for (Place &T : Buffers)
    T = upwardsOf(T);
  return Buffers;
}

/// Blocks of one size in which a holder lies for certain: its small buffer ends where the holder ends. True where that
/// was not known.
bool PointsTo::learnParts(const Module &M) {
  bool Learned = false;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !Call->getCalledFunction() || !Call->getCalledFunction()->isDeclaration())
        continue;
      const std::optional<BufferHolder> Holder = summaryFor(*Call).Holder;
      for (unsigned N = 0; Holder && N != Call->arg_size(); ++N) {
        const PlaceSet At = isHolder(*Call, N, *Holder) ? targets(Call->getArgOperand(N)) : PlaceSet();
        if (At.size() != 1 || !At[0].isFixed())
          continue;
        const auto *Block = dyn_cast_or_null<CallBase>(Objects[At[0].Object].Origin);
        const Extent Part = {At[0].Offset + Holder->Small, At[0].Offset + Holder->Bytes};
        const bool Allocates = Block && runnerCall(*Block) == RunnerCall::Alloc;
        const auto *Bytes = Allocates ? dyn_cast<ConstantInt>(Block->getArgOperand(AllocBytes)) : nullptr;
        if (!Bytes || Part.Start < 0 || uint64_t(Part.End) > Bytes->getZExtValue())
          continue;
        SmallVector<Extent, 2> &Known = Parts[Block];
        if (none_of(Known, [&](Extent Other) { return Other.Start < Part.End && Part.Start < Other.End; })) {
          Known.push_back(Part);
          Learned = true;
        }
      }
    }
  return Learned;
}

/// Each holder may come to hold a new buffer, that of another holder, or its own small one.
void PointsTo::visitHolders(const CallBase &Call, const BufferHolder &Holder) {
  PlaceSet Holders, Shared = {{objectFor(ObjectKind::Heap, &Call), 0}};
  for (unsigned N = 0; N != Call.arg_size(); ++N)
    if (isHolder(Call, N, Holder))
      add(Holders, targets(Call.getArgOperand(N)));
  const unsigned PointerBytes = 8;
  for (Place T : Holders) {
    Memories[T.Object].Readers.insert(&Call);
    PlaceSet Held;
    load(Held, {T.moved(Holder.Pointer), nullptr}, PointerBytes);
    for (Place Buffer : Held)
      if (Buffer != T.moved(Holder.Small))
        add(Shared, {Buffer});
  }
  for (Place T : Holders) {
    store({T.moved(Holder.Pointer), nullptr}, Shared);
    store({T.moved(Holder.Pointer), nullptr}, {T.moved(Holder.Small)});
  }
  if (!Call.getType()->isPointerTy())
    return;
  // A reference is to a holder, a pointer into a buffer.
  const Function *Callee = Call.getCalledFunction();
  if ((Callee ? Callee->getAttributes().getRetDereferenceableBytes() : 0) == Holder.Bytes) {
    addTo(&Call, Holders);
    return;
  }
  for (Place T : Shared)
    addTo(&Call, {upwardsOf(T)});
  for (Place T : Holders)
    addTo(&Call, {upwardsOf(T.moved(Holder.Small))});
}

} // namespace memshape
