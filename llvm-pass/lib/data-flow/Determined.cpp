// What follows from operands alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "data-flow/Determined.h"
#include "libraries/Summaries.h"
#include "memory/InlineAssembly.h"
#include "operators/CallersFunction.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace memshape {

/// F, or the intrinsic of the same purpose, changes how floating-point arithmetic rounds or traps.
static bool setsFloatEnvironment(const Function &F) {
  switch (F.getIntrinsicID()) {
  case Intrinsic::set_rounding:
  case Intrinsic::set_fpenv:
  case Intrinsic::reset_fpenv:
  case Intrinsic::set_fpmode:
  case Intrinsic::reset_fpmode: return !F.use_empty();
  case Intrinsic::not_intrinsic: return F.isDeclaration() && !F.use_empty() && summaryOf(F).SetsFloatEnvironment;
  default: return F.getName().ends_with(".ldmxcsr") && !F.use_empty();
  }
}

/// I reads an integer that is an address: it is used as a pointer, or Numbers, objects, hold addresses as integers.
/// Others that points-to gives targets may be numbers that a library returned, and pass for such.
static bool isStoredAddress(const Instruction &I, const PointsTo &Memory, const DenseSet<unsigned> &Numbers) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load && I.getType()->isIntegerTy(AddressBits) && !Memory.targets(&I).empty() &&
         (any_of(I.users(), [](const User *U) { return isa<IntToPtrInst>(U); }) ||
          any_of(Memory.targets(Load->getPointerOperand()), [&](Place T) { return Numbers.contains(T.Object); }));
}

/// The object of each place in which I leaves an address as an integer.
static void addNumbersOf(const Instruction &I, const PointsTo &Memory, DenseSet<unsigned> &Numbers) {
  const auto *Store = dyn_cast<StoreInst>(&I);
  const auto IsNumber = [](const Value *V) { return isa<PtrToIntOperator>(V); };
  const auto *Choice = Store ? dyn_cast<Instruction>(Store->getValueOperand()) : nullptr;
  if (Store && (IsNumber(Store->getValueOperand()) ||
                (Choice && isa<PHINode, SelectInst>(Choice) && any_of(Choice->operands(), IsNumber))))
    for (Place T : Memory.targets(Store->getPointerOperand()))
      Numbers.insert(T.Object);
}

/// V is a constant number made from the address of a variable or a function.
static bool holdsAddress(const Value *V) {
  const auto *C = dyn_cast<ConstantExpr>(V);
  return C &&
         (C->getOpcode() == Instruction::PtrToInt ||
          (C->getType()->isIntegerTy() && any_of(C->operands(), [](const Use &U) { return holdsAddress(U.get()); })));
}

/// Numbers that are made from addresses stand in C, what a variable holds from the beginning.
static bool listsAddresses(const Constant &C) {
  return holdsAddress(&C) || (isa<ConstantAggregate>(C) && any_of(C.operands(), [](const Use &U) {
                                return listsAddresses(*cast<Constant>(U.get()));
                              }));
}

/// I reads a number from a variable in which some are made from addresses.
static bool readsListedAddress(const Instruction &I, const PointsTo &Memory) {
  const auto *Load = dyn_cast<LoadInst>(&I);
  return Load && I.getType()->isIntegerTy(AddressBits) &&
         any_of(Memory.targets(Load->getPointerOperand()), [&](Place T) {
           const auto *G = dyn_cast_or_null<GlobalVariable>(Memory.object(T.Object).Origin);
           return G && G->hasInitializer() && listsAddresses(*G->getInitializer());
         });
}

/// I hands an address on as it is, or sets it beside another one.
bool Determined::movesWhole(const Instruction &I) const {
  if (I.getOpcode() == Instruction::Sub || isa<ICmpInst>(I))
    return all_of(I.operands(), [&](const Use &U) { return !Memory.targets(U.get()).empty(); }) &&
           ((isa<ICmpInst>(I) && cast<ICmpInst>(I).isEquality()) ||
            distanceIsDetermined(I.getOperand(0), I.getOperand(1), I));
  // A difference of two addresses is none.
  return (isa<StoreInst>(I) || isa<PHINode>(I) || isa<SelectInst>(I) || isa<IntToPtrInst>(I)) &&
         none_of(I.operands(), [](const Use &U) { return holdsAddress(U.get()) && !isa<PtrToIntOperator>(U.get()); });
}

