// Allocations become runner calls, exceptions vanish.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lower/Lower.h"
#include "libraries/Allocators.h"
#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "lower/LeadingTo.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace memshape {

/// Whether the product of two factors may wrap to a size that a heap gives. Factors of few bits do not: where one of
/// them is negative, the product is beyond every heap, whether it wraps or not.
static bool mayWrap(const Value *One, const Value *Other, const DataLayout &DL) {
  auto IsNatural = [&](const Value *V) { return computeKnownBits(V, DL).isNonNegative(); };
  const unsigned Bits = One->getType()->getIntegerBitWidth();
  return ComputeNumSignBits(One, DL) + ComputeNumSignBits(Other, DL) <= Bits + 1 ||
         !(IsNatural(One) || IsNatural(Other));
}

/// The product of the size and a constant. Where it overflows, it is more than the runner gives.
static Value *timesConstant(IRBuilder<> &B, Value *Size, const ConstantInt &Factor) {
  Value *Product = B.CreateMul(Size, B.getInt64(Factor.getZExtValue()));
  const uint64_t Most = Factor.isZero() ? ~0ull : ~0ull / Factor.getZExtValue();
  if (!mayWrap(Size, &Factor, B.GetInsertBlock()->getModule()->getDataLayout()))
    return Product;
  return B.CreateSelect(B.CreateICmpUGT(Size, B.getInt64(Most)), B.getInt64(~0ull), Product);
}

/// The bytes that A requests from the heap, at the insertion point of B.
static Value *requestedBytes(IRBuilder<> &B, const AllocationCall &A) {
  Value *Size = B.CreateZExtOrTrunc(A.Size, B.getInt64Ty());
  if (A.Count) {
    Value *Count = B.CreateZExtOrTrunc(A.Count, B.getInt64Ty());
    if (const auto *Times = dyn_cast<ConstantInt>(Count))
      Size = timesConstant(B, Size, *Times);
    else if (const auto *Of = dyn_cast<ConstantInt>(Size))
      Size = timesConstant(B, Count, *Of);
    else
      Size = B.CreateMul(Size, Count);
  }
  if (A.ZeroBecomesOne)
    Size = B.CreateSelect(B.CreateICmpEQ(Size, B.getInt64(0)), B.getInt64(1), Size);
  if (A.RoundsToAlignment) {
    // libstdc++'s new_opa.cc raises the alignment to that of a pointer and the size to a multiple of it.
    Value *Alignment = B.CreateZExtOrTrunc(A.Alignment, B.getInt64Ty());
    Alignment = B.CreateBinaryIntrinsic(Intrinsic::umax, Alignment, B.getInt64(sizeof(void *)));
    Value *Mask = B.CreateSub(Alignment, B.getInt64(1));
    Size = B.CreateAnd(B.CreateAdd(Size, Mask), B.CreateNot(Mask));
  }
  return Size;
}

static void remember(Instruction *I, const AllocationCall &A) {
  LLVMContext &C = I->getContext();
  I->setMetadata(AllocatorMetadata, MDNode::get(C, {MDString::get(C, A.Name), MDString::get(C, spaceName(A.In))}));
}

/// Bytes that a process can address.
static constexpr uint64_t AddressSpace = uint64_t(1) << 47;

