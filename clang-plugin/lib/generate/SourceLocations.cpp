// The unit's declarations, generated a second time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generate/SourceLocations.h"

#include "Compat.h"
#include "naming/Operators.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <map>

using namespace clang;

namespace memshape::ast {

namespace {

/// The compiler's options with location tracking and nothing else changed that instructions could depend on.
CodeGenOptions optionsWithLocations(const CodeGenOptions &Main) {
  CodeGenOptions Options = Main;
  Options.setDebugInfo(llvm::codegenoptions::LocTrackingOnly);
  // Only files below the compilation directory are abbreviated. Below "/" none is, so names stay as the compiler has
  // them.
  Options.DebugCompilationDir = "/";
  // The mapping needs the preprocessor's records; it adds tables, no instructions.
  Options.CoverageMapping = false;
  Options.PassBuilderCallbacks.clear();
  return Options;
}

class LocationTable {
public:
  explicit LocationTable(TranslationUnitFacts &Facts) : Facts(Facts) {}

  void add(const llvm::Function &Function, CodeGenerator &Generator) {
    FunctionLocations Entry;
    Entry.Symbol = Function.getName().str();
    Entry.Name = Entry.Symbol;
    if (const auto *D = dyn_cast_or_null<FunctionDecl>(Generator.GetDeclForMangledName(Function.getName())))
      Entry.Name = displayName(*D);
    if (const llvm::DISubprogram *Subprogram = Function.getSubprogram()) {
      Entry.File = file(Subprogram->getFilename());
      Entry.Line = Subprogram->getLine();
    }
    for (const llvm::Instruction &I : llvm::instructions(Function)) {
      if (isa<llvm::DbgInfoIntrinsic>(I))
        continue;
      InstructionLocation Location;
      Location.Opcode = I.getOpcode();
      if (const llvm::DILocation *Where = I.getDebugLoc()) {
        Location.File = file(Where->getFilename());
        Location.Line = Where->getLine();
        Location.Column = Where->getColumn();
      }
      Entry.Instructions.push_back(Location);
    }
    Facts.Locations.push_back(std::move(Entry));
  }

private:
  unsigned file(llvm::StringRef Name) {
    auto [At, New] = Index.try_emplace(Name.str(), static_cast<unsigned>(Facts.Files.size()));
    if (New)
      Facts.Files.push_back(At->first);
    return At->second;
  }

  TranslationUnitFacts &Facts;
  std::map<std::string, unsigned> Index;
};

} // namespace

void recordLocations(CompilerInstance &CI, const std::vector<DeclarationEvent> &Events, TranslationUnitFacts &Facts) {
  const CodeGenOptions &Main = CI.getCodeGenOpts();
  if (Main.getDebugInfo() != llvm::codegenoptions::NoDebugInfo)
    return;
  // Modules have inputs besides this unit's declarations; their sites have no lines.
  if (CI.getASTContext().getCurrentNamedModule())
    return;

  ASTContext &Context = CI.getASTContext();
  // Code generation reports some errors to the context's engine. They are hidden here, because the main generator
  // reports them later.
  DiagnosticsEngine &MainDiags = Context.getDiagnostics();
  bool Suppressed = MainDiags.getSuppressAllDiagnostics();
  MainDiags.setSuppressAllDiagnostics(true);
  {
    CodeGenOptions Options = optionsWithLocations(Main);
    compat::SilentDiagnostics Silent(CI.getSourceManager());
    llvm::LLVMContext IR;
    std::unique_ptr<CodeGenerator> Generator = compat::makeCodeGenerator(CI, Silent.engine(), Options, IR);
    Generator->Initialize(Context);
    for (const DeclarationEvent &Event : Events)
      Event.Repeat(*Generator);
    Generator->HandleTranslationUnit(Context);
    if (llvm::Module *Module = Generator->GetModule()) {
      LocationTable Table(Facts);
      for (const llvm::Function &Function : *Module)
        if (!Function.isDeclaration())
          Table.add(Function, *Generator);
    }
  }
  MainDiags.setSuppressAllDiagnostics(Suppressed);
}

} // namespace memshape::ast
