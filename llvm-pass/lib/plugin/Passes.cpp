// memshape in the optimisation pipeline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     start of the pipeline   ImportPass    operators and locations become metadata
//     behind the inliner      KeepBodiesPass  functions of other units keep their bodies for the copy
//     before vectorisation    EarlyModulePass  a copy of the module, from which skeletons are cut
//     end of the pipeline     EmbedPass     features, the module and skeletons into the section; then hooks
//
// Skeletons are cut from the optimised program: an allocation that the optimiser removed is gone in both.

#include "memshape/Passes.h"
#include "Compat.h"
#include "hooks/Hooks.h"
#include "libraries/reader/Known.h"
#include "operators/Narrowings.h"
#include "operators/Operators.h"
#include "plugin/EarlyModule.h"
#include "plugin/Embedding.h"
#include "plugin/Import.h"
#include "plugin/Readers.h"
#include "skeleton/Skeleton.h"
#include "skeleton/StagePass.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace memshape {

/// Module flag of processed modules: with both -fplugin and -fpass-plugin the pass would run twice.
static constexpr StringLiteral DoneFlag = "memshape.done";

namespace {

struct KeepBodiesPass : PassInfoMixin<KeepBodiesPass> {
  PreservedAnalyses run(LazyCallGraph::SCC &C, CGSCCAnalysisManager &, LazyCallGraph &, CGSCCUpdateResult &) {
    for (LazyCallGraph::Node &Each : C)
      EarlyModule::keepBody(Each.getFunction());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct EarlyModulePass : PassInfoMixin<EarlyModulePass> {
  std::shared_ptr<EarlyModule> Early;
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    FunctionAnalysisManager &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    return Early->take(M, FAM) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct EmbedPass : PassInfoMixin<EmbedPass> {
  std::shared_ptr<EarlyModule> Early;
  OptimizationLevel Level;
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    const Triple Target(M.getTargetTriple());
    if (M.getModuleFlag(DoneFlag) || !canHoldRecords(Target))
      return PreservedAnalyses::all();
    M.addModuleFlag(Module::Max, DoneFlag, 1);
    if (!worksOn(Target)) {
      embedReason(M, ("it was compiled for " + Target.str() + ", whose code does not run here"));
      return PreservedAnalyses::none();
    }
    std::unique_ptr<Module> Copy = Early->release(M);
    const std::string Readers = embedRecords(M, Copy.get(), Early->keptAll(), Level);
    Copy.reset();
    insertHooks(M, linkReaders(M, Readers));
    forgetOperators(M);
    forgetNarrowings(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// For opt: makes the named function an operator, described by its own arguments.
struct OperatorPass : PassInfoMixin<OperatorPass> {
  std::string Name;
  explicit OperatorPass(StringRef N) : Name(N) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Function *F = M.getFunction(Name); F && !F->isDeclaration())
      addOperator(M, *F, describeFunction(*F));
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// For opt: replaces the module by a skeleton of its first operator.
struct SlicePass : PassInfoMixin<SlicePass> {
  SkeletonKind Kind;
  PassInstrumentationCallbacks *Watch;
  SlicePass(SkeletonKind K, PassInstrumentationCallbacks *W) : Kind(K), Watch(W) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    SmallVector<Operator, 4> Operators = operatorsOf(M);
    if (Operators.empty())
      return PreservedAnalyses::all();
    SkeletonFacts Facts;
    std::unique_ptr<Module> Skeleton = buildSkeleton(Operators[0], Kind, Facts, {}, Watch);
    errs() << formatv("{0:2}\n", json::Value(skeletonDocument(Operators[0], Facts)));
    if (!Skeleton)
      return PreservedAnalyses::all();
    replaceModule(M, std::move(Skeleton));
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// For opt: reads summaries, as the plugin's argument does.
struct SummariesPass : PassInfoMixin<SummariesPass> {
  std::string Path;
  explicit SummariesPass(StringRef P) : Path(P) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (std::string Problem; !readSummaries(Path, Problem))
      M.getContext().emitError("memshape: " + Problem);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct HooksPass : PassInfoMixin<HooksPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return insertHooks(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

bool worksOn(const Triple &Target) {
  return Target.isOSBinFormatELF() && (Target.isX86() || Target.getArch() == Triple(sys::getProcessTriple()).getArch());
}

bool canHoldRecords(const Triple &Target) {
  const llvm::Target *Known = compat::target(Target);
  return Target.isOSBinFormatELF() && !Target.isAMDGPU() && !Target.isNVPTX() && !Target.isBPF() && !Target.isSPIRV() &&
         Known && Known->hasMCAsmParser();
}

bool readSummaries(const std::string &Path, std::string &Problem) {
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!File)
    Problem = File.getError().message();
  else if (addSummaries((*File)->getBuffer(), Problem))
    return true;
  Problem = Path + ": " + Problem;
  return false;
}

/// Names for opt: those below, and each stage of the slicer under its own (skeleton/Stages.cpp).
static bool parsePassName(StringRef Name, ModulePassManager &MPM, PassInstrumentationCallbacks *Watch) {
  const std::optional<SkeletonKind> Kind =
      Name.starts_with("memshape-") ? skeletonKind(Name.drop_front(sizeof "memshape-" - 1)) : std::nullopt;
  if (Kind)
    MPM.addPass(SlicePass(*Kind, Watch));
  else if (Name.consume_front("memshape-operator<") && Name.consume_back(">"))
    MPM.addPass(OperatorPass(Name));
  else if (Name.consume_front("memshape-summaries<") && Name.consume_back(">"))
    MPM.addPass(SummariesPass(Name));
  else if (Name == "memshape-import")
    MPM.addPass(ImportPass());
  else if (Name == "memshape-hooks")
    MPM.addPass(HooksPass());
  else if (Name == "memshape-embed")
    MPM.addPass(EmbedPass{{}, std::make_shared<EarlyModule>(), OptimizationLevel::O2});
  else
    return addStage(Name, MPM);
  return true;
}

void registerPasses(PassBuilder &PB) {
  InitializeNativeTargetAsmParser(); // records are module-level assembly, and flang has none
  PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, auto &&...) { MPM.addPass(ImportPass()); });
  auto Early = std::make_shared<EarlyModule>();
  PB.registerCGSCCOptimizerLateEPCallback(
      [](CGSCCPassManager &CGPM, OptimizationLevel) { CGPM.addPass(KeepBodiesPass()); });
  PB.registerOptimizerEarlyEPCallback(
      [Early](ModulePassManager &MPM, auto &&...) { MPM.addPass(EarlyModulePass{{}, Early}); });
  PB.registerOptimizerLastEPCallback([Early](ModulePassManager &MPM, OptimizationLevel Level, auto &&...) {
    MPM.addPass(EmbedPass{{}, Early, Level});
  });
  PB.registerPipelineParsingCallback(
      [Watch = PB.getPassInstrumentationCallbacks()](StringRef Name, ModulePassManager &MPM,
                                                     ArrayRef<PassBuilder::PipelineElement>) {
        return parsePassName(Name, MPM, Watch);
      });
  registerStages(PB);
}

} // namespace memshape
