// Functions that build arguments and read them back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arguments/BuilderCode.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memshape {

BuilderCode::BuilderCode(const Module &For) : Made(std::make_unique<Module>("memshape builders", For.getContext())) {
  Made->setDataLayout(For.getDataLayout());
  Made->setTargetTriple(For.getTargetTriple());
}

static Type *typeOf(const ParameterFact &P, LLVMContext &C) {
  if (P.Role == ParameterRole::Shape)
    return IntegerType::get(C, P.Bits);
  if (P.Role == ParameterRole::Setting)
    return P.Bits == 1 ? Type::getInt1Ty(C) : P.Bits == 32 ? Type::getFloatTy(C) : Type::getDoubleTy(C);
  return PointerType::getUnqual(C);
}

/// Memory with descriptors of flang's types in it, since these tell the ranks.
static Type *typeOf(const ArgumentBlock &Block, LLVMContext &C) {
  constexpr uint64_t HeadBytes = 24, DimensionBytes = 24;
  Type *Byte = Type::getInt8Ty(C), *Long = Type::getInt64Ty(C);
  SmallVector<Type *, 8> Members;
  uint64_t At = 0;
  for (auto [Offset, Rank] : Block.Descriptors) {
    SmallVector<Type *, 8> Head = {PointerType::getUnqual(C), Long, Type::getInt32Ty(C), Byte, Byte, Byte, Byte};
    if (Rank)
      Head.push_back(ArrayType::get(ArrayType::get(Long, 3), Rank));
    Members.append({ArrayType::get(Byte, Offset - At), StructType::get(C, Head)});
    At = Offset + HeadBytes + Rank * DimensionBytes;
  }
  Members.push_back(ArrayType::get(Byte, Block.Bytes - At));
  return StructType::get(C, Members, /*isPacked=*/true);
}

/// The bytes between its cells.
static SmallVector<std::pair<uint64_t, uint64_t>, 8> gaps(const ArgumentBlock &Block) {
  SmallVector<std::pair<uint64_t, uint64_t>, 8> Cells, Gaps;
  for (const ArgumentCell &Each : Block.Cells)
    Cells.push_back({Each.Offset, Each.Offset + (Each.Bits ? (Each.Bits + 7) / 8 : 8)});
  if (Cells.empty())
    return Gaps;
  sort(Cells);
  Cells.push_back({Block.Bytes, Block.Bytes});
  uint64_t At = 0;
  for (auto [Begin, End] : Cells) {
    if (At < Begin)
      Gaps.push_back({At, Begin});
    At = std::max(At, End);
  }
  return Gaps;
}

static Value *at(IRBuilder<> &B, Value *Address, uint64_t Offset) {
  return Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Address, Offset) : Address;
}

/// Shape and settings, as the runner and the runtime have them.
static bool isTold(const ParameterFact &P) {
  return P.Role == ParameterRole::Shape || P.Role == ParameterRole::Setting;
}

namespace {

/// Writes one function that makes the arguments and calls F with them.
class Building {
public:
  Building(Function &Builder, const PassedArguments &D)
      : Builder(Builder), D(D), B(BasicBlock::Create(Builder.getContext(), "", &Builder)) {}

  void write(Function &F) {
    for (const ArgumentBlock &Each : D.Blocks) {
      AllocaInst *Slot = B.CreateAlloca(typeOf(Each, B.getContext()));
      Slot->setAlignment(Align(16));
      Slots.push_back(Slot);
    }
    for (auto [Slot, Each] : zip(Slots, D.Blocks)) {
      for (auto [Begin, End] : gaps(Each))
        putData(at(B, Slot, Begin), End - Begin);
      for (const ArgumentCell &Cell : Each.Cells)
        B.CreateAlignedStore(valueOf(Cell), at(B, Slot, Cell.Offset), commonAlignment(Slot->getAlign(), Cell.Offset));
    }
    SmallVector<Value *, 8> Arguments;
    for (const PassedArgument &Each : D.Arguments)
      Arguments.push_back(Each.What == PassedArgument::Block       ? Slots[Each.Of]
                          : Each.What == PassedArgument::Parameter ? cast<Value>(Builder.getArg(Each.Of))
                                                                   : cast<Value>(B.getInt64(Each.Value)));
    for (auto [Given, Wanted] : zip(Arguments, F.getFunctionType()->params()))
      if (Given->getType() != Wanted)
        Given = B.CreateZExtOrTrunc(Given, Wanted);
    if (!D.Built.empty())
      mark("# memshape.building $0", {B.getInt64(0)});
    CallInst *Call = B.CreateCall(F.getFunctionType(), &F, Arguments);
    Call->setCallingConv(F.getCallingConv());
    Call->setAttributes(F.getAttributes());
    if (Call->getType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Call);
  }

private:
  /// What <memshape/operator.h> says to the slicer.
  void mark(StringRef Text, ArrayRef<Value *> Values) {
    SmallVector<Type *, 2> Types;
    std::string Constraints;
    for (const Value *V : Values) {
      Types.push_back(V->getType());
      Constraints += "r,";
    }
    auto *As = FunctionType::get(B.getVoidTy(), Types, false);
    B.CreateCall(As, InlineAsm::get(As, Text, Constraints + "~{memory}", /*hasSideEffects=*/true), Values);
  }

