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

void linkBuilders(Module &Copy) {
  Expected<std::unique_ptr<Module>> Read =
      parseBitcodeFile(MemoryBufferRef(handover().BuilderBitcode, "memshape builders"), Copy.getContext());
  if (!Read) {
    consumeError(Read.takeError());
    return;
  }
  simplify(**Read);
  (*Read)->setModuleInlineAsm("");
  // Names lead from the builders to operators and variables of this unit alone, too.
  SmallVector<std::pair<GlobalValue *, GlobalValue::LinkageTypes>, 4> Hidden;
  for (const GlobalValue &Wanted : (*Read)->global_values())
    if (GlobalValue *Own = Wanted.isDeclaration() ? Copy.getNamedValue(Wanted.getName()) : nullptr;
        Own && Own->hasLocalLinkage()) {
      Hidden.emplace_back(Own, Own->getLinkage());
      Own->setLinkage(GlobalValue::ExternalLinkage);
    }
  const bool Failed = Linker::linkModules(Copy, std::move(*Read));
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