/// Where the C library gives no block, whatever there is: null where that cannot be.
static Value *refusal(IRBuilder<> &B, const AllocationCall &A) {
  Value *Never = B.getFalse();
  if (A.Kind == AllocationKind::Store && A.Alignment) {
    // posix_memalign wants a power of two that is a multiple of a pointer's size.
    Value *Alignment = B.CreateZExtOrTrunc(A.Alignment, B.getInt64Ty());
    Value *Less = B.CreateSub(Alignment, B.getInt64(1));
    Never = B.CreateOr(B.CreateICmpNE(B.CreateAnd(Alignment, Less), B.getInt64(0)),
                       B.CreateICmpULT(Alignment, B.getInt64(sizeof(void *))));
  } else if (A.Kind == AllocationKind::Allocate && A.Alignment && !A.RoundsToAlignment) {
    // memalign takes the next power of two, and asks for that much more.
    Never = B.CreateICmpUGT(B.CreateZExtOrTrunc(A.Alignment, B.getInt64Ty()), B.getInt64(AddressSpace / 2));
  }
  const DataLayout &DL = B.GetInsertBlock()->getModule()->getDataLayout();
  const auto IsUsual = [](const Value *Factor) { // as that of an element
    const auto *Known = dyn_cast<ConstantInt>(Factor);
    return Known && Known->getValue().getActiveBits() <= 32;
  };
  if (A.Count && !IsUsual(A.Size) && !IsUsual(A.Count) && A.Size->getType() == A.Count->getType() &&
      mayWrap(A.Size, A.Count, DL)) {
    Value *Product = B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, A.Size, A.Count);
    Value *Bytes = B.CreateZExtOrTrunc(B.CreateExtractValue(Product, 0), B.getInt64Ty());
    Value *Beyond = B.CreateICmpUGT(Bytes, B.getInt64(AddressSpace));
    Never = B.CreateOr(Never, B.CreateOr(B.CreateExtractValue(Product, 1), Beyond));
  }
  const auto *Known = dyn_cast<ConstantInt>(Never);
  return Known && Known->isZero() ? nullptr : Never;
}

/// realloc to nothing frees a block and returns null.
static Value *unlessFreed(IRBuilder<> &B, const AllocationCall &A, Value *Bytes, Value *Moved) {
  if (isKnownNonZero(Bytes, SimplifyQuery(B.GetInsertBlock()->getModule()->getDataLayout())))
    return Moved;
  Value *Freed = B.CreateAnd(B.CreateIsNull(Bytes), B.CreateIsNotNull(A.Block));
  return B.CreateSelect(Freed, Constant::getNullValue(Moved->getType()), Moved);
}

/// A block for A's request.
static CallInst *allocated(IRBuilder<> &B, const AllocationCall &A) {
  Value *Alignment = A.Alignment ? B.CreateZExtOrTrunc(A.Alignment, B.getInt64Ty()) : B.getInt64(0);
  CallInst *Block =
      B.CreateCall(runnerFunction(*B.GetInsertBlock()->getModule(), RunnerCall::Alloc),
                   {requestedBytes(B, A), Alignment, B.getInt32(0), B.getInt32(A.Zeroed ? MEMSHAPE_SK_ZEROED : 0)});
  remember(Block, A);
  return Block;
}

/// A block instead of A's. Rust's library asks the C library's realloc where malloc would have aligned the block as well,
/// and takes another block otherwise (library/std/src/sys/alloc/unix.rs).
static Value *reallocated(IRBuilder<> &B, const AllocationCall &A) {
  Module &M = *B.GetInsertBlock()->getModule();
  Value *Bytes = requestedBytes(B, A);
  const auto Moved = [&] {
    CallInst *Block = B.CreateCall(runnerFunction(M, RunnerCall::Realloc),
                                   {A.Block, Bytes, B.getInt32(0), B.getInt32(A.Zeroed ? MEMSHAPE_SK_ZEROED : 0)});
    remember(Block, A);
    return unlessFreed(B, A, Bytes, Block);
  };
  const auto Other = [&] {
    Value *Block = allocated(B, A);
    Value *Had = B.CreateCall(runnerFunction(M, RunnerCall::BlockSize), {A.Block});
    B.CreateMemCpy(Block, MaybeAlign(), A.Block, MaybeAlign(), B.CreateBinaryIntrinsic(Intrinsic::umin, Had, Bytes));
    B.CreateCall(runnerFunction(M, RunnerCall::Free), {A.Block});
    return Block;
  };
  Value *IsUsual = A.Alignment ? B.CreateICmpULE(B.CreateZExtOrTrunc(A.Alignment, B.getInt64Ty()),
                                                 B.getInt64(MEMSHAPE_SK_BLOCK_ALIGNMENT))
                               : B.getTrue();
  if (const auto *Known = dyn_cast<ConstantInt>(IsUsual))
    return Known->isOne() ? Moved() : Other();
  Instruction &Behind = *B.GetInsertPoint(), *Then, *Else;
  SplitBlockAndInsertIfThenElse(IsUsual, &Behind, &Then, &Else);
  B.SetInsertPoint(Then);
  Value *ByRealloc = Moved();
  B.SetInsertPoint(Else);
  Value *ByCopy = Other();
  B.SetInsertPoint(&Behind);
  PHINode *Either = B.CreatePHI(ByCopy->getType(), 2);
  Either->addIncoming(ByRealloc, Then->getParent());
  Either->addIncoming(ByCopy, Else->getParent());
  return Either;
}

