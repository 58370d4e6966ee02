// Each stage as a pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/StagePass.h"
#include "skeleton/Stages.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memshape {

namespace {

/// What the stages of one module share.
class SharedState : public AnalysisInfoMixin<SharedState> {
public:
  /// For opt: a state of its own, of the module's first operator.
  struct Own {
    explicit Own(const Operator &Op) : State(Op, Facts, {}) { State.Root = Op.Function; }
    SkeletonFacts Facts;
    SkeletonState State;
  };
  struct Result {
    std::shared_ptr<Own> Of; ///< null where the module has no operator

    bool invalidate(Module &, const PreservedAnalyses &Preserved, ModuleAnalysisManager::Invalidator &) {
      if (Preserved.getChecker<SharedState>().preserved())
        return false;
      if (Of) // a pass of others has changed the module
        Of->State.forgetPointers();
      return !Of;
    }
  };

  Result run(Module &M, ModuleAnalysisManager &) {
    const SmallVector<Operator, 4> Operators = operatorsOf(M);
    return {Operators.empty() ? nullptr : std::make_shared<Own>(Operators.front())};
  }

private:
  friend AnalysisInfoMixin<SharedState>;
  static AnalysisKey Key;
};

AnalysisKey SharedState::Key;

} // namespace

void replaceModule(Module &M, std::unique_ptr<Module> Other) {
  M.dropAllReferences();
  while (!M.named_metadata_empty())
    M.eraseNamedMetadata(&*M.named_metadata_begin());
  for (Function &F : make_early_inc_range(M))
    F.eraseFromParent();
  for (GlobalVariable &G : make_early_inc_range(M.globals()))
    G.eraseFromParent();
  for (GlobalAlias &A : make_early_inc_range(M.aliases()))
    A.eraseFromParent();
  for (GlobalIFunc &I : make_early_inc_range(M.ifuncs()))
    I.eraseFromParent();
  Linker::linkModules(M, std::move(Other));
}

/// Runs a stage on M. What it makes instead of changing M is in State then.
static bool runStage(const Stage &Each, Module &M, SkeletonState &State, const PassInstrumentation &Watch) {
  Watch.runBeforePass<Module>(Each, M);
  const bool Done = Each.Run(M, State);
  if (Each.Pointers == Stage::DropsPointers)
    State.forgetPointers();
  Watch.runAfterPass<Module>(Each, State.Made ? *State.Made : M, PreservedAnalyses::none());
  return Done;
}

namespace {

/// One stage, for opt.
struct StagePass : PassInfoMixin<StagePass> {
  explicit StagePass(const Stage &Each) : Each(Each) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    const SharedState::Result &Shared = MAM.getResult<SharedState>(M);
    if (!Shared.Of) {
      M.getContext().emitError(Each.Name + ": the module has no operator; name one with memshape-operator<NAME>");
      return PreservedAnalyses::all();
    }
    SkeletonState &State = Shared.Of->State;
    if (State.hasFailed())
      return PreservedAnalyses::all();
    if (!runStage(Each, M, State, MAM.getResult<PassInstrumentationAnalysis>(M)))
      M.getContext().emitError(Each.Name + ": " + State.Facts.Reason);
    if (State.Made) {
      const std::string Name = State.Root->getName().str();
      replaceModule(M, std::move(State.Made));
      State.Op.Function = State.Root = M.getFunction(Name);
    }
    PreservedAnalyses Preserved;
    Preserved.preserve<SharedState>();
    return Preserved;
  }

  const Stage &Each;
};

/// Prints what the stages so far have found out.
struct DocumentPass : PassInfoMixin<DocumentPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (const auto &Of = MAM.getResult<SharedState>(M).Of)
      errs() << formatv("{0:2}\n", json::Value(skeletonDocument(Of->State.Op, Of->Facts)));
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

std::unique_ptr<Module> runStages(SkeletonKind Kind, SkeletonState &State, PassInstrumentationCallbacks *Watch) {
  std::unique_ptr<Module> Skeleton;
  for (const Stage *Each : stagesOf(Kind)) {
    if (!runStage(*Each, Skeleton ? *Skeleton : *State.Op.Function->getParent(), State, PassInstrumentation(Watch)))
      return nullptr;
    if (State.Made)
      Skeleton = std::move(State.Made);
  }
  return Skeleton;
}

bool addStage(StringRef Name, ModulePassManager &Passes) {
  if (Name == "memshape-document") {
    Passes.addPass(DocumentPass());
    return true;
  }
  const auto Found = find_if(stages(), [&](const Stage &Each) { return Each.Name == Name; });
  if (Found == stages().end())
    return false;
  Passes.addPass(StagePass(*Found));
  return true;
}

void registerStages(PassBuilder &PB) {
  PB.registerAnalysisRegistrationCallback(
      [](ModuleAnalysisManager &MAM) { MAM.registerPass([] { return SharedState(); }); });
  if (PassInstrumentationCallbacks *Watch = PB.getPassInstrumentationCallbacks())
    for (const Stage &Each : stages())
      Watch->addClassToPassName(Each.Name, Each.Name);
}

} // namespace memshape