  /// Fills memory with data that nothing beside it is in one object with.
  void putData(Value *Address, uint64_t Bytes) {
    constexpr uint64_t Word = 8, MostWords = 32;
    AllocaInst *Source = B.CreateAlloca(ArrayType::get(B.getInt8Ty(), Bytes));
    B.CreateMemSet(Source, B.getInt8(0), Bytes, Align(1)); // where the operator itself is run
    mark("# memshape.data $0 $1", {Source, B.getInt64(Bytes)});
    if (Bytes > MostWords * Word) {
      B.CreateMemCpy(Address, Align(1), Source, Align(1), Bytes);
      return;
    }
    for (uint64_t Offset = 0; Offset != Bytes;) {
      const uint64_t Width = Bytes - Offset >= Word ? Word : 1;
      Value *Read = B.CreateAlignedLoad(B.getIntNTy(unsigned(8 * Width)), at(B, Source, Offset), Align(1));
      B.CreateAlignedStore(Read, at(B, Address, Offset), Align(1));
      Offset += Width;
    }
  }

  Value *sum(ArrayRef<unsigned> Numbers) {
    Value *Sum = B.getInt64(0);
    for (unsigned Each : Numbers)
      Sum = B.CreateAdd(Sum, Builder.getArg(Each));
    return Sum;
  }

  /// Memory that the function may free or enlarge; none where it has no bytes. Its elements are data.
  Value *owned(const ArgumentCell &Cell) {
    constexpr uint64_t Alignment = 16, NoBlock = 64; // any address that is aligned for all types
    mark("# memshape.building $0", {B.getInt64(Cell.Of + 1)});
    Value *Bytes = B.CreateMul(B.getInt64(Cell.Value), sum(Cell.Factors));
    LLVMContext &C = B.getContext();
    CallInst *Block = B.CreateCall(runnerFunction(*Builder.getParent(), RunnerCall::Alloc),
                                   {Bytes, B.getInt64(Alignment), B.getInt32(0), B.getInt32(0)});
    Block->setMetadata(AllocatorMetadata, MDNode::get(C, {MDString::get(C, "the caller"), MDString::get(C, "host")}));
    mark("# memshape.data $0 $1", {Block, Bytes});
    return B.CreateSelect(B.CreateIsNull(Bytes), B.CreateIntToPtr(B.getInt64(NoBlock), B.getPtrTy()), Block);
  }

  Value *valueOf(const ArgumentCell &Cell) {
    Value *V = nullptr;
    switch (Cell.What) {
    case ArgumentCell::Number:
      V = Builder.getArg(Cell.Of);
      if (V->getType()->isIntegerTy())
        V = B.CreateZExtOrTrunc(V, B.getIntNTy(Cell.Bits));
      break;
    case ArgumentCell::Fixed: return B.getIntN(Cell.Bits, Cell.Value);
    case ArgumentCell::Stride:
      V = B.getInt64(Cell.Value);
      for (unsigned Factor : Cell.Factors)
        V = B.CreateMul(V, B.CreateBinaryIntrinsic(Intrinsic::smax, Builder.getArg(Factor), B.getInt64(0)));
      break;
    case ArgumentCell::Sum: return sum(Cell.Factors);
    case ArgumentCell::AddressOf: return Slots[Cell.Of];
    case ArgumentCell::Owned: return owned(Cell);
    }
    return Cell.If ? B.CreateSelect(Builder.getArg(*Cell.If), V, Constant::getNullValue(V->getType())) : V;
  }

  Function &Builder;
  const PassedArguments &D;
  IRBuilder<> B;
  SmallVector<AllocaInst *, 8> Slots;
};

/// Writes one function that tells the symbols and settings of a call from its arguments.
class Telling {
public:
  Telling(Function &Reader, const PassedArguments &D)
      : Reader(Reader), D(D), B(BasicBlock::Create(Reader.getContext(), "", &Reader)) {}

