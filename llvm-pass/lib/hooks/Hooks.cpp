// Tells the runtime of allocations and operator calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     @memshape.hooks = internal global ptr null            ; set by memshape_attach, when there is one
//
//       %hooks = load ptr, ptr @memshape.hooks
//       br (%hooks != null), label %announce, label %go     ; predicted not taken
//     announce:
//       call void %hooks->allocation(ptr @memshape.site)
//     go:
//       %p = call ptr @malloc(i64 %n)

#include "hooks/Hooks.h"
#include "libraries/Allocators.h"
#include "memshape/hooks.h"
#include "operators/Operators.h"
#include "operators/SourcePlace.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace memshape {

/// Whether hooks can be inserted: a naked function is assembly only.
static bool canHold(const Function &F) { return !F.hasFnAttribute(Attribute::Naked); }

namespace {

class HookWriter {
  Module &M;
  const ShapeReaders &Readers;
  LLVMContext &C;
  Type *Ptr, *I32, *I64, *Double;
  GlobalVariable *Slot = nullptr;
  StringMap<Constant *> Strings;

public:
  HookWriter(Module &Mod, const ShapeReaders &Readers)
      : M(Mod), Readers(Readers), C(Mod.getContext()), Ptr(PointerType::getUnqual(C)), I32(Type::getInt32Ty(C)),
        I64(Type::getInt64Ty(C)), Double(Type::getDoubleTy(C)) {}

  bool run();

private:
  GlobalVariable *slot();
  Constant *string(StringRef Text);
  Constant *names(ArrayRef<std::string> Texts);
  GlobalVariable *constantOf(Constant *Init, const Twine &Name);
  Constant *site(const CallBase &Call, const AllocationCall &A);
  Constant *descriptor(const Operator &Op);
  /// Calls the table's entry at byte Offset where a table is present; the block continues at Before.
  CallInst *callHook(Instruction *Before, unsigned Offset, ArrayRef<Value *> Arguments);
  void callReader(Instruction *Before, const Operator &Op, const ShapeReader &Reader, Value *Shape, Value *Settings);
  void wrapOperator(Operator Op);
};

} // namespace

GlobalVariable *HookWriter::slot() {
  if (Slot)
    return Slot;
  Slot = new GlobalVariable(M, Ptr, false, GlobalValue::InternalLinkage,
                            ConstantPointerNull::get(cast<PointerType>(Ptr)), "memshape.hooks");

  // if (&memshape_attach) memshape_attach(abi, &slot): the reference is weak, so that the program links and runs alone.
  FunctionCallee Attach =
      M.getOrInsertFunction("memshape_attach", FunctionType::get(Type::getVoidTy(C), {I32, Ptr}, false));
  auto *Target = cast<Function>(Attach.getCallee());
  Target->setLinkage(GlobalValue::ExternalWeakLinkage);
  auto *Constructor = Function::Create(FunctionType::get(Type::getVoidTy(C), false), GlobalValue::InternalLinkage,
                                       "memshape.attach", M);
  Constructor->addFnAttr(Attribute::NoUnwind);
  auto *Entry = BasicBlock::Create(C, "", Constructor), *Call = BasicBlock::Create(C, "", Constructor),
       *Exit = BasicBlock::Create(C, "", Constructor);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateIsNotNull(Target), Call, Exit);
  B.SetInsertPoint(Call);
  B.CreateCall(Attach, {ConstantInt::get(I32, MEMSHAPE_HOOKS_ABI), Slot});
  B.CreateBr(Exit);
  B.SetInsertPoint(Exit);
  B.CreateRetVoid();
  const int BeforeUserConstructors = 1;
  appendToGlobalCtors(M, Constructor, BeforeUserConstructors);
  return Slot;
}

GlobalVariable *HookWriter::constantOf(Constant *Init, const Twine &Name) {
  return new GlobalVariable(M, Init->getType(), true, GlobalValue::PrivateLinkage, Init, Name);
}

Constant *HookWriter::string(StringRef Text) {
  Constant *&S = Strings[Text];
  if (!S) {
    GlobalVariable *G = constantOf(ConstantDataArray::getString(C, Text), "memshape.str");
    G->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    S = G;
  }
  return S;
}

Constant *HookWriter::names(ArrayRef<std::string> Texts) {
  if (Texts.empty())
    return ConstantPointerNull::get(cast<PointerType>(Ptr));
  SmallVector<Constant *, 8> Elements;
  for (const std::string &T : Texts)
    Elements.push_back(string(T));
  return constantOf(ConstantArray::get(ArrayType::get(Ptr, Elements.size()), Elements), "memshape.names");
}

/// struct memshape_site
Constant *HookWriter::site(const CallBase &Call, const AllocationCall &A) {
  SourcePlace P = displayPlace(Call.getDebugLoc());
  if (P.Function.empty())
    P.Function = Call.getFunction()->getName().str();
  auto Number = [&](unsigned N) { return ConstantInt::get(I32, N); };
  return constantOf(ConstantStruct::getAnon({string(P.File), string(P.Function), Number(P.Line), Number(P.Column),
                                             Number(unsigned(A.In)), Number(0)}),
                    "memshape.site");
}

