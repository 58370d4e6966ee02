// The runner's functions, as IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner-calls/RunnerCalls.h"
#include "Compat.h"
#include "memshape/SkeletonAbi.h"

using namespace llvm;

namespace memshape {

namespace {

enum MemoryOf { Runner, RunnerAndBlock, Arguments, ReadsArguments, ReadsAll, Nothing, Anything };
enum Ending { MayEnd, Returns };

/// One function of memshape/SkeletonAbi.h.
struct RunnerSignature {
  RunnerCall Which;
  StringLiteral Name;
  StringLiteral Types;  ///< of the result and of the arguments: p a pointer, i and l integers of 32 and 64 bits, v none
  MemoryOf Effects;     ///< memory that it reads and writes
  Ending Ends = MayEnd; ///< whether an evaluation may end there
};

} // namespace

static constexpr RunnerSignature Signatures[] = {
    {RunnerCall::Alloc, "memshape_sk_alloc", "pllii", Runner, Returns},
    {RunnerCall::Realloc, "memshape_sk_realloc", "pplii", RunnerAndBlock, Returns},
    {RunnerCall::Free, "memshape_sk_free", "vp", RunnerAndBlock, Returns},
    {RunnerCall::BlockSize, "memshape_sk_block_size", "lp", Runner},
    {RunnerCall::Decide, "memshape_sk_decide", "iii", Runner},
    {RunnerCall::Value, "memshape_sk_value", "lil", Runner},
    {RunnerCall::BoundedValue, "memshape_sk_bounded_value", "lil", Runner},
    {RunnerCall::ArgumentData, "memshape_sk_argument_data", "lil", Runner},
    // In one evaluation the same numbers lead to the same answer.
    {RunnerCall::Within, "memshape_sk_within", "llll", Nothing, Returns},
    {RunnerCall::Extreme, "memshape_sk_extreme", "lpllli", ReadsArguments, Returns},
    {RunnerCall::Tensor, "memshape_sk_tensor", "pi", Runner},
    {RunnerCall::Leave, "memshape_sk_leave", "vi", Runner},
    {RunnerCall::Check, "memshape_sk_check", "vi", Runner},
    // A later call finds what was stored before.
    {RunnerCall::MayEnd, "memshape_sk_may_end", "v", ReadsAll},
    {RunnerCall::Compare, "memshape_sk_compare", "vppi", Runner, Returns},
    {RunnerCall::Unknown, "memshape_sk_unknown", "vi", Runner},
    {RunnerCall::MayFree, "memshape_sk_may_free", "v", Runner},
    {RunnerCall::Attempt, "memshape_sk_attempt", "ii", Runner},
    {RunnerCall::Recall, "memshape_sk_recall", "vii", Runner},
    {RunnerCall::Wraps, "memshape_sk_wraps", "vi", Runner, Returns},
    {RunnerCall::Repeat, "memshape_sk_repeat", "vpp", Anything},
    {RunnerCall::RepeatAlike, "memshape_sk_repeat_alike", "vppp", Anything},
    {RunnerCall::TeamSize, "memshape_sk_team_size", "ii", Runner},
    {RunnerCall::Levels, "memshape_sk_levels", "vi", Runner},
    {RunnerCall::Processors, "memshape_sk_processors", "i", Runner},
    {RunnerCall::DefaultThreads, "memshape_sk_default_threads", "i", Runner},
    {RunnerCall::Region, "memshape_sk_region", "vil", Runner},
    {RunnerCall::RegionEnd, "memshape_sk_region_end", "v", Runner},
    {RunnerCall::Team, "memshape_sk_team", "vipp", Anything},
    // Meanwhile the other threads write.
    {RunnerCall::Barrier, "memshape_sk_barrier", "v", Anything},
    {RunnerCall::Lock, "memshape_sk_lock", "v", Runner},
    {RunnerCall::Thread, "memshape_sk_thread", "i", Runner},
    {RunnerCall::Threads, "memshape_sk_threads", "i", Runner},
    {RunnerCall::Level, "memshape_sk_level", "i", Runner},
    {RunnerCall::Single, "memshape_sk_single", "i", Runner},
    {RunnerCall::Serial, "memshape_sk_serial", "vi", Runner},
    {RunnerCall::Building, "memshape_sk_building", "vi", Runner},
    {RunnerCall::Result, ResultName, "vil", Runner, Returns},
    {RunnerCall::Loop, "memshape_sk_loop", "vllll", Runner},
    {RunnerCall::LoopNext, "memshape_sk_loop_next", "i", Runner},
    {RunnerCall::LoopValue, "memshape_sk_loop_value", "li", Runner},
    {RunnerCall::Spawn, "memshape_sk_spawn", "vi", Runner},
    {RunnerCall::Spawned, "memshape_sk_spawned", "li", Runner},
    {RunnerCall::Join, "memshape_sk_join", "vl", Runner},
    {RunnerCall::ThreadLocal, "memshape_sk_thread_local", "vpl", Anything},
    {RunnerCall::Touch, "memshape_sk_touch", "vplll", Runner, Returns},
    {RunnerCall::Taint, "memshape_sk_taint", "vplll", Runner, Returns},
    {RunnerCall::Untainted, "memshape_sk_untainted", "vpl", Runner},
    {RunnerCall::Data, DataMark, "vpl", Anything},
};

RunnerCall runnerCall(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || !F->isDeclaration() || !F->getName().starts_with("memshape"))
    return RunnerCall::None;
  const auto *Found = find_if(Signatures, [&](const RunnerSignature &S) { return S.Name == F->getName(); });
  return Found == std::end(Signatures) ? RunnerCall::None : Found->Which;
}

