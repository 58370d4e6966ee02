// Arithmetic of sizes that can leave its type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "wraps/SizeWraps.h"
#include "runner-calls/RunnerCalls.h"
#include "wraps/SizeArithmetic.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <map>

using namespace llvm;

namespace memshape {

namespace {

/// Where nobody asks for the high bits of a sum, the optimiser takes them from its constant: in front of a shift to the
/// right by 5, of which 32 bits are used, -12 becomes 2^37 - 12. That is no large number. What is known of results that
/// are made of the large one does not hold then.
void restoreSigns(Function &F) {
  constexpr unsigned Fewer = 8; // bits, of a small number
  AssumptionCache Assumptions(F);
  DominatorTree Dominators(F);
  DemandedBits Asked(F, Assumptions, Dominators);
  SmallSetVector<Instruction *, 8> Changed;
  for (Instruction &I : instructions(F)) {
    const auto *By = I.getOpcode() == Instruction::Add ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
    const unsigned Bits = By ? Asked.getDemandedBits(&I).getActiveBits() : 0;
    if (!Bits || By->getValue().getActiveBits() != Bits)
      continue;
    const APInt Signed = By->getValue().trunc(Bits).sext(By->getBitWidth());
    if (Signed.getSignificantBits() + Fewer > Bits)
      continue;
    I.setOperand(1, ConstantInt::get(I.getContext(), Signed));
    Changed.insert(&I);
  }
  for (unsigned N = 0; N != Changed.size(); ++N) {
    Changed[N]->dropPoisonGeneratingFlags();
    for (User *U : Changed[N]->users())
      if (auto *Made = dyn_cast<Instruction>(U); Made && (isa<BinaryOperator>(Made) || isa<CastInst>(Made)))
        Changed.insert(Made);
  }
}

class Announcer {
public:
  explicit Announcer(Module &M) : M(M) {}

  std::vector<SizeWrap> run() {
    for (Function &F : M) {
      if (!F.isDeclaration())
        restoreSigns(F);
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I)) {
          const RunnerCall Which = runnerCall(*Call);
          if (Which == RunnerCall::Alloc || Which == RunnerCall::Realloc)
            Allocations.push_back(Call);
          else if (Which == RunnerCall::Check)
            Refusals.emplace_back(Call->getArgOperand(0), Call);
          else if (Which == RunnerCall::Leave)
            for (BasicBlock *Before : predecessors(Call->getParent()))
              if (auto *Branch = dyn_cast<BranchInst>(Before->getTerminator()); Branch && Branch->isConditional())
                Refusals.emplace_back(Branch->getCondition(), Branch);
        }
    }
    for (CallBase *Call : Allocations)
      follow(bytesOf(*Call));
    // What is followed decides how a result is read.
    for (auto &[V, How] : Read)
      if (auto *I = dyn_cast<Instruction>(V))
        if (std::optional<Departure> Found = departure(*I, How))
          number(*I, *Found);
    if (Wraps.empty())
      return {};
    for (CallBase *Call : Allocations)
      addSite(*Call);
    spread();
    for (CallBase *Call : Allocations)
      tell(bytesOf(*Call), *Call);
    for (const auto &[Condition, Before] : Refusals)
      for (Value *Compared : comparedIn(*Condition))
        tell(Compared, *Before);
    tellCalls();
    return std::move(Wraps);
  }

private:
  static Value *bytesOf(const CallBase &Call) {
    return Call.getArgOperand(runnerCall(Call) == RunnerCall::Alloc ? AllocBytes : ReallocBytes);
  }

  static unsigned siteOf(const CallBase &Call) {
    const auto *Site =
        cast<ConstantInt>(Call.getArgOperand(runnerCall(Call) == RunnerCall::Alloc ? AllocSite : ReallocSite));
    return unsigned(Site->getZExtValue());
  }

  /// All that Bytes is made of, and how each part is read.
  void follow(Value *Bytes) {
    SmallVector<std::pair<Value *, unsigned>, 16> Work = {{Bytes, AsUnsigned}};
    while (!Work.empty()) {
      const auto [V, How] = Work.pop_back_val();
      if (isa<Constant>(V))
        continue;
      unsigned &Known = Read[V];
      if ((Known & How) == How)
        continue;
      Known |= How;
      for (Value *Part : partsOf(*V))
        Work.emplace_back(Part, readingOf(*V, Known));
    }
  }

  void number(Instruction &I, const Departure &Found) {
    const auto [At, New] =
        Numbers.try_emplace({I.getDebugLoc().get(), Found.Bits, Found.IsSigned}, unsigned(Wraps.size()));
    if (New)
      Wraps.push_back({I.getDebugLoc(), Found.Bits, Found.IsSigned, {}});
    Checks[&I] = {Found, At->second};
  }

  void addSite(const CallBase &Call) {
    SmallPtrSet<Value *, 32> Seen;
    SmallVector<Value *, 16> Work = {bytesOf(Call)};
    while (!Work.empty()) {
      Value *V = Work.pop_back_val();
      if (!Seen.insert(V).second)
        continue;
      if (const auto Check = Checks.find(V); Check != Checks.end()) {
        std::vector<unsigned> &Sites = Wraps[Check->second.second].Sites;
        if (const auto At = lower_bound(Sites, siteOf(Call)); At == Sites.end() || *At != siteOf(Call))
          Sites.insert(At, siteOf(Call));
      }
      append_range(Work, partsOf(*V));
    }
  }

