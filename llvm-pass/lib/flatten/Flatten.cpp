// One function instead of many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "flatten/Flatten.h"
#include "lower/Checks.h"
#include "lower/Lower.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memshape {

struct Simplifier::State {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  FunctionPassManager Quick, Thorough, Loops, Unroll;
  ModulePassManager Sweep;

  State() {
    PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);

    Quick.addPass(SROAPass(SROAOptions::ModifyCFG));
    Quick.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    Quick.addPass(SimplifyCFGPass());

    Thorough.addPass(SROAPass(SROAOptions::ModifyCFG));
    Thorough.addPass(InstCombinePass());
    Thorough.addPass(SimplifyCFGPass());
    Thorough.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    Thorough.addPass(GVNPass());
    Thorough.addPass(SCCPPass());
    Thorough.addPass(JumpThreadingPass());
    Thorough.addPass(CorrelatedValuePropagationPass());
    Thorough.addPass(DSEPass());
    Thorough.addPass(SROAPass(SROAOptions::ModifyCFG));
    Thorough.addPass(InstCombinePass());
    Thorough.addPass(SimplifyCFGPass());

    Loops.addPass(LoopSimplifyPass());
    Loops.addPass(LCSSAPass());
    LoopPassManager OfLoop;
    OfLoop.addPass(IndVarSimplifyPass());
    OfLoop.addPass(LoopDeletionPass());
    Loops.addPass(createFunctionToLoopPassAdaptor(std::move(OfLoop)));
    Loops.addPass(SimplifyCFGPass());
    Loops.addPass(InstCombinePass());
    Loops.addPass(ADCEPass());

    Unroll.addPass(LoopUnrollPass(LoopUnrollOptions(/*OptLevel=*/2, /*OnlyWhenForced=*/true)
                                      .setUpperBound(true)
                                      .setPartial(false)
                                      .setRuntime(false)
                                      .setPeeling(false)));

    Sweep.addPass(GlobalDCEPass());
  }

  void run(FunctionPassManager &Passes, Function &F, Effort &Spent, Effort::Cost Each) {
    if (!Spent.spend(Each, F.getInstructionCount()))
      return;
    FAM.invalidate(F, PreservedAnalyses::none());
    FAM.invalidate(F, Passes.run(F, FAM));
  }
};

Simplifier::Simplifier(Effort &Spent) : S(std::make_unique<State>()), Spent(Spent) {}
Simplifier::~Simplifier() = default;
FunctionAnalysisManager &Simplifier::analyses() { return S->FAM; }

void Simplifier::quick(Function &F) { S->run(S->Quick, F, Spent, Effort::Quick); }
void Simplifier::thorough(Function &F) { S->run(S->Thorough, F, Spent, Effort::Thorough); }
void Simplifier::loops(Function &F) { S->run(S->Loops, F, Spent, Effort::Loops); }
void Simplifier::unroll(Function &F) { S->run(S->Unroll, F, Spent, Effort::Loops); }

/// L has at most four iterations, but not always as many. A pointer that it moves may lead anywhere in an object, for all
/// that is known of memory; unrolled it leads to four places.
static bool isShort(const Loop &L, ScalarEvolution &Scev) {
  constexpr unsigned Most = 4;
  const unsigned Iterations = Scev.getSmallConstantMaxTripCount(&L);
  return L.isInnermost() && Iterations != 0 && Iterations <= Most && Scev.getSmallConstantTripCount(&L) == 0 &&
         all_of(L.blocks(), [](const BasicBlock *Block) {
           return all_of(*Block, [](const Instruction &I) { return !isa<CallBase>(I) || isa<IntrinsicInst>(I); });
         });
}

bool Simplifier::unrollShort(Function &F) {
  S->FAM.invalidate(F, PreservedAnalyses::none());
  auto &Scev = S->FAM.getResult<ScalarEvolutionAnalysis>(F);
  bool Found = false;
  for (Loop *L : S->FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (isShort(*L, Scev)) {
      addStringMetadataToLoop(L, "llvm.loop.unroll.enable", 1);
      Found = true;
    }
  if (Found)
    unroll(F);
  return Found;
}

void Simplifier::canonical(Function &F) {
  S->FAM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager Passes;
  Passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  Passes.addPass(LoopSimplifyPass());
  S->FAM.invalidate(F, Passes.run(F, S->FAM));
}

void Simplifier::sweep(Module &M) {
  S->MAM.invalidate(M, S->Sweep.run(M, S->MAM));
  S->MAM.clear();
  S->FAM.clear();
}

/// A body this large stays a function of its own when it has several callers.
static constexpr unsigned LargeCallee = 20'000;
/// No function grows beyond this by inlining.
static constexpr unsigned LargeCaller = 150'000;

static bool callsItself(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction() == &F)
      return true;
  return false;
}