static void lowerAllocation(CallBase &Call, const AllocationCall &A) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Value *Refused = refusal(B, A);
  BasicBlock *Before = Call.getParent();
  if (Refused)
    B.SetInsertPoint(SplitBlockAndInsertIfThen(B.CreateNot(Refused), Call.getIterator(), false));
  // An invoke stays until exceptional paths are dropped; the runner's call is inserted before it.
  Value *Result = nullptr;
  switch (A.Kind) {
  case AllocationKind::Allocate:
  case AllocationKind::Store: {
    Value *Block = allocated(B, A);
    Result = Block;
    if (A.Kind == AllocationKind::Store) {
      B.CreateStore(Block, Call.getArgOperand(0));
      Result = Constant::getNullValue(Call.getType());
    }
    break;
  }
  case AllocationKind::Reallocate: Result = reallocated(B, A); break;
  case AllocationKind::Release:
    B.CreateCall(runnerFunction(M, RunnerCall::Free), {A.Block});
    if (!Call.getType()->isVoidTy())
      Result = Constant::getNullValue(Call.getType());
    break;
  }
  if (Refused && Result) {
    constexpr unsigned InvalidArgument = 22; // EINVAL
    PHINode *Either = PHINode::Create(Call.getType(), 2, "", Call.getParent()->begin());
    Either->addIncoming(Result, B.GetInsertBlock());
    Either->addIncoming(Call.getType()->isIntegerTy() ? ConstantInt::get(Call.getType(), InvalidArgument)
                                                      : Constant::getNullValue(Call.getType()),
                        Before);
    Result = Either;
  }
  if (Result)
    Call.replaceAllUsesWith(Result);
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    IRBuilder<>(&Call).CreateBr(Invoke->getNormalDest());
  }
  Call.eraseFromParent();
}

/// The guard of a static local variable is a byte that is set once: plain memory can be analysed.
static bool lowerGuard(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Call.arg_size() != 1)
    return false;
  IRBuilder<> B(&Call);
  Value *Guard = Call.getArgOperand(0);
  if (Callee->getName() == "__cxa_guard_acquire")
    Call.replaceAllUsesWith(
        B.CreateZExt(B.CreateICmpEQ(B.CreateLoad(B.getInt8Ty(), Guard), B.getInt8(0)), Call.getType()));
  else if (Callee->getName() == "__cxa_guard_release")
    B.CreateStore(B.getInt8(1), Guard);
  else if (Callee->getName() != "__cxa_guard_abort")
    return false;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    Invoke->getUnwindDest()->removePredecessor(Invoke->getParent());
    B.CreateBr(Invoke->getNormalDest());
  }
  Call.eraseFromParent();
  return true;
}

/// A library's hint that there is one thread: both answers lead to the same memory, and a constant lets the other one
/// vanish.
static void assumeSingleThread(Module &M) {
  for (GlobalVariable &Hint : M.globals()) {
    if (Hint.hasInitializer() || knownRole(Hint.getName()) != Role::SingleThreadHint)
      continue;
    for (User *U : make_early_inc_range(Hint.users()))
      if (auto *Load = dyn_cast<LoadInst>(U)) {
        Load->replaceAllUsesWith(ConstantInt::get(Load->getType(), 1));
        Load->eraseFromParent();
      }
  }
}

/// Whether Call is memshape_data of <memshape/operator.h>: an empty asm statement with a unique comment.
static bool isDataMark(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && StringRef(Asm->getAsmString()).contains("# memshape.data") && Call.arg_size() == 2;
}

/// Of a function that builds arguments: the operator has returned, and what its caller does then is not asked.
static bool isReturnMark(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && StringRef(Asm->getAsmString()).contains("# memshape.returned");
}

