// Loops whose iterations are dealt out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static schedules are arithmetic, written here as LLVM's run-time library computes it (kmp_sched.cpp); so a thread's
// number decides its iterations, and nothing else does. All other schedules are dealt out by the runner. Where threads run
// beside each other, a thread gets any part: from any iteration to any other.

#include "libraries/reader/Known.h"
#include "runner-calls/RunnerCalls.h"
#include "threads/Threads.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

namespace {

/// Numbers of enum sched_type in kmp.h; the upper bits say whether chunks may come out of order.
enum Schedule { StaticChunked = 33, DynamicChunked = 35, StaticBalancedChunked = 45, OrderedStaticChunked = 65 };
constexpr uint32_t ScheduleBits = 0x1fffffff;

/// A loop `for (i = Lower; i <= Upper; i += Step)` in its own integer type.
struct Bounds {
  Value *Lower, *Upper, *Step;
  Type *T;
  bool Signed;

  Value *lessThan(IRBuilder<> &B, Value *L, Value *R) const {
    return Signed ? B.CreateICmpSLT(L, R) : B.CreateICmpULT(L, R);
  }
  Value *ascends(IRBuilder<> &B) const { return B.CreateICmpSGT(Step, ConstantInt::get(T, 0)); }
  /// No iteration at all.
  Value *isEmpty(IRBuilder<> &B) const {
    return B.CreateSelect(ascends(B), lessThan(B, Upper, Lower), lessThan(B, Lower, Upper));
  }
  /// Iterations of a loop that is not empty, less one.
  Value *tripsLessOne(IRBuilder<> &B) const {
    Value *Up = ascends(B);
    Value *Distance = B.CreateSelect(Up, B.CreateSub(Upper, Lower), B.CreateSub(Lower, Upper));
    return B.CreateUDiv(Distance, B.CreateSelect(Up, Step, B.CreateNeg(Step)));
  }
};

} // namespace

/// A number that nobody knows, another one each time that control comes here.
static Value *anyNumber(IRBuilder<> &B, Type *T) {
  auto *Empty = InlineAsm::get(FunctionType::get(T, false), "", "=r", /*hasSideEffects=*/true);
  CallInst *Number = B.CreateCall(Empty);
  Number->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  Number->setDoesNotThrow();
  return Number;
}

/// From here on V is none behind the last iteration, and with AfterFirst none in front of the first one.
static void assumeWithin(IRBuilder<> &B, const Bounds &L, Value *V, bool AfterFirst) {
  const auto IsNotPast = [&](Value *X, Value *Y) {
    return B.CreateSelect(L.ascends(B), B.CreateNot(L.lessThan(B, Y, X)), B.CreateNot(L.lessThan(B, X, Y)));
  };
  Value *Empty = L.isEmpty(B);
  B.CreateAssumption(B.CreateOr(Empty, IsNotPast(V, L.Upper)));
  if (AfterFirst)
    B.CreateAssumption(B.CreateOr(Empty, IsNotPast(L.Lower, V)));
}

static bool isSigned(const Function &F) { return !F.getName().ends_with("u"); }

