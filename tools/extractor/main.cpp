// memshape-extractor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     memshape-extractor -o OUT [--section] [--present] [--operator NAME]... FILE.bc...
//
// Started by memshape extract, which names its parts in messages: one line on the standard error. Status 2 where the
// request was wrong.

#include "Bitcode.h"
#include "StandardLibrary.h"
#include "features/ModuleFeatures.h"
#include "memshape/Handover.h"
#include "memshape/Passes.h"
#include "operators/Operators.h"
#include "plugin/NamedOperators.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileOutputBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace memshape;

namespace {

struct Request {
  std::vector<std::string> Files, Operators;
  std::string Out;
  bool SectionAlone = false;
  bool IfPresent = false; ///< names of operators that the files lack are left out
};

[[noreturn]] void refuse(const Twine &Why) {
  errs() << "memshape: " << Why << '\n';
  _exit(2);
}

Request readRequest(int Count, char **Arguments) {
  Request Read;
  for (int I = 1; I < Count; ++I) {
    const StringRef Word = Arguments[I];
    const bool HasValue = I + 1 < Count;
    if (Word == "-o" && HasValue)
      Read.Out = Arguments[++I];
    else if (Word == "--operator" && HasValue)
      Read.Operators.push_back(Arguments[++I]);
    else if (Word == "--section")
      Read.SectionAlone = true;
    else if (Word == "--present")
      Read.IfPresent = true;
    else
      Read.Files.push_back(Word.str());
  }
  if (Read.Files.empty() || Read.Out.empty())
    refuse("memshape-extractor is started by memshape extract");
  return Read;
}

/// What LLVM says of old bitcode and the like is no news; an error ends the extraction.
class FirstError final : public DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (Info.getSeverity() != DS_Error)
      return true;
    std::string Text;
    raw_string_ostream Stream(Text);
    DiagnosticPrinterRawOStream Printer(Stream);
    Info.print(Printer);
    refuse(StringRef(Text).split('\n').first);
  }
};

void runPasses(Module &M, StringRef Pipeline) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  registerPasses(PB);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager Passes;
  if (Error Unknown = PB.parsePassPipeline(Passes, Pipeline))
    refuse(toString(std::move(Unknown)));
  Passes.run(M, MAM);
}

/// Whether a parameter of an operator has no name of its own.
bool hasNamelessParameters(Module &M) {
  return any_of(operatorsOf(M), [](const Operator &Op) {
    return any_of(enumerate(Op.Fact.Parameters), [&](const auto &Each) {
      const Argument *A = Op.argumentOf(Each.index());
      return A && !A->hasName() && !Op.Function->getSubprogram() &&
             Each.value().Name == "arg" + std::to_string(A->getArgNo());
    });
  });
}

/// A module of nothing but what M adds to its object file by assembly.
std::unique_ptr<Module> sectionOf(const Module &M) {
  auto Section = std::make_unique<Module>(M.getSourceFileName(), M.getContext());
  Section->setTargetTriple(M.getTargetTriple());
  Section->setDataLayout(M.getDataLayout());
  Section->setModuleInlineAsm(M.getModuleInlineAsm());
  return Section;
}

void write(const std::string &Path, StringRef Bytes) {
  auto Out = FileOutputBuffer::create(Path, Bytes.size());
  if (!Out)
    refuse("cannot write '" + Path + "': " + toString(Out.takeError()));
  llvm::copy(Bytes, (*Out)->getBufferStart());
  if (Error Failed = (*Out)->commit())
    refuse("cannot write '" + Path + "': " + toString(std::move(Failed)));
}

/// The functions that are meant; ends where one is meant that M lacks.
ChosenFunctions chosenIn(Module &M, const Request &Wanted) {
  const std::string File = "'" + Wanted.Files.front() + "'";
  ChosenFunctions Chosen;
  for (const std::string &Name : Wanted.Operators) {
    if (choose(M, Name, Chosen) || Wanted.IfPresent)
      continue;
    const std::string Near = namesLike(M, Name);
    refuse(File + ": it has no function '" + Name +
           (Near.empty() ? "', and no other" : "', perhaps because all calls of it were inlined; near are " + Near));
  }
  return Chosen;
}

void extract(Module &M, const Request &Wanted) {
  const std::string &File = Wanted.Files.front();
  ChosenFunctions Named = chosenIn(M, Wanted);
  std::vector<std::string> Added, Notes;
  if (const std::string Release = rustRelease(M).str(); !Release.empty() && lacksStandardBodies(M)) {
    Added = addStandardBodies(M);
    if (Added.empty())
      Notes.push_back("functions of Rust's library have no bodies, as no rustc " + Release +
                      " is installed; RUSTC names one");
  }
  runPasses(M, "memshape-import"); // knows of variables of the library, too, what other code may do to them
  for (const Operator &Marked : operatorsOf(M))
    Named.erase(Marked.Function);
  addOperators(M, Named);
  if (operatorsOf(M).empty()) {
    if (Wanted.IfPresent)
      return;
    refuse("'" + File + "' has no operator: name one with --operator, or in MEMSHAPE_OPERATORS");
  }
  if (hasNamelessParameters(M))
    Notes.push_back("parameters of '" + File +
                    "' without a name are arg0, arg1, ...; debug information (-g) has names");
  handover().FeaturesJson = moduleFeatures(M);
  handover().LevelKnown = false;
  if (Wanted.SectionAlone)
    M.setModuleInlineAsm("");
  runPasses(M, "memshape-embed");
  dropStandardBodies(M, Added);
  const std::unique_ptr<Module> Section = Wanted.SectionAlone ? sectionOf(M) : nullptr;
  Expected<SmallVector<char, 0>> Object = objectFile(Section ? *Section : M);
  if (!Object)
    refuse(toString(Object.takeError()));
  write(Wanted.Out, StringRef(Object->data(), Object->size()));
  for (const std::string &Note : Notes)
    errs() << "memshape: note: " << Note << '\n';
}

} // namespace

int main(int Count, char **Arguments) {
  Request Wanted = readRequest(Count, Arguments);
  if (const char *Names = std::getenv("MEMSHAPE_OPERATORS"); Names && Wanted.Operators.empty())
    for (StringRef Name : split(Names, ','))
      if (!Name.empty())
        Wanted.Operators.push_back(Name.str());
  unsetenv("MEMSHAPE_OPERATORS"); // for compilers, which read it themselves
  install_fatal_error_handler([](void *, const char *Why, bool) { refuse(StringRef(Why).split('\n').first); });
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  InitializeNativeTargetAsmParser();
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<FirstError>());
  Expected<std::unique_ptr<Module>> M = readBitcode(Context, Wanted.Files);
  if (!M)
    refuse(toString(M.takeError()));
  extract(**M, Wanted);
  return 0;
}
