// What a library's interface says about memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is told of classes and functions from their declarations alone, where the features of an operator are read. The
// words are those of docs/libraries.md.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace memshape {

/// How objects of a class hold memory.
enum class Holding {
  None,
  Sequence, ///< contiguous elements in one dimension
  Text,     ///< a sequence that keeps short contents inside itself
  Nodes,    ///< one allocation per element, or per bucket
  Matrix,   ///< rows and columns
  Tensor,   ///< any number of dimensions
  Handle    ///< owns what it was given
};

/// A class template, by the numbers of its template arguments; -1 for one that it has not.
struct TypeModel {
  Holding Holds = Holding::None;
  int Element = 0;       ///< the type of what it holds
  int FixedRows = -1;    ///< how many rows the type fixes, -1 there for none
  int FixedColumns = -1; ///< the same of columns
  int Like = -1;         ///< it holds what this type holds
  int Views = -1;        ///< it refers to memory that is laid out as that of this type
  int Temporary = -1;    ///< TemporaryValue there: computed into an object of its own inside an expression
  std::int64_t TemporaryValue = 0;
  bool Direct = false;   ///< what is assigned through it needs no object of its own
  std::string Allocates; ///< a method that returns a block of as many elements as its integer argument says
  bool Counts = false;   ///< made from a pointer it allocates the counts that owners share
};

/// What a method does to the size of an object.
enum class Sizing { None, Sets, Reserves, Grows };

/// What a function makes.
enum class Making { None, Object, SharedObject };

/// A rule about methods of a library's classes.
struct MethodModel {
  unsigned Holders = 0;   ///< bit i: for objects with Holding i; 0 for all objects
  unsigned Arguments = 0; ///< it takes so many arguments, or more
  Sizing Effect = Sizing::None;
  bool Measures = false; ///< it returns a count, which depends on the object's size alone
  Making Makes = Making::None;
};

/// A function, by its outermost namespace and name, or by its name alone.
struct CallModel {
  bool HandsOn = false; ///< its value is its argument
  int Arguments = -1;   ///< the rule holds for so many arguments; -1 for any number
  Making Makes = Making::None;
  int Count = -1; ///< argument: how many elements it makes
  int Fills = -1; ///< argument: a pointer to what it writes
};

/// The described part of a library: what stands in its namespaces.
struct Interface {
  std::vector<std::string> Namespaces; ///< outermost ones
  bool Expressions = false;            ///< operators and methods return expressions that are computed when assigned
  std::deque<MethodModel> Rules;
  llvm::StringMap<std::vector<const MethodModel *>> Methods; ///< in the order of the document; "*" fits every name

  /// The rules for methods of this name, then those for all names.
  llvm::SmallVector<const MethodModel *, 4> methods(llvm::StringRef Name) const;
};

} // namespace memshape
