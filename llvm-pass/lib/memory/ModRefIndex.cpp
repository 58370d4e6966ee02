// Who reads and writes which memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/ModRefIndex.h"
#include "memory/InlineAssembly.h"
#include "memory/WriteOrder.h"
#include "runner-calls/BuildsArguments.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace memshape {

/// BasicAA speaks of one activation of one function; its word counts only inside the root, which runs once and calls
/// itself never. Scoped noalias facts hold within one iteration of a loop and are left out. Type-based facts hold
/// everywhere.
struct ModRefIndex::Analyses {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager Full, TypesOnly;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  std::unique_ptr<BatchAAResults> InRoot, Anywhere;
  std::optional<WriteOrder> Order;
  DenseMap<const Value *, bool> Moved; ///< pointers that may come from a realloc

  explicit Analyses(Function &Root) {
    auto Set = [this](FunctionAnalysisManager &FAM, bool Basic) {
      FAM.registerPass([Basic] {
        AAManager AA;
        if (Basic)
          AA.registerFunctionAnalysis<BasicAA>();
        AA.registerFunctionAnalysis<TypeBasedAA>();
        return AA;
      });
      PassBuilder PB;
      PB.registerFunctionAnalyses(FAM);
      FAM.registerPass([this] { return ModuleAnalysisManagerFunctionProxy(MAM); });
    };
    Set(Full, true);
    Set(TypesOnly, false);
    PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    InRoot = std::make_unique<BatchAAResults>(Full.getResult<AAManager>(Root));
    InRoot->enableCrossIterationMode();
    Anywhere = std::make_unique<BatchAAResults>(TypesOnly.getResult<AAManager>(Root));
  }
};

static bool callsItself(const Function &F) {
  for (const User *U : F.users())
    if (const auto *I = dyn_cast<Instruction>(U); I && I->getFunction() == &F)
      return true;
  return false;
}

/// Threads run one after the other here, but in fact beside each other.
static bool marksThreads(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
  return Which == RunnerCall::Region || Which == RunnerCall::Spawn || Which == RunnerCall::Team;
}

static MemoryLocation locationOf(const ModRef &T) {
  return MemoryLocation(T.Pointer, T.Bytes ? LocationSize::precise(T.Bytes) : LocationSize::beforeOrAfterPointer(),
                        T.By->getAAMetadata());
}

ModRefIndex::ModRefIndex(Module &M, Function &R, const PointsTo &P)
    : Memory(P), Root(R), A(std::make_unique<Analyses>(R)) {
  if (callsItself(R) || !R.use_empty())
    A->InRoot.reset();
  else
    A->Order.emplace(R);
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.mayReadOrWriteMemory()) {
        if (marksThreads(I))
          A->Order.reset();
        unsigned First = All.size();
        collect(I);
        if (All.size() != First)
          Ranges[&I] = {First, unsigned(All.size())};
      }
  ByObject.resize(Memory.objectCount());
  for (unsigned Id = 0; Id != Memory.objectCount(); ++Id)
    if (Memory.object(Id).mayOverlap())
      SharedTensors.push_back(Id);
  for (const ModRef &T : All) {
    auto &[Objects, Where, Location] = Reach.emplace_back();
    Location = locationOf(T);
    if (T.Reaches) {
      Objects.append(reached(T));
      if (Objects.empty() && T.Part != ModRef::All)
        continue;
    } else {
      if (T.isOfBuffers())
        Where = Memory.buffersOf(T.Pointer, *Memory.summaryFor(*cast<CallBase>(T.By)).Holder);
      else
        Where = T.LinkBytes ? Memory.linked(T.Pointer, *cast<CallBase>(T.By)) : Memory.targets(T.Pointer);
      if (!T.Bytes)
        for (Place &Target : Where)
          Target = Memory.upwardsOf(Target);
      for (Place Target : Where)
        if (!is_contained(Objects, Target.Object))
          Objects.push_back(Target.Object);
    }
    if (Objects.empty()) { // an address out of nowhere
      Objects.push_back(0);
      Where.push_back(Place::anywhere(0));
    }
    for (unsigned Id : Objects)
      ByObject[Id].push_back(&T);
  }
}

