// What ran before the operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Constructors.h"
#include "extract/Extract.h"
#include "extract/GuardedStatics.h"
#include "extract/SharedVariables.h"
#include "libraries/reader/Known.h"
#include "memory/PointsTo.h"
#include "operators/VariableMarks.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memshape {

/// The loader hands argc, argv and envp to constructors. What one makes of them, the caller has decided.
static bool looksAtArguments(const Function &F) {
  return any_of(F.args(), [](const Argument &A) { return !A.use_empty(); });
}

/// The functions that a list such as llvm.global_ctors names, in order of their priorities.
static SmallVector<Function *, 4> constructors(const Module &M) {
  const GlobalVariable *List = M.getNamedGlobal("llvm.global_ctors");
  const auto *Entries = List && List->hasInitializer() ? dyn_cast<ConstantArray>(List->getInitializer()) : nullptr;
  std::multimap<uint64_t, Function *> ByPriority; // with equal priority, in the order of the list
  if (Entries)
    for (const Use &Entry : Entries->operands())
      if (const auto *Fields = dyn_cast<ConstantStruct>(Entry))
        if (auto *F = dyn_cast<Function>(Fields->getOperand(1)->stripPointerCasts());
            F && !F->isDeclaration() && !looksAtArguments(*F))
          ByPriority.emplace(cast<ConstantInt>(Fields->getOperand(0))->getZExtValue(), F);
  SmallVector<Function *, 4> Result;
  for (const auto &[Priority, F] : ByPriority)
    Result.push_back(F);
  return Result;
}

ConstructorsOfModule::ConstructorsOfModule(const Function &Root)
    : Root(Root), Private(*Root.getParent()), Ordered(constructors(*Root.getParent())) {
  for (const Function *F : Ordered)
    Outside[F] = F->hasLocalLinkage() && F->hasOneUse();
}

/// Whether Call registers the destructor of an object to be run when the program ends. What atexit is given is no
/// destructor: the operator may be called behind it, by what was registered before.
static bool registersDestructor(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && knownRole(Callee->getName()) == Role::ProcessExit && Call.arg_size() > 1;
}

bool ConstructorsOfModule::runsOutsideMain(const Function &F) {
  auto [At, New] = Outside.try_emplace(&F, false); // a recursive function may also be called from elsewhere
  if (!New)
    return At->second;
  bool Result = F.hasLocalLinkage() && !F.use_empty() && all_of(F.uses(), [&](const Use &U) {
                  const auto *Call = dyn_cast<CallBase>(U.getUser());
                  return Call && ((Call->isCallee(&U) && runsOutsideMain(*Call->getFunction())) ||
                                  (registersDestructor(*Call) && Call->isDataOperand(&U)));
                });
  return Outside[&F] = Result;
}

/// Whether User only reads the variable, and nobody can write through a pointer in it. One that is handed out has a
/// mark of its own (SharedVariables.h).
static bool onlyLooks(const Instruction &User) {
  return isa<LoadInst>(User) && (!carriesPointers(User.getType()) || User.getFunction()->onlyReadsMemory());
}

/// Calls Visit, until it returns false, with the functions that do more with G than read it, and where they do.
template <class Visitor> static bool allSetters(const GlobalVariable &G, Visitor Visit) {
  SmallVector<const User *, 8> Work(G.user_begin(), G.user_end());
  SmallPtrSet<const User *, 16> Seen;
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (const auto *I = dyn_cast<Instruction>(U)) {
      if (!onlyLooks(*I) && !initialisesAlike(*I, G) && !Visit(*I->getFunction(), *I))
        return false;
    } else if (!isa<GlobalValue>(U)) {
      Work.append(U->user_begin(), U->user_end());
    }
  }
  return true;
}

/// A weak definition cannot be relied on: the linker may take another unit's.
static bool isFixed(const GlobalVariable &G) { return (G.isConstant() && !G.isInterposable()) || G.isDeclaration(); }

/// Whether another unit may name G and change it. Static locals belong to their functions, guards to their variables.
static bool sharedByUnits(const GlobalVariable &G) {
  StringRef Name = G.getName();
  bool OfFunction = !G.hasExternalLinkage() && (Name.starts_with("_ZZ") || Name.starts_with("_ZGV"));
  if (G.isInterposable() || G.hasMetadata(SharedMetadata))
    return true;
  return !G.hasLocalLinkage() && !OfFunction && !G.hasMetadata(ConstantMetadata);
}

const ConstructorsOfModule::Definitions &ConstructorsOfModule::reachOf(const Function &Constructor) {
  auto [At, New] = Reached.try_emplace(&Constructor);
  if (New)
    At->second = reachableFrom(&Constructor);
  return At->second;
}

