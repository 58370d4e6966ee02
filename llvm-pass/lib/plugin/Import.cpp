// The plugin's facts become metadata.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/Import.h"
#include "extract/SharedVariables.h"
#include "fortran/Dummies.h"
#include "libraries/Summaries.h"
#include "memshape/Handover.h"
#include "memshape/Passes.h"
#include "operators/Clones.h"
#include "operators/Narrowings.h"
#include "operators/Operators.h"
#include "operators/VariableMarks.h"
#include "plugin/NamedOperators.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace memshape {

TranslationUnitFacts &handover() {
  static TranslationUnitFacts Facts;
  return Facts;
}

/// Instructions that are compared: debug intrinsics exist in one of the two modules only.
static bool counts(const Instruction &I) { return !isa<DbgInfoIntrinsic>(I); }

/// Whether F is the function that Locations was recorded from, instruction by instruction.
static bool inStep(const Function &F, const FunctionLocations &Locations) {
  size_t At = 0;
  for (const BasicBlock &BB : F)
    for (const Instruction &I : BB)
      if (counts(I) && (At == Locations.Instructions.size() || Locations.Instructions[At++].Opcode != I.getOpcode()))
        return false;
  return At == Locations.Instructions.size();
}

/// In a unit without operators no locations are recorded. What no header can define stands in the unit's own file all the
/// same: that file, without a line, is the place of its instructions.
static void attachFile(Module &M, DIBuilder &Builder, DIFile &File, DISubroutineType &Signature) {
  for (Function &F : M) {
    if (F.isDeclaration() || !F.hasExternalLinkage() || F.hasComdat())
      continue;
    DISubprogram *SP = Builder.createFunction(&File, F.getName(), F.getName(), &File, 0, &Signature, 0,
                                              DINode::FlagZero, DISubprogram::SPFlagDefinition);
    F.setSubprogram(SP);
    for (Instruction &I : instructions(F))
      I.setDebugLoc(DILocation::get(M.getContext(), 0, 0, SP));
    Builder.finalizeSubprogram(SP);
  }
}

/// Gives the instructions of M the locations of the plugin's second module. The compile unit has emission kind NoDebug,
/// as for -Rpass: locations are tracked, but not written to the object file.
static void attachLocations(Module &M, const TranslationUnitFacts &Facts) {
  if (M.getNamedMetadata("llvm.dbg.cu"))
    return;
  DIBuilder Builder(M, /*AllowUnresolved=*/false);
  const auto FileNamed = [&](StringRef Name) {
    return Builder.createFile(sys::path::filename(Name), sys::path::parent_path(Name));
  };
  std::vector<DIFile *> Files;
  for (const std::string &Name : Facts.Files)
    Files.push_back(FileNamed(Name));
  DIFile *Main = FileNamed(M.getSourceFileName());
  Builder.createCompileUnit(dwarf::DW_LANG_C99, Main, "memshape", false, "", 0, "", DICompileUnit::NoDebug);
  auto *Signature = Builder.createSubroutineType(Builder.getOrCreateTypeArray({}));
  if (Facts.Locations.empty())
    attachFile(M, Builder, *Main, *Signature);
  for (const FunctionLocations &L : Facts.Locations) {
    Function *F = M.getFunction(L.Symbol);
    if (!F || F->isDeclaration() || F->getSubprogram() || L.File >= Files.size() || !inStep(*F, L))
      continue;
    DISubprogram *SP = Builder.createFunction(Files[L.File], L.Name, L.Symbol, Files[L.File], L.Line, Signature, L.Line,
                                              DINode::FlagZero, DISubprogram::SPFlagDefinition);
    F->setSubprogram(SP);
    DenseMap<unsigned, DIScope *> ScopeOfFile;
    size_t At = 0;
    for (BasicBlock &BB : *F)
      for (Instruction &I : BB) {
        if (!counts(I))
          continue;
        const InstructionLocation &Where = L.Instructions[At++];
        bool MustHaveOne = isa<CallBase>(I); // the verifier requires one on calls that can be inlined
        if (!Where.Line && !MustHaveOne)
          continue;
        unsigned File = Where.Line && Where.File < Files.size() ? Where.File : L.File;
        DIScope *&Scope = ScopeOfFile[File];
        if (!Scope)
          Scope = File == L.File ? static_cast<DIScope *>(SP) : Builder.createLexicalBlockFile(SP, Files[File]);
        I.setDebugLoc(DILocation::get(M.getContext(), Where.Line, Where.Column, Scope));
      }
    Builder.finalizeSubprogram(SP);
  }
  Builder.finalize();
  if (!M.getModuleFlag("Debug Info Version"))
    M.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

/// C without arithmetic. Release 19 of LLVM has constants with arithmetic in them that newer ones do not read.
static Constant *folded(Constant *C, const DataLayout &Layout) {
  if (!isa<ConstantAggregate>(C) || isa<ConstantVector>(C))
    return ConstantFoldConstant(C, Layout);
  SmallVector<Constant *, 8> Parts;
  for (const Use &Part : C->operands())
    Parts.push_back(folded(cast<Constant>(Part), Layout));
  if (auto *T = dyn_cast<StructType>(C->getType()))
    return ConstantStruct::get(T, Parts);
  return ConstantArray::get(cast<ArrayType>(C->getType()), Parts);
}

/// Constants of Fortran may be relied on, and read by any release.
static void prepareConstants(Module &M) {
  if (!isFortran(M))
    return;
  for (GlobalVariable &G : M.globals()) {
    if (G.hasLinkOnceLinkage() && isNamedByContents(G))
      G.setLinkage(GlobalValue::LinkOnceODRLinkage);
    if (G.hasInitializer())
      G.setInitializer(folded(G.getInitializer(), M.getDataLayout()));
  }
}

PreservedAnalyses ImportPass::run(Module &M, ModuleAnalysisManager &) {
  if (M.getNamedMetadata("memshape.operators") || !worksOn(Triple(M.getTargetTriple())))
    return PreservedAnalyses::all();
  attachSummaries(M);
  TranslationUnitFacts &Facts = handover();
  if (Facts.Enabled) {
    for (const OperatorFact &Fact : Facts.Operators)
      if (Function *F = M.getFunction(Fact.Symbol); F && !F->isDeclaration())
        addOperator(M, *F, Fact);
      else if (const GlobalIFunc *Chooser = M.getNamedIFunc(Fact.Symbol))
        addOperator(M, clonesOf(*Chooser), Fact);
    for (const std::string &Name : Facts.Constants)
      if (GlobalVariable *G = M.getNamedGlobal(Name))
        G->setMetadata(ConstantMetadata, MDNode::get(M.getContext(), {}));
    markSharedVariables(M);
    attachLocations(M, Facts);
  } else {
    prepareConstants(M);
    addNamedOperators(M);
    markSharedVariables(M);
  }
  if (M.getNamedMetadata("memshape.operators"))
    rememberNarrowings(M);
  return PreservedAnalyses::none();
}

} // namespace memshape
