// Clone an operator with everything it reaches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extract/Extract.h"
#include "extract/ChangedMeanwhile.h"
#include "extract/Constructors.h"
#include "extract/Forwards.h"
#include "extract/MadeObjects.h"
#include "extract/NanBits.h"
#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "memory/Layout.h"
#include "memshape/Bodies.h"
#include "operators/Clones.h"
#include "operators/VariableMarks.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace memshape {

void forEachReference(const Value *V, DenseSet<const Constant *> &SeenConstants,
                      function_ref<void(const GlobalValue &)> Take) {
  SmallVector<const Constant *, 16> Constants;
  if (const auto *C = dyn_cast<Constant>(V))
    Constants.push_back(C);
  while (!Constants.empty()) {
    const Constant *C = Constants.pop_back_val();
    if (const auto *Named = dyn_cast<GlobalValue>(C)) {
      Take(*Named);
      const auto *Callee = dyn_cast<Function>(Named);
      if (const Function *Own = Callee ? ownBehind(*Callee) : nullptr)
        Take(*Own);
      continue;
    }
    if (!isa<ConstantData>(C) && SeenConstants.insert(C).second)
      for (const Use &U : C->operands())
        if (const auto *Part = dyn_cast<Constant>(U.get()))
          Constants.push_back(Part);
  }
}

void forEachReference(const GlobalValue &G, DenseSet<const Constant *> &SeenConstants,
                      function_ref<void(const GlobalValue &)> Take) {
  const auto Visit = [&](const Value *V) { forEachReference(V, SeenConstants, Take); };
  if (const auto *F = dyn_cast<Function>(&G)) {
    for (const Instruction &I : instructions(*F))
      for (const Use &U : I.operands())
        Visit(U.get());
  } else if (const auto *V = dyn_cast<GlobalVariable>(&G)) {
    if (V->hasInitializer())
      Visit(V->getInitializer());
  } else if (const auto *A = dyn_cast<GlobalAlias>(&G)) {
    Visit(A->getAliasee());
  } else if (const auto *Chooser = dyn_cast<GlobalIFunc>(&G)) {
    if (const SmallVector<Function *, 4> Clones = clonesOf(*Chooser); !Clones.empty())
      Visit(Clones.front());
  }
}

DenseSet<const GlobalValue *> reachableFrom(ArrayRef<const Function *> Roots, const Function *Except) {
  DenseSet<const GlobalValue *> Seen(Roots.begin(), Roots.end());
  DenseSet<const Constant *> SeenConstants;
  SmallVector<const GlobalValue *, 32> Work(Roots.begin(), Roots.end());
  while (!Work.empty())
    forEachReference(*Work.pop_back_val(), SeenConstants, [&](const GlobalValue &G) {
      if (&G != Except && Seen.insert(&G).second)
        Work.push_back(&G);
    });
  return Seen;
}

unsigned ReachedSizes::from(const Function &Root) {
  DenseSet<const GlobalValue *> Seen = {&Root};
  SmallVector<const GlobalValue *, 32> Work = {&Root};
  unsigned Size = 0;
  while (!Work.empty()) {
    const GlobalValue *G = Work.pop_back_val();
    auto [At, New] = Nodes.try_emplace(G);
    if (New) {
      DenseSet<const Constant *> SeenConstants;
      SmallSetVector<const GlobalValue *, 8> Names;
      forEachReference(*G, SeenConstants, [&](const GlobalValue &Named) { Names.insert(&Named); });
      At->second.References = Names.takeVector();
      if (const auto *F = dyn_cast<Function>(G))
        At->second.Instructions = F->getInstructionCount();
    }
    Size += At->second.Instructions;
    for (const GlobalValue *Named : At->second.References)
      if (Seen.insert(Named).second)
        Work.push_back(Named);
  }
  return Size;
}

/// Removes registrations of destructors: these run when the program ends, outside the operator.
static void dropExitRegistrations(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || knownRole(F.getName()) != Role::ProcessExit)
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == &F) {
        if (!Call->getType()->isVoidTy())
          Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
        Call->eraseFromParent();
      }
    if (F.use_empty())
      F.eraseFromParent();
  }
}

/// Drops weak definitions: the linker may take another unit's, whose effects are unknown here.
static void dropWeakBodies(Module &M, const Function &Root) {
  for (Function &F : M)
    if (&F != &Root && !F.isDeclaration() && F.isInterposable()) {
      leaveDeclaration(F);
      F.addFnAttr(ReplaceableAttribute);
    }
  for (GlobalAlias &A : make_early_inc_range(M.aliases()))
    if (A.isInterposable() && A.getValueType()->isFunctionTy())
      leaveDeclaration(A);
}