  void write() {
    SmallVector<Value *, 8> Values(D.Parameters.size());
    for (auto [Number, Each] : enumerate(D.Arguments))
      if (Each.What == PassedArgument::Parameter)
        Values[Each.Of] = Reader.getArg(unsigned(Number));
      else if (Each.What == PassedArgument::Block)
        readBlock(D.Blocks[Each.Of], Reader.getArg(unsigned(Number)), Values);
    const unsigned Own = unsigned(D.Arguments.size());
    unsigned Symbols = 0, Settings = 0;
    for (auto [P, V] : zip(D.Parameters, Values)) {
      if (!isTold(P))
        continue;
      const bool IsSymbol = P.Role == ParameterRole::Shape;
      Value *Into = B.CreateConstGEP1_64(B.getInt64Ty(), Reader.getArg(IsSymbol ? Own : Own + 1),
                                         IsSymbol ? Symbols++ : Settings++);
      B.CreateStore(told(P, V), Into);
    }
    if (Reader.getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(PoisonValue::get(Reader.getReturnType()));
  }

private:
  void readBlock(const ArgumentBlock &Block, Value *Address, MutableArrayRef<Value *> Values) {
    for (const ArgumentCell &Cell : Block.Cells) {
      if (Cell.What == ArgumentCell::AddressOf) {
        readBlock(D.Blocks[Cell.Of], B.CreateLoad(B.getPtrTy(), at(B, Address, Cell.Offset)), Values);
      } else if (Cell.What == ArgumentCell::Number) {
        const ParameterFact &P = D.Parameters[Cell.Of];
        Type *T = P.Role == ParameterRole::Setting && P.Bits == 1 ? B.getIntNTy(Cell.Bits) : typeOf(P, B.getContext());
        Values[Cell.Of] = B.CreateLoad(T, at(B, Address, Cell.Offset));
        if (Cell.If)
          Values[*Cell.If] = B.CreateIsNotNull(Values[Cell.Of]);
      } else if (Cell.What == ArgumentCell::Sum) {
        Value *Rest = B.CreateLoad(B.getInt64Ty(), at(B, Address, Cell.Offset));
        for (unsigned Each : drop_end(Cell.Factors))
          Rest = B.CreateSub(Rest, Values[Each]);
        Values[Cell.Factors.back()] = Rest;
      }
    }
  }

  Value *told(const ParameterFact &P, Value *V) {
    if (P.Role == ParameterRole::Shape)
      return P.Signed ? B.CreateSExtOrTrunc(V, B.getInt64Ty()) : B.CreateZExtOrTrunc(V, B.getInt64Ty());
    if (V->getType()->isIntegerTy()) // a truth value, or an enumeration
      return P.Bits == 1 ? B.CreateUIToFP(B.CreateIsNotNull(V), B.getDoubleTy())
             : P.Signed  ? B.CreateSIToFP(V, B.getDoubleTy())
                         : B.CreateUIToFP(V, B.getDoubleTy());
    return B.CreateFPCast(V, B.getDoubleTy());
  }

  Function &Reader;
  const PassedArguments &D;
  IRBuilder<> B;
};

} // namespace

static Function &declarationOf(const Function &F, Module &In) {
  auto *Declared = cast<Function>(In.getOrInsertFunction(F.getName(), F.getFunctionType()).getCallee());
  Declared->setCallingConv(F.getCallingConv());
  Declared->setAttributes(F.getAttributes());
  return *Declared;
}

void BuilderCode::describe(const Function &F, const PassedArguments &Found, OperatorFact &Fact) {
  Fact.Parameters.clear();
  for (auto [Each, A] : zip_equal(Found.Arguments, F.args()))
    if (!A.hasStructRetAttr())
      Fact.Parameters.push_back(Each.What == PassedArgument::Parameter
                                    ? Found.Parameters[Each.Of]
                                    : ParameterFact{"", ParameterRole::Object, 0, false});
  if (all_of(Found.Arguments, [](const PassedArgument &Each) { return Each.What == PassedArgument::Parameter; }))
    return;
  LLVMContext &C = Made->getContext();
  Type *Result = F.getReturnType(), *Ptr = PointerType::getUnqual(C);
  SmallVector<Type *, 8> Built;
  for (const ParameterFact &P : Found.Parameters)
    Built.push_back(typeOf(P, C));
  for (auto [Each, A] : zip_equal(Found.Arguments, F.args()))
    if (Each.What == PassedArgument::Parameter)
      Built[Each.Of] = A.getType();
  Fact.BuilderParameters = Found.Parameters;
  Fact.Built = Found.Built;
  Fact.Builder = ("memshape_build_" + F.getName()).str();
  Building(
      *Function::Create(FunctionType::get(Result, Built, false), GlobalValue::ExternalLinkage, Fact.Builder, *Made),
      Found)
      .write(declarationOf(F, *Made));
  SmallVector<Type *, 8> Read(F.getFunctionType()->params());
  Read.append({Ptr, Ptr, Type::getInt64Ty(C)});
  Fact.Reader = ("memshape_read_" + F.getName()).str();
  Telling(*Function::Create(FunctionType::get(Result, Read, false), GlobalValue::ExternalLinkage, Fact.Reader, *Made),
          Found)
      .write();
}

std::string BuilderCode::bitcode() const {
  if (Made->empty())
    return "";
  std::string Text;
  raw_string_ostream Stream(Text);
  WriteBitcodeToFile(*Made, Stream);
  return Text;
}

} // namespace memshape
