// The operators of a module, as metadata.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operators/Operators.h"
#include "operators/CallersFunction.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace memshape {

static constexpr StringLiteral MetadataName = "memshape.operators";
static constexpr StringLiteral ClonesName = "memshape.clones";
static constexpr StringLiteral Annotation = "memshape.operator";
static constexpr StringLiteral ContractAnnotation = "memshape.contract:";

static ParameterRole roleOf(StringRef Name) {
  for (ParameterRole Role :
       {ParameterRole::Shape, ParameterRole::Setting, ParameterRole::Tensor, ParameterRole::Function})
    if (Name == wordOf(Role))
      return Role;
  return ParameterRole::Object;
}

/// Arguments in front of the source's parameters: the slot of a result returned in memory, and `this`.
static unsigned leadingArguments(const Operator &Op) {
  unsigned Leading = Op.Fact.HasThis ? 1 : 0;
  for (const Argument &A : Op.Function->args())
    if (A.hasStructRetAttr())
      ++Leading;
  return Leading;
}

bool Operator::argumentsMatch() const {
  if (Function->arg_size() != leadingArguments(*this) + Fact.Parameters.size())
    return false;
  for (unsigned I = 0; I != Fact.Parameters.size(); ++I) {
    Type *T = argumentOf(I)->getType();
    switch (Fact.Parameters[I].Role) {
    case ParameterRole::Shape:
      if (!T->isIntegerTy())
        return false;
      break;
    case ParameterRole::Setting:
      if (!T->isFloatTy() && !T->isDoubleTy() && !T->isX86_FP80Ty() && !T->isIntegerTy())
        return false;
      break;
    case ParameterRole::Tensor:
    case ParameterRole::Function:
      if (!T->isPointerTy())
        return false;
      break;
    case ParameterRole::Object: break;
    }
  }
  return true;
}

Argument *Operator::argumentOf(unsigned Index) const {
  unsigned At = leadingArguments(*this) + Index;
  return At < Function->arg_size() ? Function->getArg(At) : nullptr;
}

static uint64_t integerAt(const MDNode &N, unsigned I) {
  return mdconst::extract<ConstantInt>(N.getOperand(I))->getZExtValue();
}

static std::string stringAt(const MDNode &N, unsigned I) { return cast<MDString>(N.getOperand(I))->getString().str(); }

static SmallVector<Operator, 4> listed(Module &M, StringRef Name) {
  SmallVector<Operator, 4> Result;
  NamedMDNode *List = M.getNamedMetadata(Name);
  if (!List)
    return Result;
  for (MDNode *N : List->operands()) {
    auto *F = mdconst::dyn_extract_or_null<Function>(N->getOperand(0));
    if (!F || F->isDeclaration())
      continue;
    Operator Op;
    Op.Function = F;
    Op.Fact.Name = stringAt(*N, 1);
    Op.Fact.File = stringAt(*N, 2);
    Op.Fact.Line = integerAt(*N, 3);
    Op.Fact.HasThis = integerAt(*N, 4);
    Op.Fact.Symbol = stringAt(*N, 5);
    Op.Fact.Unbuilt = stringAt(*N, 6);
    const auto &Built = *cast<MDNode>(N->getOperand(7));
    for (unsigned I = 0; I < Built.getNumOperands(); I += 2)
      Op.Fact.Built.push_back({stringAt(Built, I), stringAt(Built, I + 1)});
    for (const MDOperand &Each : cast<MDNode>(N->getOperand(8))->operands())
      Op.Fact.Results.push_back(cast<MDString>(Each)->getString().str());
    for (const MDOperand &Each : cast<MDNode>(N->getOperand(9))->operands())
      Op.Fact.Contracts.push_back(cast<MDString>(Each)->getString().str());
    for (unsigned I = 10; I < N->getNumOperands(); ++I) {
      const auto &P = *cast<MDNode>(N->getOperand(I));
      Op.Fact.Parameters.push_back({stringAt(P, 0), roleOf(stringAt(P, 1)), unsigned(integerAt(P, 2)),
                                    integerAt(P, 3) != 0, P.getNumOperands() > 4 ? stringAt(P, 4) : ""});
    }
    Result.push_back(std::move(Op));
  }
  return Result;
}

SmallVector<Operator, 4> operatorsOf(Module &M) { return listed(M, MetadataName); }
SmallVector<Operator, 4> otherClonesOf(Module &M) { return listed(M, ClonesName); }

/// What the source has written before functions with annotate("...").
static SmallVector<std::pair<Function *, StringRef>> annotations(const Module &M) {
  SmallVector<std::pair<Function *, StringRef>> Found;
  const GlobalVariable *List = M.getNamedGlobal("llvm.global.annotations");
  if (!List || !List->hasInitializer())
    return Found;
  for (const Use &U : cast<User>(List->getInitializer())->operands()) {
    auto *Entry = dyn_cast<ConstantStruct>(U.get());
    if (!Entry || Entry->getNumOperands() < 2)
      continue;
    auto *F = dyn_cast<Function>(Entry->getOperand(0)->stripPointerCasts());
    auto *Text = dyn_cast<GlobalVariable>(Entry->getOperand(1)->stripPointerCasts());
    auto *Data = Text && Text->hasInitializer() ? dyn_cast<ConstantDataSequential>(Text->getInitializer()) : nullptr;
    if (F && Data && Data->isCString())
      Found.emplace_back(F, Data->getAsCString());
  }
  return Found;
}