/// The rest of the function goes.
static void returnHere(CallBase &Mark) {
  BasicBlock &End = *Mark.getParent();
  changeToUnreachable(&Mark);
  Instruction *Last = End.getTerminator();
  IRBuilder<>(Last).CreateRetVoid();
  Last->eraseFromParent();
  removeUnreachableBlocks(*End.getParent());
}

/// Of a function that builds arguments: what is allocated from here on is the caller's.
static bool isBuildingMark(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && StringRef(Asm->getAsmString()).contains("# memshape.building") && Call.arg_size() == 1;
}

/// Of a function that builds arguments: an extent of what the operator has returned.
static bool isResultMark(const CallBase &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && StringRef(Asm->getAsmString()).contains("# memshape.result") && Call.arg_size() == 2;
}

/// Metadata kind on a store that tells the class of an object which a library builds.
static constexpr char ClassMetadata[] = "memshape.class";

/// A library's constructor sets the pointer to the virtual table. The store is added here, so that it can be analysed.
static void setVTable(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  const StringRef Table = Callee && Callee->isDeclaration() ? summaryOf(*Callee).Builds : "";
  if (Table.empty() || Call.arg_empty())
    return;
  IRBuilder<> B(&Call);
  auto *Known = dyn_cast<GlobalVariable>(Call.getModule()->getOrInsertGlobal(Table, B.getPtrTy()));
  if (!Known || !Known->isDeclaration())
    return;
  const uint64_t FirstFunction = 2 * sizeof(void *); // after the offset to the top and the type information
  StoreInst *Store = B.CreateStore(B.CreateConstGEP1_64(B.getInt8Ty(), Known, FirstFunction), Call.getArgOperand(0));
  Store->setMetadata(ClassMetadata, MDNode::get(Call.getContext(), {}));
}

void forgetClasses(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (I.hasMetadata(ClassMetadata))
        I.eraseFromParent();
}

/// A library's state, such as errno, may change between any two reads.
static void watchState(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || !Call.getType()->isPointerTy() || !summaryOf(*Callee).ResultIsState)
    return;
  for (User *U : Call.users())
    if (auto *Look = dyn_cast<LoadInst>(U))
      Look->setVolatile(true);
}

/// What a library's function returns where it is taken to succeed. The call itself stays, for what it does to memory.
static void assumeSuccess(CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (Callee && Callee->isDeclaration() && Call.getType()->isIntegerTy() && summaryOf(*Callee).ResultIsSuccess)
    Call.replaceAllUsesWith(Constant::getNullValue(Call.getType()));
}

void lowerAllocations(Module &M) {
  SmallVector<CallBase *, 32> Allocations;
  SmallVector<CallBase *, 4> Marks;
  SmallVector<WeakTrackingVH, 4> Returns;
  assumeSingleThread(M);
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !lowerGuard(*Call)) {
        setVTable(*Call);
        watchState(*Call);
        assumeSuccess(*Call);
        if (isReturnMark(*Call))
          Returns.push_back(Call);
        else if (isDataMark(*Call) || isBuildingMark(*Call) || isResultMark(*Call))
          Marks.push_back(Call);
        else if (allocationCall(*Call))
          Allocations.push_back(Call);
      }
  for (CallBase *Call : Allocations) // analysed again: blocks that were lowered before have other names now
    lowerAllocation(*Call, *allocationCall(*Call));
  for (CallBase *Mark : Marks) {
    IRBuilder<> B(Mark);
    if (isBuildingMark(*Mark))
      B.CreateCall(runnerFunction(M, RunnerCall::Building),
                   {B.CreateZExtOrTrunc(Mark->getArgOperand(0), B.getInt32Ty())});
    else if (isResultMark(*Mark))
      B.CreateCall(runnerFunction(M, RunnerCall::Result),
                   {B.CreateZExtOrTrunc(Mark->getArgOperand(0), B.getInt32Ty()),
                    B.CreateSExtOrTrunc(Mark->getArgOperand(1), B.getInt64Ty())});
    else
      markData(B, Mark->getArgOperand(0), B.CreateZExtOrTrunc(Mark->getArgOperand(1), B.getInt64Ty()));
    Mark->eraseFromParent();
  }
  for (const WeakTrackingVH &Mark : Returns)
    if (Mark)
      returnHere(*cast<CallBase>(Mark));
}

