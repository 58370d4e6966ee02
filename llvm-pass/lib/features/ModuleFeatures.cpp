// Features of operators, read from instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/ModuleFeatures.h"
#include "libraries/Allocators.h"
#include "libraries/Summaries.h"
#include "operators/Operators.h"
#include "operators/SourceParameters.h"
#include "operators/SourcePlace.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace memshape {

/// What a value follows from. Each is stronger than those before it.
enum class Dependence { Constant, Shape, Setting, Unknown, Data };

static StringRef wordOf(Dependence D) {
  static constexpr StringLiteral Words[] = {"constant", "shape", "setting", "unknown", "data"};
  return Words[static_cast<size_t>(D)];
}

static Dependence ofArgument(const Argument &A, const Operator &Op) {
  for (unsigned I = 0; I != Op.Fact.Parameters.size(); ++I)
    if (Op.argumentOf(I) == &A)
      switch (Op.Fact.Parameters[I].Role) {
      case ParameterRole::Shape: return Dependence::Shape;
      case ParameterRole::Setting: return Dependence::Setting;
      default: return Dependence::Unknown;
      }
  return Dependence::Unknown;
}

static bool isTensor(const Value &Object, const Operator &Op) {
  for (unsigned I = 0; I != Op.Fact.Parameters.size(); ++I)
    if (Op.argumentOf(I) == &Object)
      return Op.Fact.Parameters[I].Role == ParameterRole::Tensor;
  return false;
}

/// V computes its result from its operands.
static bool computes(const Value &V) {
  if (const auto *Call = dyn_cast<IntrinsicInst>(&V))
    return Call->doesNotAccessMemory();
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, PHINode, ExtractValueInst, InsertValueInst, FreezeInst,
             GetElementPtrInst>(V);
}

/// The strongest thing that Asked, a value of Op's function, follows from by arithmetic. Unknown in functions that it calls,
/// and where memory that is no tensor is read.
static Dependence dependenceOf(const Value &Asked, const Operator &Op) {
  constexpr unsigned Most = 200;
  Dependence Strongest = Dependence::Constant;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Next = {&Asked};
  while (!Next.empty() && Strongest != Dependence::Data) {
    const Value *V = Next.pop_back_val();
    if (isa<Constant>(V) || isa<Function>(V) || !Seen.insert(V).second)
      continue;
    Dependence Here = Dependence::Constant;
    if (Seen.size() > Most)
      Here = Dependence::Unknown;
    else if (const auto *A = dyn_cast<Argument>(V))
      Here = ofArgument(*A, Op);
    else if (const auto *Load = dyn_cast<LoadInst>(V))
      Here = isTensor(*getUnderlyingObject(Load->getPointerOperand()), Op) ? Dependence::Data : Dependence::Unknown;
    else if (computes(*V))
      for (const Value *Operand : cast<User>(V)->operands())
        Next.push_back(Operand);
    else
      Here = Dependence::Unknown;
    Strongest = std::max(Strongest, Here);
  }
  return Strongest;
}

static json::Object locationOf(const SourcePlace &Place) {
  return json::Object{{"file", json::fixUTF8(Place.File)}, {"line", Place.Line}, {"column", Place.Column}};
}

namespace {

/// Walks the functions that one operator reaches.
class Walk {
public:
  explicit Walk(const Operator &Op) : Op(Op) {}
  json::Object document();

private:
  void visit(Function &F);
  void visitCall(CallBase &Call);
  void visitAllocation(CallBase &Call, const AllocationCall &Taken);
  void visitBranch(const Instruction &End);
  json::Array parameters() const;
  Dependence dependence(const Value &V) const { return In == Op.Function ? dependenceOf(V, Op) : Dependence::Unknown; }

  const Operator &Op;
  SourceLines Lines;
  SetVector<Function *> Reached;
  const Function *In = nullptr;
  const LoopInfo *Loops = nullptr;
  const PostDominatorTree *Behind = nullptr;
  std::set<std::tuple<std::string, unsigned, unsigned>> Told; ///< places of statements, each once
  std::set<std::pair<std::string, unsigned>> Statements;
  SmallPtrSet<const BasicBlock *, 16> Allocating; ///< blocks of the function that is visited
  unsigned DataControls = 0, GuardingControls = 0;
  json::Array Allocations, Controls, UnknownCalls;
};

} // namespace

