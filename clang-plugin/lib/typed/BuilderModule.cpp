// Code of the functions that build arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/BuilderModule.h"

#include "Compat.h"

#include "memshape/Bodies.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/CodeGenOptions.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/Sema.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace clang;

namespace memshape::ast {

namespace {

/// The first error of what is parsed.
class FirstError final : public DiagnosticConsumer {
public:
  std::string Text;
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &Info) override {
    DiagnosticConsumer::HandleDiagnostic(Level, Info);
    if (Level < DiagnosticsEngine::Error || !Text.empty())
      return;
    llvm::SmallString<128> Message;
    Info.FormatDiagnostic(Message);
    Text = Message.str().str();
  }
};

/// What every text begins with: marks for the pass, each an empty statement, and what readers ask the runtime.
constexpr char Prologue[] = R"(
#define memshape_building(Argument) __asm__ __volatile__("# memshape.building %0" : : "r"(Argument) : "memory")
#define memshape_known(Object) __asm__ __volatile__("# memshape.known %0" : : "r"(Object))
#define memshape_lent(Pointer, Number) __asm__("# memshape.lent" : "=r"(Pointer) : "0"(&(Number)))
#define memshape_returned() __asm__ __volatile__("# memshape.returned" : : : "memory")
#define memshape_result(Number, Value) \
  __asm__ __volatile__("# memshape.result %0 %1" : : "r"((unsigned)(Number)), "r"((long long)(Value)) : "memory")
#define memshape_contents(Data) \
  __asm__ __volatile__("# memshape.data %0 %1" : : "r"((void *)(Data)), "r"((__SIZE_TYPE__)1) : "memory")
#define memshape_handed(Data, Functions) \
  __asm__ __volatile__("# memshape.handed " Functions " %0" : : "r"((void *)(Data)) : "memory")
#define memshape_made(Maker) __asm__ __volatile__("# memshape.made " Maker : : : "memory")
#define memshape_left(Setting, Value) \
  ({ int Is; __asm__ __volatile__("# memshape.left " Setting " %0 %1" : "=r"(Is) : "r"((long long)(Value))); Is; })
#define memshape_unknown (-0x7fffffffffffffffLL - 1)
#ifdef __cplusplus
extern "C"
#endif
__attribute__((weak, const, nothrow, visibility("default"))) int memshape_may_read(const void *, __SIZE_TYPE__);
#if defined(__cplusplus) && defined(__EXCEPTIONS)
#define memshape_try try
#define memshape_caught catch (...) {}
#else
#define memshape_try
#define memshape_caught
#endif
)";

/// Parses text behind the end of the unit.
class TextParser {
public:
  explicit TextParser(CompilerInstance &CI)
      : Diags(CI.getDiagnostics()), PP(CI.getPreprocessor()), S(CI.getSema()), Sources(CI.getSourceManager()),
        P(static_cast<Parser *>(PP.getCodeCompletionHandler())), Before(Diags.getClient()), Owned(Diags.ownsClient()) {
    CI.getLangOpts().AccessControl = false; // contents are declared of private members, too
    Diags.setIgnoreAllWarnings(true);       // -Werror is for the user's text
    if (Owned)
      Kept = Diags.takeClient();
  }
  ~TextParser() { Diags.setClient(Owned ? Kept.release() : Before, Owned); }

  /// The parser of the unit, at its end, is the one that the preprocessor completes code for.
  bool isReady() const { return P; }

  /// Declares the types that texts name.
  void declareTypes(const TypeNames &Names) {
    enterScope();
    ASTContext &Context = S.getASTContext();
    TranslationUnitDecl *Unit = Context.getTranslationUnitDecl();
    for (size_t I = 0; I != Names.types().size(); ++I) {
      Types.push_back(TypedefDecl::Create(Context, Unit, SourceLocation(), SourceLocation(),
                                          &Context.Idents.get(TypeNames::name(I)),
                                          Context.getTrivialTypeSourceInfo(Names.types()[I])));
      Unit->addDecl(Types.back());
    }
  }