/// Constructors of several units use G, and one sets it: which of them runs first is the linker's choice.
bool ConstructorsOfModule::isSetInAnyOrder(const GlobalVariable &G) {
  SmallPtrSet<const Function *, 4> Setters;
  allSetters(G, [&](const Function &F, const Instruction &) { return Setters.insert(&F), true; });
  if (Setters.empty())
    return false;
  SmallPtrSet<const void *, 2> Units; // of one without a place, the constructor itself
  bool Sets = false;
  for (const Function *C : Ordered) {
    if (!reachOf(*C).contains(&G))
      continue;
    const DISubprogram *Place = C->getSubprogram();
    Units.insert(Place ? static_cast<const void *>(Place->getUnit()) : C);
    Sets |= any_of(Setters, [&](const Function *F) { return reachOf(*C).contains(F); });
  }
  return Sets && Units.size() > 1;
}

bool ConstructorsOfModule::othersMayExecute(const Instruction &I) {
  if (!Handlers) {
    SmallVector<const Function *, 8> Roots(Ordered.begin(), Ordered.end()), Called;
    Roots.push_back(&Root);
    Handlers.emplace(Roots);
    for (const Function &F : *Root.getParent())
      if (&F != &Root && !F.isDeclaration() && isCalledByOthers(F))
        Called.push_back(&F);
    ReachedByOthers = reachableFrom(Called, &Root);
  }
  return ReachedByOthers.contains(I.getFunction()) || Handlers->contains(I);
}

bool ConstructorsOfModule::isSetElsewhere(const GlobalVariable &G, const DenseSet<const GlobalValue *> &Reachable) {
  if (isFixed(G))
    return false;
  const auto IsOwn = [&](const Function &F, const Instruction &I) {
    return (Reachable.contains(&F) || runsOutsideMain(F)) && !othersMayExecute(I);
  };
  return sharedByUnits(G) || Private.hasOtherSetter(G, Root) || !allSetters(G, IsOwn) || isSetInAnyOrder(G);
}

SmallVector<Function *, 4> ConstructorsOfModule::neededBy(DenseSet<const GlobalValue *> &Reachable, bool Whole) {
  SmallPtrSet<const Function *, 4> Needed;
  for (bool Grown = !Ordered.empty(); Grown;) {
    Grown = false;
    SmallPtrSet<const Function *, 8> Setters;
    for (const GlobalValue *Value : Reachable)
      if (const auto *G = dyn_cast<GlobalVariable>(Value);
          G && !isFixed(*G) && (Whole || !isSetElsewhere(*G, Reachable)))
        allSetters(*G, [&](const Function &F, const Instruction &) { return Setters.insert(&F), true; });
    for (const Function *C : Ordered) {
      if (Setters.empty() || Needed.contains(C))
        continue;
      const Definitions &Reach = reachOf(*C);
      if (none_of(Setters, [&](const Function *F) { return Reach.contains(F); }))
        continue;
      Needed.insert(C);
      Reachable.insert(Reach.begin(), Reach.end());
      Grown = true;
    }
  }
  SmallVector<Function *, 4> Result;
  for (Function *C : Ordered)
    if (Needed.contains(C))
      Result.push_back(C);
  return Result;
}

std::map<uint64_t, const Function *> ConstructorsOfModule::functionsPutInto(const GlobalVariable &G) {
  std::map<uint64_t, const Function *> Put;
  const DataLayout &DL = G.getDataLayout();
  SmallVector<const User *, 8> Work(G.user_begin(), G.user_end());
  while (!Work.empty()) {
    const User *U = Work.pop_back_val();
    if (isa<GEPOperator>(U))
      Work.append(U->user_begin(), U->user_end());
    const auto *Store = dyn_cast<StoreInst>(U);
    const auto *F = Store ? dyn_cast<Function>(Store->getValueOperand()->stripPointerCasts()) : nullptr;
    if (!F || !runsOutsideMain(*Store->getFunction()))
      continue;
    APInt Offset(DL.getIndexTypeSizeInBits(G.getType()), 0);
    if (Store->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true) != &G)
      continue;
    auto [At, New] = Put.try_emplace(Offset.getZExtValue(), F);
    if (!New && At->second != F)
      At->second = nullptr; // now this one, now that
  }
  erase_if(Put, [](const auto &Each) { return !Each.second; });
  return Put;
}

DenseSet<const Function *> onlyBeforeOperator(const Module &Skeleton) {
  DenseSet<const Function *> Before;
  const SmallVector<Function *, 4> First = constructors(Skeleton);
  for (const Function *C : First)
    for (const GlobalValue *G : reachableFrom(C))
      if (const auto *F = dyn_cast<Function>(G))
        Before.insert(F);
  if (Before.empty())
    return Before;
  // What a constructor hands out, by its address or in a table of virtual functions, the operator may call.
  for (const Function &F : Skeleton)
    if (!F.isDeclaration() && (!F.hasLocalLinkage() || (F.hasAddressTaken() && !is_contained(First, &F))))
      for (const GlobalValue *G : reachableFrom(&F))
        if (const auto *Shared = dyn_cast<Function>(G))
          Before.erase(Shared);
  return Before;
}

} // namespace memshape