void leaveBefore(Instruction *I, uint32_t Reason) {
  IRBuilder<> B(I);
  B.CreateCall(runnerFunction(*I->getModule(), RunnerCall::Leave), {B.getInt32(Reason)});
  changeToUnreachable(I);
}

/// Whether BB ends on a path that is not followed although the operator returns: it waits for another thread, or
/// catches.
static bool endsUnfollowed(const BasicBlock &BB) {
  const auto *End = dyn_cast<UnreachableInst>(BB.getTerminator());
  const auto *Call = End ? dyn_cast_or_null<CallInst>(End->getPrevNode()) : nullptr;
  if (!Call || runnerCall(*Call) != RunnerCall::Leave)
    return false;
  const auto *Reason = cast<ConstantInt>(Call->getArgOperand(0));
  return Reason->equalsInt(MEMSHAPE_SK_WAITS) || Reason->equalsInt(MEMSHAPE_SK_CAUGHT);
}

/// Blocks of F from which a return can be reached.
static Blocks returningBlocks(const Function &F) {
  return leadingTo(F, [](const BasicBlock &BB) { return isa<ReturnInst>(BB.getTerminator()) || endsUnfollowed(BB); });
}

/// Marks landing pads from which F can return: exceptions that are caught, not only cleaned up after.
static void markCaught(Function &F) {
  const Blocks Returning = returningBlocks(F);
  for (BasicBlock &BB : F)
    if (auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator());
        Invoke && Returning.contains(Invoke->getUnwindDest())) {
      IRBuilder<> B(Invoke);
      B.CreateCall(F.getParent()->getOrInsertFunction(CaughtMark, FunctionType::get(B.getVoidTy(), false)));
    }
}

/// Ends blocks after calls that never return. A unit that only declares such a function continues after the call; the
/// definition in another unit shows it.
static void endBehindLastCalls(Function &F) {
  for (BasicBlock &BB : make_early_inc_range(F)) {
    if (auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator());
        Invoke && Invoke->doesNotReturn() && !isa<UnreachableInst>(Invoke->getNormalDest()->getTerminator())) {
      auto *Nowhere = BasicBlock::Create(F.getContext(), "never", &F);
      new UnreachableInst(F.getContext(), Nowhere);
      Invoke->getNormalDest()->removePredecessor(&BB);
      Invoke->setNormalDest(Nowhere);
    }
    for (Instruction &I : BB)
      if (auto *Call = dyn_cast<CallInst>(&I);
          Call && Call->doesNotReturn() && !isa<UnreachableInst>(Call->getNextNode())) {
        changeToUnreachable(Call->getNextNode());
        break;
      }
  }
}

/// Whether control leaves BB by a throw or a jump, rather than ending the program.
static bool leavesOperator(const BasicBlock &BB) {
  return any_of(BB, [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || !(Call->doesNotReturn() || isa_and_nonnull<UnreachableInst>(Call->getNextNode())))
      return false;
    if (runnerCall(*Call) == RunnerCall::Leave)
      return !cast<ConstantInt>(Call->getArgOperand(0))->equalsInt(MEMSHAPE_SK_ABORTS);
    const Function *Callee = Call->getCalledFunction();
    if (Callee && !Callee->isDeclaration())
      return any_of(*Callee, leavesOperator);
    return !Call->doesNotThrow() || (Callee && knownRole(Callee->getName()) == Role::Jump);
  });
}