/// Replaces an ifunc of target_clones by its default clone. What a user's own resolver chooses is unknown. Of is the
/// module that M was cloned from, by Map.
static void resolveChoosers(Module &M, const Module &Of, ValueToValueMapTy &Map) {
  for (const GlobalIFunc &Original : Of.ifuncs()) {
    auto *Chooser = cast_or_null<GlobalIFunc>(Map.lookup(&Original));
    if (!Chooser)
      continue;
    const SmallVector<Function *, 4> Clones = clonesOf(Original);
    Function *Chosen = Clones.empty() ? nullptr : cast<Function>(Map.lookup(Clones.front()));
    auto *Type = cast<FunctionType>(Chooser->getValueType());
    if (!Chosen) {
      Chosen = Function::Create(Type, GlobalValue::ExternalLinkage, Chooser->getAddressSpace(), "", &M);
      Chosen->takeName(Chooser);
      Chosen->addFnAttr(ReplaceableAttribute);
    }
    Chooser->replaceAllUsesWith(Chosen);
    Chooser->eraseFromParent();
  }
}

/// Runs Constructors before everything else of M.
static void runBefore(Module &M, ArrayRef<Function *> Constructors) {
  if (Constructors.empty())
    return;
  auto *Before = Function::Create(FunctionType::get(Type::getVoidTy(M.getContext()), false),
                                  GlobalValue::InternalLinkage, "memshape.before", M);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Before));
  for (Function *C : Constructors) {
    SmallVector<Value *, 3> Unused;
    for (const Argument &A : C->args())
      Unused.push_back(Constant::getNullValue(A.getType()));
    B.CreateCall(C, Unused);
  }
  B.CreateRetVoid();
  appendToGlobalCtors(M, Before, 0);
}

/// Answers llvm.objectsize and llvm.is.constant as the code generator would: what is known here. Later stages know
/// more, which the program does not; so the library compares what they could.
static void foldObjectQueries(Module &M) {
  const TargetLibraryInfoImpl Table((Triple(M.getTargetTriple())));
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const TargetLibraryInfo Library(Table, &F);
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (auto *Call = dyn_cast<CallBase>(&I); Call && givesSign(*Call))
        Call->addFnAttr(Attribute::NoBuiltin);
      auto *Asked = dyn_cast<IntrinsicInst>(&I);
      Value *Answer = nullptr;
      if (Asked && Asked->getIntrinsicID() == Intrinsic::objectsize)
        Answer = lowerObjectSizeCall(Asked, M.getDataLayout(), &Library, /*MustSucceed=*/true);
      else if (Asked && Asked->getIntrinsicID() == Intrinsic::is_constant)
        Answer = ConstantInt::getBool(Asked->getType(), isa<ConstantData>(Asked->getArgOperand(0)));
      if (Answer) {
        Asked->replaceAllUsesWith(Answer);
        Asked->eraseFromParent();
      }
    }
  }
}

/// I gives what only code generation determines: freeze of poison, which is whatever a register holds, bits of NaN, and
/// where the code and the frame of a function lie, of which there is but one when all is one function.
static bool isOfGeneratedCode(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return (Call && is_contained({Intrinsic::addressofreturnaddress, Intrinsic::eh_dwarf_cfa, Intrinsic::frameaddress,
                                Intrinsic::returnaddress, Intrinsic::sponentry},
                               Call->getIntrinsicID())) ||
         (isa<FreezeInst>(I) && isa<UndefValue>(I.getOperand(0))) || showsBitsOfNan(I);
}

/// Marks that as data, and addresses of labels.
static void markCodeGeneratorValues(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isOfGeneratedCode(I)) {
        I.replaceAllUsesWith(dataValue(I, I.getType()));
        I.eraseFromParent();
      } else if (!isa<IndirectBrInst>(I) && !isa<PHINode>(I) && !isa<CallBrInst>(I)) {
        for (Use &U : I.operands())
          if (isa<BlockAddress>(U.get()))
            U.set(dataValue(I, U->getType()));
      }
}

bool hasComputedGoto(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(F, [](const BasicBlock &BB) { return isa<IndirectBrInst>(BB.getTerminator()); });
  });
}

/// C with F in place of null at byte At; C itself where no pointer begins there, or another one.
static Constant *withFunctionAt(Constant *C, uint64_t At, Constant *F, const DataLayout &DL) {
  Type *const T = C->getType();
  if (T->isPointerTy())
    return At == 0 && C->isNullValue() ? F : C;
  APInt Offset(64, At);
  Type *Within = T;
  const std::optional<APInt> Index = DL.getGEPIndexForOffset(Within, Offset);
  if (!Index || !isa<StructType, ArrayType>(T))
    return C;
  const unsigned Count = isa<StructType>(T) ? T->getStructNumElements() : T->getArrayNumElements();
  SmallVector<Constant *, 8> Parts;
  for (unsigned I = 0; I != Count; ++I)
    Parts.push_back(C->getAggregateElement(I));
  if (Index->uge(Count) || is_contained(Parts, nullptr))
    return C;
  Constant *&Part = Parts[Index->getZExtValue()];
  Part = withFunctionAt(Part, Offset.getZExtValue(), F, DL);
  return isa<StructType>(T) ? ConstantStruct::get(cast<StructType>(T), Parts)
                            : ConstantArray::get(cast<ArrayType>(T), Parts);
}