/// A copy of M has them in its facts alone.
static std::vector<std::string> contractsOf(const Module &M, const Function &F) {
  std::vector<std::string> Contracts;
  for (const auto &[Annotated, Words] : annotations(M))
    if (Annotated == &F && Words.starts_with(ContractAnnotation))
      Contracts.push_back(Words.drop_front(ContractAnnotation.size()).str());
  return Contracts;
}

static void add(Module &M, Function &F, const OperatorFact &Fact, StringRef List) {
  LLVMContext &C = M.getContext();
  auto Text = [&](StringRef S) { return MDString::get(C, S); };
  auto Number = [&](unsigned Bits, uint64_t V) {
    return ConstantAsMetadata::get(ConstantInt::get(IntegerType::get(C, Bits), V));
  };
  SmallVector<Metadata *, 8> Fields = {
      ConstantAsMetadata::get(&F), Text(Fact.Name),         Text(Fact.File),
      Number(32, Fact.Line),       Number(1, Fact.HasThis), Text(Fact.Symbol.empty() ? F.getName() : Fact.Symbol),
      Text(Fact.Unbuilt)};
  SmallVector<Metadata *, 4> Built, Results, Contracts;
  for (const BuiltArgument &Each : Fact.Built)
    for (const std::string &Part : {Each.Name, Each.Type})
      Built.push_back(Text(Part));
  for (const std::string &Each : Fact.Results)
    Results.push_back(Text(Each));
  Fields.push_back(MDNode::get(C, Built));
  for (const std::string &Each : Fact.Contracts.empty() ? contractsOf(M, F) : Fact.Contracts)
    Contracts.push_back(Text(Each));
  Fields.push_back(MDNode::get(C, Results));
  Fields.push_back(MDNode::get(C, Contracts));
  for (const ParameterFact &P : Fact.Parameters)
    Fields.push_back(
        MDNode::get(C, {Text(P.Name), Text(wordOf(P.Role)), Number(32, P.Bits), Number(1, P.Signed), Text(P.Default)}));
  M.getOrInsertNamedMetadata(List)->addOperand(MDNode::get(C, Fields));

  Operator Op{&F, Fact};
  const bool IsBuilder = !Fact.Symbol.empty() && Fact.Symbol != F.getName();
  if (Op.argumentsMatch())
    for (const auto &[I, P] : enumerate(Fact.Parameters)) {
      const unsigned Number = Op.argumentOf(I)->getArgNo();
      if (P.Role == ParameterRole::Function)
        F.addParamAttr(Number, Attribute::get(C, CallersFunction));
      if (IsBuilder && P.Role == ParameterRole::Tensor && !P.Name.empty() && !StringRef(P.Name).contains('.'))
        F.addParamAttr(Number, Attribute::get(C, CallersPointer, Fact.File));
    }

  // A call of an inlined copy would not run the hooks; a specialised signature would lose shape symbols.
  F.removeFnAttr(Attribute::AlwaysInline);
  F.addFnAttr(Attribute::NoInline);
  appendToCompilerUsed(M, {&F});
}

void addOperator(Module &M, Function &F, const OperatorFact &Fact) { add(M, F, Fact, MetadataName); }

void addOperator(Module &M, ArrayRef<Function *> Clones, const OperatorFact &Fact) {
  for (Function *F : Clones)
    add(M, *F, Fact, F == Clones.front() ? MetadataName : ClonesName);
}

void forgetOperators(Module &M) {
  for (StringRef Name : {MetadataName, ClonesName})
    if (NamedMDNode *List = M.getNamedMetadata(Name))
      List->eraseFromParent();
}

OperatorFact describeFunction(const Function &F) {
  OperatorFact Fact;
  Fact.Symbol = F.getName().str();
  Fact.Name = Fact.Symbol;
  if (const DISubprogram *SP = F.getSubprogram()) {
    Fact.Name = SP->getName().str();
    Fact.File = SP->getFilename().str();
    Fact.Line = SP->getLine();
  }
  for (const Argument &A : F.args()) {
    if (A.hasStructRetAttr())
      continue;
    Type *T = A.getType();
    ParameterFact P;
    P.Name = A.hasName() ? A.getName().str() : "arg" + std::to_string(A.getArgNo());
    if (T->isIntegerTy(1))
      P = {P.Name, ParameterRole::Setting, 1, false};
    else if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64)
      P = {P.Name, ParameterRole::Shape, T->getIntegerBitWidth(), A.hasSExtAttr() || !A.hasZExtAttr()};
    else if (T->isFloatTy() || T->isDoubleTy())
      P = {P.Name, ParameterRole::Setting, unsigned(T->getPrimitiveSizeInBits()), false};
    else if (T->isPointerTy())
      P.Role = ParameterRole::Tensor;
    Fact.Parameters.push_back(P);
  }
  return Fact;
}

SmallVector<Function *, 4> annotatedFunctions(Module &M) {
  SmallVector<Function *, 4> Result;
  for (const auto &[F, Words] : annotations(M))
    if (!F->isDeclaration() && Words == Annotation)
      Result.push_back(F);
  return Result;
}

} // namespace memshape
