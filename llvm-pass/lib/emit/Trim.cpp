// The skeleton's module before it is compiled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks a module, and removes what an evaluation does not need.

#include "emit/Trim.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#include <tuple>

using namespace memshape;
using namespace llvm;

bool memshape::checkModule(Module &Code, const Triple &Host, std::string &Problem) {
  const Triple Target(Code.getTargetTriple());
  if (Target.getArch() != Triple::UnknownArch && Target.getArch() != Host.getArch()) {
    Problem =
        "the skeleton was made for " + Target.getArchName().str() + ", this machine is " + Host.getArchName().str();
    return false;
  }
  std::string Found;
  raw_string_ostream Report(Found);
  if (verifyModule(Code, &Report)) {
    Report.flush();
    Problem = "the skeleton's bitcode is not valid: " + Found.substr(0, Found.find('\n'));
    return false;
  }
  const Function *Entry = Code.getFunction(EntryName);
  if (!Entry || Entry->isDeclaration() || Entry->arg_size() != 2 || Entry->isVarArg() ||
      !Entry->getReturnType()->isVoidTy() ||
      !all_of(Entry->args(), [](const Argument &A) { return A.getType()->isPointerTy(); })) {
    Problem = "the bitcode defines no function memshape_skeleton(const int64_t *, const double *)";
    return false;
  }
  return true;
}

/// The constructors of the module in the order in which they run.
static std::vector<Function *> takeConstructors(Module &Code) {
  std::vector<std::tuple<std::uint64_t, std::size_t, Function *>> ByPriority; // then by position in the list
  for (const char *Name : {"llvm.global_ctors", "llvm.global_dtors"}) {
    GlobalVariable *List = Code.getNamedGlobal(Name);
    if (!List)
      continue;
    const auto *Entries = List->hasInitializer() ? dyn_cast<ConstantArray>(List->getInitializer()) : nullptr;
    if (Entries && Name == StringRef("llvm.global_ctors"))
      for (const Use &Entry : Entries->operands()) {
        const auto *Fields = dyn_cast<ConstantStruct>(Entry);
        const auto *Priority = Fields ? dyn_cast<ConstantInt>(Fields->getOperand(0)) : nullptr;
        auto *Constructor = Fields ? dyn_cast<Function>(Fields->getOperand(1)->stripPointerCasts()) : nullptr;
        if (Priority && Constructor && !Constructor->isDeclaration())
          ByPriority.push_back({Priority->getZExtValue(), ByPriority.size(), Constructor});
      }
    List->eraseFromParent();
  }
  llvm::sort(ByPriority);
  std::vector<Function *> Result;
  for (const auto &[Priority, Place, Constructor] : ByPriority)
    Result.push_back(Constructor);
  return Result;
}

/// Makes thread-local variables plain ones, which need no support by a platform: one thread runs a skeleton. Those of
/// libraries are found by name, as that thread's own.
static void makeThreadLocalsPlain(Module &Code) {
  bool Any = false;
  for (GlobalVariable &Variable : Code.globals())
    if (Variable.isThreadLocal()) {
      Variable.setThreadLocal(false);
      Any = true;
    }
  if (!Any)
    return;
  for (Function &F : Code)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<IntrinsicInst>(&I))
        if (Call->getIntrinsicID() == Intrinsic::threadlocal_address)
          if (auto *Variable = dyn_cast<GlobalVariable>(Call->getArgOperand(0));
              Variable && !Variable->isThreadLocal()) {
            Call->replaceAllUsesWith(Variable);
            Call->eraseFromParent();
          }
}

bool memshape::prepareModule(Module &Code, bool Unwinding, std::vector<std::string> &Constructors,
                             std::string &Problem) {
  StripDebugInfo(Code);
  // File-level assembly holds the records for the tools; functions do not refer to it.
  Code.setModuleInlineAsm("");
  makeThreadLocalsPlain(Code);
  countWork(Code);
  const std::vector<Function *> Ordered = takeConstructors(Code);

  for (GlobalObject &Object : Code.global_objects()) {
    if (Object.isDeclaration() || Object.hasAvailableExternallyLinkage()) {
      Object.setDSOLocal(false); // it may be further away than 2 GiB
      continue;
    }
    if (Object.getName().starts_with("llvm."))
      continue;
    Object.setComdat(nullptr);
    Object.setVisibility(GlobalValue::DefaultVisibility);
    Object.setLinkage(Object.getName() == EntryName ? GlobalValue::ExternalLinkage : GlobalValue::InternalLinkage);
  }
  for (GlobalAlias &Alias : Code.aliases()) {
    Alias.setVisibility(GlobalValue::DefaultVisibility);
    Alias.setLinkage(GlobalValue::InternalLinkage);
  }
  for (Function &F : Code)
    if (!F.isDeclaration() && !Unwinding) {
      // Skeletons do not unwind, so they need no unwind tables.
      F.removeFnAttr(Attribute::UWTable);
      F.removeFnAttr("warn-stack-size"); // the warning is about the program's own frames
      F.setDoesNotThrow();
    }

  for (Function *Constructor : Ordered) {
    if (Constructor->arg_size() != 0) {
      Problem = "a constructor of the skeleton takes arguments";
      return false;
    }
    Constructor->setName(MEMSHAPE_SK_CONSTRUCTOR + Twine(Constructors.size()));
    Constructor->setLinkage(GlobalValue::ExternalLinkage);
    Constructors.push_back(Constructor->getName().str());
  }
  return true;
}

void memshape::defineMissingVariables(Module &Code, const std::function<bool(const std::string &)> &IsKnown) {
  constexpr std::uint64_t LeastBytes = 4096; // an array of unknown extent is declared with none
  for (GlobalVariable &Variable : make_early_inc_range(Code.globals())) {
    if (!Variable.isDeclaration() || Variable.use_empty() || Variable.getName().starts_with("llvm.") ||
        IsKnown(Variable.getName().str()))
      continue;
    Type *Declared = Variable.getValueType();
    const std::uint64_t Bytes =
        Declared->isSized() ? Code.getDataLayout().getTypeAllocSize(Declared).getKnownMinValue() : 0;
    Type *Room = ArrayType::get(Type::getInt8Ty(Code.getContext()), std::max(Bytes, LeastBytes));
    auto *Zeros = new GlobalVariable(Code, Room, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                     Constant::getNullValue(Room), "memshape.missing");
    Zeros->setAlignment(Align(64));
    Variable.replaceAllUsesWith(Zeros);
    Variable.eraseFromParent();
  }
}

std::vector<std::string> memshape::namesWanted(const Module &Code) {
  std::vector<std::string> Names;
  for (const GlobalObject &Object : Code.global_objects()) {
    const auto *F = dyn_cast<Function>(&Object);
    if ((Object.isDeclaration() || Object.hasAvailableExternallyLinkage()) && !Object.use_empty() &&
        !Object.hasExternalWeakLinkage() && !(F && F->isIntrinsic()) && !Object.getName().starts_with("llvm."))
      Names.push_back(Object.getName().str());
  }
  return Names;
}
