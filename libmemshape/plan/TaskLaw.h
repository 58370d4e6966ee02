// What a call takes, at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search looks at some hundred thousand shapes, and a prediction takes milliseconds. So the search asks a law: the
// formula where there is one, otherwise a product of powers that is right near the shapes that were predicted last. What
// the search finds is predicted, and the law is made anew around it.

#pragma once

#include "model/formula/Formula.h"

#include <span>

namespace memshape {

/// Bytes that a call requests at most, by values of all symbols.
class TaskLaw {
public:
  virtual ~TaskLaw() = default;
  virtual double bytes(std::span<const std::int64_t> At) const = 0;
  /// No symbol that grows makes it less.
  virtual bool monotone() const = 0;
};

/// Formula's symbols are those of the shape, in order.
class FormulaLaw final : public TaskLaw {
public:
  explicit FormulaLaw(const Formula &Of);
  double bytes(std::span<const std::int64_t> At) const override;
  bool monotone() const override { return Grows; }

private:
  struct Term {
    double Factor = 0;
    std::vector<std::uint32_t> Symbols; ///< each as often as its power
  };

  const Formula &Of;
  bool Grows = true;
  std::vector<std::vector<Term>> Pieces; ///< empty where something is rounded: Of is evaluated then
};

/// Value at At, times (x/At)^Power for each symbol.
class PowerLaw final : public TaskLaw {
public:
  PowerLaw(double Value, std::vector<std::int64_t> At, std::vector<double> Powers)
      : Value(Value), At(std::move(At)), Powers(std::move(Powers)) {}
  double bytes(std::span<const std::int64_t> Shape) const override;
  bool monotone() const override { return true; }

private:
  double Value;
  std::vector<std::int64_t> At;
  std::vector<double> Powers; ///< 0 or more
};

} // namespace memshape
