// Functions of libraries that are given bodies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/LibraryBodies.h"
#include "Compat.h"
#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "memshape/Bodies.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace memshape {

namespace {

/// A file of bodies.
struct Document {
  StringRef Bitcode;
  StringSet<> Names;     ///< of what it has bodies for
  StringSet<> Variables; ///< constants that stand for variables, also for those that have a value of their own
  std::string Unless, Before;
  bool ForCeilings;

  /// Whether its bodies are right beside what M has.
  bool suits(const Module &M, bool Ceiling) const {
    return (Ceiling || !ForCeilings) && none_of(M.global_values(), [&](const GlobalValue &G) {
             return any_of(split(Unless, ' '),
                           [&](StringRef Word) { return !Word.empty() && G.getName().contains(Word); });
           });
  }
};

} // namespace

static std::unique_ptr<Module> readBodies(StringRef Bitcode, LLVMContext &C) {
  Expected<std::unique_ptr<Module>> Read = getLazyBitcodeModule(MemoryBufferRef(Bitcode, "bodies"), C);
  if (!Read)
    report_fatal_error(Twine("memshape: bodies of libraries: ") + toString(Read.takeError()));
  return std::move(*Read);
}

/// What a constant of Source says.
static std::string textIn(const Value *Constant) {
  return Constant ? cast<ConstantDataSequential>(cast<GlobalVariable>(Constant)->getInitializer())->getAsCString().str()
                  : "";
}

static Document readDocument(const CompiledBodies &File) {
  LLVMContext C;
  const std::unique_ptr<Module> Source = readBodies(File.Bitcode, C);
  auto Said = [&](StringRef Name) { return textIn(Source->getNamedGlobal(Name)); };
  Document Read = {
      File.Bitcode, {}, {}, Said("memshape_unless"), Said("memshape_before"), !Said("memshape_for_ceilings").empty()};
  for (const Function &F : *Source)
    if (!F.isDeclaration())
      Read.Names.insert(F.getName());
  for (const GlobalVariable &G : Source->globals())
    if (G.isConstant() && G.hasInitializer() && !G.hasPrivateLinkage())
      Read.Variables.insert(G.getName());
  return Read;
}

static ArrayRef<Document> documents() {
  static const auto All = [] {
    std::vector<Document> Read;
    for (const CompiledBodies &File : compiledBodies())
      if (File.Compiler.empty())
        Read.push_back(readDocument(File));
    return Read;
  }();
  return All;
}

/// Leaves of Source its code, with what its comments in C say as attributes, and nothing of how it was compiled.
static void leaveCode(Module &Source) {
  for (Function &F : Source) {
    if (F.isIntrinsic())
      continue;
    F.setAttributes(AttributeList());
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == &F)
        Call->setAttributes(AttributeList());
  }
  if (GlobalVariable *All = Source.getNamedGlobal("llvm.global.annotations")) {
    for (const Use &Each : All->getInitializer()->operands()) {
      const std::string Text = textIn(cast<Constant>(Each)->getOperand(1));
      auto [Key, Value] = StringRef(Text).split('=');
      cast<Function>(cast<Constant>(Each)->getOperand(0))->addFnAttr(Key, Value);
    }
    All->eraseFromParent();
  }
  for (StringRef Said : {"memshape_unless", "memshape_before", "memshape_for_ceilings"})
    if (GlobalVariable *G = Source.getNamedGlobal(Said))
      G->eraseFromParent();
  for (StringRef Name : {"llvm.ident", "llvm.module.flags"})
    if (NamedMDNode *Node = Source.getNamedMetadata(Name))
      Node->eraseFromParent();
}

/// All that suit M, as one module.
static std::unique_ptr<Module> linkBodies(ArrayRef<const Document *> Suited, LLVMContext &C) {
  auto All = std::make_unique<Module>("bodies", C);
  for (const Document *Each : Suited) {
    std::unique_ptr<Module> Source = readBodies(Each->Bitcode, C);
    if (Error Problem = Source->materializeAll())
      report_fatal_error(Twine("memshape: bodies of libraries: ") + toString(std::move(Problem)));
    leaveCode(*Source);
    Linker::linkModules(*All, std::move(Source));
  }
  return All;
}

/// V is an object of the library that Source only declares, such as a stream of the process.
static bool isOfLibrary(const Value *V, const Module &Source) {
  const auto *Load = dyn_cast<LoadInst>(V);
  const auto *G = Load ? dyn_cast<GlobalVariable>(Load->getPointerOperand()) : nullptr;
  return G && G->isDeclaration() && Source.getNamedGlobal(G->getName());
}