  /// Finds all values that may have come from a result outside of its type.
  void spread() {
    DenseMap<Value *, SmallVector<Value *, 2>> MadeOf;
    for (const auto &[V, How] : Read)
      for (Value *Part : partsOf(*V))
        MadeOf[Part].push_back(V);
    SmallVector<Value *, 16> Work;
    for (const auto &[V, Check] : Checks)
      Work.push_back(V);
    while (!Work.empty()) {
      Value *V = Work.pop_back_val();
      if (MayHaveWrapped.insert(V).second)
        append_range(Work, MadeOf.lookup(V));
    }
  }

  /// One, or Other where that is 0.
  static Value *either(IRBuilderBase &B, Value *One, Value *Other) {
    if (auto *Known = dyn_cast<ConstantInt>(One); Known && Known->isZero())
      return Other;
    return isa<Constant>(Other) ? One : B.CreateSelect(B.CreateIsNotNull(One), One, Other);
  }

  /// The number, from 1, of what has left its type on the way to V; 0: nothing has.
  Value *shadowOf(Value *V) {
    Value *None = ConstantInt::get(Type::getInt32Ty(M.getContext()), 0);
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !MayHaveWrapped.contains(V))
      return None;
    if (Value *Known = Shadows.lookup(V))
      return Known;
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      PHINode *Shadow = PHINode::Create(None->getType(), Phi->getNumIncomingValues(), "", Phi->getIterator());
      Shadows[V] = Shadow;
      for (unsigned K = 0; K != Phi->getNumIncomingValues(); ++K)
        Shadow->addIncoming(shadowOf(Phi->getIncomingValue(K)), Phi->getIncomingBlock(K));
      return Shadow;
    }
    const std::optional<BasicBlock::iterator> Behind = I->getInsertionPointAfterDef();
    if (!Behind || isFromElsewhere(*I))
      return None;
    SmallVector<Value *, 2> OfParts;
    for (Value *Part : partsOf(*I))
      OfParts.push_back(shadowOf(Part));
    IRBuilder<> B(I->getParent(), *Behind);
    Value *Shadow = None;
    if (auto *Choice = dyn_cast<SelectInst>(I)) {
      Shadow = B.CreateSelect(B.CreateFreeze(Choice->getCondition()), OfParts[0], OfParts[1]);
      // What is chosen because of a wrapped number.
      for (Value *Compared : comparedIn(*Choice->getCondition()))
        Shadow = either(B, Shadow, shadowOf(Compared));
    } else {
      for (Value *Part : OfParts)
        Shadow = either(B, Shadow, Part);
    }
    if (const auto Check = Checks.find(V); Check != Checks.end()) {
      const auto &[How, Number] = Check->second;
      Shadow = either(B, Shadow, B.CreateSelect(B.CreateFreeze(hasDeparted(B, *I, How)), B.getInt32(Number + 1), None));
      // The skeleton goes on with the size that two's complement gives.
      I->dropPoisonGeneratingFlags();
    }
    Shadows[V] = Shadow;
    return Shadow;
  }

  /// Arguments and results of functions that were not inlined: what is handed over is told there.
  static bool isFromElsewhere(const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && !isa<IntrinsicInst>(Call);
  }

  void tell(Value *V, Instruction &Before) {
    if (!MayHaveWrapped.contains(V) || !isa<Instruction>(V))
      return;
    Value *Shadow = shadowOf(V);
    if (isa<Constant>(Shadow))
      return;
    IRBuilder<> B(&Before);
    B.CreateCall(runnerFunction(M, RunnerCall::Wraps), {Shadow});
  }

  void tellCalls() {
    for (const auto &[V, How] : Read) {
      if (auto *A = dyn_cast<Argument>(V)) {
        for (CallBase *Call : callersOf(*A->getParent()))
          tell(Call->getArgOperand(A->getArgNo()), *Call);
      } else if (auto *I = dyn_cast<Instruction>(V); I && isFromElsewhere(*I)) {
        if (Function *Callee = cast<CallBase>(I)->getCalledFunction(); Callee && !Callee->isDeclaration())
          for (BasicBlock &BB : *Callee)
            if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()))
              tell(Return->getReturnValue(), *Return);
      }
    }
  }

  Module &M;
  SmallVector<CallBase *, 16> Allocations;
  SmallVector<std::pair<Value *, Instruction *>, 8> Refusals; ///< conditions of throwing, and where they are asked
  MapVector<Value *, unsigned> Read;                          ///< values that sizes are made of, and how they are read
  std::map<std::tuple<const DILocation *, unsigned, bool>, unsigned> Numbers;
  MapVector<Value *, std::pair<Departure, unsigned>> Checks;
  SmallPtrSet<Value *, 32> MayHaveWrapped;
  DenseMap<Value *, Value *> Shadows;
  std::vector<SizeWrap> Wraps;
};

} // namespace

std::vector<SizeWrap> announceWraps(Module &M) { return Announcer(M).run(); }

} // namespace memshape