ModRefIndex::~ModRefIndex() = default;

ArrayRef<ModRef> ModRefIndex::of(const Instruction *I) const {
  auto At = Ranges.find(I);
  if (At == Ranges.end())
    return {};
  return ArrayRef(All).slice(At->second.first, At->second.second - At->second.first);
}

/// Bytes behind each pointer that Call is given, where its summary says so; 0 for unknown.
static uint64_t lengthOf(const CallBase &Call, const Summary &S) {
  if (S.Length < 0 || unsigned(S.Length) >= Call.arg_size())
    return S.Bytes;
  const auto *Length = dyn_cast<ConstantInt>(Call.getArgOperand(S.Length));
  return Length ? Length->getZExtValue() : 0;
}

/// Bytes of a value of type T; 0 where nobody knows before it runs.
static uint64_t bytesOf(Type *T, const Instruction &I) {
  const TypeSize Size = I.getModule()->getDataLayout().getTypeStoreSize(T);
  return Size.isScalable() ? 0 : Size.getFixedValue();
}

void ModRefIndex::add(Instruction &I, const Value *Pointer, uint64_t Bytes, bool Reads, bool Writes) {
  All.push_back({&I, Pointer, Bytes, Reads, Writes, false, false});
  All.back().Type = accessType(I);
}

void ModRefIndex::collect(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return add(I, Load->getPointerOperand(), bytesOf(Load->getType(), I), true, false);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return add(I, Store->getPointerOperand(), bytesOf(Store->getValueOperand()->getType(), I), false, true);
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    return add(I, I.getOperand(0), bytesOf(I.getOperand(1)->getType(), I), true, true);
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return;
  if (Call->getIntrinsicID() != Intrinsic::not_intrinsic)
    return collectIntrinsic(*Call);
  if (runnerCall(*Call) == RunnerCall::Extreme)
    return add(I, Call->getArgOperand(0), 0, true, false);
  if (runnerCall(*Call) == RunnerCall::Data) {
    const bool Behind = marksAllBehind(*Call);
    All.push_back({&I, Call->getArgOperand(0), 0, /*Reads=*/Behind, true, /*Reaches=*/Behind, /*WritesData=*/true});
  }
  if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand())) {
    // What a statement of assembly does with the memory that it is given, nobody reads.
    if (!isEmptyAssembly(Asm->getAsmString()))
      for (const Use &U : Call->args())
        if (U->getType()->isPointerTy() && !isa<ConstantPointerNull>(U.get()))
          All.push_back({&I, U.get(), 0, false, true, /*Reaches=*/true, /*WritesData=*/true});
    return;
  }
  if (runnerCall(*Call) != RunnerCall::None || Memory.isDeadCall(*Call))
    return;
  bool Complete;
  Memory.callees(*Call, Complete);
  if (!Complete)
    collectUnseenCall(*Call);
}