/// struct memshape_operator
Constant *HookWriter::descriptor(const Operator &Op) {
  std::vector<std::string> Shape, Settings;
  for (const ParameterFact &P : Op.Fact.Parameters) {
    if (P.Role == ParameterRole::Shape)
      Shape.push_back(P.Name);
    if (P.Role == ParameterRole::Setting)
      Settings.push_back(P.Name);
  }
  auto Number = [&](unsigned N) { return ConstantInt::get(I32, N); };
  return constantOf(
      ConstantStruct::getAnon({string(Op.Fact.Name), string(Op.Fact.File), Number(Op.Fact.Line), Number(Shape.size()),
                               Number(Settings.size()), Number(0), names(Shape), names(Settings)}),
      "memshape.operator");
}

CallInst *HookWriter::callHook(Instruction *Before, unsigned Offset, ArrayRef<Value *> Arguments) {
  IRBuilder<> B(Before);
  Value *Hooks = B.CreateLoad(Ptr, slot());
  Instruction *Then = SplitBlockAndInsertIfThen(B.CreateIsNotNull(Hooks), Before->getIterator(), /*Unreachable=*/false,
                                                MDBuilder(C).createBranchWeights(1, 1 << 20));
  IRBuilder<> T(Then);
  if (Before->getDebugLoc())
    T.SetCurrentDebugLocation(Before->getDebugLoc());
  SmallVector<Type *, 2> Types;
  for (Value *V : Arguments)
    Types.push_back(V->getType());
  Value *Entry = T.CreateLoad(Ptr, T.CreateConstGEP1_64(T.getInt8Ty(), Hooks, Offset));
  CallInst *Call = T.CreateCall(FunctionType::get(T.getVoidTy(), Types, false), Entry, Arguments);
  Call->setDoesNotThrow();
  return Call;
}

/// Whether the operator uses the argument, and reads what it refers to. Callers in the same unit need not have given
/// what it does not use, nor have written what it does not read.
static bool isRead(const Argument &A) {
  const bool Refers = A.getType()->isPointerTy() && !A.hasByValAttr();
  return !A.use_empty() && !(Refers && (A.hasAttribute(Attribute::ReadNone) || A.hasAttribute(Attribute::WriteOnly) ||
                                        !isRefSet(A.getParent()->getMemoryEffects().getModRef(IRMemLocation::ArgMem))));
}

/// A bit for each parameter of the source, the object of a member function in front: what it refers to may be read.
static uint64_t readableArguments(const Operator &Op) {
  const Function &F = *Op.Function;
  const unsigned Object = Op.Fact.HasThis ? 1 : 0, Count = unsigned(Op.Fact.Parameters.size()) + Object;
  const unsigned Slots = unsigned(count_if(F.args(), [](const Argument &A) { return A.hasStructRetAttr(); }));
  if (F.arg_size() != Slots + Count) // objects in registers: nobody can tell which argument is which parameter
    return all_of(drop_begin(F.args(), Slots), isRead) ? ~uint64_t(0) : 0;
  uint64_t Bits = 0;
  for (unsigned I = 0; I != std::min(Count, 64U); ++I)
    Bits |= uint64_t(isRead(*F.getArg(Slots + I))) << I;
  return Bits;
}

void HookWriter::callReader(Instruction *Before, const Operator &Op, const ShapeReader &Reader, Value *Shape,
                            Value *Settings) {
  IRBuilder<> B(Before);
  if (!Reader.Function) {
    unsigned Symbols = 0, Others = 0;
    for (const ParameterFact &P : Reader.Parameters)
      if (P.Role == ParameterRole::Shape)
        B.CreateStore(ConstantInt::get(I64, uint64_t(MEMSHAPE_UNKNOWN_EXTENT)),
                      B.CreateConstGEP1_64(I64, Shape, Symbols++));
      else if (P.Role == ParameterRole::Setting)
        B.CreateStore(ConstantFP::getNaN(Double), B.CreateConstGEP1_64(Double, Settings, Others++));
    return;
  }
  SmallVector<Value *, 8> Arguments;
  for (Argument &A : Op.Function->args())
    Arguments.push_back(&A);
  Arguments.append({Shape, Settings, ConstantInt::get(I64, readableArguments(Op))});
  CallInst *Call = B.CreateCall(Reader.Function, Arguments);
  Call->setAttributes(Reader.Function->getAttributes());
  Call->setCallingConv(Reader.Function->getCallingConv());
  Call->setDoesNotThrow();
}

