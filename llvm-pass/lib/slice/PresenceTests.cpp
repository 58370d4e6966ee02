// Whether tensors are there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A caller may pass null for a tensor, and no shape tells. The runner hands out a tensor for every pointer, or null
// where its request says so. A slice that comes to a comparison with null finds out then; what it finds is an
// assumption that the reader of an answer has to know.

#include "slice/Questions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memshape {

static bool isNull(const Value *V) {
  const auto *C = dyn_cast<Constant>(V);
  return C && C->isNullValue();
}

/// What lies in a tensor may be a pointer to another one, which says nothing of the tensor itself.
static bool isReadFromTensor(const Value *Pointer, const PointsTo &Memory) {
  SmallVector<const Value *, 4> Work = {Pointer};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val()->stripPointerCasts();
    if (!Seen.insert(V).second)
      continue;
    if (const auto *Load = dyn_cast<LoadInst>(V)) {
      if (any_of(Memory.targets(Load->getPointerOperand()),
                 [&](Place T) { return Memory.object(T.Object).Kind == PointsTo::ObjectKind::Tensor; }))
        return true;
    } else if (const auto *Gep = dyn_cast<GEPOperator>(V)) {
      Work.push_back(Gep->getPointerOperand());
    } else if (isa<PHINode, SelectInst, FreezeInst>(V)) {
      Work.append(cast<Instruction>(V)->op_begin(), cast<Instruction>(V)->op_end());
    }
  }
  return false;
}

std::optional<PresenceTest> presenceTest(const Instruction &I, const PointsTo &Memory) {
  const auto *Compare = dyn_cast<ICmpInst>(&I);
  if (!Compare || !Compare->isEquality() || isNull(Compare->getOperand(0)) == isNull(Compare->getOperand(1)))
    return std::nullopt;
  const Value *Asked = Compare->getOperand(isNull(Compare->getOperand(0)) ? 1 : 0);
  while (const auto *Cast = dyn_cast<PtrToIntInst>(Asked))
    Asked = Cast->getPointerOperand();
  if (!Asked->getType()->isPointerTy() || isReadFromTensor(Asked, Memory))
    return std::nullopt;
  PresenceTest Test;
  Test.Compare = Compare;
  Test.OneIsNull = Compare->getPredicate() == CmpInst::ICMP_EQ;
  for (const Place T : Memory.targets(Asked))
    if (const PointsTo::Object &O = Memory.object(T.Object); O.Kind == PointsTo::ObjectKind::Tensor)
      if (const auto *A = dyn_cast_or_null<Argument>(O.Origin); A && !is_contained(Test.Tensors, A))
        Test.Tensors.push_back(A);
  return Test.Tensors.empty() ? std::nullopt : std::optional(std::move(Test));
}

std::vector<PresenceTest> presenceTests(Module &M, const Slice &S, const PointsTo &Memory) {
  std::vector<PresenceTest> Tests;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (!S.isLive(&I) || S.isForMarks(&I))
        continue;
      if (std::optional<PresenceTest> Test = presenceTest(I, Memory)) {
        Test->IsDecision = is_contained(S.decisions(), &I);
        Tests.push_back(std::move(*Test));
      }
    }
  return Tests;
}

} // namespace memshape