void ModRefIndex::collectIntrinsic(CallBase &Call) {
  if (auto *Mem = dyn_cast<MemIntrinsic>(&Call)) {
    const auto *Constant = dyn_cast<ConstantInt>(Mem->getLength());
    uint64_t Length = Constant ? Constant->getZExtValue() : 0;
    add(Call, Mem->getRawDest(), Length, false, true);
    if (auto *Copy = dyn_cast<MemTransferInst>(Mem))
      add(Call, Copy->getRawSource(), Length, true, false);
    return;
  }
  switch (Call.getIntrinsicID()) {
  case Intrinsic::masked_load: return add(Call, Call.getArgOperand(0), bytesOf(Call.getType(), Call), true, false);
  case Intrinsic::masked_gather: return add(Call, Call.getArgOperand(0), 0, true, false);
  case Intrinsic::masked_store:
    return add(Call, Call.getArgOperand(1), bytesOf(Call.getArgOperand(0)->getType(), Call), false, true);
  case Intrinsic::masked_scatter: return add(Call, Call.getArgOperand(1), 0, false, true);
  case Intrinsic::vastart: return add(Call, Call.getArgOperand(0), 0, false, true);
  case Intrinsic::vacopy:
    add(Call, Call.getArgOperand(1), 0, true, false);
    return add(Call, Call.getArgOperand(0), 0, false, true);
  case Intrinsic::prefetch:
  case Intrinsic::vaend: return;
  default:
    // What others write, such as the state of floating-point arithmetic, is the machine's.
    if (Call.mayWriteToMemory() && !cast<IntrinsicInst>(Call).isAssumeLikeIntrinsic())
      for (const Use &U : Call.args())
        if (U->getType()->isPointerTy() && !isa<ConstantPointerNull>(U.get()))
          All.push_back({&Call, U.get(), 0, false, true, false, /*WritesData=*/true});
    return;
  }
}

/// What a call that leaves the module touches, as its summary says.
void ModRefIndex::collectUnseenCall(CallBase &Call) {
  Summary S = Memory.summaryFor(Call);
  if (S.How == Treatment::Compute || S.How == Treatment::Ask)
    return;
  if (S.OnlyHeadersMatter)
    return collectLibraryCall(Call);
  if (S.Holder)
    return collectHolders(Call);
  bool WritesData = S.How == Treatment::Skip || S.How == Treatment::Unknown || S.How == Treatment::Forbidden;
  for (unsigned N = 0; N != Call.arg_size(); ++N) {
    const Value *Argument = Call.getArgOperand(N);
    if (!Argument->getType()->isPointerTy() || isa<ConstantPointerNull>(Argument))
      continue;
    bool Reads = !WritesData && (N >= 64 || S.ReadArguments >> N & 1);
    bool Writes = S.How != Treatment::Inspect && !Call.onlyReadsMemory(N) && !Call.onlyReadsMemory() &&
                  (N >= 64 || S.WrittenArguments >> N & 1);
    // To reach what it writes it reads the pointers that lead there: without them nobody sees any more what it writes.
    Reads |= S.How == Treatment::Skip && Writes && S.FollowsPointers;
    if (Reads || Writes)
      All.push_back({&Call, Argument, S.LinkBytes ? S.LinkBytes : lengthOf(Call, S), Reads, Writes,
                     S.FollowsPointers && !S.LinkBytes, WritesData && Writes, S.LinkBytes});
  }
}

/// What a function of strings touches: the objects, the buffers that they hold, and characters.
void ModRefIndex::collectHolders(CallBase &Call) {
  const BufferHolder Holder = *Memory.summaryFor(Call).Holder;
  const Function *Callee = Call.getCalledFunction();
  for (unsigned N = 0; N != Call.arg_size(); ++N) {
    const Value *Argument = Call.getArgOperand(N);
    if (!Argument->getType()->isPointerTy() || isa<ConstantPointerNull>(Argument))
      continue;
    const bool Holds = isHolder(Call, N, Holder), Writes = !Call.onlyReadsMemory(N) && !Call.onlyReadsMemory();
    const bool IsNumber = !Holds && (!Callee || Callee->getParamDereferenceableBytes(N));
    const auto Add = [&](uint64_t Bytes, ModRef::PartOf Part) {
      All.push_back({&Call, Argument, Bytes, true, Writes, false, false, 0, Part});
    };
    if (Holder.ContentsDecide || IsNumber) {
      Add(Holds ? Holder.Bytes : 0, ModRef::All);
    } else {
      if (Holds)
        Add(Holder.Small, ModRef::All); // a capacity, behind that, comes with its buffer
      Add(Holds ? Holder.Bytes : 0, ModRef::AnyCharacters);
    }
    if (Holds)
      Add(0, Holder.ContentsDecide ? ModRef::Buffer : ModRef::AnyBuffer);
  }
}