/// Before calls of functions that leave something in what a body made, what it is. Before has lines NAMES: BODY ARGUMENTS.
static void callBefore(Module &M, const Module &Source, StringRef Before) {
  StringMap<StringRef> Calls;
  for (StringRef Line : split(Before, '\n'))
    for (StringRef Name : split(Line.split(": ").first, ' '))
      Calls[Name] = Line.split(": ").second;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      const auto Known = Callee && Callee->isDeclaration() ? Calls.find(Callee->getName()) : Calls.end();
      if (Known == Calls.end())
        continue;
      auto [Name, Rest] = Known->second.split(' ');
      FunctionType *Type = Source.getFunction(Name)->getFunctionType();
      SmallVector<StringRef, 4> Words;
      Rest.split(Words, ' ');
      SmallVector<Value *, 4> Arguments;
      for (auto [Word, Wanted] : zip_equal(Words, Type->params())) {
        const bool Constant = Word.consume_front("=");
        unsigned Number = 0;
        Word.getAsInteger(10, Number);
        Value *Argument = Constant                    ? ConstantInt::get(Wanted, Number)
                          : Number < Call->arg_size() ? Call->getArgOperand(Number)
                                                      : nullptr;
        if (!Argument || Argument->getType() != Wanted || isOfLibrary(Argument, Source))
          break;
        Arguments.push_back(Argument);
      }
      if (Arguments.size() == Words.size())
        IRBuilder<>(Call).CreateCall(M.getOrInsertFunction(Name, Type), Arguments);
    }
}

/// F computes what it returns and leaves nothing else behind.
static bool onlyComputes(const Function &F, SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return true;
  if (F.isDeclaration())
    return is_contained({Treatment::Compute, Treatment::Inspect}, summaryOf(F).How) || F.isIntrinsic();
  auto isOwn = [](const Value *Pointer) { return isa<AllocaInst>(getUnderlyingObject(Pointer)); };
  return all_of(instructions(F), [&](const Instruction &I) {
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      return isOwn(Store->getPointerOperand());
    if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
      return isOwn(Fill->getRawDest());
    if (const auto *Call = dyn_cast<CallBase>(&I))
      return Call->getCalledFunction() && onlyComputes(*Call->getCalledFunction(), Seen);
    return !I.isAtomic();
  });
}

/// The same of what each call of F is given as argument Number.
static bool givenToCompute(const Function &F, unsigned Number) {
  return all_of(F.users(), [&](const User *U) {
    const auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledFunction() != &F || Number >= Call->arg_size())
      return false;
    const auto *Given = dyn_cast<Function>(Call->getArgOperand(Number)->stripPointerCasts());
    SmallPtrSet<const Function *, 8> Seen;
    return Given && !Given->isDeclaration() && onlyComputes(*Given, Seen);
  });
}

/// What F is given by reference has as many bytes as Body says: it is the version of the class that Body was written for.
static bool takesAsLarge(const Function &Body, const Function &F) {
  auto [Number, Bytes] = Body.getFnAttribute("memshape-object").getValueAsString().split(' ');
  unsigned N = 0;
  uint64_t Wanted = 0;
  return !Number.getAsInteger(10, N) && !Bytes.getAsInteger(10, Wanted) && N < F.arg_size() &&
         F.getParamDereferenceableBytes(N) == Wanted;
}

/// Whether Body, of a function that its module has, can stand for F.
static bool standsFor(const Function &Body, const Function &F) {
  const Attribute Computes = Body.getFnAttribute("memshape-computes");
  unsigned Number = 0;
  if (Computes.isValid() && (Computes.getValueAsString().getAsInteger(10, Number) || !givenToCompute(F, Number)))
    return false;
  if (Body.hasFnAttribute("memshape-object") && !takesAsLarge(Body, F))
    return false;
  return F.isDeclaration() && F.getFunctionType() == Body.getFunctionType();
}

static bool calls(const Function &F, StringRef Name) {
  return any_of(instructions(F), [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == Name;
  });
}

/// Takes their values from the variables of M for which Source has constants, which have to have room for them. Texts
/// of both may be called `.str`: that says nothing.
static void forgetValues(Module &M, const Module &Source) {
  for (const GlobalVariable &Known : Source.globals())
    if (GlobalVariable *G = Known.isConstant() && Known.hasInitializer() ? M.getNamedGlobal(Known.getName()) : nullptr;
        G && !G->hasPrivateLinkage() && !Known.hasPrivateLinkage() && G->hasInitializer() &&
        M.getDataLayout().getTypeAllocSize(G->getValueType()) <=
            M.getDataLayout().getTypeAllocSize(Known.getValueType()))
      leaveDeclaration(*G);
}

/// Whether a unit of M was compiled by this one.
static bool isOf(const Module &M, StringRef Compiler) {
  const std::string Release = (Compiler + ".").str();
  const NamedMDNode *Compilers = M.getNamedMetadata("llvm.ident");
  return any_of(M.debug_compile_units(),
                [&](const DICompileUnit *Unit) { return Unit->getProducer().contains(Release); }) ||
         (Compilers && any_of(Compilers->operands(), [&](const MDNode *Each) {
            return cast<MDString>(Each->getOperand(0))->getString().contains(Release);
          }));
}