void HookWriter::wrapOperator(Operator Op) {
  Function &F = *Op.Function;
  if (!canHold(F))
    return;
  const auto Reader = Readers.find(&F);
  const bool IsRead = Reader != Readers.end();
  if (!IsRead && !Op.argumentsMatch())
    Op.Fact.Parameters.clear(); // objects in registers: nobody can tell which argument is which parameter
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  SmallVector<Value *, 8> Shape, Settings;
  Type *CallType = ArrayType::get(Ptr, sizeof(memshape_call) / sizeof(void *));
  AllocaInst *Frame = B.CreateAlloca(CallType, nullptr, "memshape.call");
  for (unsigned I = 0; !IsRead && I != Op.Fact.Parameters.size(); ++I) {
    const ParameterFact &P = Op.Fact.Parameters[I];
    Value *A = Op.argumentOf(I);
    if (P.Role == ParameterRole::Shape)
      Shape.push_back(P.Signed ? B.CreateSExtOrTrunc(A, I64) : B.CreateZExtOrTrunc(A, I64));
    if (P.Role == ParameterRole::Setting)
      Settings.push_back(!A->getType()->isIntegerTy() ? B.CreateFPCast(A, Double)
                         : P.Signed                   ? B.CreateSIToFP(A, Double)
                                                      : B.CreateUIToFP(A, Double));
  }
  auto Spill = [&](Type *T, ArrayRef<Value *> Values) -> Value * {
    AllocaInst *Array = B.CreateAlloca(ArrayType::get(T, Values.size()));
    for (unsigned I = 0; I != Values.size(); ++I)
      B.CreateStore(Values[I], B.CreateConstGEP1_64(T, Array, I));
    return Array;
  };
  auto Room = [&](Type *T, ParameterRole Role) -> Value * {
    const auto Has = [&](const ParameterFact &P) { return P.Role == Role; };
    return B.CreateAlloca(ArrayType::get(T, uint64_t(count_if(Reader->second.Parameters, Has))));
  };
  Value *ShapeArray = IsRead ? Room(I64, ParameterRole::Shape) : Spill(I64, Shape);
  Value *SettingArray = IsRead ? Room(Double, ParameterRole::Setting) : Spill(Double, Settings);

  // The operator field tells leave whether enter has run: the table may appear between the two.
  Value *Hooks = B.CreateLoad(Ptr, slot());
  Value *Present = B.CreateIsNotNull(Hooks);
  Operator Described = Op;
  if (IsRead)
    Described.Fact.Parameters = Reader->second.Parameters;
  Constant *Descriptor = descriptor(Described);
  B.CreateStore(B.CreateSelect(Present, Descriptor, ConstantPointerNull::get(cast<PointerType>(Ptr))), Frame);
  auto Field = [&](unsigned I) { return B.CreateConstGEP1_64(Ptr, Frame, I); };
  B.CreateStore(ShapeArray, Field(1));
  B.CreateStore(SettingArray, Field(2));
  Instruction *Next = &*B.GetInsertPoint();
  CallInst *Enter = callHook(Next, offsetof(memshape_hooks, enter), {Frame});
  if (IsRead)
    callReader(Enter, Op, Reader->second, ShapeArray, SettingArray);

  SmallVector<Instruction *, 8> Leaves;
  EscapeEnumerator Escapes(F, "memshape.leave");
  while (IRBuilder<> *At = Escapes.Next())
    Leaves.push_back(&*At->GetInsertPoint());
  for (Instruction *Leave : Leaves) {
    IRBuilder<> L(Leave);
    Value *Entered = L.CreateIsNotNull(L.CreateLoad(Ptr, Frame));
    Instruction *Then = SplitBlockAndInsertIfThen(Entered, Leave->getIterator(), /*Unreachable=*/false,
                                                  MDBuilder(C).createBranchWeights(1, 1 << 20));
    callHook(Then, offsetof(memshape_hooks, leave), {Frame});
  }
}

bool HookWriter::run() {
  SmallVector<std::pair<CallBase *, AllocationCall>, 32> Calls;
  for (Function &F : M)
    if (!F.hasAvailableExternallyLinkage() && canHold(F))
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I)) {
          if (auto A = allocationCall(*Call)) {
            Calls.push_back({Call, *A});
          } else if (auto In = spaceOfUnsizedAllocation(*Call)) {
            AllocationCall Unsized;
            Unsized.In = *In;
            Calls.push_back({Call, Unsized});
          }
        }
  SmallVector<Operator, 4> Operators = operatorsOf(M);
  Operators.append(otherClonesOf(M));
  if (Calls.empty() && Operators.empty())
    return false;
  for (auto &[Call, A] : Calls) {
    if (A.Kind == AllocationKind::Release)
      callHook(Call, offsetof(memshape_hooks, release), {site(*Call, A), A.Block});
    else
      callHook(Call, offsetof(memshape_hooks, allocation), {site(*Call, A)});
  }
  for (const Operator &Op : Operators)
    wrapOperator(Op);
  return true;
}

bool insertHooks(Module &M, const ShapeReaders &Readers) { return HookWriter(M, Readers).run(); }

} // namespace memshape
