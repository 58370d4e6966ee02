// Fortran procedures as operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fortran/Procedures.h"
#include "fortran/Dummies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memshape {

ProcedureCode::ProcedureCode(const Module &For)
    : Made(std::make_unique<Module>("memshape procedures", For.getContext())) {
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
static Type *typeOf(const DummyBlock &Block, LLVMContext &C) {
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
  Building(Function &Builder, const Dummies &D)
      : Builder(Builder), D(D), B(BasicBlock::Create(Builder.getContext(), "", &Builder)) {}

  void write(FunctionCallee F) {
    for (const DummyBlock &Each : D.Blocks) {
      AllocaInst *Slot = B.CreateAlloca(typeOf(Each, B.getContext()));
      Slot->setAlignment(Align(16));
      Slots.push_back(Slot);
    }
    for (auto [Slot, Each] : zip(Slots, D.Blocks))
      for (const DummyCell &Cell : Each.Cells)
        B.CreateStore(valueOf(Cell), at(B, Slot, Cell.Offset));
    SmallVector<Value *, 8> Arguments;
    for (const DummyArgument &Each : D.Arguments)
      Arguments.push_back(Each.What == DummyArgument::Block       ? Slots[Each.Of]
                          : Each.What == DummyArgument::Parameter ? cast<Value>(Builder.getArg(Each.Of))
                                                                  : cast<Value>(B.getInt64(Each.Value)));
    for (auto [Given, Wanted] : zip(Arguments, F.getFunctionType()->params()))
      if (Given->getType() != Wanted)
        Given = B.CreateZExtOrTrunc(Given, Wanted);
    CallInst *Call = B.CreateCall(F, Arguments);
    if (Call->getType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Call);
  }

private:
  Value *valueOf(const DummyCell &Cell) {
    Value *V = nullptr;
    switch (Cell.What) {
    case DummyCell::Number:
      V = Builder.getArg(Cell.Of);
      if (V->getType()->isIntegerTy())
        V = B.CreateZExtOrTrunc(V, B.getIntNTy(Cell.Bits));
      break;
    case DummyCell::Fixed:
      return B.getIntN(Cell.Bits, Cell.Value);
    case DummyCell::Stride:
      V = B.getInt64(Cell.Value);
      for (unsigned Factor : Cell.Factors)
        V = B.CreateMul(V, B.CreateBinaryIntrinsic(Intrinsic::smax, Builder.getArg(Factor), B.getInt64(0)));
      break;
    case DummyCell::AddressOf:
      return Slots[Cell.Of];
    }
    return Cell.If ? B.CreateSelect(Builder.getArg(*Cell.If), V, Constant::getNullValue(V->getType())) : V;
  }

  Function &Builder;
  const Dummies &D;
  IRBuilder<> B;
  SmallVector<AllocaInst *, 8> Slots;
};

/// Writes one function that tells the symbols and settings of a call from its arguments.
class Telling {
public:
  Telling(Function &Reader, const Dummies &D)
      : Reader(Reader), D(D), B(BasicBlock::Create(Reader.getContext(), "", &Reader)) {}

  void write() {
    SmallVector<Value *, 8> Values(D.Parameters.size());
    for (auto [Number, Each] : enumerate(D.Arguments))
      if (Each.What == DummyArgument::Parameter)
        Values[Each.Of] = Reader.getArg(unsigned(Number));
      else if (Each.What == DummyArgument::Block)
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
  void readBlock(const DummyBlock &Block, Value *Address, MutableArrayRef<Value *> Values) {
    for (const DummyCell &Cell : Block.Cells) {
      if (Cell.What == DummyCell::AddressOf) {
        readBlock(D.Blocks[Cell.Of], B.CreateLoad(B.getPtrTy(), at(B, Address, Cell.Offset)), Values);
      } else if (Cell.What == DummyCell::Number) {
        const ParameterFact &P = D.Parameters[Cell.Of];
        Type *T = P.Role == ParameterRole::Setting && P.Bits == 1 ? B.getIntNTy(Cell.Bits) : typeOf(P, B.getContext());
        Values[Cell.Of] = B.CreateLoad(T, at(B, Address, Cell.Offset));
        if (Cell.If)
          Values[*Cell.If] = B.CreateIsNotNull(Values[Cell.Of]);
      }
    }
  }

  Value *told(const ParameterFact &P, Value *V) {
    if (P.Role == ParameterRole::Shape)
      return P.Signed ? B.CreateSExtOrTrunc(V, B.getInt64Ty()) : B.CreateZExtOrTrunc(V, B.getInt64Ty());
    if (V->getType()->isIntegerTy())
      return B.CreateUIToFP(B.CreateIsNotNull(V), B.getDoubleTy());
    return B.CreateFPCast(V, B.getDoubleTy());
  }

  Function &Reader;
  const Dummies &D;
  IRBuilder<> B;
};

} // namespace

void ProcedureCode::describe(const Function &F, OperatorFact &Fact) {
  std::optional<Dummies> Found = dummiesOf(F);
  if (!Found)
    return;
  Fact.Parameters.clear();
  for (const DummyArgument &Each : Found->Arguments)
    Fact.Parameters.push_back(Each.What == DummyArgument::Parameter
                                  ? Found->Parameters[Each.Of]
                                  : ParameterFact{"", ParameterRole::Object, 0, false});
  if (all_of(Found->Arguments, [](const DummyArgument &Each) { return Each.What == DummyArgument::Parameter; }))
    return;
  LLVMContext &C = Made->getContext();
  Type *Result = F.getReturnType(), *Ptr = PointerType::getUnqual(C);
  SmallVector<Type *, 8> Built;
  for (const ParameterFact &P : Found->Parameters)
    Built.push_back(typeOf(P, C));
  Fact.BuilderParameters = Found->Parameters;
  Fact.Builder = ("memshape_build_" + F.getName()).str();
  Building(
      *Function::Create(FunctionType::get(Result, Built, false), GlobalValue::ExternalLinkage, Fact.Builder, *Made),
      *Found)
      .write(Made->getOrInsertFunction(F.getName(), F.getFunctionType()));
  SmallVector<Type *, 8> Read(F.getFunctionType()->params());
  Read.append({Ptr, Ptr, Type::getInt64Ty(C)});
  Fact.Reader = ("memshape_read_" + F.getName()).str();
  Telling(*Function::Create(FunctionType::get(Result, Read, false), GlobalValue::ExternalLinkage, Fact.Reader, *Made),
          *Found)
      .write();
}

std::string ProcedureCode::bitcode() const {
  if (Made->empty())
    return "";
  std::string Text;
  raw_string_ostream Stream(Text);
  WriteBitcodeToFile(*Made, Stream);
  return Text;
}

} // namespace memshape
