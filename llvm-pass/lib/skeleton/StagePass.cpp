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
    SkeletonState *State = nullptr; ///< null where the module has no operator
    std::shared_ptr<Own> Alone;     ///< where this analysis made it

    bool invalidate(Module &, const PreservedAnalyses &Preserved, ModuleAnalysisManager::Invalidator &) {
      if (Preserved.getChecker<SharedState>().preserved())
        return false;
      if (State) // a pass of others has changed the module
        State->forgetPointers();
      return !State;
    }
  };

  SharedState() = default;
  explicit SharedState(SkeletonState &Given) : Given(&Given) {}

  Result run(Module &M, ModuleAnalysisManager &) {
    if (Given)
      return {Given, nullptr};
    const SmallVector<Operator, 4> Operators = operatorsOf(M);
    if (Operators.empty())
      return {};
    auto Alone = std::make_shared<Own>(Operators.front());
    return {&Alone->State, Alone};
  }

private:
  friend AnalysisInfoMixin<SharedState>;
  static AnalysisKey Key;
  SkeletonState *Given = nullptr;
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

/// Makes the module of State's skeleton in place of M, which holds the operator.
static bool makeInPlace(const Stage &Each, Module &M, SkeletonState &State) {
  std::unique_ptr<Module> Made = Each.Make(State);
  if (!Made)
    return false;
  const std::string Name = State.Root->getName().str();
  replaceModule(M, std::move(Made));
  State.Op.Function = State.Root = M.getFunction(Name);
  return true;
}

static PreservedAnalyses runStage(const Stage &Each, Module &M, ModuleAnalysisManager &MAM) {
  const SharedState::Result &Shared = MAM.getResult<SharedState>(M);
  if (!Shared.State) {
    M.getContext().emitError(Each.Name + ": the module has no operator; name one with memshape-operator<NAME>");
    return PreservedAnalyses::all();
  }
  SkeletonState &State = *Shared.State;
  if (State.hasFailed())
    return PreservedAnalyses::all();
  const bool Done = Each.Make ? makeInPlace(Each, M, State) : Each.Run(M, State);
  if (!Done && Shared.Alone)
    M.getContext().emitError(Each.Name + ": " + State.Facts.Reason);
  PreservedAnalyses Preserved;
  Preserved.preserve<SharedState>();
  return Preserved;
}

namespace {

/// LLVM asks a pass for its name without an object: one type for each place in the list.
template <size_t Number> struct StagePass : PassInfoMixin<StagePass<Number>> {
  static StringRef name() { return stages()[Number].Name; }
  static bool isRequired() { return true; }
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) { return runStage(stages()[Number], M, MAM); }
};

/// Prints what the stages so far have found out.
struct DocumentPass : PassInfoMixin<DocumentPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    if (const SkeletonState *State = MAM.getResult<SharedState>(M).State)
      errs() << formatv("{0:2}\n", json::Value(skeletonDocument(State->Op, State->Facts)));
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// What runs before there is a module to run on, as instrumentation sees it.
struct MakingPass {
  const Stage &Made;
  StringRef name() const { return Made.Name; }
  static bool isRequired() { return true; }
};

} // namespace

template <size_t... Number>
static void addStages(ModulePassManager &Passes, function_ref<bool(const Stage &)> Wanted,
                      std::index_sequence<Number...>) {
  ((Wanted(stages()[Number]) ? Passes.addPass(StagePass<Number>()) : void()), ...);
}

std::unique_ptr<Module> runStages(SkeletonKind Kind, SkeletonState &State, PassInstrumentationCallbacks *Watch) {
  const auto First = find_if(stages(), [&](const Stage &Each) { return Each.Make && Each.isOf(Kind); });
  const PassInstrumentation Watching(Watch);
  Watching.runBeforePass<Module>(MakingPass{*First}, *State.Op.Function->getParent());
  std::unique_ptr<Module> Made = First->Make(State);
  Watching.runAfterPass<Module>(MakingPass{*First}, Made ? *Made : *State.Op.Function->getParent(),
                                PreservedAnalyses::all());
  if (!Made)
    return nullptr;
  // Stages keep their own analyses of functions, which no stage before them makes worthless.
  ModuleAnalysisManager Analyses;
  Analyses.registerPass([&] { return PassInstrumentationAnalysis(Watch); });
  Analyses.registerPass([&] { return SharedState(State); });
  ModulePassManager Others;
  addStages(
      Others, [&](const Stage &Each) { return !Each.Make && Each.isOf(Kind); }, std::make_index_sequence<StageCount>());
  Others.run(*Made, Analyses);
  return State.hasFailed() ? nullptr : std::move(Made);
}

bool addStage(StringRef Name, ModulePassManager &Passes) {
  if (Name == "memshape-document") {
    Passes.addPass(DocumentPass());
    return true;
  }
  const auto Found = find_if(stages(), [&](const Stage &Each) { return Each.Name == Name; });
  if (Found == stages().end())
    return false;
  addStages(Passes, [&](const Stage &Each) { return &Each == &*Found; }, std::make_index_sequence<StageCount>());
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