/// U, of a result of which the sign alone is certain, asks for no more: it compares with zero, or shifts all else out.
static bool asksForSign(const Use &U) {
  const auto *User = cast<Instruction>(U.getUser());
  const auto *Number = isa<ICmpInst, BinaryOperator>(User) ? dyn_cast<ConstantInt>(User->getOperand(1)) : nullptr;
  if (!Number || U.getOperandNo() != 0)
    return false;
  const unsigned Bits = Number->getBitWidth();
  if (User->isShift())
    return User->getOpcode() != Instruction::Shl && Number->equalsInt(Bits - 1);
  const auto *Compare = dyn_cast<ICmpInst>(User);
  return Compare && (Number->isZero() ||
                     (Compare->isRelational() && Compare->isSigned() && (Number->isOne() || Number->isMinusOne())));
}

void Determined::findMoreThanSignOf(const CallBase &Comparison) {
  SmallSetVector<const Instruction *, 8> Results;
  Results.insert(&Comparison);
  for (unsigned N = 0; N != Results.size(); ++N)
    for (const Use &U : Results[N]->uses()) {
      const auto *User = cast<Instruction>(U.getUser());
      if (isa<PHINode, SelectInst, FreezeInst, SExtInst>(User))
        Results.insert(User);
      else if (!isa<StoreInst, ReturnInst>(User) && !asksForSign(U))
        Uncertain.insert(User->getType()->isVoidTy() || User->isTerminator() || isa<CallBase>(User) ? Results[N]
                                                                                                    : User);
    }
}

Determined::Determined(const Module &M, const Function &Root, const PointsTo &P) : Memory(P) {
  for (const Argument &A : Root.args())
    if (const Attribute File = callersPointer(A); File.isValid())
      OperatorFile = File.getValueAsString();
  IsBuilder = any_of(instructions(Root), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && runnerCall(*Call) == RunnerCall::Building;
  });
  if (const DISubprogram *SP = Root.getSubprogram())
    OperatorFile = SP->getFilename();
  Kept = Memory.kept();
  KeptByAll = Memory.kept(/*OfThreads=*/false);
  DenseSet<unsigned> Numbers;
  for (const Function &F : M) {
    SetsFloatEnvironment |= setsFloatEnvironment(F) || F.hasFnAttribute(Attribute::StrictFP);
    for (const Instruction &I : instructions(F)) {
      addNumbersOf(I, Memory, Numbers);
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        if (givesSign(*Call))
          findMoreThanSignOf(*Call);
        if (is_contained({RunnerCall::Free, RunnerCall::Realloc}, runnerCall(*Call)))
          Frees.push_back(Call);
        if (const auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand())) {
          const StringRef Text = Asm->getAsmString();
          SetsFloatEnvironment |= Text.contains("ldmxcsr") || Text.contains("fldcw");
          if (tellsAddress(*Call))
            for (Place T : Memory.targets(Call->getArgOperand(0)))
              KnownElsewhere.insert(T.Object);
        }
      }
    }
  }
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      const bool OfConstant = any_of(I.operands(), [](const Use &U) { return holdsAddress(U.get()); });
      if (isa<PtrToIntInst>(I) || isStoredAddress(I, Memory, Numbers) || readsListedAddress(I, Memory) ||
          (OfConstant && isa<PHINode, SelectInst>(I)))
        findNumbersOf(I);
      if (roundsAddress(I))
        findDistancesOf(I);
      if (OfConstant && !movesWhole(I))
        Uncertain.insert(&I);
    }
}

namespace {

/// Which registers an asm statement names: of its results, and of its arguments. "" is any register.
struct AsmRegisters {
  SmallVector<StringRef, 4> Results, Arguments;

  explicit AsmRegisters(const InlineAsm::ConstraintInfoVector &Constraints) {
    for (const InlineAsm::ConstraintInfo &Each : Constraints) {
      StringRef Code = Each.Codes.empty() ? "" : StringRef(Each.Codes.front());
      unsigned Same = 0;
      if (Each.Type == InlineAsm::isInput && !Code.getAsInteger(10, Same) && Same < Results.size())
        Code = Results[Same];
      else if (Code.consume_front("{"))
        Code.consume_back("}");
      else
        Code = "";
      if (Code.size() == 3) // eax and rax are ax
        Code = Code.drop_front();
      if (Each.Type == InlineAsm::isOutput)
        Results.push_back(Code);
      else if (Each.Type == InlineAsm::isInput)
        Arguments.push_back(Code);
    }
  }
};

} // namespace