bool marksAllBehind(const CallBase &Data) {
  const auto *Bytes = dyn_cast<ConstantInt>(Data.getArgOperand(1));
  return Bytes && Bytes->getZExtValue() == AllBehind;
}

bool ordersThreads(RunnerCall Which) {
  return is_contained({RunnerCall::Levels, RunnerCall::Barrier, RunnerCall::Lock, RunnerCall::Single, RunnerCall::Loop,
                       RunnerCall::LoopNext, RunnerCall::Spawn, RunnerCall::Spawned, RunnerCall::Join},
                      Which);
}

bool marksThread(const Instruction &I, RunnerCall Which) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && runnerCall(*Call) == Which &&
         cast<ConstantInt>(Call->getArgOperand(0))->getZExtValue() != MEMSHAPE_SK_POOLED;
}

static MemoryEffects effectsOf(MemoryOf Memory) {
  switch (Memory) {
  case Runner: return MemoryEffects::inaccessibleMemOnly();
  case RunnerAndBlock: return MemoryEffects::inaccessibleOrArgMemOnly();
  case Arguments: return MemoryEffects::argMemOnly();
  case ReadsArguments: return MemoryEffects::argMemOnly(ModRefInfo::Ref);
  case ReadsAll: return MemoryEffects::readOnly() | MemoryEffects::inaccessibleMemOnly();
  case Nothing: return MemoryEffects::none();
  case Anything: return MemoryEffects::unknown();
  }
  llvm_unreachable("no such effects");
}

static Type *typeOf(char Code, LLVMContext &C) {
  switch (Code) {
  case 'p': return PointerType::getUnqual(C);
  case 'i': return Type::getInt32Ty(C);
  case 'l': return Type::getInt64Ty(C);
  default: return Type::getVoidTy(C);
  }
}

FunctionCallee runnerFunction(Module &M, RunnerCall Which) {
  LLVMContext &C = M.getContext();
  const auto *S = find_if(Signatures, [&](const RunnerSignature &Each) { return Each.Which == Which; });
  assert(S != std::end(Signatures) && "not a function of the runner");
  SmallVector<Type *, 5> Types;
  for (char Code : S->Types)
    Types.push_back(typeOf(Code, C));
  FunctionCallee Callee =
      M.getOrInsertFunction(S->Name, FunctionType::get(Types.front(), ArrayRef(Types).drop_front(), false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(effectsOf(S->Effects));
  F->setDoesNotThrow();
  if (S->Ends == Returns)
    F->setWillReturn();
  switch (Which) {
  case RunnerCall::Alloc:
  case RunnerCall::Realloc:
    F->setReturnDoesNotAlias();
    F->addRetAttr(Attribute::NonNull);
    break;
  case RunnerCall::Leave: F->setDoesNotReturn(); break;
  case RunnerCall::Extreme: F->addParamAttr(0, compat::captureNothing(C)); break;
  case RunnerCall::Touch:
  case RunnerCall::Taint:
  case RunnerCall::Untainted:
    // Looks at the address alone: nobody's memory is read or written, and no pointer kept.
    F->addParamAttr(0, compat::captureNothing(C));
    F->addParamAttr(0, Attribute::ReadNone);
    break;
  default: break;
  }
  return Callee;
}

void markData(IRBuilderBase &B, Value *Pointer, Value *Bytes) {
  CallInst *Mark = B.CreateCall(runnerFunction(*B.GetInsertBlock()->getModule(), RunnerCall::Data), {Pointer, Bytes});
  if (!marksAllBehind(*Mark))
    Mark->setMemoryEffects(effectsOf(Arguments));
}

Value *dataValue(Instruction &Where, Type *T) {
  Module &M = *Where.getModule();
  IRBuilder<> B(&*Where.getFunction()->getEntryBlock().begin());
  Value *Slot = B.CreateAlloca(T);
  B.SetInsertPoint(&Where);
  B.CreateStore(Constant::getNullValue(T), Slot);
  markData(B, Slot, B.getInt64(M.getDataLayout().getTypeStoreSize(T)));
  return B.CreateLoad(T, Slot);
}

} // namespace memshape