/// A library's function that looks at what it is given, and keeps no address of it.
bool ModRefIndex::keepsNothing(const CallBase &Call) const {
  bool Complete;
  Memory.callees(Call, Complete);
  if (Complete || runnerCall(Call) != RunnerCall::None)
    return false;
  const Summary S = Memory.summaryFor(Call);
  return S.Holder || S.How == Treatment::Adjust || S.How == Treatment::Inspect;
}

/// Pointer may come from a realloc: a block that aliases nothing for LLVM, but has the contents of the old one.
bool ModRefIndex::isMoved(const Value *Pointer) {
  auto [At, IsNew] = A->Moved.try_emplace(Pointer, false);
  if (IsNew) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
    At->second = any_of(Objects, [](const Value *V) {
      const auto *Call = dyn_cast<CallBase>(V);
      return Call && runnerCall(*Call) == RunnerCall::Realloc;
    });
  }
  return At->second;
}

bool ModRefIndex::canMeet(const ModRef &Read, const ModRef &Write) {
  if (Read.Reaches || Write.Reaches)
    return true; // they share an object
  // The places of an object stand together.
  const PlaceSet &Written = reachOf(Write).Places;
  const auto IsWritten = [&](const Place &R) {
    auto W = partition_point(Written, [&](const Place &Other) { return Other.Object < R.Object; });
    for (; W != Written.end() && W->Object == R.Object; ++W)
      if (R.overlaps(Read.Bytes, *W, Write.Bytes))
        return true;
    return false;
  };
  if (none_of(reachOf(Read).Places, IsWritten))
    return false;
  if (Read.LinkBytes || Write.LinkBytes || Read.isOfBuffers() || Write.isOfBuffers())
    return true; // the memory is not where the pointer points to
  if (!Read.Pointer->getType()->isPointerTy() || !Write.Pointer->getType()->isPointerTy())
    return true; // vectors of pointers
  const bool Local = A->InRoot && Read.By->getFunction() == &Root && Write.By->getFunction() == &Root &&
                     !isMoved(Read.Pointer) && !isMoved(Write.Pointer);
  BatchAAResults &AA = Local ? *A->InRoot : *A->Anywhere;
  return AA.alias(reachOf(Read).Location, reachOf(Write).Location) != AliasResult::NoAlias;
}

bool ModRefIndex::typesAllow(const ModRef &One, const ModRef &Other) {
  return One.Reaches || Other.Reaches || One.isOfBuffers() || Other.isOfBuffers() ||
         !One.Pointer->getType()->isPointerTy() || !Other.Pointer->getType()->isPointerTy() ||
         A->Anywhere->alias(reachOf(One).Location, reachOf(Other).Location) != AliasResult::NoAlias;
}

/// Object is a block of this call alone, as far as By can see: one of them builds arguments, and no variable leads to it
/// from one call to the next.
bool ModRefIndex::isOfThisCall(const Instruction &Maker, unsigned Object, const Instruction &By) {
  if (!building().contains(Maker) && !building().contains(By))
    return false;
  if (!Kept)
    Kept = Memory.kept();
  return !Kept->contains(Object);
}