/// void __kmpc_for_static_init_T(loc, gtid, schedule, *last, *lower, *upper, *stride, step, chunk)
template <bool Beside> static void staticInit(Function &F, IRBuilder<> &B) {
  Value *Schedule = B.CreateAnd(F.getArg(2), B.getInt32(ScheduleBits)), *Last = F.getArg(3), *LowerAt = F.getArg(4),
        *UpperAt = F.getArg(5), *StrideAt = F.getArg(6);
  Type *T = F.getArg(7)->getType();
  Bounds L = {B.CreateLoad(T, LowerAt), B.CreateLoad(T, UpperAt), F.getArg(7), T, isSigned(F)};
  Module &M = *F.getParent();
  Value *Zero = ConstantInt::get(T, 0), *One = ConstantInt::get(T, 1);
  Value *Thread = B.CreateZExtOrTrunc(B.CreateCall(runnerFunction(M, RunnerCall::Thread)), T);
  Value *Threads = B.CreateZExtOrTrunc(B.CreateCall(runnerFunction(M, RunnerCall::Threads)), T);
  Value *Empty = L.isEmpty(B), *LastTrip = L.tripsLessOne(B), *Trips = B.CreateAdd(LastTrip, One);
  auto Is = [&](enum Schedule S) { return B.CreateICmpEQ(Schedule, B.getInt32(S)); };

  // One part for each thread, as equal as can be; the first ones get one more.
  Value *WholeLower, *WholeUpper, *WholeLast;
  if (Beside) {
    WholeLower = anyNumber(B, T), WholeUpper = anyNumber(B, T);
    WholeLast = B.CreateTrunc(anyNumber(B, B.getInt32Ty()), B.getInt1Ty());
    assumeWithin(B, L, WholeLower, /*AfterFirst=*/true);
    assumeWithin(B, L, WholeUpper, /*AfterFirst=*/false);
  } else {
    Value *Small = B.CreateUDiv(Trips, Threads), *Extra = B.CreateURem(Trips, Threads);
    Value *GetsMore = B.CreateICmpULT(Thread, Extra);
    Value *First = B.CreateAdd(B.CreateMul(Thread, Small), B.CreateBinaryIntrinsic(Intrinsic::umin, Thread, Extra));
    Value *Count = B.CreateAdd(Small, B.CreateZExt(GetsMore, T));
    WholeLower = B.CreateAdd(L.Lower, B.CreateMul(First, L.Step));
    WholeUpper = B.CreateAdd(WholeLower, B.CreateMul(B.CreateSub(Count, One), L.Step));
    WholeLast = B.CreateICmpEQ(Thread, B.CreateSub(B.CreateBinaryIntrinsic(Intrinsic::umin, Threads, Trips), One));
  }

  // Chunks in turn. A balanced schedule for vectors rounds each thread's one part up to a multiple of the chunk.
  Value *Chunk = B.CreateSelect(B.CreateICmpSGT(F.getArg(8), Zero), F.getArg(8), One);
  Value *Part = B.CreateUDiv(B.CreateSub(B.CreateAdd(Trips, Threads), One), Threads);
  Value *Rounded = B.CreateMul(B.CreateUDiv(B.CreateSub(B.CreateAdd(Part, Chunk), One), Chunk), Chunk);
  Value *Balanced = Is(StaticBalancedChunked);
  Value *Length = B.CreateSelect(Balanced, Rounded, Chunk);
  Value *Span = B.CreateMul(Length, L.Step);
  Value *ChunkLower = B.CreateAdd(L.Lower, B.CreateMul(Span, Thread));
  Value *ChunkUpper = B.CreateSub(B.CreateAdd(ChunkLower, Span), L.Step);
  Value *Beyond = B.CreateSelect(L.ascends(B), L.lessThan(B, L.Upper, ChunkUpper), L.lessThan(B, ChunkUpper, L.Upper));
  ChunkUpper = B.CreateSelect(B.CreateAnd(Balanced, Beyond), L.Upper, ChunkUpper);
  Value *ChunkLast = B.CreateICmpEQ(Thread, B.CreateURem(B.CreateUDiv(LastTrip, Length), Threads));
  Value *ChunkStride = B.CreateMul(Span, Threads);

  Value *Chunked = B.CreateOr(B.CreateOr(Is(StaticChunked), Is(OrderedStaticChunked)), Balanced);
  auto Choose = [&](Value *IfEmpty, Value *InChunks, Value *Whole) {
    return B.CreateSelect(Empty, IfEmpty, B.CreateSelect(Chunked, InChunks, Whole));
  };
  B.CreateStore(Choose(L.Lower, ChunkLower, WholeLower), LowerAt);
  B.CreateStore(Choose(L.Upper, ChunkUpper, WholeUpper), UpperAt);
  B.CreateStore(Choose(L.Step, ChunkStride, Trips), StrideAt);
  B.CreateStore(B.CreateZExt(Choose(B.getFalse(), ChunkLast, WholeLast), B.getInt32Ty()), Last);
  B.CreateRetVoid();
}

/// void __kmpc_dispatch_init_T(loc, gtid, schedule, lower, upper, step, chunk)
static void dispatchInit(Function &F, IRBuilder<> &B) {
  Type *T = F.getArg(3)->getType(), *I64 = B.getInt64Ty();
  Bounds L = {F.getArg(3), F.getArg(4), F.getArg(5), T, isSigned(F)};
  auto Wide = [&](Value *V) { return L.Signed ? B.CreateSExt(V, I64) : B.CreateZExt(V, I64); };
  Value *Trips =
      B.CreateSelect(L.isEmpty(B), B.getInt64(0), B.CreateAdd(B.CreateZExt(L.tripsLessOne(B), I64), B.getInt64(1)));
  Value *Chunk = B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateSExt(F.getArg(6), I64), B.getInt64(1));
  B.CreateCall(runnerFunction(*F.getParent(), RunnerCall::Loop),
               {Wide(L.Lower), B.CreateSExt(L.Step, I64), Trips, Chunk});
  B.CreateRetVoid();
}

/// int __kmpc_dispatch_next_T(loc, gtid, *last, *lower, *upper, *step)
static void dispatchNext(Function &F, IRBuilder<> &B) {
  Module &M = *F.getParent();
  Type *T = F.getName().contains("_4") ? B.getInt32Ty() : B.getInt64Ty();
  Value *More = B.CreateCall(runnerFunction(M, RunnerCall::LoopNext));
  auto Put = [&](unsigned Which, Type *As, Value *At) {
    B.CreateStore(B.CreateTrunc(B.CreateCall(runnerFunction(M, RunnerCall::LoopValue), {B.getInt32(Which)}), As), At);
  };
  Put(3, B.getInt32Ty(), F.getArg(2));
  Put(0, T, F.getArg(3));
  Put(1, T, F.getArg(4));
  Put(2, T, F.getArg(5));
  B.CreateRet(B.CreateZExtOrTrunc(More, F.getReturnType()));
}