  /// The first error, or "".
  std::string parse(const std::string &Text) {
    FirstError Errors;
    Diags.setClient(&Errors, /*ShouldOwnClient=*/false);
    FileID File = Sources.createFileID(llvm::MemoryBuffer::getMemBufferCopy(Text, "memshape builders"));
    PP.EnterSourceFile(File, nullptr, SourceLocation());
    enterScope();
    for (TypedefDecl *Type : Types)
      S.PushOnScopeChains(Type, S.TUScope, /*AddToContext=*/false);
    P->ConsumeAnyToken();
    Parser::DeclGroupPtrTy Group;
    Sema::ModuleImportState State = Sema::ModuleImportState::NotACXX20Module;
    for (bool AtEnd = P->ParseFirstTopLevelDecl(Group, State); !AtEnd; AtEnd = P->ParseTopLevelDecl(Group, State))
      if (Group)
        S.getASTConsumer().HandleTopLevelDecl(Group.get());
    Diags.setClient(nullptr, /*ShouldOwnClient=*/false);
    return Errors.Text;
  }

private:
  /// The unit's own scope is left open at its end.
  void enterScope() {
    P->ExitScope();
    S.CurContext = nullptr;
    P->EnterScope(Scope::DeclScope);
    S.ActOnTranslationUnitScope(P->getCurScope());
    if (S.getLangOpts().CPlusPlus)
      return;
    // In C names are found through scopes alone, and those of the unit went with its scope.
    for (Decl *Each : S.getASTContext().getTranslationUnitDecl()->decls())
      if (auto *Named = dyn_cast<NamedDecl>(Each); Named && Named->getIdentifier() && !Named->isInvalidDecl())
        S.PushOnScopeChains(Named, S.TUScope, /*AddToContext=*/false);
  }

  DiagnosticsEngine &Diags;
  Preprocessor &PP;
  Sema &S;
  SourceManager &Sources;
  Parser *P;
  DiagnosticConsumer *Before;
  bool Owned;
  std::unique_ptr<DiagnosticConsumer> Kept;
  SmallVector<TypedefDecl *, 16> Types;
};

/// The declaration of a function as it is written, rather than of an instance of a template.
bool isWritten(const DeclarationEvent &Event) {
  return Event.TopLevel && llvm::any_of(*Event.TopLevel, [](const Decl *Each) {
           const auto *Function = dyn_cast<FunctionDecl>(Each);
           return isa<LinkageSpecDecl>(Each) ||
                  (Function && Function->getTemplateSpecializationKind() == TSK_Undeclared);
         });
}

/// Where its accessors are not what they seem, a builder does without what it would tell.
void dropResults(Builder &B) {
  B.Text.erase(B.Text.find(B.ResultsCall), B.ResultsCall.size());
  B.Results.clear();
  if (B.BuildsNothing)
    B.Problem = "there is nothing to tell";
}

/// Parses the builders, each by itself. Events grow by what is declared; those of a text that is not valid are in Lost,
/// what other texts may need, too, among them.
bool parseBuilders(CompilerInstance &CI, std::vector<Builder> &Builders, const TypeNames &Names,
                   const std::vector<DeclarationEvent> &Events, std::vector<std::pair<size_t, size_t>> &Lost) {
  TextParser Texts(CI);
  if (!Texts.isReady())
    return false;
  Texts.declareTypes(Names);
  bool Any = false;
  for (Builder &B : Builders) {
    if (!B.Problem.empty())
      continue;
    const size_t First = Events.size();
    if (!B.Results.empty() && !Texts.parse(Prologue + B.ResultsText).empty()) {
      Lost.emplace_back(First, Events.size());
      dropResults(B);
      if (!B.Problem.empty())
        continue;
    }
    const size_t Begin = Events.size();
    if (std::string Problem = Texts.parse(Prologue + B.Text); !Problem.empty()) {
      B.Problem = "its arguments cannot be built: " + Problem;
      Lost.emplace_back(Begin, Events.size());
    }
    Any |= B.Problem.empty();
    const size_t Behind = Events.size();
    if (!B.Problem.empty())
      continue;
    if (std::string Problem = Texts.parse(Prologue + B.ReaderText); !Problem.empty()) {
      B.Reader.clear();
      Lost.emplace_back(Behind, Events.size());
    }
  }
  return Any;
}

/// What is asked of all calls is not asked once more of some of them.
void keepQuestionsWhole(llvm::Module &M) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : llvm::instructions(F))
      if (auto *Call = llvm::dyn_cast<llvm::CallInst>(&I))
        if (const auto *Asm = llvm::dyn_cast<llvm::InlineAsm>(Call->getCalledOperand());
            Asm && llvm::StringRef(Asm->getAsmString()).starts_with("# memshape.left "))
          Call->setCannotDuplicate();
}

