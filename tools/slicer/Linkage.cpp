// One module of several.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Linkage.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace memshape {

static std::string firstLine(StringRef Text) { return Text.split('\n').first.trim().str(); }

/// Units without operators are compiled without locations unless -g asks for them: the function alone is known then.
static void nameFunctions(Module &M) {
  if (M.getNamedMetadata("llvm.dbg.cu"))
    return;
  DIBuilder Builder(M, /*AllowUnresolved=*/false);
  StringRef Source = M.getSourceFileName();
  DIFile *File = Builder.createFile(sys::path::filename(Source), sys::path::parent_path(Source));
  Builder.createCompileUnit(dwarf::DW_LANG_C99, File, "memshape", false, "", 0, "", DICompileUnit::NoDebug);
  auto *Signature = Builder.createSubroutineType(Builder.getOrCreateTypeArray({}));
  for (Function &F : M) {
    if (F.isDeclaration() || F.getSubprogram())
      continue;
    StringRef Symbol = F.getName();
    std::string Name = StringRef(demangle(Symbol.str())).split('(').first.str();
    DISubprogram *Place = Builder.createFunction(File, Name, Symbol, File, 0, Signature, 0, DINode::FlagZero,
                                                 DISubprogram::SPFlagDefinition);
    F.setSubprogram(Place);
    for (Instruction &I : instructions(F))
      if (isa<CallBase>(I))
        I.setDebugLoc(DILocation::get(M.getContext(), 0, 0, Place));
    Builder.finalizeSubprogram(Place);
  }
  Builder.finalize();
  if (!M.getModuleFlag("Debug Info Version"))
    M.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

/// A unit that is compiled without strict aliasing reads pointers from bytes of any type; where the optimiser has taken
/// the type from a read of another unit, it is a pointer's still. So the reads of the former get a type: one of a tree of
/// its own, which may be any other.
static void admitAnyType(Module &M) {
  SmallVector<LoadInst *, 16> Reads;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (I.hasMetadata(LLVMContext::MD_tbaa))
        return;
      if (auto *Read = dyn_cast<LoadInst>(&I); Read && Read->getType()->isPointerTy())
        Reads.push_back(Read);
    }
  MDBuilder Builder(M.getContext());
  MDNode *Any = Builder.createTBAAScalarTypeNode("any", Builder.createTBAARoot("memshape.untyped"));
  for (LoadInst *Read : Reads)
    Read->setMetadata(LLVMContext::MD_tbaa, Builder.createTBAAStructTagNode(Any, Any, 0));
}

static std::unique_ptr<Module> read(LLVMContext &Context, const StoredModule &Stored, std::string &Problem) {
  Expected<std::unique_ptr<Module>> Parsed = parseBitcodeFile(MemoryBufferRef(Stored.Bitcode, Stored.Name), Context);
  if (!Parsed) {
    Problem = "the module of " + Stored.Name + " cannot be read: " + firstLine(toString(Parsed.takeError()));
    return nullptr;
  }
  std::string Found;
  raw_string_ostream Report(Found);
  bool HasBrokenLines = false;
  if (verifyModule(**Parsed, &Report, &HasBrokenLines)) {
    Problem = "the module of " + Stored.Name + " is not valid: " + firstLine(Report.str());
    return nullptr;
  }
  if (HasBrokenLines) // its code is as good without
    StripDebugInfo(**Parsed);
  nameFunctions(**Parsed);
  admitAnyType(**Parsed);
  return std::move(*Parsed);
}

/// Of two strong definitions a linker for archives takes the first and never sees the other.
static void yieldToFirst(Module &Later, const Module &First) {
  for (GlobalObject &G : Later.global_objects()) {
    const GlobalValue *Known = G.isDeclaration() || G.hasLocalLinkage() ? nullptr : First.getNamedValue(G.getName());
    if (Known && !Known->isDeclaration() && !Known->hasLocalLinkage() && !Known->isInterposable() &&
        !G.hasAppendingLinkage())
      G.setLinkage(G.hasLinkOnceODRLinkage() || G.hasWeakODRLinkage() ? GlobalValue::LinkOnceODRLinkage
                                                                      : GlobalValue::LinkOnceAnyLinkage);
  }
}

std::unique_ptr<Module> linkModules(LLVMContext &Context, const std::vector<StoredModule> &Modules,
                                    std::vector<std::string> &Notes, std::string &Problem) {
  std::unique_ptr<Module> Whole = read(Context, Modules.front(), Problem);
  if (!Whole)
    return nullptr;
  Linker Into(*Whole);
  for (const StoredModule &Stored : ArrayRef(Modules).drop_front()) {
    std::string Trouble;
    std::unique_ptr<Module> Part = read(Context, Stored, Trouble);
    if (Part && (Part->getDataLayout() != Whole->getDataLayout()))
      Trouble = "the module of " + Stored.Name + " was made for another machine";
    if (Trouble.empty()) {
      // Flags about code generation may contradict each other; none of them matters here.
      if (NamedMDNode *Flags = Part->getModuleFlagsMetadata())
        Flags->eraseFromParent();
      yieldToFirst(*Part, *Whole);
      if (Into.linkInModule(std::move(Part)))
        Trouble = "the module of " + Stored.Name + " does not fit together with the others";
    }
    if (!Trouble.empty())
      Notes.push_back(std::move(Trouble));
  }
  return Whole;
}

} // namespace memshape
