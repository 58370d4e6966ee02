// What stands behind the public types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/prediction/Answer.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "memshape/memshape.h"

#include <mutex>

namespace memshape::v1 {

/// Files that were read, with what is said of all operators in them. Everything but the deadline stays as it is.
struct OpenFiles {
  std::string Path; ///< of the first file
  std::vector<Skeleton> Skeletons;

  /// S with the functions that it calls in other units. The result is for the life of this object.
  Result<WholeOperator> whole(const Skeleton &S) const;
  /// For one answer, which needs nothing of the files but the names of their libraries.
  Surroundings forAnswer() const;

  mutable Surroundings Around; ///< for its deadline, which whole() sets

private:
  mutable std::mutex Slicing; ///< one slicer at a time
};

struct Program::Content {
  std::shared_ptr<const OpenFiles> Files;
  std::vector<Operator> Operators;
};

struct Operator::Content {
  std::shared_ptr<const OpenFiles> Files;
  const Skeleton *Stored = nullptr; ///< in Files
  v1::Place Place;
  std::vector<Symbol> Symbols;
  std::vector<Setting> Settings;
  std::vector<std::string> Tensors;
  std::vector<Site> Sites;
  std::vector<Decision> Decisions;

  /// With functions of other units, made when it is first asked for; a failure is not kept.
  Result<std::shared_ptr<const WholeOperator>> whole() const;
  /// Errors: arguments, no_answer.
  Expected<struct AskedCall> asked(const Call &Given) const;
  /// Symbols that Given lacks, each with a given one that calls have to give the same value.
  std::map<std::string, std::string> tied(const GivenValues &Given, const GivenValues &Set) const;

private:
  mutable std::mutex Making;
  mutable std::shared_ptr<const WholeOperator> Whole;
};

struct Prediction::Content {
  Answer Found;
};

struct Formula::Content {
  std::string Text;
  std::vector<std::string> Symbols;
  std::map<std::string, Range> Domain;
  unsigned VerifiedShapes = 0;
  std::optional<memshape::Formula> Value; ///< nothing where a part of the peak follows no law
  memshape::Domain Valid;
};

/// Makes the public types from those of the other rooms.
struct Access {
  static Operator operatorOf(std::shared_ptr<const OpenFiles> Files, const Skeleton &S);
  static Program programOf(std::shared_ptr<const OpenFiles> Files);
  static Prediction predictionOf(Answer Found);
  static const memshape::Prediction &foundBy(const Prediction &Of) { return Of.of->Found.Predicted; }
  /// Null where a part of the peak follows no law.
  static const memshape::Formula *valueOf(const Formula &Of);
  /// Its symbols are those of the operator, in order: no size from data is among them.
  static bool isOfAllSymbols(const Formula &Of, const Operator &Op);
  /// The formula of the peak that is best; nothing where there is none. AtShape: it has to hold at the asked shape.
  static std::optional<Formula> formulaOf(const FormulaSet &Found, bool AtShape);
  static Formula formulaOf(const std::vector<std::string> &Symbols, const Recovered &Found);
  /// Fills its Domain.
  static Formula formulaOf(Formula::Content Of);
};

/// A call as its operator can be asked for it.
struct AskedCall {
  std::shared_ptr<const WholeOperator> Whole;
  Question Asked; ///< with the call's assumptions
};

/// What a skeleton is asked for a call. Errors: arguments.
Expected<Question> questionOf(const Skeleton &S, const Call &Asked);
/// With the call's assumptions.
std::optional<Error> assume(const Skeleton &S, const Call &Asked, Question &Into);
ErrorCode codeOf(const Failure &Why);

/// Where nobody names the extents: of objects, all that they are built from, and no other integer; of memory behind a
/// pointer nothing says what its size depends on, so that any integer may be an extent.
bool isExtent(const Operator &Op, const Skeleton &S, const std::string &Name);

Place placeOf(const SourcePlace &From);
Site siteOf(const SkeletonSite &From);
Decision decisionOf(const Skeleton &S, std::uint32_t Id, const std::string &Name);

inline Error errorOf(const Failure &From, ErrorCode Code) { return {Code, From.Message}; }
template <class T> Expected<T> expected(Result<T> Of, ErrorCode Code) {
  return Of ? Expected<T>(std::move(*Of)) : errorOf(Of.failure(), Code);
}
template <class T> Expected<T> expected(Result<T> Of) {
  const ErrorCode Code = Of ? ErrorCode::no_answer : codeOf(Of.failure());
  return expected(std::move(Of), Code);
}

} // namespace memshape::v1