/// After cpuid, Text names another register than ebx, or the operand of a named one: any result may have come from any.
static bool movesResults(StringRef Text, const AsmRegisters &Registers) {
  const StringRef After = Text.substr(Text.rfind("cpuid"));
  if (any_of(ArrayRef<StringRef>{"ax", "cx", "dx"}, [&](StringRef Name) { return After.contains(Name); }))
    return true;
  for (size_t At = After.find('$'); At != StringRef::npos; At = After.find('$', At + 1)) {
    unsigned Operand = 0;
    if (!After.drop_front(At + 1).ltrim('{').take_while(isDigit).getAsInteger(10, Operand) &&
        Operand < Registers.Results.size() && !Registers.Results[Operand].empty())
      return true;
  }
  return false;
}

/// Result number Which of a statement with cpuid tells processors of one machine apart: it has the number of the one
/// that asks.
static bool isProcessorNumber(const CallBase &Call, unsigned Which) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm || !StringRef(Asm->getAsmString()).contains("cpuid"))
    return false;
  const InlineAsm::ConstraintInfoVector Constraints = Asm->ParseConstraints();
  const AsmRegisters Registers(Constraints);
  if (movesResults(StringRef(Asm->getAsmString()), Registers))
    return true;
  const StringRef Result = Which < Registers.Results.size() ? Registers.Results[Which] : "";
  // ebx may be kept for the position of code: then it is handed on in any other register.
  const bool IsEbx = Result != "ax" && Result != "cx" && Result != "dx", IsEdx = Result == "dx" || Result.empty();
  const auto *Asked = find(Registers.Arguments, "ax");
  const ConstantInt *Leaf = nullptr;
  if (const size_t At = Asked - Registers.Arguments.begin(); At < Registers.Arguments.size() && At < Call.arg_size())
    Leaf = dyn_cast<ConstantInt>(Call.getArgOperand(At));
  const uint64_t Features = 1, Topology = 0xb, Topology2 = 0x1f;
  const bool IsFeatures = !Leaf || Leaf->equalsInt(Features),
             IsTopology = !Leaf || Leaf->equalsInt(Topology) || Leaf->equalsInt(Topology2);
  return (IsEbx && IsFeatures) || (IsEdx && IsTopology);
}

/// The same of a part of several results.
static bool isProcessorNumber(const ExtractValueInst &Part) {
  const Value *Answer = Part.getAggregateOperand();
  while (const auto *Frozen = dyn_cast<FreezeInst>(Answer))
    Answer = Frozen->getOperand(0);
  const auto *Call = dyn_cast<CallBase>(Answer);
  return Call && isProcessorNumber(*Call, Part.getIndices().front());
}

bool Determined::follows(const Instruction &I) const {
  if (Uncertain.contains(&I))
    return false;
  if (I.isBinaryOp() && !isa<FPMathOperator>(I))
    return true;
  switch (I.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt: // what becomes of it: Uncertain
  case Instruction::GetElementPtr:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::InsertValue:
  case Instruction::Alloca:
  case Instruction::VAArg:
  case Instruction::AtomicCmpXchg:
  case Instruction::AtomicRMW: return true;
  case Instruction::ExtractValue: return !isProcessorNumber(cast<ExtractValueInst>(I));
  case Instruction::PHI:
  case Instruction::FNeg:
  case Instruction::FCmp:
  case Instruction::FPExt: return true;
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FPTrunc:
  case Instruction::SIToFP:
  case Instruction::UIToFP:
  case Instruction::FPToSI:
  case Instruction::FPToUI: return followsFromFloats(I);
  case Instruction::ICmp: return comparesDetermined(cast<CmpInst>(I));
  case Instruction::Load:
    // Others may write what is volatile, unless nobody else can know of it.
    return (!I.isVolatile() || isPrivateMemory(cast<LoadInst>(I).getPointerOperand())) &&
           !readsOfEarlierThread(cast<LoadInst>(I));
  case Instruction::Call: return followsFromCall(cast<CallBase>(I));
  default:
    // Results of everything else are not known to follow; what has no result cannot be undetermined.
    return I.getType()->isVoidTy() || I.isTerminator();
  }
}

/// Nobody outside the operator knows where Pointer leads.
bool Determined::isPrivateMemory(const Value *Pointer) const {
  return all_of(Memory.targets(Pointer), [&](Place T) {
    const PointsTo::Object &O = Memory.object(T.Object);
    return !O.Escapes && (O.Kind == PointsTo::ObjectKind::Stack || O.Kind == PointsTo::ObjectKind::Heap);
  });
}

