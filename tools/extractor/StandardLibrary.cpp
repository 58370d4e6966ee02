// Bodies of Rust's standard library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StandardLibrary.h"
#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "memshape/Bodies.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/IRMover.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace memshape {

namespace {

/// The bitcode in a toolchain's libraries, and which of it defines a name.
class Toolchain {
public:
  Toolchain(LLVMContext &Context, StringRef Folder);

  /// Moves into M what Wanted names. False where nothing is defined here.
  bool moveTo(Module &M, ArrayRef<std::string> Wanted, std::vector<std::string> &Moved) const;

private:
  void index(LLVMContext &Context, const object::Archive &Library);

  std::vector<std::unique_ptr<MemoryBuffer>> Files;
  std::vector<MemoryBufferRef> Units;
  StringMap<size_t> Defined; ///< the unit of each name
  StringSet<> Ambiguous;     ///< names that several crates define, of which a program has one: how panics go
};

} // namespace

/// What rustc leaves beside the machine code in Member.
static Expected<MemoryBufferRef> bitcodeIn(const object::Archive::Child &Member) {
  Expected<MemoryBufferRef> Bytes = Member.getMemoryBufferRef();
  if (!Bytes)
    return Bytes.takeError();
  Expected<std::unique_ptr<object::ObjectFile>> Object = object::ObjectFile::createObjectFile(*Bytes);
  if (!Object)
    return Object.takeError();
  for (const object::SectionRef &Section : (*Object)->sections())
    if (Expected<StringRef> Name = Section.getName(); Name && *Name == ".llvmbc")
      if (Expected<StringRef> Contents = Section.getContents())
        return MemoryBufferRef(*Contents, Bytes->getBufferIdentifier());
  return createStringError(inconvertibleErrorCode(), "no bitcode");
}

void Toolchain::index(LLVMContext &Context, const object::Archive &Library) {
  const size_t First = Units.size();
  Error Unreadable = Error::success();
  for (const object::Archive::Child &Member : Library.children(Unreadable)) {
    Expected<MemoryBufferRef> Unit = bitcodeIn(Member);
    Expected<std::unique_ptr<Module>> Lazy = Unit ? getLazyBitcodeModule(*Unit, Context) : Unit.takeError();
    if (!Lazy) { // it describes the crate, or is code that was written in assembly
      consumeError(Lazy.takeError());
      continue;
    }
    for (const GlobalValue &G : (*Lazy)->global_values())
      if (!G.isDeclaration() && !G.hasLocalLinkage() &&
          Defined.try_emplace(G.getName(), Units.size()).first->second < First)
        Ambiguous.insert(G.getName());
    Units.push_back(*Unit);
  }
  consumeError(std::move(Unreadable));
}

Toolchain::Toolchain(LLVMContext &Context, StringRef Folder) {
  std::error_code Ended;
  for (sys::fs::directory_iterator At(Folder, Ended), End; !Ended && At != End; At.increment(Ended)) {
    if (sys::path::extension(At->path()) != ".rlib")
      continue;
    auto File = MemoryBuffer::getFile(At->path());
    if (!File)
      continue;
    Expected<std::unique_ptr<object::Archive>> Library = object::Archive::create(**File);
    if (Library)
      index(Context, **Library);
    else
      consumeError(Library.takeError());
    Files.push_back(std::move(*File));
  }
}

bool Toolchain::moveTo(Module &M, ArrayRef<std::string> Wanted, std::vector<std::string> &Moved) const {
  std::map<size_t, std::vector<StringRef>> NamesOfUnits;
  for (const std::string &Name : Wanted)
    if (const auto At = Defined.find(Name); At != Defined.end() && !Ambiguous.contains(Name))
      NamesOfUnits[At->second].push_back(Name);
  for (const auto &[Unit, Names] : NamesOfUnits) {
    Expected<std::unique_ptr<Module>> Source = getLazyBitcodeModule(Units[Unit], M.getContext());
    if (!Source) {
      consumeError(Source.takeError());
      continue;
    }
    SmallVector<GlobalValue *, 16> Values;
    for (StringRef Name : Names)
      Values.push_back((*Source)->getNamedValue(Name));
    if (Error Failed = IRMover(M).move(
            std::move(*Source), Values, [](GlobalValue &, IRMover::ValueAdder) {},
            /*IsPerformingImport=*/false)) {
      consumeError(std::move(Failed));
      continue;
    }
    Moved.insert(Moved.end(), Names.begin(), Names.end());
  }
  return !NamesOfUnits.empty();
}