/// By variable, the functions that constructors put there, and at which bytes.
using PutFunctions = std::map<const GlobalVariable *, std::map<uint64_t, const Function *>>;

/// Those of variables of Reachable that others may set, whose constructors are left out for that. Adds what the functions
/// reach to Reachable.
static PutFunctions functionsPut(const Module &M, ConstructorsOfModule &Constructors,
                                 DenseSet<const GlobalValue *> &Reachable) {
  PutFunctions Put;
  for (const GlobalVariable &G : M.globals())
    if (Reachable.contains(&G) && G.hasInitializer() && Constructors.isSetElsewhere(G, Reachable))
      if (auto Functions = Constructors.functionsPutInto(G); !Functions.empty())
        Put[&G] = std::move(Functions);
  for (const auto &[G, Functions] : Put)
    for (const auto &[At, F] : Functions) {
      const DenseSet<const GlobalValue *> More = reachableFrom(F);
      Reachable.insert(More.begin(), More.end());
    }
  return Put;
}

std::unique_ptr<Module> extract(Function &Root, Function *&Copy, bool Whole) {
  DenseSet<const GlobalValue *> Reachable = reachableFrom(&Root);
  ConstructorsOfModule Constructors(Root);
  const SmallVector<Function *, 4> Needed = Constructors.neededBy(Reachable, Whole);
  const PutFunctions Put = Whole ? PutFunctions() : functionsPut(*Root.getParent(), Constructors, Reachable);
  ValueToValueMapTy Map;
  std::unique_ptr<Module> Clone =
      CloneModule(*Root.getParent(), Map, [&](const GlobalValue *G) { return Reachable.contains(G); });
  Copy = cast<Function>(Map[&Root]);
  const auto Mark = [&](const GlobalVariable &G, StringRef Kind) {
    cast<GlobalVariable>(Map[&G])->setMetadata(Kind, MDNode::get(Root.getContext(), {}));
  };
  for (const GlobalVariable &G : Root.getParent()->globals()) {
    if (Reachable.contains(&G) && Constructors.isSetElsewhere(G, Reachable))
      Mark(G, ForeignMetadata);
    if (Reachable.contains(&G) && Constructors.variables().leadsOut(G))
      Mark(G, LeadingMetadata);
  }
  for (const auto &[G, Functions] : Put)
    for (auto *Own = cast<GlobalVariable>(Map[G]); const auto &[At, F] : Functions)
      Own->setInitializer(withFunctionAt(Own->getInitializer(), At, cast<Constant>(Map[F]), Clone->getDataLayout()));
  resolveMadeMarks(*Clone, *Root.getParent(), Map);
  resolveChoosers(*Clone, *Root.getParent(), Map);
  forwardToOwn(*Clone);
  dropWeakBodies(*Clone, *Copy);
  Clone->setModuleInlineAsm("");
  while (!Clone->named_metadata_empty()) {
    NamedMDNode &List = *Clone->named_metadata_begin();
    if (is_contained({"llvm.dbg.cu", "llvm.module.flags", "llvm.ident"}, List.getName()))
      break;
    Clone->eraseNamedMetadata(&List);
  }
  for (GlobalVariable &V : make_early_inc_range(Clone->globals())) {
    if (V.getName().starts_with("llvm.") && V.use_empty()) {
      V.eraseFromParent();
      continue;
    }
    V.setComdat(nullptr);
    V.setSection("");
    if (V.isInterposable())
      V.setConstant(false); // another unit's definition may not be constant
    if (!V.isDeclaration())
      V.setLinkage(GlobalValue::InternalLinkage);
  }
  // A constructor is called by its second name: only what has one name is inlined.
  for (GlobalAlias &A : make_early_inc_range(Clone->aliases())) {
    A.replaceAllUsesWith(A.getAliasee());
    A.eraseFromParent();
  }
  for (Function &F : *Clone) {
    F.setComdat(nullptr);
    if (F.isDeclaration())
      continue;
    // Only the operator is visible from outside, so that nothing else is kept alive.
    F.setLinkage(&F == Copy ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
    F.setSection("");
    for (Attribute::AttrKind Barrier : {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline,
                                        Attribute::MinSize, Attribute::OptimizeForSize})
      F.removeFnAttr(Barrier);
    F.addFnAttr(Attribute::MustProgress);
    hideUnions(F);
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      I.dropDbgRecords();
      auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      if (Intrinsic && (isa<DbgInfoIntrinsic>(Intrinsic) || Intrinsic->isAssumeLikeIntrinsic()) &&
          Intrinsic->getType()->isVoidTy() && !Intrinsic->isLifetimeStartOrEnd())
        Intrinsic->eraseFromParent();
    }
  }
  if (!Whole)
    markChangedMeanwhile(*Clone);
  dropExitRegistrations(*Clone);
  foldObjectQueries(*Clone);
  markCodeGeneratorValues(*Clone);
  SmallVector<Function *, 4> Before;
  for (Function *C : Needed)
    Before.push_back(cast<Function>(Map[C]));
  runBefore(*Clone, Before);
  return Clone;
}

} // namespace memshape
