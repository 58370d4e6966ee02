// Sums of values with constant factors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value as a sum: `end - begin - 4 * n`. Pointers are byte addresses. Sums are mathematical ones: arithmetic that may
// wrap around is a term of its own.

#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"

namespace memshape {

class LinearForm {
public:
  LinearForm() = default;
  explicit LinearForm(int64_t Constant) : Constant(Constant) {}
  /// The form of V, through conversions that keep numbers and arithmetic that does not wrap around.
  static LinearForm of(const llvm::Value *V, const llvm::DataLayout &Layout);

  /// Adds Other * Times / Over.
  void add(const LinearForm &Other, int64_t Times = 1, int64_t Over = 1);
  /// Puts What in place of a term.
  void replace(const llvm::Value *Term, const LinearForm &What);

  /// A positive multiple of it with integer factors.
  LinearForm withoutDenominator() const;

  int64_t factorOf(const llvm::Value *Term) const { return Terms.lookup(Term); }
  int64_t constant() const { return Constant; }
  bool valid() const { return Valid; }

  /// The sum is (Constant + each factor * term) / Denominator.
  llvm::SmallMapVector<const llvm::Value *, int64_t, 4> Terms;

private:
  void scale(int64_t Times);

  int64_t Constant = 0, Denominator = 1;
  bool Valid = true; ///< no factor has left 63 bits
};

} // namespace memshape
