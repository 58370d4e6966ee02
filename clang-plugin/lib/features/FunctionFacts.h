// What a body does to its variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over a function's body, independent of who calls it: where each variable is written and under which
// conditions, where it is used, what is returned. The evaluator looks here instead of executing statements.

#pragma once

#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceLocation.h"

#include <map>
#include <vector>

namespace clang {
class Expr;
class FieldDecl;
class ForStmt;
class ReturnStmt;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace memshape::ast {

using Conditions = std::vector<const clang::Expr *>;

/// One statement that changes a variable or what it holds.
struct Write {
  enum KindType {
    Whole,    ///< v = e
    Update,   ///< v += e, ++v
    Contents, ///< v[i] = e, *v = e, f(v): through it
    Resize    ///< v.resize(n), v = e of a class that owns memory
  } Kind;
  std::vector<const clang::Expr *> Sources; ///< what is written, or all arguments of the call that writes
  Conditions Under;                         ///< conditions of the control statements around it
  const clang::FieldDecl *Field = nullptr;  ///< v.Field = e
  const clang::FunctionDecl *By = nullptr;  ///< the function that may write, for a call
  const clang::Expr *Whence = nullptr;      ///< the writing expression itself
};

struct VariableFacts {
  const clang::VarDecl *Variable = nullptr;
  std::vector<Write> Writes;
  std::vector<clang::SourceLocation> Uses;
  const clang::Expr *ElementOf = nullptr;    ///< the range of a for-each loop
  const clang::ForStmt *CountedBy = nullptr; ///< `for (v = a; v < b; v += step)` is its only writer
  bool Returned = false;                     ///< by value or as a pointer
  bool Freed = false;                        ///< passed to a function or an expression that frees it
  bool Stored = false;                       ///< its value is kept in something that outlives it
};

struct Return {
  const clang::ReturnStmt *Statement;
  const clang::Expr *Result;
  Conditions Under;
};

class FunctionFacts {
public:
  explicit FunctionFacts(const clang::FunctionDecl &Function);

  const VariableFacts *find(const clang::VarDecl *Variable) const;
  const std::map<const clang::VarDecl *, VariableFacts> &variables() const { return Variables; }
  const std::vector<Return> &returns() const { return Returns; }
  /// Writes to fields of the object whose method this is.
  const std::map<const clang::FieldDecl *, std::vector<Write>> &ownFields() const { return OwnFields; }

private:
  friend class FactCollector;
  std::map<const clang::VarDecl *, VariableFacts> Variables;
  std::map<const clang::FieldDecl *, std::vector<Write>> OwnFields;
  std::vector<Return> Returns;
};

/// E without parentheses, casts and the nodes that carry no meaning of their own.
const clang::Expr *stripped(const clang::Expr *E);

/// The variable at the base of an lvalue or pointer: v of v, v[i], *v, v.f, v(i, j), &v; null for others.
const clang::VarDecl *baseVariable(const clang::Expr *E);

/// Conditions of branches in Loop's body that leave the loop: how often it runs depends on them too.
Conditions exitConditions(const clang::Stmt *Body);

/// The condition of S if it is a branch that jumps away: what follows runs only where it did not. Null for others.
const clang::Expr *jumpCondition(const clang::Stmt *S);

/// Bounds of `for (T v = Lower; v < Upper; v += step)`.
struct CountedLoop {
  const clang::VarDecl *Variable = nullptr;
  const clang::Expr *Lower = nullptr;
  const clang::Expr *Upper = nullptr;
};
bool isCounted(const clang::ForStmt &Loop, CountedLoop &Result);

} // namespace memshape::ast