/// A kernel is a body of arithmetic this large, or larger, that calls nothing and returns nothing.
static constexpr unsigned LargeKernel = 400;

/// Inner loops of numerical libraries, which only write tensors. Inlined they would be most of the operator, only to be
/// deleted again.
static bool isKernel(const Function &F, unsigned Size) {
  return Size >= LargeKernel && F.getReturnType()->isVoidTy() && all_of(instructions(F), [](const Instruction &I) {
           const auto *Call = dyn_cast<CallBase>(&I);
           return !Call || isa<IntrinsicInst>(I) || Call->isInlineAsm() || isThrow(*Call);
         });
}

/// Features of the processor that F needs beyond the baseline: "+avx2".
static SmallVector<StringRef, 16> featuresOf(const Function &F) {
  SmallVector<StringRef, 16> Features;
  F.getFnAttribute("target-features").getValueAsString().split(Features, ',', -1, /*KeepEmpty=*/false);
  erase_if(Features, [](StringRef Feature) { return !Feature.starts_with("+"); });
  return Features;
}

/// Whether every processor that runs Caller can run Callee. Code for a processor feature must not be inlined into code
/// that runs without it.
static bool canBeInlinedInto(const Function &Callee, const Function &Caller) {
  StringRef Name = "target-features";
  if (Callee.getFnAttribute(Name) == Caller.getFnAttribute(Name))
    return true;
  const SmallVector<StringRef, 16> Has = featuresOf(Caller);
  return all_of(featuresOf(Callee), [&](StringRef Feature) { return is_contained(Has, Feature); });
}

/// Inlines into F the calls of functions outside its strongly connected component.
static bool inlineCallees(Function &F, const SmallPtrSetImpl<const Function *> &Component, Effort &Spent) {
  bool Changed = false;
  unsigned Size = F.getInstructionCount();
  SmallVector<CallBase *, 32> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I))
      Calls.push_back(Call);
  for (CallBase *Call : Calls) {
    Function *Callee = Call->getCalledFunction();
    if (!Callee || Callee->isDeclaration() || Callee->isVarArg() || Callee->hasFnAttribute(Attribute::NoInline) ||
        !canBeInlinedInto(*Callee, F) || Component.contains(Callee) || callsItself(*Callee) ||
        Callee->getFunctionType() != Call->getFunctionType())
      continue;
    unsigned CalleeSize = Callee->getInstructionCount();
    if (Size + CalleeSize > LargeCaller || (CalleeSize > LargeCallee && !Callee->hasOneUse()) ||
        isKernel(*Callee, CalleeSize))
      continue;
    InlineFunctionInfo Info;
    if (InlineFunction(*Call, Info).isSuccess()) {
      Size += CalleeSize;
      Changed = true;
      if (!Spent.spend(Effort::Copying, CalleeSize))
        break;
    }
  }
  return Changed;
}

bool flatten(Module &M, Function &Root, Simplifier &Simplify, bool Optimised, bool KeepsThrows) {
  Effort &Spent = Simplify.effort();
  // The order is fixed before inlining changes the graph: callees first, members of a component together.
  std::vector<std::vector<Function *>> Order;
  {
    CallGraph Graph(M);
    for (auto Component = scc_begin(&Graph); !Component.isAtEnd(); ++Component) {
      std::vector<Function *> Members;
      for (CallGraphNode *Node : *Component)
        if (Function *F = Node->getFunction(); F && !F->isDeclaration())
          Members.push_back(F);
      if (!Members.empty())
        Order.push_back(std::move(Members));
    }
  }
  for (const std::vector<Function *> &Members : Order) {
    SmallPtrSet<const Function *, 4> Component(Members.begin(), Members.end());
    for (Function *F : Members) {
      if (F == &Root && !KeepsThrows)
        keepShapeChecks(*F);
      if (!KeepsThrows)
        dropExceptionalPaths(*F);
      bool Grown = inlineCallees(*F, Component, Spent);
      if (Spent.isExhausted())
        return false;
      if (Grown && !KeepsThrows)
        dropExceptionalPaths(*F);
      if (Grown || !Optimised)
        Simplify.quick(*F);
    }
  }
  Simplify.sweep(M);
  return !Spent.isExhausted();
}

unsigned instructionCount(const Module &M) {
  unsigned Count = 0;
  for (const Function &F : M)
    Count += F.getIntrinsicID() == Intrinsic::arithmetic_fence ? -F.getNumUses() : F.getInstructionCount();
  return Count;
}

} // namespace memshape
