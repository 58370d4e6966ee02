// One operator and all it calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the statements of an operator and of the functions it calls, with the caller's arguments in the place of the
// parameters, and writes down allocations, control statements, intermediates and outputs.

#pragma once

#include "features/Allocators.h"
#include "features/LibraryModel.h"
#include "features/Record.h"
#include "features/ShapeEvaluator.h"

#include <map>
#include <set>

namespace memshape::ast {

class Walk {
public:
  Walk(UnitFacts &Unit, OperatorRecord &Out) : Context(Unit.Context), Eval(Unit), Out(Out) {}

  void run(const clang::FunctionDecl &Operator);

private:
  // Walk.cpp: statements.
  void function(Frame &In, const clang::Expr *Call, Frame *Caller);
  void body(Frame &In);
  void statement(const clang::Stmt *S, Frame &In);
  void declare(const clang::VarDecl &Variable, Frame &In);
  void control(const char *Kind, const clang::Stmt &S, const clang::Expr *Condition, unsigned Depends, Frame &In,
               llvm::ArrayRef<const clang::Stmt *> Parts);
  void loop(const clang::Stmt &S, const clang::Expr *Condition, llvm::ArrayRef<const clang::Stmt *> Parts, Frame &In);
  std::string controlKey(const char *Kind, const clang::Stmt &S, const Frame &In) const;
  void earlyReturn(const clang::ReturnStmt &S, Frame &In);
  std::string signature(const Frame &In) const;

  // Expressions.cpp: what is called, constructed and stored. Name is the variable that will hold the value.
  void expression(const clang::Expr *E, Frame &In, const std::string &Name = "", bool Direct = false);
  void children(const clang::Stmt &S, Frame &In);
  void call(const clang::CallExpr &E, Frame &In, const std::string &Name);
  void lazyProduct(const clang::CallExpr &E, Frame &In, const std::string &Name);
  void madeObject(const clang::CallExpr &E, const clang::FunctionDecl &Callee, const CallModel &Known, Frame &In,
                  const std::string &Name);
  void methodOfOwner(const clang::CallExpr &E, const Owner &Of, const clang::Expr &Object,
                     const clang::FunctionDecl &Method, llvm::ArrayRef<const clang::Expr *> Arguments, Frame &In);
  void construction(const clang::CXXConstructExpr &E, Frame &In, const std::string &Name, bool Direct);
  void newExpression(const clang::CXXNewExpr &E, Frame &In, const std::string &Name);
  void allocatorCall(const clang::CallExpr &E, const Allocator &By, Frame &In, const std::string &Name);
  void libraryArguments(const clang::CallExpr &E, const clang::FunctionDecl &Callee, Frame &In);
  void store(const clang::Expr &Target, Frame &In);
  void read(const clang::ParmVarDecl *Root);
  void unknown(const std::string &Function, const clang::Expr &E, const char *Why);

  // Emit.cpp: records.
  AllocationRecord site(const clang::Expr &E, Frame &In, const std::string &Name, const char *Kind,
                        clang::QualType Element = {});
  void emit(AllocationRecord Record, Frame &In);
  void intermediate(const clang::VarDecl &Variable, Frame &In);
  void outputs(Frame &In);
  std::string source(const clang::Stmt &S) const;
  std::string functionName(const Frame &In) const;

  struct Boundary { ///< inside a library: everything is told as of the call in user code
    Place Where;
    std::string Function, Written, Library;
  };
  struct Output {
    bool Written = false, Read = false;
  };

  clang::ASTContext &Context;
  ShapeEvaluator Eval;
  OperatorRecord &Out;
  std::vector<CallStep> Chain; ///< outermost first
  std::vector<std::size_t> Open;
  std::set<const clang::FunctionDecl *> OnStack;
  unsigned LoopDepth = 0;
  unsigned LibraryDepth = 0; ///< calls since a library was entered
  bool Conditional = false;
  std::optional<Boundary> Inside;
  std::map<std::string, std::size_t> Sites, Controls, Intermediates;
  /// For each call walked before, by signature: the sites it reaches and their depth below it.
  std::map<std::string, std::vector<std::pair<std::size_t, unsigned>>> Walked;
  std::vector<std::pair<std::size_t, unsigned>> Reached;
  std::map<const clang::ParmVarDecl *, Output> Tensors;
  std::map<const clang::VarDecl *, std::size_t> HeldBy; ///< pointers that received an allocation
};

} // namespace memshape::ast
