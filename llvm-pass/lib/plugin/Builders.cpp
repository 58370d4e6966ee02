// Functions that build arguments, in the module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/Builders.h"
#include "memshape/Bodies.h"
#include "operators/Operators.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace memshape {

bool hasBuilders() { return !handover().BuilderBitcode.empty(); }

bool buildsNothing(const OperatorFact &Fact) {
  return Fact.Built.empty() && !Fact.HasThis &&
         std::equal(Fact.Parameters.begin(), Fact.Parameters.end(), Fact.BuilderParameters.begin(),
                    Fact.BuilderParameters.end(),
                    [](const ParameterFact &A, const ParameterFact &B) { return A.Role == B.Role; });
}

bool isBuilt(const OperatorFact &Fact) {
  const auto Made = find_if(handover().Operators, [&](const OperatorFact &F) { return F.Symbol == Fact.Symbol; });
  return Made != handover().Operators.end() && !Made->Builder.empty() && !buildsNothing(*Made);
}

/// As the unit's own functions are where skeletons are cut: before the vectoriser.
static void simplify(Module &M) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  PB.buildModuleSimplificationPipeline(OptimizationLevel::O2, ThinOrFullLTOPhase::None).run(M, MAM);
}

std::unique_ptr<Module> builderCode(LLVMContext &C, function_ref<bool(StringRef Name)> Wanted) {
  Expected<std::unique_ptr<Module>> Read =
      parseBitcodeFile(MemoryBufferRef(handover().BuilderBitcode, "memshape builders"), C);
  if (!Read) {
    consumeError(Read.takeError());
    return nullptr;
  }
  for (Function &F : **Read)
    if (!F.isDeclaration() && F.hasExternalLinkage() && !Wanted(F.getName()))
      leaveDeclaration(F);
  ModuleAnalysisManager Analyses;
  GlobalDCEPass().run(**Read, Analyses);
  simplify(**Read);
  return std::move(*Read);
}

/// F tells extents, and does nothing else that could allocate or fail to end.
static bool tellsOnly(const Function &F, SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return true;
  if (F.isDeclaration())
    return F.isIntrinsic();
  return all_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || Call->isInlineAsm())
      return !Call ||
             StringRef(cast<InlineAsm>(Call->getCalledOperand())->getAsmString()).contains("# memshape.result");
    return Call->getCalledFunction() && tellsOnly(*Call->getCalledFunction(), Seen);
  });
}

/// What Builder tells of what the operator returns becomes a part of it, or goes: false.
static bool takeResults(Function &Builder) {
  for (Instruction &I : instructions(Builder)) {
    auto *Call = dyn_cast<CallInst>(&I);
    Function *Tells = Call ? Call->getCalledFunction() : nullptr;
    if (!Tells || !Tells->getName().contains("memshape_tell_"))
      continue;
    SmallPtrSet<const Function *, 8> Seen;
    if (!tellsOnly(*Tells, Seen)) {
      Call->eraseFromParent();
      return false;
    }
    Tells->removeFnAttr(Attribute::NoInline);
    return true;
  }
  return false;
}

bool linkBuilders(Module &Copy) {
  std::unique_ptr<Module> Read = builderCode(Copy.getContext(), [](StringRef Name) {
    return any_of(handover().Operators, [&](const OperatorFact &Fact) { return Fact.Builder == Name; });
  });
  if (!Read)
    return false;
  Read->setModuleInlineAsm("");
  // Names lead from the builders to operators and variables of this unit alone, too.
  SmallVector<std::pair<GlobalValue *, GlobalValue::LinkageTypes>, 4> Hidden;
  for (const GlobalValue &Wanted : Read->global_values())
    if (GlobalValue *Own = Wanted.isDeclaration() ? Copy.getNamedValue(Wanted.getName()) : nullptr;
        Own && Own->hasLocalLinkage()) {
      Hidden.emplace_back(Own, Own->getLinkage());
      Own->setLinkage(GlobalValue::ExternalLinkage);
    }
  const bool Failed = Linker::linkModules(Copy, std::move(Read));
  for (auto [Own, Linkage] : Hidden)
    Own->setLinkage(Linkage);
  if (Failed)
    return false;
  SmallVector<Operator, 4> Operators = operatorsOf(Copy);
  forgetOperators(Copy);
  for (Operator &Op : Operators) {
    Op.Fact.Results.clear();
    const auto Fact = find_if(handover().Operators, [&](const OperatorFact &F) { return F.Symbol == Op.Fact.Symbol; });
    Function *Builder = Fact != handover().Operators.end() ? Copy.getFunction(Fact->Builder) : nullptr;
    if (Builder && !Fact->Builder.empty() && Fact->Unbuilt.empty() && !Builder->isDeclaration()) {
      const bool Tells = takeResults(*Builder);
      if (Tells)
        Op.Fact.Results = Fact->Results;
      if (buildsNothing(*Fact) && !Tells) {
        addOperator(Copy, *Op.Function, Op.Fact);
        continue;
      }
      Op.Function = Builder;
      Op.Fact.HasThis = false;
      Op.Fact.Parameters = Fact->BuilderParameters;
      Op.Fact.Built = Fact->Built;
    }
    addOperator(Copy, *Op.Function, Op.Fact);
  }
  return true;
}

} // namespace memshape