/// A loop that is dealt out while threads run beside each other, in variables of the function that has it.
struct DealtBeside {
  AllocaInst *Lower, *Upper, *Step, *Most, *Left; ///< Most: iterations of a part; Left: parts that are left
};

static void beginDeal(CallBase &Init, const DealtBeside &Deal) {
  IRBuilder<> B(&Init);
  Type *T = Init.getArgOperand(3)->getType();
  const Bounds L = {Init.getArgOperand(3), Init.getArgOperand(4), Init.getArgOperand(5), T,
                    isSigned(*Init.getCalledFunction())};
  Value *One = ConstantInt::get(T, 1);
  Value *Trips = B.CreateSelect(L.isEmpty(B), ConstantInt::get(T, 0), B.CreateAdd(L.tripsLessOne(B), One));
  Value *Schedule = B.CreateAnd(Init.getArgOperand(2), B.getInt32(ScheduleBits));
  Value *Equal = B.CreateICmpEQ(Schedule, B.getInt32(DynamicChunked)); // all parts but the last
  Value *Chunk = B.CreateBinaryIntrinsic(Intrinsic::smax, Init.getArgOperand(6), One);
  B.CreateStore(L.Lower, Deal.Lower);
  B.CreateStore(L.Upper, Deal.Upper);
  B.CreateStore(L.Step, Deal.Step);
  B.CreateStore(B.CreateSelect(Equal, Chunk, Trips), Deal.Most);
  B.CreateStore(B.CreateSelect(Equal, B.CreateAdd(B.CreateUDiv(Trips, Chunk), One), Trips), Deal.Left);
  Init.eraseFromParent();
}

static void nextOfDeal(CallBase &Next, const DealtBeside &Deal) {
  IRBuilder<> B(&Next);
  Type *T = Deal.Lower->getAllocatedType();
  const auto Read = [&](AllocaInst *From) { return B.CreateLoad(T, From); };
  const Bounds L = {Read(Deal.Lower), Read(Deal.Upper), Read(Deal.Step), T, isSigned(*Next.getCalledFunction())};
  Value *Left = Read(Deal.Left), *Lower = anyNumber(B, T), *Behind = anyNumber(B, T);
  Value *Upper = B.CreateAdd(Lower, B.CreateMul(Behind, L.Step));
  Value *More = B.CreateAnd(B.CreateICmpNE(Left, ConstantInt::get(T, 0)),
                            B.CreateTrunc(anyNumber(B, B.getInt32Ty()), B.getInt1Ty()));
  Value *Most = Read(Deal.Most);
  B.CreateAssumption(B.CreateOr(B.CreateIsNull(Most), B.CreateICmpULT(Behind, Most)));
  assumeWithin(B, L, Lower, /*AfterFirst=*/true);
  assumeWithin(B, L, Upper, /*AfterFirst=*/true);
  B.CreateStore(B.CreateSub(Left, ConstantInt::get(T, 1)), Deal.Left);
  B.CreateStore(anyNumber(B, B.getInt32Ty()), Next.getArgOperand(2));
  B.CreateStore(Lower, Next.getArgOperand(3));
  B.CreateStore(Upper, Next.getArgOperand(4));
  B.CreateStore(L.Step, Next.getArgOperand(5));
  Next.replaceAllUsesWith(B.CreateZExt(More, Next.getType()));
  Next.eraseFromParent();
}

void dealOutBeside(Module &M) {
  for (Function &F : M)
    for (const StringRef Width : {"_4", "_8"}) { // bytes of the loop's numbers
      SmallVector<CallBase *, 4> Begins, Nexts;
      for (Instruction &I : instructions(F)) {
        auto *Call = dyn_cast<CallInst>(&I);
        const StringRef Name = Call && Call->getCalledFunction() ? Call->getCalledFunction()->getName() : "";
        const std::optional<Role> Which = Name.contains(Width) ? knownRole(Name) : std::nullopt;
        if (Which == Role::DealtLoop)
          Begins.push_back(Call);
        if (Which == Role::DealtNext)
          Nexts.push_back(Call);
      }
      if (Begins.empty())
        continue;
      IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
      DealtBeside Deal = {};
      for (AllocaInst **Each : {&Deal.Lower, &Deal.Upper, &Deal.Step, &Deal.Most, &Deal.Left})
        *Each = B.CreateAlloca(Width == "_4" ? B.getInt32Ty() : B.getInt64Ty());
      for (CallBase *Each : Begins)
        beginDeal(*Each, Deal);
      for (CallBase *Each : Nexts)
        nextOfDeal(*Each, Deal);
    }
}

template <bool Beside> BodyWriter bodyOfWorkSharing(Role Which) {
  return Which == Role::StaticLoop  ? staticInit<Beside>
         : Beside                   ? nullptr
         : Which == Role::DealtLoop ? dispatchInit
         : Which == Role::DealtNext ? dispatchNext
                                    : nullptr;
}

template BodyWriter bodyOfWorkSharing<false>(Role Which);
template BodyWriter bodyOfWorkSharing<true>(Role Which);

} // namespace memshape