/// Object is a variable of the root, or a block of this call, in which Read cannot see any more, or not yet, what Write
/// leaves.
bool ModRefIndex::comesTooLate(const ModRef &Write, const ModRef &Read, unsigned Object) {
  if (!A->Order || Write.By->getFunction() != &Root || Read.By->getFunction() != &Root)
    return false;
  if (!is_contained(objectsOf(Read), Object)) // written as another one, which may be one of those
    return all_of(objectsOf(Read), [&](unsigned Own) { return comesTooLate(Write, Read, Own); });
  const auto *Origin = dyn_cast_or_null<Instruction>(Memory.object(Object).Origin);
  if (!Origin || Origin->getFunction() != &Root ||
      (!isa<AllocaInst>(Origin) && !isOfThisCall(*Origin, Object, *Read.By)) ||
      A->Order->canReach(*Write.By, *Read.By, *Origin))
    return false;
  // A function that writes anywhere may keep the address; another one then looks there as long as the variable lives.
  const auto *Call = dyn_cast<CallBase>(Read.By);
  const bool MayKeep = Call && !isa<IntrinsicInst>(Call) && !Call->onlyReadsMemory() && !keepsNothing(*Call);
  return !MayKeep || !A->Order->canReach(*Read.By, *Write.By, *Origin);
}

void ModRefIndex::forOthers(const ModRef &T, bool WantWriters, Filter Known, Visitor F, Rest *Left) {
  BitVector Seen(unsigned(All.size())); // an access may meet many objects
  auto Look = [&](unsigned Object, bool SharedByUnknown) {
    // F may lead back here.
    const auto Others = Left ? Left->ByObject.try_emplace(Object, ByObject[Object]).first->second : ByObject[Object];
    size_t Dropped = 0;
    const auto Drop = [&](const ModRef *Other) {
      return !(WantWriters ? Other->Writes : Other->Reads) || Known(Other->By);
    };
    for (const ModRef *Other : Others) {
      const auto Number = unsigned(numberOf(*Other));
      if (Seen.test(Number))
        continue;
      if (Drop(Other)) {
        ++Dropped;
        Seen.set(Number);
      } else if (!(WantWriters ? comesTooLate(*Other, T, Object) : comesTooLate(T, *Other, Object))) {
        Seen.set(Number);
        if (SharedByUnknown ? typesAllow(T, *Other) : WantWriters ? canMeet(T, *Other) : canMeet(*Other, T))
          F(*Other);
      }
    }
    if (Left && Dropped > Others.size() / 2)
      erase_if(Left->ByObject[Object], Drop);
  };
  bool MeetsUnknown = false, MeetsEscaped = false, MeetsShared = false;
  for (unsigned Object : objectsOf(T)) {
    Look(Object, false);
    MeetsUnknown |= Object == 0;
    MeetsEscaped |= Memory.object(Object).Escapes;
    MeetsShared |= Memory.object(Object).mayOverlap();
  }
  // The caller may pass one block for two tensors.
  for (unsigned Object : SharedTensors)
    if (MeetsShared)
      Look(Object, true);
  // Memory that unknown code shares with us: object 0 and every escaped object may be the same.
  if (MeetsUnknown) {
    for (unsigned Object = 1; Object != Memory.objectCount(); ++Object)
      if (Memory.object(Object).Escapes)
        Look(Object, true);
  } else if (MeetsEscaped) {
    Look(0, true);
  }
}

void ModRefIndex::forWritersOf(const ModRef &Read, Filter Known, Visitor F, Rest *Left) {
  forOthers(Read, true, Known, F, Left);
}
void ModRefIndex::forReadersOf(const ModRef &Write, Filter Known, Visitor F, Rest *Left) {
  forOthers(Write, false, Known, F, Left);
}

const BuildsArguments &ModRefIndex::building() {
  if (!Built)
    Built = std::make_unique<BuildsArguments>(Root);
  return *Built;
}

bool ModRefIndex::readsUnset(const LoadInst &Load) {
  const auto &From = Memory.targets(Load.getPointerOperand());
  const bool OfArguments = !From.empty() && all_of(From, [&](Place T) {
    const auto *Maker = dyn_cast_or_null<Instruction>(Memory.object(T.Object).Origin);
    return Maker && building().contains(*Maker);
  });
  bool IsWritten = !OfArguments;
  for (const ModRef &Access : of(&Load))
    if (Access.Reads && !IsWritten)
      forWritersOf(Access, [&](const ModRef &) { IsWritten = true; });
  return !IsWritten;
}

} // namespace memshape
