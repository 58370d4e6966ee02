//===- Builders.cpp - Functions that build arguments, in the module -------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "plugin/Builders.h"
#include "memshape/Handover.h"
#include "operators/Operators.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace memshape {

bool hasBuilders() { return !handover().BuilderBitcode.empty(); }

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
    if (!F.isDeclaration() && F.hasExternalLinkage() && !Wanted(F.getName())) {
      F.deleteBody();
      F.setComdat(nullptr);
    }
  ModuleAnalysisManager Analyses;
  GlobalDCEPass().run(**Read, Analyses);
  simplify(**Read);
  return std::move(*Read);
}

void linkBuilders(Module &Copy) {
  std::unique_ptr<Module> Read = builderCode(Copy.getContext(), [](StringRef Name) {
    return any_of(handover().Operators, [&](const OperatorFact &Fact) { return Fact.Builder == Name; });
  });
  if (!Read)
    return;
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
    return;
  SmallVector<Operator, 4> Operators = operatorsOf(Copy);
  forgetOperators(Copy);
  for (Operator &Op : Operators) {
    const auto Fact = find_if(handover().Operators, [&](const OperatorFact &F) { return F.Symbol == Op.Fact.Symbol; });
    Function *Builder = Fact != handover().Operators.end() ? Copy.getFunction(Fact->Builder) : nullptr;
    if (Builder && !Fact->Builder.empty() && Fact->Unbuilt.empty() && !Builder->isDeclaration()) {
      Op.Function = Builder;
      Op.Fact.HasThis = false;
      Op.Fact.Parameters = Fact->BuilderParameters;
      Op.Fact.Built = Fact->Built;
    }
    addOperator(Copy, *Op.Function, Op.Fact);
  }
}

} // namespace memshape