void dropExceptionalPaths(Function &F) {
  endBehindLastCalls(F);
  const Blocks ReturningByCatch = returningBlocks(F);
  markCaught(F);
  for (BasicBlock &BB : make_early_inc_range(F))
    if (auto *Invoke = dyn_cast<InvokeInst>(BB.getTerminator()))
      changeToCall(Invoke);
  endBehindLastCalls(F);
  removeUnreachableBlocks(F);
  const Blocks Returning = returningBlocks(F), Leaving = leadingTo(F, leavesOperator);
  if (!Returning.contains(&F.getEntryBlock()))
    F.setDoesNotReturn(); // for its callers, which are processed later
  for (BasicBlock &BB : make_early_inc_range(F)) {
    if (Returning.contains(&BB))
      continue;
    auto *First = &*BB.getFirstNonPHIOrDbg();
    if (auto *Call = dyn_cast<CallInst>(First); Call && runnerCall(*Call) == RunnerCall::Leave)
      continue;
    // A throw that F itself catches would lead to a return, on a path that is not followed.
    if (ReturningByCatch.contains(&BB))
      leaveBefore(First, MEMSHAPE_SK_CAUGHT);
    else if (!isa<UnreachableInst>(First))
      leaveBefore(First, Leaving.contains(&BB) ? MEMSHAPE_SK_THROWS : MEMSHAPE_SK_ABORTS);
  }
  removeUnreachableBlocks(F);
}

/// Whether V is arithmetic on arguments and constants alone, of limited depth.
static bool isShapeArithmetic(Value *V, unsigned Depth = 0) {
  if (isa<Constant>(V) && !isa<ConstantExpr>(V) && !isa<GlobalValue>(V))
    return true;
  if (auto *A = dyn_cast<Argument>(V))
    return !A->getType()->isPointerTy();
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 12 || !(isa<BinaryOperator>(I) || isa<CmpInst>(I) || isa<CastInst>(I) || isa<SelectInst>(I)))
    return false;
  return all_of(I->operands(), [&](Value *Op) { return isShapeArithmetic(Op, Depth + 1); });
}

void keepShapeChecks(Function &F) {
  const Blocks Returning = returningBlocks(F);
  DominatorTree DT(F);
  LoopInfo LI(DT);
  // Walks down the blocks that every call passes, from the entry on, while the only other successor is an exit.
  for (BasicBlock *BB = &F.getEntryBlock(); BB && !LI.getLoopFor(BB);) {
    auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch)
      return;
    if (Branch->isUnconditional()) {
      BB = Branch->getSuccessor(0)->getSinglePredecessor() ? Branch->getSuccessor(0) : nullptr;
      continue;
    }
    BasicBlock *Yes = Branch->getSuccessor(0), *No = Branch->getSuccessor(1);
    if (Returning.contains(Yes) == Returning.contains(No))
      return;
    BasicBlock *Exit = Returning.contains(Yes) ? No : Yes;
    if (isShapeArithmetic(Branch->getCondition())) {
      auto *Leave = BasicBlock::Create(F.getContext(), "refused", &F);
      IRBuilder<> B(Leave);
      CallInst *Call =
          B.CreateCall(runnerFunction(*F.getParent(), RunnerCall::Leave), {B.getInt32(MEMSHAPE_SK_REFUSED)});
      Call->setDebugLoc(Branch->getDebugLoc());
      B.CreateUnreachable();
      Exit->removePredecessor(BB);
      Branch->replaceSuccessorWith(Exit, Leave);
    }
    BB = Exit == Yes ? No : Yes;
    if (!BB->getSinglePredecessor())
      return;
  }
}

void lowerRepeats(Module &M) {
  SmallVector<CallBase *, 8> Repeats;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction() && Call->getType()->isVoidTy() &&
                                               Call->arg_size() == 1 &&
                                               Call->getArgOperand(0)->getType()->isPointerTy() &&
                                               summaryOf(*Call->getCalledFunction()).How == Treatment::Repeat)
        Repeats.push_back(Call);
  for (CallBase *Call : Repeats) {
    IRBuilder<> B(Call);
    Function *Repeated = Call->getCalledFunction();
    if (StringRef Description = summaryOf(*Repeated).Description; Description.empty()) {
      B.CreateCall(runnerFunction(M, RunnerCall::Repeat), {Repeated, Call->getArgOperand(0)});
    } else {
      auto *Describes = FunctionType::get(B.getPtrTy(), {B.getPtrTy()}, false);
      B.CreateCall(runnerFunction(M, RunnerCall::RepeatAlike),
                   {Repeated, Call->getArgOperand(0), M.getOrInsertFunction(Description, Describes).getCallee()});
    }
    Call->eraseFromParent();
  }
}

} // namespace memshape