/// Has readers return where they are done. What operators return, they need not make.
void endReaders(llvm::Module &M) {
  llvm::Function *Done = M.getFunction("memshape_read_done");
  if (!Done)
    return;
  for (llvm::User *Each : llvm::make_early_inc_range(Done->users())) {
    auto *Call = llvm::cast<llvm::CallBase>(Each);
    llvm::BasicBlock *Block = Call->getParent();
    llvm::Function *Reader = Block->getParent();
    Reader->setAttributes(
        Reader->getAttributes().removeAttributesAtIndex(M.getContext(), llvm::AttributeList::ReturnIndex));
    llvm::changeToUnreachable(Call);
    llvm::Instruction *End = Block->getTerminator();
    llvm::IRBuilder<> B(End);
    if (Reader->getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(llvm::PoisonValue::get(Reader->getReturnType()));
    End->eraseFromParent();
  }
  Done->eraseFromParent();
}

/// Leaves in M the builders and readers and what the unit does not define for others.
void keepBuilders(llvm::Module &M, const std::vector<Builder> &Builders) {
  for (const char *List :
       {"llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used", "llvm.global.annotations"})
    if (llvm::GlobalVariable *G = M.getNamedGlobal(List))
      G->eraseFromParent();
  auto IsBuilder = [&](llvm::StringRef Name) {
    return llvm::any_of(Builders, [&](const Builder &B) { return B.Function == Name || B.Reader == Name; });
  };
  // Variables of this unit alone are the unit's, too: there is one of each.
  auto IsUnits = [&](const llvm::GlobalValue &G) {
    const auto *V = llvm::dyn_cast<llvm::GlobalVariable>(&G);
    return !G.isDeclaration() && !IsBuilder(G.getName()) &&
           (!G.isDiscardableIfUnused() || (V && V->hasLocalLinkage() && !V->isConstant()));
  };
  // Names of other definitions first: they may stand for what is left.
  for (llvm::GlobalAlias &A : llvm::make_early_inc_range(M.aliases()))
    if (IsUnits(A))
      leaveDeclaration(A);
  for (llvm::GlobalIFunc &I : llvm::make_early_inc_range(M.ifuncs()))
    if (IsUnits(I))
      leaveDeclaration(I);
  for (llvm::GlobalObject &G : M.global_objects()) {
    if (IsUnits(G))
      leaveDeclaration(G);
    G.setComdat(nullptr); // nothing of this module is linked into a program
  }
  llvm::ModuleAnalysisManager Analyses;
  llvm::GlobalDCEPass().run(M, Analyses);
}

} // namespace

std::string builderModule(CompilerInstance &CI, std::vector<Builder> &Builders, const TypeNames &Names,
                          const std::vector<DeclarationEvent> &Events) {
  ASTContext &Context = CI.getASTContext();
  std::vector<std::pair<size_t, size_t>> Lost;
  if (!parseBuilders(CI, Builders, Names, Events, Lost))
    return "";
  DiagnosticsEngine &MainDiags = Context.getDiagnostics();
  MainDiags.setSuppressAllDiagnostics(true);
  CodeGenOptions Options = CI.getCodeGenOpts();
  Options.setDebugInfo(llvm::codegenoptions::NoDebugInfo);
  Options.CoverageMapping = false;
  Options.PassBuilderCallbacks.clear();
  // They are simplified before they are sliced or linked, whatever the unit is.
  Options.OptimizationLevel = 2;
  Options.setInlining(CodeGenOptions::NormalInlining);
  compat::SilentDiagnostics Silent(CI.getSourceManager());
  llvm::LLVMContext IR;
  std::unique_ptr<CodeGenerator> Generator = compat::makeCodeGenerator(CI, Silent.engine(), Options, IR);
  Generator->Initialize(Context);
  for (size_t I = 0; I != Events.size(); ++I)
    if (!isWritten(Events[I]) || llvm::none_of(Lost, [I](auto Range) { return I >= Range.first && I < Range.second; }))
      Events[I].Repeat(*Generator);
  Generator->HandleTranslationUnit(Context);
  llvm::Module *M = Generator->GetModule();
  if (!M)
    return "";
  ASTNameGenerator Mangler(Context);
  for (size_t I = 0; I != Builders.size(); ++I)
    if (llvm::Function *Call = M->getFunction("memshape_call_" + std::to_string(I))) {
      const std::string Name = symbolOf(Mangler, *Builders[I].Operator);
      if (llvm::GlobalValue *Operator = M->getNamedValue(Name))
        Call->replaceAllUsesWith(Operator);
      else
        Call->setName(Name);
    }
  for (Builder &B : Builders)
    if (llvm::GlobalValue *Operator = M->getNamedValue(symbolOf(Mangler, *B.Operator));
        Operator && !Operator->isDeclaration())
      leaveDeclaration(*Operator);
  endReaders(*M);
  keepQuestionsWhole(*M);
  keepBuilders(*M, Builders);
  if (llvm::verifyModule(*M)) {
    for (Builder &B : Builders)
      if (B.Problem.empty())
        B.Problem = "its arguments cannot be built: their code is not valid";
    return "";
  }
  llvm::SmallString<0> Bitcode;
  llvm::raw_svector_ostream Stream(Bitcode);
  llvm::WriteBitcodeToFile(*M, Stream);
  return Bitcode.str().str();
}

} // namespace memshape::ast
