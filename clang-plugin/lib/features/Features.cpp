// The features document of a translation unit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/Features.h"

#include "features/Record.h"
#include "features/Value.h"
#include "features/Walk.h"
#include "libraries/reader/Known.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/JSON.h"

using namespace clang;
namespace json = llvm::json;

namespace memshape::ast {

/// Text from source files may hold any bytes; JSON takes UTF-8.
static json::Value text(llvm::StringRef Text) { return json::isUTF8(Text) ? Text.str() : json::fixUTF8(Text); }

static json::Value orNull(llvm::StringRef Text) { return Text.empty() ? json::Value(nullptr) : text(Text); }

static json::Object place(const Place &Where) {
  return json::Object{{"file", text(Where.File)}, {"line", Where.Line}, {"column", Where.Column}};
}

static json::Value chain(const std::optional<std::vector<CallStep>> &Steps) {
  if (!Steps)
    return nullptr;
  json::Array Result;
  for (const CallStep &Step : *Steps) {
    json::Object Entry = place(Step.Where);
    Entry["function"] = text(Step.Function);
    Result.push_back(std::move(Entry));
  }
  return Result;
}

static json::Object describe(const AllocationRecord &A) {
  return json::Object{{"location", place(A.Where)},
                      {"function", text(A.Function)},
                      {"chain", chain(A.Chain)},
                      {"kind", A.Kind},
                      {"name", orNull(A.Name)},
                      {"written_as", text(A.Written)},
                      {"size_written", orNull(A.Size)},
                      {"element", json::Object{{"type", orNull(A.Element)},
                                               {"bytes", A.ElementBytes ? json::Value(*A.ElementBytes) : nullptr}}},
                      {"depends_on", dependenceName(A.Depends)},
                      {"space", A.Space},
                      {"loop_depth", A.LoopDepth},
                      {"growth", A.Growth},
                      {"conditional", A.Conditional},
                      {"library_function", orNull(A.Library)}};
}

static json::Object describe(const ControlRecord &C) {
  return json::Object{{"kind", C.Kind},
                      {"location", place(C.Where)},
                      {"function", text(C.Function)},
                      {"condition", orNull(C.Condition)},
                      {"depends_on", dependenceName(C.Depends)},
                      {"guards_allocation", C.GuardsAllocation}};
}

static json::Object describe(const IntermediateRecord &I) {
  return json::Object{
      {"name", text(I.Name)},
      {"location", place(I.Where)},
      {"function", text(I.Function)},
      {"element_type", orNull(I.Element)},
      {"depends_on", dependenceName(I.Depends)},
      {"first_use", I.FirstUse ? json::Value(I.FirstUse) : json::Value(nullptr)},
      {"last_use", I.LastUse ? json::Value(I.LastUse) : json::Value(nullptr)},
      {"dies_before_return", I.DiesBeforeReturn ? json::Value(*I.DiesBeforeReturn) : json::Value(nullptr)}};
}

static json::Object describe(const OutputRecord &O) {
  return json::Object{{"name", orNull(O.Name)}, {"also_read", O.AlsoRead}};
}

static json::Object describeParameter(const ParmVarDecl &Parameter, const ParameterFact &Fact,
                                      const ASTContext &Context) {
  json::Object Result{{"name", text(Fact.Name)},
                      {"role", wordOf(Fact.Role)},
                      {"type", text(Parameter.getType().getAsString(Context.getPrintingPolicy()))}};
  Result["bits"] = Fact.Bits ? json::Value(Fact.Bits) : json::Value(nullptr);
  Result["signed"] = Fact.Role == ParameterRole::Shape ? json::Value(Fact.Signed) : json::Value(nullptr);
  Result["element"] = nullptr;
  Result["read_only"] = nullptr;
  if (Fact.Role == ParameterRole::Tensor) {
    QualType Element = Parameter.getType()->getPointeeType();
    Result["read_only"] = Element.isConstQualified();
    Element = Context.getBaseElementType(Element).getUnqualifiedType();
    if (Element->isRecordType() && Element->isIncompleteType())
      return Result; // behind a handle
    Result["element"] = json::Object{{"type", text(Element.getAsString(Context.getPrintingPolicy()))},
                                     {"bytes", Context.getTypeSizeInChars(Element).getQuantity()}};
  }
  return Result;
}

static double share(std::size_t Part, std::size_t Whole) {
  // Rounded to a ten-thousandth: the same text for the same source on every machine.
  return Whole ? static_cast<double>((Part * 10000 + Whole / 2) / Whole) / 10000 : 0;
}

static json::Object describe(const OperatorRecord &Record, const ASTContext &Context) {
  const OperatorFact &Fact = Record.Of->Fact;
  json::Array Parameters, Allocations, Controls, Intermediates, Outputs, Unknown;
  for (std::size_t I = 0; I < Fact.Parameters.size(); ++I)
    Parameters.push_back(
        describeParameter(*Record.Of->Function->getParamDecl(static_cast<unsigned>(I)), Fact.Parameters[I], Context));
  for (const AllocationRecord &A : Record.Allocations)
    Allocations.push_back(describe(A));
  std::size_t OnDataCount = 0, Guarding = 0;
  for (const ControlRecord &C : Record.Controls) {
    Controls.push_back(describe(C));
    OnDataCount += (C.Depends & OnData) != 0;
    Guarding += C.GuardsAllocation;
  }
  for (const IntermediateRecord &I : Record.Intermediates)
    Intermediates.push_back(describe(I));
  for (const OutputRecord &O : Record.Outputs)
    Outputs.push_back(describe(O));
  for (const UnknownRecord &U : Record.Unknown) {
    json::Object Entry{{"function", text(U.Function)}, {"location", place(U.Where)}, {"reason", U.Why}};
    Unknown.push_back(std::move(Entry));
  }
  return json::Object{
      {"operator", text(Fact.Name)},
      {"symbol", text(Fact.Symbol)},
      {"location", place(placeOf(Context, Record.Of->Function->getLocation()))},
      {"parameters", std::move(Parameters)},
      {"allocations", std::move(Allocations)},
      {"control", std::move(Controls)},
      {"shares", json::Object{{"statements", Record.Statements},
                              {"control", share(Record.Controls.size(), Record.Statements)},
                              {"data_dependent_control", share(OnDataCount, Record.Controls.size())},
                              {"allocation_guarding_control", share(Guarding, Record.Controls.size())}}},
      {"intermediates", std::move(Intermediates)},
      {"transformation", json::Object{{"pattern", Record.Pattern}, {"outputs", std::move(Outputs)}}},
      {"unknown_calls", std::move(Unknown)},
      {"functions", Record.Functions},
      {"truncated", Record.Truncated}};
}

std::string describeFeatures(ASTContext &Context, const std::vector<Operator> &Operators) {
  json::Array List;
  UnitFacts Unit(Context);
  for (const Operator &Each : Operators) {
    OperatorRecord Record;
    Record.Of = &Each;
    Walk(Unit, Record).run(*Each.Function);
    List.push_back(describe(Record, Context));
  }
  const SourceManager &Sources = Context.getSourceManager();
  Place File = placeOf(Context, Sources.getLocForStartOfFile(Sources.getMainFileID()));
  json::Object Document{{"schema", "memshape.features/1"},
                        {"unit", text(File.File)},
                        {"language", Context.getLangOpts().CPlusPlus ? "c++" : "c"},
                        {"operators", std::move(List)}};
  std::string Result;
  llvm::raw_string_ostream Stream(Result);
  Stream << json::Value(std::move(Document));
  return Result;
}

void readLibraries() { (void)builtInLibraries(); }

} // namespace memshape::ast
