// The plugin's action beside the compilation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generate/SourceLocations.h"
#include "naming/Operators.h"
#include "plugin/Facts.h"

#include "memshape/Handover.h"
#include "memshape/Passes.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/ADT/StringRef.h"
#include <unistd.h>

using namespace clang;

namespace memshape::ast {

/// The variable that was probably meant; empty where the name is somebody else's.
static llvm::StringRef meant(llvm::StringRef Name) {
  constexpr unsigned Mistakes = 2;
  for (llvm::StringRef Known : {"MEMSHAPE_CACHE", "MEMSHAPE_DISABLE", "MEMSHAPE_OPERATORS"})
    if (Name.edit_distance(Known, /*AllowReplacements=*/true, Mistakes) <= Mistakes)
      return Known;
  return {};
}

enum class Switch { On, Off, Invalid };

/// Reads MEMSHAPE_DISABLE. Invalid: its value is none of 0 and 1, or its name or that of another variable of ours is
/// misspelt, and an error was reported. Others that begin with MEMSHAPE_ may be the user's own.
static Switch readEnvironment(DiagnosticsEngine &Diags) {
  Switch Result = Switch::On;
  for (char **Variable = environ; Variable && *Variable; ++Variable) {
    auto [Name, Value] = llvm::StringRef(*Variable).split('=');
    const llvm::StringRef Known = meant(Name);
    if (Known.empty() || Name == "MEMSHAPE_CACHE" || Name == "MEMSHAPE_OPERATORS")
      continue;
    if (Name != Known) {
      unsigned ID = Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                          "memshape: unknown environment variable '%0'; did you mean %1?");
      Diags.Report(ID) << Name << Known;
      Result = Switch::Invalid;
    } else if (Value == "1") {
      if (Result == Switch::On)
        Result = Switch::Off;
    } else if (!Value.empty() && Value != "0") {
      unsigned ID =
          Diags.getCustomDiagID(DiagnosticsEngine::Error, "memshape: MEMSHAPE_DISABLE is '%0'; it takes 0 or 1");
      Diags.Report(ID) << Value;
      Result = Switch::Invalid;
    }
  }
  return Result;
}

namespace {

/// Sees the unit before the code generator does. Records its declarations, and hands its facts to the pass at the end.
class Consumer final : public ASTConsumer {
public:
  Consumer(CompilerInstance &CI, OperatorNames Names) : CI(CI), Names(std::move(Names)) {}

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    Events.push_back({[=](ASTConsumer &To) { To.HandleTopLevelDecl(Group); }, Group});
    return true;
  }
  void HandleTopLevelDeclInObjCContainer(DeclGroupRef D) override {
    record(&ASTConsumer::HandleTopLevelDeclInObjCContainer, D);
  }
  void HandleInlineFunctionDefinition(FunctionDecl *D) override {
    record(&ASTConsumer::HandleInlineFunctionDefinition, D);
  }
  void HandleTagDeclDefinition(TagDecl *D) override { record(&ASTConsumer::HandleTagDeclDefinition, D); }
  void HandleTagDeclRequiredDefinition(const TagDecl *D) override {
    record(&ASTConsumer::HandleTagDeclRequiredDefinition, D);
  }
  void HandleCXXImplicitFunctionInstantiation(FunctionDecl *D) override {
    record(&ASTConsumer::HandleCXXImplicitFunctionInstantiation, D);
  }
  void CompleteTentativeDefinition(VarDecl *D) override { record(&ASTConsumer::CompleteTentativeDefinition, D); }
  void CompleteExternalDeclaration(DeclaratorDecl *D) override { record(&ASTConsumer::CompleteExternalDeclaration, D); }
  void AssignInheritanceModel(CXXRecordDecl *D) override { record(&ASTConsumer::AssignInheritanceModel, D); }
  void HandleCXXStaticMemberVarInstantiation(VarDecl *D) override {
    record(&ASTConsumer::HandleCXXStaticMemberVarInstantiation, D);
  }
  void HandleVTable(CXXRecordDecl *D) override { record(&ASTConsumer::HandleVTable, D); }

