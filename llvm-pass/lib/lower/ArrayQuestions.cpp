// What bodies of libraries ask of arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/ArrayQuestions.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace memshape {

static constexpr StringLiteral Overlap = "memshape_overlap", Rank = "memshape_rank";

/// Whether V is all of an object that no other value leads to. Tensors of the operator are apart.
static bool isObject(const Value *V, const Function &Root) {
  if (const auto *A = dyn_cast<Argument>(V))
    return A->getParent() == &Root;
  const auto *Call = dyn_cast<CallBase>(V);
  return isa<AllocaInst, GlobalVariable>(V) ||
         (Call && is_contained({RunnerCall::Alloc, RunnerCall::Realloc}, runnerCall(*Call)));
}

static bool areApart(const Value *A, const Value *B, const Function &Root) {
  SmallVector<const Value *, 4> InA, InB;
  for (auto [V, In] : {std::pair(A, &InA), std::pair(B, &InB)}) {
    getUnderlyingObjects(V, *In, /*LI=*/nullptr, /*MaxLookup=*/0);
    erase_if(*In, [](const Value *Each) { return isa<ConstantPointerNull, UndefValue>(Each); }); // nothing is there
    if (In->empty())
      return true;
  }
  auto IsObject = [&](const Value *V) { return isObject(V, Root); };
  return all_of(InA, IsObject) && all_of(InB, IsObject) &&
         none_of(InA, [&](const Value *V) { return is_contained(InB, V); });
}

/// By their addresses.
static Value *compare(CallInst &Asked) {
  IRBuilder<> B(&Asked);
  Value *From = B.CreateSub(B.CreatePtrToInt(Asked.getArgOperand(2), B.getInt64Ty()),
                            B.CreatePtrToInt(Asked.getArgOperand(0), B.getInt64Ty()));
  return B.CreateAnd(B.CreateICmpSLT(B.CreateAdd(From, Asked.getArgOperand(3)), Asked.getArgOperand(1)),
                     B.CreateICmpSGT(B.CreateAdd(From, Asked.getArgOperand(4)), B.getInt64(0)));
}

/// The rank of the descriptor that lies in a variable of type T at Offset; nothing where there is none, or any rank may.
static std::optional<uint64_t> rankAt(Type *T, uint64_t Offset, const DataLayout &Layout) {
  constexpr unsigned Head = 7; // members in front of the dimensions
  constexpr uint64_t AnyRank = 15;
  auto *S = dyn_cast<StructType>(T);
  if (!S || Offset >= Layout.getTypeAllocSize(S))
    return std::nullopt;
  const unsigned At = Layout.getStructLayout(S)->getElementContainingOffset(Offset);
  const uint64_t Inside = Offset - Layout.getStructLayout(S)->getElementOffset(At);
  if (At || Inside || !S->getElementType(0)->isPointerTy())
    return rankAt(S->getElementType(At), Inside, Layout);
  const unsigned Bits[Head] = {0, 64, 32, 8, 8, 8, 8};
  if (!S->isLiteral() || S->getNumElements() < Head) // room in a body for any descriptor has a name
    return std::nullopt;
  for (unsigned I = 1; I != Head; ++I)
    if (!S->getElementType(I)->isIntegerTy(Bits[I]))
      return std::nullopt;
  auto *Dimensions = S->getNumElements() > Head ? dyn_cast<ArrayType>(S->getElementType(Head)) : nullptr;
  const uint64_t Found = Dimensions ? Dimensions->getNumElements() : 0;
  return Found < AnyRank ? std::optional(Found) : std::nullopt;
}

static Value *knownRank(CallInst &Asked) {
  const DataLayout &Layout = Asked.getModule()->getDataLayout();
  APInt Offset(64, 0);
  const Value *Base =
      Asked.getArgOperand(0)->stripAndAccumulateConstantOffsets(Layout, Offset, /*AllowNonInbounds=*/true);
  const auto *Variable = dyn_cast<AllocaInst>(Base);
  const auto *G = dyn_cast<GlobalVariable>(Base);
  Type *T = Variable ? Variable->getAllocatedType() : G ? G->getValueType() : nullptr;
  const std::optional<uint64_t> Found = T ? rankAt(T, Offset.getZExtValue(), Layout) : std::nullopt;
  return Found ? ConstantInt::get(Asked.getType(), *Found) : nullptr;
}

bool asksOfArrays(const Module &M) { return M.getFunction(Overlap) || M.getFunction(Rank); }

bool answerArrayQuestions(Function &Root, Questions Which) {
  bool Answered = false;
  for (StringRef Question : {Overlap, Rank})
    if (Function *Asks = Root.getParent()->getFunction(Question))
      for (User *U : make_early_inc_range(Asks->users())) {
        auto *Asked = dyn_cast<CallInst>(U);
        if (!Asked)
          continue;
        Value *Answer = Question == Rank ? knownRank(*Asked)
                        : areApart(Asked->getArgOperand(0), Asked->getArgOperand(2), Root)
                            ? ConstantInt::getFalse(Root.getContext())
                            : nullptr;
        if (!Answer && Which == Questions::All)
          Answer = Question == Rank ? Asked->getArgOperand(1) : compare(*Asked);
        if (!Answer)
          continue;
        Asked->replaceAllUsesWith(Answer);
        Asked->eraseFromParent();
        Answered = true;
      }
  return Answered;
}

} // namespace memshape
