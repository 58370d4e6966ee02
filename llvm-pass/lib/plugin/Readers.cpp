// Functions that read arguments, in the module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/Readers.h"
#include "memshape/Bodies.h"
#include "memshape/Handover.h"
#include "operators/Operators.h"
#include "plugin/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace memshape {

/// Whether code may use G of the readers' module without a change of what M needs or keeps.
static bool isHarmless(const GlobalValue &G, const Module &M) {
  if (const auto *F = dyn_cast<Function>(&G)) {
    const GlobalValue *Own = M.getNamedValue(F->getName());
    return !F->isDeclaration() || F->isIntrinsic() || F->hasExternalWeakLinkage() ||
           (Own && !Own->hasLocalLinkage() && (!Own->isDeclarationForLinker() || !Own->use_empty()));
  }
  const auto *V = dyn_cast<GlobalVariable>(&G);
  return V && !V->isDeclaration() && V->isConstant();
}

/// Whether all that Reader uses, and what that uses, is harmless.
static bool isHarmlessReader(const Function &Reader, const Module &M) {
  SmallVector<const User *, 32> Left = {&Reader};
  SmallPtrSet<const User *, 32> Seen = {&Reader};
  while (!Left.empty()) {
    const User *Each = Left.pop_back_val();
    if (const auto *G = dyn_cast<GlobalValue>(Each); G && !isHarmless(*G, M))
      return false;
    auto Add = [&](const Use &U) {
      if (const auto *Next = dyn_cast<Constant>(U.get()); Next && Seen.insert(Next).second)
        Left.push_back(Next);
    };
    for (const Use &U : Each->operands())
      Add(U);
    if (const auto *F = dyn_cast<Function>(Each))
      for (const Instruction &I : instructions(*F))
        for (const Use &U : I.operands())
          Add(U);
  }
  return true;
}

/// Reader takes what F does, in the same places, and then three arguments of its own.
static bool takesTheSame(const Function &Reader, const Function &F) {
  return Reader.getCallingConv() == F.getCallingConv() && Reader.arg_size() == F.arg_size() + 3 &&
         all_of(F.args(), [&](const Argument &A) {
           const Argument &B = *Reader.getArg(A.getArgNo());
           return A.getType() == B.getType() && A.hasStructRetAttr() == B.hasStructRetAttr() &&
                  A.getParamByValType() == B.getParamByValType();
         });
}

/// What is left belongs to the readers alone.
static void keepReaders(Module &From, const Module &M) {
  for (NamedMDNode &Each : make_early_inc_range(From.named_metadata()))
    From.eraseNamedMetadata(&Each);
  From.setModuleInlineAsm("");
  for (const OperatorFact &Fact : handover().Operators)
    if (Function *Reader = Fact.Reader.empty() ? nullptr : From.getFunction(Fact.Reader))
      if (!Reader->isDeclaration() && !isHarmlessReader(*Reader, M))
        leaveDeclaration(*Reader);
  ModuleAnalysisManager Analyses;
  GlobalDCEPass().run(From, Analyses);
  for (GlobalObject &Each : From.global_objects())
    if (!Each.isDeclaration()) {
      Each.setComdat(nullptr);
      const bool IsReader = any_of(handover().Operators, [&](auto &Fact) { return Fact.Reader == Each.getName(); });
      Each.setLinkage(IsReader ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
    }
}

std::string readerCode(Module &M) {
  auto IsReader = [](StringRef Name) {
    return any_of(handover().Operators, [&](const OperatorFact &Fact) { return Fact.Reader == Name; });
  };
  if (none_of(handover().Operators, [](const OperatorFact &Fact) { return !Fact.Reader.empty(); }))
    return "";
  std::unique_ptr<Module> From = builderCode(M.getContext(), IsReader);
  if (!From)
    return "";
  keepReaders(*From, M);
  if (none_of(*From, [](const Function &F) { return !F.isDeclaration(); }) || verifyModule(*From))
    return "";
  SmallString<0> Bitcode;
  raw_svector_ostream Stream(Bitcode);
  WriteBitcodeToFile(*From, Stream);
  return Bitcode.str().str();
}

static bool linkCode(Module &M, StringRef Bitcode) {
  if (Bitcode.empty())
    return false;
  Expected<std::unique_ptr<Module>> From =
      parseBitcodeFile(MemoryBufferRef(Bitcode, "memshape readers"), M.getContext());
  if (!From) {
    consumeError(From.takeError());
    return false;
  }
  return !Linker::linkModules(M, std::move(*From));
}

ShapeReaders linkReaders(Module &M, StringRef Bitcode) {
  ShapeReaders Found;
  SmallVector<Operator, 4> Operators = operatorsOf(M);
  Operators.append(otherClonesOf(M));
  const bool Linked = linkCode(M, Bitcode);
  for (const Operator &Op : Operators) {
    const auto Fact = find_if(handover().Operators, [&](const OperatorFact &F) { return F.Symbol == Op.Fact.Symbol; });
    if (Fact == handover().Operators.end() || Fact->Builder.empty() || buildsNothing(*Fact) || !Fact->Unbuilt.empty())
      continue;
    Function *Reader = Linked && !Fact->Reader.empty() ? M.getFunction(Fact->Reader) : nullptr;
    if (Reader && (Reader->isDeclaration() || !takesTheSame(*Reader, *Op.Function)))
      Reader = nullptr;
    Found[Op.Function] = {Reader, Fact->BuilderParameters};
  }
  for (const OperatorFact &Fact : handover().Operators)
    if (Function *Reader = Linked && !Fact.Reader.empty() ? M.getFunction(Fact.Reader) : nullptr) {
      if (!Reader->isDeclaration())
        Reader->setLinkage(GlobalValue::InternalLinkage);
      else if (Reader->use_empty())
        Reader->eraseFromParent();
    }
  return Found;
}

} // namespace memshape