  void HandleTranslationUnit(ASTContext &Context) override {
    if (Context.getDiagnostics().hasErrorOccurred())
      return;
    OperatorsOfUnit Found = findOperators(Context, Names, importsModules());
    warn(Context.getDiagnostics(), Found.Warnings);
    if (!Found.Operators.empty())
      gatherFacts(CI, Found.Operators, Events, handover());
  }

private:
  /// Warnings even where warnings are errors: the program is compiled as it is without the flag.
  static void warn(DiagnosticsEngine &Diags, const std::vector<std::string> &Texts) {
    const bool AsErrors = Diags.getWarningsAsErrors();
    Diags.setWarningsAsErrors(false);
    for (const std::string &Text : Texts)
      Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Warning, "memshape: %0")) << Text;
    Diags.setWarningsAsErrors(AsErrors);
  }

  /// What a module defines is in its own object.
  bool importsModules() const {
    const auto Reader = CI.getASTReader();
    return Reader && llvm::any_of(Reader->getModuleManager(),
                                  [](const serialization::ModuleFile &File) { return File.isModule(); });
  }

  template <class Of> void record(void (ASTConsumer::*Which)(Of), Of D) {
    Events.push_back({[=](ASTConsumer &To) { (To.*Which)(D); }});
  }

  CompilerInstance &CI;
  OperatorNames Names;
  std::vector<DeclarationEvent> Events;
};

class Action final : public PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const CompilerInstance &CI, const std::vector<std::string> &Arguments) override {
    DiagnosticsEngine &Diags = CI.getDiagnostics();
    State = readEnvironment(Diags);
    if (State != Switch::On)
      return true;
    bool Valid = true;
    for (const std::string &Argument : Arguments) {
      auto [Key, Value] = llvm::StringRef(Argument).split('=');
      if (Key == "bodies") {
        Bodies = Value != "no";
        if (Value != "no" && Value != "yes") {
          Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                             "memshape: plugin argument 'bodies' is '%0'; it takes yes or no"))
              << Value;
          Valid = false;
        }
      } else if (Key == "summaries") {
        std::string Problem = "plugin argument 'summaries' needs a file: summaries=FILE";
        if (Value.empty() || !readSummaries(Value.str(), Problem)) {
          Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error, "memshape: %0")) << Problem;
          Valid = false;
        }
      } else if (Key != "operator") {
        unsigned ID = Diags.getCustomDiagID(
            DiagnosticsEngine::Error, "memshape: unknown plugin argument '%0'; known: bodies, operator, summaries");
        Diags.Report(ID) << Key;
        Valid = false;
      } else if (Value.empty()) {
        Diags.Report(Diags.getCustomDiagID(DiagnosticsEngine::Error,
                                           "memshape: plugin argument 'operator' needs a name: operator=NAME"));
        Valid = false;
      } else if (Value == "*") {
        Names.Everything = true;
      } else {
        Names.Names.push_back(Value.str());
      }
    }
    return Valid;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) override {
    handover() = {};
    const llvm::Triple &Target = CI.getTarget().getTriple();
    if (State != Switch::On || !generatesCode(CI.getFrontendOpts().ProgramAction) || isForDevice(CI.getLangOpts()) ||
        !canHoldRecords(Target))
      return std::make_unique<ASTConsumer>();
    CI.getCodeGenOpts().PassBuilderCallbacks.push_back(registerPasses);
    if (!worksOn(Target))
      return std::make_unique<ASTConsumer>();
    handover().Enabled = true;
    handover().Bodies = Bodies;
    return std::make_unique<Consumer>(CI, std::move(Names));
  }

private:
  /// A unit of CUDA, HIP, OpenMP or SYCL that is being compiled for the device.
  static bool isForDevice(const LangOptions &Language) {
    return Language.CUDAIsDevice || Language.OpenMPIsTargetDevice || Language.SYCLIsDevice;
  }

  static bool generatesCode(frontend::ActionKind Kind) {
    switch (Kind) {
    case frontend::EmitAssembly:
    case frontend::EmitBC:
    case frontend::EmitLLVM:
    case frontend::EmitLLVMOnly:
    case frontend::EmitCodeGenOnly:
    case frontend::EmitObj: return true;
    default: return false;
    }
  }

  Switch State = Switch::On;
  OperatorNames Names;
  bool Bodies = true;
};

} // namespace

} // namespace memshape::ast

static clang::FrontendPluginRegistry::Add<memshape::ast::Action> Registration("memshape",
                                                                              "memory of operators, from source");