//===----------------------------------------------------------------------===//
// Floating-point arithmetic
//===----------------------------------------------------------------------===//

namespace {

enum class Family { Sum, Product, Other };

Family familyOf(const Instruction &I) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I); Call && Call->getIntrinsicID() == Intrinsic::fmuladd)
    return Family::Sum;
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub: return Family::Sum;
  case Instruction::FMul:
  case Instruction::FDiv: return Family::Product;
  default: return Family::Other;
  }
}

bool isFence(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::arithmetic_fence;
}

/// The arithmetic that V comes from, through choices and round loops; V itself may be a start value.
void collectArithmetic(const Value *V, SmallPtrSetImpl<const Value *> &Seen,
                       SmallVectorImpl<const Instruction *> &Into) {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Seen.insert(V).second)
    return;
  if (isa<PHINode>(I) || isa<SelectInst>(I) || isa<FreezeInst>(I) || isFence(*I)) {
    for (const Use &U : I->operands())
      collectArithmetic(U.get(), Seen, Into);
  } else if (familyOf(*I) != Family::Other) {
    Into.push_back(I);
  }
}

/// V is computed from constants alone, so that some later simplification may compute it while compiling.
bool mayBeFolded(const Value *V, unsigned Depth = 0) {
  const unsigned Deep = 16;
  if (isa<Constant>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || (isa<CallBase>(I) && !isFence(*I)) || isa<LoadInst>(I))
    return false;
  if (Depth == Deep)
    return true;
  const auto Operands = isFence(*I) ? cast<CallBase>(I)->args() : I->operands();
  return all_of(Operands, [&](const Use &U) { return mayBeFolded(U.get(), Depth + 1); });
}

} // namespace

/// What fast-math flags allow the compiler to compute in another way than this instruction says.
static bool mayBeRearranged(const Instruction &I) {
  const auto *Float = dyn_cast<FPMathOperator>(&I);
  if (!Float || !Float->getFastMathFlags().any())
    return false;
  if (Float->hasAllowReciprocal() && I.getOpcode() == Instruction::FDiv)
    return true;
  const Family Own = familyOf(I);
  if (Own == Family::Other || !(Float->hasAllowReassoc() || Float->hasAllowContract()))
    return false;
  SmallPtrSet<const Value *, 8> Seen;
  unsigned Products = 0;
  for (const Use &U : I.operands()) {
    SmallVector<const Instruction *, 4> Before;
    collectArithmetic(U.get(), Seen, Before);
    bool HasProduct = false;
    for (const Instruction *B : Before) {
      const auto *Other = dyn_cast<FPMathOperator>(B);
      if (Float->hasAllowReassoc() && Other->hasAllowReassoc() && familyOf(*B) == Own)
        return true; // a longer sum or product may be taken in another order
      HasProduct |= familyOf(*B) == Family::Product;
    }
    Products += HasProduct;
  }
  if (Own != Family::Sum || !Products)
    return false;
  const bool HasFusedMultiply = I.getFunction()->getFnAttribute("target-features").getValueAsString().contains("+fma");
  return (Float->hasAllowContract() && HasFusedMultiply) || (Float->hasAllowReassoc() && Products > 1);
}

bool Determined::followsFromFloats(const Instruction &I) const { return !SetsFloatEnvironment && !mayBeRearranged(I); }

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Text asks what processor this is, and does nothing else but move registers.
static bool asksProcessor(StringRef Text) {
  bool Asks = false;
  // Brackets stand around addresses; $( and $) around variants for another assembler.
  for (size_t At = Text.find('('); At != StringRef::npos; At = Text.find('(', At + 1))
    if (At == 0 || Text[At - 1] != '$')
      return false;
  while (!Text.empty()) {
    const size_t End = Text.find_first_of(";\n");
    StringRef Statement = Text.take_front(End).trim();
    Text = End == StringRef::npos ? StringRef() : Text.drop_front(End + 1);
    StringRef Word = Statement.take_until([](char C) { return C == ' ' || C == '\t'; });
    const bool IsQuestion = Word == "cpuid" || Word == "xgetbv";
    Asks |= IsQuestion;
    if (!IsQuestion && !Word.empty() && !Word.starts_with("#") && !Word.starts_with("xchg") &&
        !Word.starts_with("mov") && !Word.starts_with("push") && !Word.starts_with("pop"))
      return false;
  }
  return Asks;
}

/// All that becomes of several numbers at a time is that they are taken apart: see isProcessorNumber.
static bool isTakenApart(const Value &Answer) {
  return all_of(Answer.users(),
                [](const User *U) { return isa<ExtractValueInst>(U) || (isa<FreezeInst>(U) && isTakenApart(*U)); });
}

