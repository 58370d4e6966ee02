// How far an operator reads and writes the memory behind its pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Reach.h"
#include "ceiling/ShapeRanges.h"
#include "ceiling/StandIn.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

namespace {

class ReachBuilder {
public:
  ReachBuilder(Function &F, const PointsTo &Memory, ModRefIndex &Accesses, ShapeRanges &Ranges, StandIn &Made)
      : F(F), Memory(Memory), Accesses(Accesses), Made(Made), Ranges(Ranges) {}
  void run(ArrayRef<const Argument *> Pointers, unsigned First);

private:
  Interval bytesAt(const ModRef &Access);
  void visit(Instruction &I);

  Function &F;
  const PointsTo &Memory;
  ModRefIndex &Accesses;
  StandIn &Made;
  ShapeRanges &Ranges;
  /// By object: from the first byte that is used to the last; no end where that is not known.
  MapVector<unsigned, Interval> Used;
};

} // namespace

/// How many bytes Access is long.
Interval ReachBuilder::bytesAt(const ModRef &Access) {
  if (Access.LinkBytes || Access.Reaches || Access.Part != ModRef::All)
    return {};
  if (Access.Bytes)
    return Ranges.arithmetic().constant(int64_t(Access.Bytes), int64_t(Access.Bytes));
  auto *Block = dyn_cast<AnyMemIntrinsic>(Access.By);
  return Block ? Ranges.at(Block->getLength(), false, *Block) : Interval();
}

void ReachBuilder::visit(Instruction &I) {
  IntervalArithmetic &A = Ranges.arithmetic();
  for (const ModRef &Access : Accesses.of(&I))
    for (unsigned Id : Accesses.objectsOf(Access)) {
      const auto Found = Used.find(Id);
      if (Found == Used.end() || !Found->second.High)
        continue;
      auto *Origin = const_cast<Value *>(Memory.object(Id).Origin);
      const Interval Bytes = I.getFunction() == &F ? bytesAt(Access) : Interval();
      const Interval From =
          Bytes.High ? Ranges.bytesBetween(Origin, const_cast<Value *>(Access.Pointer), I) : Interval();
      if (!From.Low || !From.High) {
        Found->second = {};
        continue;
      }
      const Interval Place = {From.Low, A.add(From, Bytes).High}, None = A.constant(0, 0);
      // What no iteration comes to, and what takes no byte, lies nowhere.
      const Interval Met =
          A.choose(Ranges.canComeTo(*I.getParent()), A.choose(A.canBePositive(Bytes), Place, None), None);
      Found->second = A.hull(Found->second, Met);
    }
}

void ReachBuilder::run(ArrayRef<const Argument *> Pointers, unsigned First) {
  IntervalArithmetic &A = Ranges.arithmetic();
  for (unsigned Id = 0; Id != Memory.objectCount(); ++Id)
    if (const PointsTo::Object &O = Memory.object(Id); is_contained(Pointers, O.Origin))
      Used[Id] = O.Escapes ? Interval() : A.constant(0, 0);
  for (Function &Each : *F.getParent())
    for (Instruction &I : instructions(Each))
      visit(I);
  for (const auto &[Id, Bytes] : Used)
    if (Bytes.High)
      Made.tell(First + unsigned(find(Pointers, Memory.object(Id).Origin) - Pointers.begin()),
                A.subtract(Bytes, Bytes).High);
}

void buildReach(Function &F, const PointsTo &Memory, ModRefIndex &Accesses, ShapeRanges &Ranges,
                ArrayRef<const Argument *> Pointers, unsigned First, StandIn &Made) {
  ReachBuilder(F, Memory, Accesses, Ranges, Made).run(Pointers, First);
}

} // namespace memshape