StringRef rustRelease(const Module &M) {
  const NamedMDNode *Producers = M.getNamedMetadata("llvm.ident");
  for (unsigned I = 0; Producers && I != Producers->getNumOperands(); ++I)
    if (const auto *Text = dyn_cast<MDString>(Producers->getOperand(I)->getOperand(0)))
      if (StringRef Release = Text->getString(); Release.consume_front("rustc version "))
        return Release;
  return "";
}

/// What Program says of where it is installed; "" where it does not.
static std::string sysrootOf(StringRef Program) {
  SmallString<128> Answer;
  if (sys::fs::createTemporaryFile("memshape", "sysroot", Answer))
    return "";
  const std::optional<StringRef> Streams[] = {StringRef(""), Answer.str(), StringRef("")};
  const bool Failed = sys::ExecuteAndWait(Program, {Program, "--print", "sysroot"}, std::nullopt, Streams, 60) != 0;
  auto Text = MemoryBuffer::getFile(Answer, /*IsText=*/true);
  sys::fs::remove(Answer);
  return Failed || !Text ? "" : (*Text)->getBuffer().trim().str();
}

/// The folders with the libraries of all rustc that can be found.
static std::vector<std::string> libraryFolders(StringRef Target) {
  SmallVector<std::string, 3> Programs;
  if (const auto Named = sys::Process::GetEnv("RUSTC"))
    Programs.push_back(*Named);
  if (const auto Found = sys::findProgramByName("rustc"))
    Programs.push_back(*Found);
  SmallString<128> OfCargo;
  if (sys::path::home_directory(OfCargo)) {
    sys::path::append(OfCargo, ".cargo", "bin", "rustc");
    Programs.push_back(OfCargo.str().str());
  }
  std::vector<std::string> Folders;
  for (const std::string &Program : Programs) {
    const std::string Root = sys::fs::can_execute(Program) ? sysrootOf(Program) : "";
    SmallString<128> Folder(Root);
    sys::path::append(Folder, "lib", "rustlib", Target, "lib");
    if (!Root.empty() && !is_contained(Folders, Folder.str()))
      Folders.push_back(Folder.str().str());
  }
  return Folders;
}

/// A name that rustc gave: by the scheme v0, or by the older one, which ends with 17h, sixteen digits and E.
static bool isOfRust(StringRef Name) {
  constexpr size_t Digits = 16;
  return Name.starts_with("_R") ||
         (Name.starts_with("_ZN") && Name.size() > 1 + Digits && Name.drop_back(1 + Digits).ends_with("17h"));
}

/// A declaration that a body of the library is to replace.
static bool isWanted(const GlobalValue &G) {
  if (!G.isDeclaration() || !isOfRust(G.getName()) || G.use_empty())
    return false;
  const auto *F = dyn_cast<Function>(&G);
  return !F || (!F->doesNotReturn() && !F->hasFnAttribute(Attribute::AllocKind) &&
                summaryOf(*F).How == Treatment::Unknown && !knownRole(F->getName()));
}

bool lacksStandardBodies(const Module &M) {
  static constexpr StringLiteral Crates[] = {"3std", "4core", "5alloc", "7___rustc"};
  return any_of(M.global_values(), [](const GlobalValue &G) {
    return isWanted(G) && any_of(Crates, [&](StringRef Crate) { return G.getName().contains(Crate); });
  });
}

std::vector<std::string> addStandardBodies(Module &M) {
  std::vector<std::string> Added;
  for (const std::string &Folder : libraryFolders(Triple(M.getTargetTriple()).str())) {
    const Toolchain Library(M.getContext(), Folder);
    StringSet<> Asked;
    for (;;) {
      std::vector<std::string> Wanted;
      for (const GlobalValue &G : M.global_values())
        if (isWanted(G) && Asked.insert(G.getName()).second)
          Wanted.push_back(G.getName().str());
      if (!Library.moveTo(M, Wanted, Added))
        break;
    }
    if (!Added.empty())
      break;
  }
  for (const std::string &Name : Added)
    if (GlobalValue *G = M.getNamedValue(Name); G && !G->isDeclaration() && !isa<GlobalAlias>(G))
      G->setLinkage(GlobalValue::LinkOnceODRLinkage);
  return Added;
}

void dropStandardBodies(Module &M, const std::vector<std::string> &Names) {
  for (const std::string &Name : Names)
    if (GlobalValue *G = M.getNamedValue(Name); G && !G->isDeclaration())
      leaveDeclaration(*G);
  ModuleAnalysisManager Analyses;
  GlobalDCEPass().run(M, Analyses);
}

} // namespace memshape