/// Before: see callBefore. True where a body opens files.
static bool giveBodies(Module &M, std::unique_ptr<Module> Source, std::vector<std::string> &Assumed,
                       StringRef Before = "");

/// A result without members, as older releases of flang have it, is none.
static void dropEmptyResults(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.getReturnType() != StructType::get(M.getContext()))
      continue;
    Function *Bare = Function::Create(
        FunctionType::get(Type::getVoidTy(M.getContext()), F.getFunctionType()->params(), F.isVarArg()),
        GlobalValue::ExternalLinkage, "", &M);
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == &F && Call->use_empty()) {
        CallInst *New = CallInst::Create(Bare->getFunctionType(), Bare, SmallVector<Value *, 8>(Call->args()), "",
                                         Call->getIterator());
        New->setDebugLoc(Call->getDebugLoc());
        Call->eraseFromParent();
      }
    if (F.use_empty()) {
      Bare->takeName(&F);
      F.eraseFromParent();
    } else {
      Bare->eraseFromParent();
    }
  }
}

/// What C cannot say: bodies run wherever the module does, and what they ask of memshape touches nothing else.
static void describe(Function &F) {
  for (StringRef Processor : {"target-cpu", "target-features", "tune-cpu"})
    F.removeFnAttr(Processor);
  if (!F.isDeclaration() || !F.getName().starts_with("memshape_"))
    return;
  F.setOnlyAccessesArgMemory();
  F.setDoesNotThrow();
  F.setWillReturn();
  for (Argument &A : F.args())
    if (A.getType()->isPointerTy())
      A.addAttr(compat::captureNothing(F.getContext()));
}

/// Those of a compiler's own library.
static void giveCompiledBodies(Module &M, std::vector<std::string> &Assumed) {
  for (const CompiledBodies &Each : compiledBodies()) {
    if (Each.Compiler.empty() || !isOf(M, Each.Compiler))
      continue;
    dropEmptyResults(M);
    std::unique_ptr<Module> Read = readBodies(Each.Bitcode, M.getContext());
    const bool Wanted = any_of(*Read, [&](const Function &Body) {
      const Function *F = Body.isDeclaration() ? nullptr : M.getFunction(Body.getName());
      return F && F->isDeclaration() && !F->use_empty();
    });
    if (!Wanted || Read->materializeAll())
      continue;
    for (Function &Body : *Read)
      describe(Body);
    giveBodies(M, std::move(Read), Assumed);
  }
}

bool giveLibraryBodies(Module &M, std::vector<std::string> &Assumed, bool Ceiling) {
  giveCompiledBodies(M, Assumed);
  SmallVector<const Document *, 16> Suited;
  std::string Before;
  bool Wanted = false;
  for (const Document &Each : documents())
    if (Each.suits(M, Ceiling)) {
      Suited.push_back(&Each);
      Before += Each.Before;
      Wanted |= any_of(M,
                       [&](const Function &F) {
                         return F.isDeclaration() && !F.use_empty() && Each.Names.contains(F.getName());
                       }) ||
                any_of(M.globals(), [&](const GlobalVariable &G) { return Each.Variables.contains(G.getName()); });
    }
  return Wanted && giveBodies(M, linkBodies(Suited, M.getContext()), Assumed, Before);
}

static bool giveBodies(Module &M, std::unique_ptr<Module> Source, std::vector<std::string> &Assumed, StringRef Before) {
  bool Opens = false;
  Source->setDataLayout(M.getDataLayout());
  Source->setTargetTriple(M.getTargetTriple());
  forgetValues(M, *Source);
  std::vector<std::string> Offered; // before the names are taken
  for (Function &Body : *Source) {
    Function *F = M.getFunction(Body.getName());
    if (Body.isDeclaration() || !F)
      continue;
    if (!standsFor(Body, *F)) {
      leaveDeclaration(Body);
      continue;
    }
    Opens |= calls(Body, "memshape_open");
    if (std::string Taken = Body.getFnAttribute("memshape-assumes").getValueAsString().str();
        !Taken.empty() && !is_contained(Assumed, Taken))
      Assumed.push_back(std::move(Taken));
    // What was known of the library's function need not hold for ours.
    F->setAttributes(AttributeList());
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == F)
        Call->setAttributes(AttributeList());
  }
  for (const GlobalValue &G : Source->global_values())
    if (!G.isDeclaration() && !G.hasPrivateLinkage())
      Offered.push_back(G.getName().str());
  if (Opens)
    callBefore(M, *Source, Before);
  Linker::linkModules(M, std::move(Source), Linker::LinkOnlyNeeded);
  for (const std::string &Name : Offered)
    if (GlobalValue *G = M.getNamedValue(Name); G && !G->isDeclaration()) {
      G->setLinkage(GlobalValue::InternalLinkage);
      G->setName(BodyPrefix + Name); // no pass may take it for the library's function
      if (auto *F = dyn_cast<Function>(G); F && !F->hasFnAttribute("memshape-throws"))
        F->setDoesNotThrow();
    }
  return Opens;
}

} // namespace memshape