void Walk::visitAllocation(CallBase &Call, const AllocationCall &Taken) {
  const SourcePlace Place = displayPlace(Call.getDebugLoc());
  Allocating.insert(Call.getParent());
  if (!Told.emplace(Place.File, Place.Line, Place.Column).second)
    return;
  json::Value Chain = nullptr;
  if (In == Op.Function) {
    json::Array Steps;
    bool Outside = false; // the frames around the place
    for (const SourcePlace &Each : inliningChain(Call.getDebugLoc())) {
      if (std::exchange(Outside, Outside || (Each.Line == Place.Line && Each.File == Place.File)) && Each.Line) {
        json::Object Step = locationOf(Each);
        Step["function"] = json::fixUTF8(Each.Function);
        Steps.push_back(std::move(Step));
      }
    }
    Chain = std::move(Steps);
  }
  Dependence On = Taken.Size ? dependence(*Taken.Size) : Dependence::Unknown;
  if (Taken.Count)
    On = std::max(On, dependence(*Taken.Count));
  Allocations.push_back(
      json::Object{{"location", locationOf(Place)},
                   {"function", json::fixUTF8(Place.Function)},
                   {"chain", std::move(Chain)},
                   {"kind", "raw"},
                   {"name", nullptr},
                   {"written_as", json::fixUTF8(Lines.at(Place))},
                   {"size_written", nullptr},
                   {"element", json::Object{{"type", nullptr}, {"bytes", nullptr}}},
                   {"depends_on", wordOf(On)},
                   {"space", "host"},
                   {"loop_depth", Loops->getLoopDepth(Call.getParent())},
                   {"growth", Taken.Kind == AllocationKind::Reallocate},
                   {"conditional", !Behind->dominates(Call.getParent(), &Call.getFunction()->getEntryBlock())},
                   {"library_function", nullptr}});
}

void Walk::visitCall(CallBase &Call) {
  if (isa<IntrinsicInst>(Call) || Call.isInlineAsm() || Call.doesNotReturn())
    return;
  if (const std::optional<AllocationCall> Taken = allocationCall(Call)) {
    if (Taken->Kind != AllocationKind::Release && Taken->In == Space::Host)
      visitAllocation(Call, *Taken);
    return;
  }
  Function *Callee = Call.getCalledFunction();
  if (Callee && !Callee->isDeclaration()) {
    Reached.insert(Callee);
    return;
  }
  if (Callee && summaryOf(*Callee).How != Treatment::Unknown)
    return;
  const SourcePlace Place = displayPlace(Call.getDebugLoc());
  const std::string Name = Callee ? operatorName(*Callee) : "";
  if (Told.emplace(Name + "()", Place.Line, Place.Column).second)
    UnknownCalls.push_back(json::Object{{"function", json::fixUTF8(Name)},
                                        {"location", locationOf(Place)},
                                        {"reason", Callee ? "no body in this unit" : "chosen at run time"}});
}

/// A branch, a switch, or the test of a loop.
void Walk::visitBranch(const Instruction &End) {
  const auto *Branch = dyn_cast<BranchInst>(&End);
  const auto *Switch = dyn_cast<SwitchInst>(&End);
  const SourcePlace Place = displayPlace(End.getDebugLoc());
  if ((!Switch && (!Branch || !Branch->isConditional())) || !Place.Line ||
      !Told.emplace(Place.File + "?", Place.Line, Place.Column).second)
    return;
  const Loop *Around = Loops->getLoopFor(End.getParent());
  const bool Leaves = Around && Around->isLoopExiting(End.getParent());
  const Dependence On = dependence(Branch ? *Branch->getCondition() : *Switch->getCondition());
  // Guarded is what control only reaches by one of the ways.
  const bool Guards = any_of(Allocating, [&](const BasicBlock *BB) {
    return Leaves ? Around->contains(BB)
                  : !Behind->dominates(BB, End.getParent()) &&
                        any_of(successors(End.getParent()), [&](auto *Next) { return Behind->dominates(BB, Next); });
  });
  DataControls += On == Dependence::Data;
  GuardingControls += Guards;
  Controls.push_back(json::Object{{"kind", Leaves   ? "loop"
                                           : Switch ? "switch"
                                                    : "branch"},
                                  {"location", locationOf(Place)},
                                  {"function", json::fixUTF8(Place.Function)},
                                  {"condition", json::fixUTF8(conditionText(Place))},
                                  {"depends_on", wordOf(On)},
                                  {"guards_allocation", Guards}});
}