/// An empty statement hands its operands on; cpuid is asked of the runner, which names what was asked.
bool Determined::followsFromAsm(const CallBase &Call) const {
  const auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  StringRef Text = Asm->getAsmString();
  if (asksProcessor(Text))
    return Call.getType()->isStructTy() ? isTakenApart(Call) : !isProcessorNumber(Call, 0);
  if (!isEmptyAssembly(Text))
    return false;
  // Each output is tied to an input: what is in no register before is in none that anybody set.
  unsigned Outputs = 0, Tied = 0;
  for (const InlineAsm::ConstraintInfo &C : Asm->ParseConstraints()) {
    Outputs += C.Type == InlineAsm::isOutput && !C.isIndirect;
    Tied += C.Type == InlineAsm::isInput && C.hasMatchingInput();
    unsigned Number;
    Tied += C.Type == InlineAsm::isInput && C.Codes.size() == 1 && !StringRef(C.Codes[0]).getAsInteger(10, Number);
  }
  return Outputs <= Tied;
}

/// Of a * b + c, of constants: rounded once it is what it is rounded twice.
static bool isAlikeOnceAndTwice(const CallBase &Call) {
  SmallVector<const ConstantFP *, 3> Of;
  for (const Use &U : Call.args()) {
    const auto *Fence = dyn_cast<IntrinsicInst>(U.get());
    Of.push_back(dyn_cast<ConstantFP>(Fence && isFence(*Fence) ? Fence->getArgOperand(0) : U.get()));
    if (!Of.back())
      return false;
  }
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  APFloat Once = Of[0]->getValueAPF(), Twice = Once;
  Once.fusedMultiplyAdd(Of[1]->getValueAPF(), Of[2]->getValueAPF(), Nearest);
  Twice.multiply(Of[1]->getValueAPF(), Nearest);
  Twice.add(Of[2]->getValueAPF(), Nearest);
  return Once.bitwiseIsEqual(Twice);
}

/// The compiler may call another function for several numbers at a time (-fveclib), which rounds in its own way.
static bool mayBeVectorised(const CallBase &Call) {
  return Call.hasFnAttr("vector-function-abi-variant") || Call.hasFnAttr(VectorisedCall);
}

bool Determined::followsFromCall(const CallBase &Call) const {
  if (Call.getType()->isVoidTy() || runnerCall(Call) != RunnerCall::None)
    return true;
  if (mayBeVectorised(Call))
    return false;
  if (Call.isInlineAsm())
    return followsFromAsm(Call);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic()) {
    const bool Rounds = Callee && Callee->isDeclaration() &&
                        (Call.getType()->isFPOrFPVectorTy() ||
                         any_of(Call.args(), [](const Use &U) { return U->getType()->isFPOrFPVectorTy(); }));
    if (!Rounds)
      return true; // its body is followed, or its summary
    const auto *Float = dyn_cast<FPMathOperator>(&Call);
    return !SetsFloatEnvironment && !(Float && Float->hasApproxFunc());
  }
  switch (Callee->getIntrinsicID()) {
  case Intrinsic::get_dynamic_area_offset:
  case Intrinsic::localaddress:
  case Intrinsic::thread_pointer:
  case Intrinsic::vscale: return false;
  case Intrinsic::stacksave: // addresses that are handed back, or followed as pointers
  case Intrinsic::threadlocal_address:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::invariant_start:
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
  case Intrinsic::get_rounding: // the answer is tried in each rounding mode
    return true;
  case Intrinsic::fmuladd:
    // Rounded once or twice as the target has it, but once where the compiler computes it.
    return followsFromFloats(Call) &&
           (isAlikeOnceAndTwice(Call) || !all_of(Call.args(), [](const Use &U) { return mayBeFolded(U.get()); }));
  default: break;
  }
  // How near an estimate comes is the processor's business.
  if (const StringRef Name = Callee->getName(); Name.contains(".rcp.") || Name.contains(".rsqrt."))
    return false;
  if (isa<FPMathOperator>(Call)) {
    const auto *Float = cast<FPMathOperator>(&Call);
    const bool IsReduction = Callee->getName().starts_with("llvm.vector.reduce.f");
    if (SetsFloatEnvironment || Float->hasApproxFunc() || (IsReduction && Float->hasAllowReassoc()))
      return false;
  }
  return Call.doesNotAccessMemory();
}

} // namespace memshape
