// Tests that end in a throw or an abort.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Checks.h"
#include "lower/LeadingTo.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace memshape {

bool isThrow(const CallBase &Call) {
  if (runnerCall(Call) != RunnerCall::Leave)
    return false;
  const auto *Reason = dyn_cast<ConstantInt>(Call.getArgOperand(0));
  return Reason && (Reason->equalsInt(MEMSHAPE_SK_THROWS) || Reason->equalsInt(MEMSHAPE_SK_ABORTS));
}

/// Whether BB ends in a throw or an abort.
static bool throws(const BasicBlock &BB) {
  return any_of(BB, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && isThrow(*Call);
  });
}

/// Blocks from which control comes to a throw and never to a return, be it through a loop.
static Blocks deadEnds(const Function &F) {
  const Blocks Return = leadingToReturn(F);
  Blocks Dead;
  for (const BasicBlock *BB : leadingTo(F, throws))
    if (!Return.contains(BB))
      Dead.insert(BB);
  return Dead;
}

/// What the condition of Branch is where it leads to a dead end; null where it is a test of something else.
static Value *badCondition(BranchInst &Branch, const Blocks &Dead) {
  if (!Branch.isConditional() || Dead.contains(Branch.getSuccessor(0)) == Dead.contains(Branch.getSuccessor(1)))
    return nullptr;
  return Dead.contains(Branch.getSuccessor(0)) ? Branch.getCondition()
                                               : IRBuilder<>(&Branch).CreateNot(Branch.getCondition());
}

/// The same of a switch whose cases lie in few rows.
static Value *badCondition(SwitchInst &Switch, const Blocks &Dead) {
  const bool Default = Dead.contains(Switch.getDefaultDest());
  SmallVector<APInt, 16> Others; // that are not as the default is
  for (const auto &Case : Switch.cases())
    if (Dead.contains(Case.getCaseSuccessor()) != Default)
      Others.push_back(Case.getCaseValue()->getValue());
  sort(Others, [](const APInt &A, const APInt &B) { return A.ult(B); });
  SmallVector<std::pair<APInt, APInt>, 8> Rows; // first and last
  for (const APInt &Each : Others)
    if (!Rows.empty() && Rows.back().second + 1 == Each)
      Rows.back().second = Each;
    else
      Rows.emplace_back(Each, Each);
  constexpr unsigned MostRows = 8;
  if (Rows.size() > MostRows)
    return nullptr;
  IRBuilder<> B(&Switch);
  Value *Is = B.getFalse();
  for (const auto &[First, Last] : Rows)
    Is = B.CreateOr(Is, B.CreateICmpULE(B.CreateSub(Switch.getCondition(), B.getInt(First)), B.getInt(Last - First)));
  return Default ? B.CreateNot(Is) : Is;
}

/// Where control goes on that passes the test at the end of Test; null where none can, or where all can.
static BasicBlock *goesOn(const Instruction &Test, const Blocks &Dead) {
  BasicBlock *On = nullptr;
  bool Ends = false;
  for (unsigned I = 0; I != Test.getNumSuccessors(); ++I)
    if (Dead.contains(Test.getSuccessor(I)))
      Ends = true;
    else
      On = Test.getSuccessor(I);
  return Ends ? On : nullptr;
}

/// Control passes the switch: what would come to a dead end takes the way of a case that does not.
static void straighten(SwitchInst &Switch, BasicBlock &On, const Blocks &Dead) {
  BasicBlock &Test = *Switch.getParent();
  SwitchInstProfUpdateWrapper Cases(Switch);
  for (auto Case = Switch.case_begin(); Case != Switch.case_end();)
    if (BasicBlock *To = Case->getCaseSuccessor(); Dead.contains(To)) {
      To->removePredecessor(&Test);
      Case = Cases.removeCase(Case);
    } else {
      ++Case;
    }
  if (!Dead.contains(Switch.getDefaultDest()))
    return;
  Switch.getDefaultDest()->removePredecessor(&Test);
  for (PHINode &Phi : On.phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(&Test), &Test);
  Switch.setDefaultDest(&On);
}

/// Puts the runner's check in place of a test at the end of Test that may lead to a dead end.
static void straighten(BasicBlock &Test, const Blocks &Dead) {
  Instruction *End = Test.getTerminator();
  BasicBlock *On = goesOn(*End, Dead);
  auto *Branch = dyn_cast<BranchInst>(End);
  auto *Switch = dyn_cast<SwitchInst>(End);
  Value *Bad = !On ? nullptr : Branch ? badCondition(*Branch, Dead) : Switch ? badCondition(*Switch, Dead) : nullptr;
  if (!Bad)
    return;
  IRBuilder<> B(End);
  B.CreateCall(runnerFunction(*Test.getModule(), RunnerCall::Check), {B.CreateZExt(Bad, B.getInt32Ty())});
  if (Switch)
    return straighten(*Switch, *On, Dead);
  for (BasicBlock *To : successors(&Test))
    if (To != On)
      To->removePredecessor(&Test);
  B.CreateBr(On);
  Branch->eraseFromParent();
}

void straightenThrows(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const Blocks Dead = deadEnds(F);
    for (BasicBlock &Test : F)
      straighten(Test, Dead);
    for (BasicBlock &BB : make_early_inc_range(F))
      if (throws(BB) && &BB != &F.getEntryBlock())
        changeToUnreachable(&*BB.getFirstNonPHIOrDbg());
    removeUnreachableBlocks(F);
  }
}

} // namespace memshape