void Walk::visit(Function &F) {
  DominatorTree Above(F);
  const LoopInfo Around(Above);
  const PostDominatorTree After(F);
  In = &F;
  Loops = &Around;
  Behind = &After;
  Allocating.clear();
  for (Instruction &I : instructions(F)) {
    if (const SourcePlace Place = displayPlace(I.getDebugLoc()); Place.Line)
      Statements.emplace(Place.File, Place.Line);
    if (auto *Call = dyn_cast<CallBase>(&I))
      visitCall(*Call);
  }
  for (const BasicBlock &BB : F)
    visitBranch(*BB.getTerminator());
}

json::Array Walk::parameters() const {
  json::Array All;
  const bool IsBuilt = !Op.Fact.Builder.empty();
  const auto &Parameters = IsBuilt ? Op.Fact.BuilderParameters : Op.Fact.Parameters;
  for (unsigned I = 0; I != Parameters.size(); ++I) {
    const ParameterFact &P = Parameters[I];
    const Argument *A = IsBuilt ? nullptr : Op.argumentOf(I);
    std::string Type;
    if (A)
      raw_string_ostream(Type) << *A->getType();
    const bool IsNumber = P.Role == ParameterRole::Shape || P.Role == ParameterRole::Setting;
    const bool ReadOnly = A && A->onlyReadsMemory();
    All.push_back(json::Object{
        {"name", json::fixUTF8(P.Name)},
        {"role", wordOf(P.Role)},
        {"type", Type},
        {"bits", IsNumber ? json::Value(P.Bits) : json::Value(nullptr)},
        {"signed", P.Role == ParameterRole::Shape ? json::Value(P.Signed) : json::Value(nullptr)},
        {"element", P.Role == ParameterRole::Tensor ? json::Value(json::Object{{"type", nullptr}, {"bytes", nullptr}})
                                                    : json::Value(nullptr)},
        {"read_only", P.Role == ParameterRole::Tensor && ReadOnly ? json::Value(true) : json::Value(nullptr)}});
  }
  return All;
}

json::Object Walk::document() {
  constexpr size_t Most = 2000;
  Reached.insert(Op.Function);
  size_t Visited = 0;
  for (; Visited != Reached.size() && Visited != Most; ++Visited)
    visit(*Reached[Visited]);
  const double Each = Statements.empty() ? 0 : 1.0 / double(Statements.size());
  const auto Share = [&](size_t Count) { return std::min(1.0, double(Count) * Each); };
  return json::Object{
      {"operator", json::fixUTF8(Op.Fact.Name)},
      {"symbol", json::fixUTF8(Op.Fact.Symbol)},
      {"location", json::Object{{"file", json::fixUTF8(Op.Fact.File)}, {"line", Op.Fact.Line}, {"column", 0}}},
      {"parameters", parameters()},
      {"shares", json::Object{{"statements", int64_t(Statements.size())},
                              {"control", Share(Controls.size())},
                              {"data_dependent_control", Share(DataControls)},
                              {"allocation_guarding_control", Share(GuardingControls)}}},
      {"allocations", std::move(Allocations)},
      {"control", std::move(Controls)},
      {"intermediates", json::Array()},
      {"transformation", json::Object{{"pattern", "unknown"}, {"outputs", json::Array()}}},
      {"unknown_calls", std::move(UnknownCalls)},
      {"functions", int64_t(Visited)},
      {"truncated", Visited != Reached.size()}};
}

/// LLVM 22 has a class for what was a number.
template <class Language> static unsigned numberOf(const Language &L) {
  if constexpr (std::is_integral_v<Language>)
    return L;
  else
    return L.getUnversionedName();
}

/// "rust" of DW_LANG_Rust, "fortran18" of DW_LANG_Fortran18; "llvm" without debug information.
static std::string languageOf(const Module &M) {
  for (const DICompileUnit *Unit : M.debug_compile_units()) {
    StringRef Name = dwarf::LanguageString(numberOf(Unit->getSourceLanguage()));
    if (Name.consume_front("DW_LANG_"))
      return Name.lower();
  }
  return "llvm";
}

std::string moduleFeatures(Module &M) {
  json::Array Operators;
  for (const Operator &Op : operatorsOf(M))
    Operators.push_back(Walk(Op).document());
  std::string Text;
  raw_string_ostream(Text) << json::Value(json::Object{{"schema", "memshape.features/1"},
                                                       {"unit", json::fixUTF8(M.getSourceFileName())},
                                                       {"language", languageOf(M)},
                                                       {"operators", std::move(Operators)}});
  return Text;
}

} // namespace memshape
