// The value of an expression in a call chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value says what it depends on, not what it is. Statements are not executed; a variable's value comes from its writes
// (FunctionFacts).

#pragma once

#include "features/FunctionFacts.h"
#include "features/Value.h"

#include "clang/AST/StmtVisitor.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace clang {
class CallExpr;
class CXXConstructExpr;
class CXXConstructorDecl;
} // namespace clang

namespace memshape::ast {

/// One function in one call chain.
struct Frame {
  const clang::FunctionDecl *Function = nullptr;
  const FunctionFacts *Facts = nullptr;
  Frame *Lexical = nullptr; ///< of a lambda: where it was written
  const Frame *Caller = nullptr;
  unsigned Depth = 0; ///< calls from the operator
  Value This;
  std::map<const clang::VarDecl *, Value> Bound; ///< parameters
  std::map<const clang::VarDecl *, Value> Known; ///< variables evaluated before
  /// Variables evaluated inside a cycle that is not done: right for the cycle's first member, not yet for themselves.
  std::map<const clang::VarDecl *, Value> Provisional;
  std::map<const clang::VarDecl *, unsigned> Active;      ///< variables being evaluated, with their depth in the search
  std::unordered_map<const clang::Expr *, Value> Results; ///< calls, constructions and choices evaluated before
};

/// What holds of a unit's functions and expressions in every call chain of every operator.
class UnitFacts {
public:
  explicit UnitFacts(clang::ASTContext &Context) : Context(Context) {}

  const FunctionFacts &of(const clang::FunctionDecl &Function);
  /// An integer expression that is the same for all shapes.
  bool isConstant(const clang::Expr &E);

  clang::ASTContext &Context;

private:
  std::map<const clang::FunctionDecl *, std::unique_ptr<FunctionFacts>> Bodies;
  llvm::DenseMap<const clang::Expr *, bool> Constants;
};

class ShapeEvaluator : public clang::ConstStmtVisitor<ShapeEvaluator, Value, Frame &> {
public:
  explicit ShapeEvaluator(UnitFacts &Unit) : Context(Unit.Context), Unit(Unit) {}

  Value evaluate(const clang::Expr *E, Frame &In);
  Value variable(const clang::VarDecl *Variable, Frame &In);
  unsigned dependence(const Conditions &All, Frame &In);
  /// The values of all of them together.
  template <class Expressions> Value evaluateAll(const Expressions &All, Frame &In) {
    Value Result;
    for (const clang::Expr *E : All)
      Result.depend(evaluate(E, In));
    return Result;
  }

  /// The frame of the operator itself: its parameters as symbols, settings and tensors.
  Frame operatorFrame(const clang::FunctionDecl &Function);
  /// The frame of a call of Callee, a function with a body.
  Frame callFrame(const clang::FunctionDecl &Callee, llvm::ArrayRef<const clang::Expr *> Arguments, const Value &This,
                  Frame &Caller);
  /// The arguments of a call that belong to parameters, and the object it is called on.
  std::vector<const clang::Expr *> callArguments(const clang::CallExpr &Call, Frame &In, Value &This);

  const FunctionFacts &factsOf(const clang::FunctionDecl &Function) { return Unit.of(Function); }

  /// True when the work allowed for one operator is used up: from then on everything is unknown.
  bool exhausted() const { return !Steps; }

  /// The bytes of one element of Type.
  std::optional<std::int64_t> bytesOf(clang::QualType Type) const;

  clang::ASTContext &Context;

  // For the visitor.
  Value VisitStmt(const clang::Stmt *E, Frame &In);
  Value VisitArraySubscriptExpr(const clang::ArraySubscriptExpr *E, Frame &In);
  Value VisitUnaryDeref(const clang::UnaryOperator *E, Frame &In);
  Value VisitUnaryAddrOf(const clang::UnaryOperator *E, Frame &In);
  Value VisitUnaryOperator(const clang::UnaryOperator *E, Frame &In) { return evaluate(E->getSubExpr(), In); }
  Value VisitBinaryOperator(const clang::BinaryOperator *E, Frame &In);
  Value VisitAbstractConditionalOperator(const clang::AbstractConditionalOperator *E, Frame &In);
  Value VisitCXXNewExpr(const clang::CXXNewExpr *E, Frame &In);
  Value VisitInitListExpr(const clang::InitListExpr *E, Frame &In);
  Value VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr *E, Frame &In);
  Value VisitLambdaExpr(const clang::LambdaExpr *, Frame &) { return {}; }
  Value VisitCXXThisExpr(const clang::CXXThisExpr *, Frame &In);
  Value VisitCallExpr(const clang::CallExpr *Call, Frame &In);
  Value VisitCXXConstructExpr(const clang::CXXConstructExpr *E, Frame &In);
  Value VisitMemberExpr(const clang::MemberExpr *E, Frame &In);
  Value VisitCastExpr(const clang::CastExpr *E, Frame &In);
  Value VisitDeclRefExpr(const clang::DeclRefExpr *E, Frame &In);

private:
  bool affords(const clang::Expr *E);
  Value remembered(const clang::Expr *E, Frame &In);
  Value evaluateNode(const clang::Expr *E, Frame &In);
  Value returned(Frame &In);
  Value resultOf(Frame &Call);
  Value local(const VariableFacts &Facts, Frame &In);
  std::optional<Value> counter(const VariableFacts &Facts, Frame &In);
  void applyWrite(const Write &W, const VariableFacts &Facts, bool Sole, Value &Result, Frame &In);
  bool mayResize(const Write &W, const VariableFacts &Of);
  void dropChangedFields(const Write &W, Value &Result);
  std::shared_ptr<std::map<const clang::FieldDecl *, Value>> fieldsOf(const clang::CXXConstructorDecl &Constructor,
                                                                      Frame &Inner);

  UnitFacts &Unit;
  unsigned Steps = 400000; ///< evaluations left for the operator
  unsigned Lowest = ~0u;   ///< smallest depth of an active variable that the search met again
  unsigned Incomplete = 0; ///< how often a value lacked what a cycle adds
  unsigned Nesting = 0;
  unsigned Limited = 0; ///< how often a value was left unknown because that would be too much work
  std::unordered_map<std::string, Value> Calls; ///< results, by signature()
};

/// The function of Call and what its arguments depend on, so many levels into objects: calls that share all of it return
/// the same and reach the same sites, whose sizes depend on the same, but for lambdas.
std::string signature(const Frame &Call, unsigned Levels);

/// The definition to look into: null for functions without a body and for those of libraries that LibraryModel.h
/// describes.
const clang::FunctionDecl *enterable(const clang::FunctionDecl *Function);

} // namespace memshape::ast
