// Does a formula say more than it takes?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/RecoveryChecks.h"

#include <algorithm>
#include <map>
#include <set>

namespace memshape {

bool saysMoreThanItTakes(const Formula &Proposal, const std::vector<Shape> &Shapes) {
  constexpr std::size_t Spare = 3;    // values that no power was needed for
  constexpr std::size_t EachSide = 8; // shapes on either side of a limit
  for (std::size_t I = 0; I < Proposal.atoms().size(); ++I) {
    const Atom &A = Proposal.atoms()[I];
    if (A.isSymbol())
      continue;
    std::size_t Powers = 0;
    for (const Polynomial &Piece : Proposal.pieces()) {
      std::set<unsigned> Used;
      for (const auto &[Exponents, Coefficient] : Piece.terms())
        Used.insert(Exponents[I]);
      Powers = std::max(Powers, Used.size());
    }
    if (std::none_of(Proposal.pieces().begin(), Proposal.pieces().end(),
                     [&](const Polynomial &Piece) { return Piece.dependsOn(I); }))
      continue;
    std::map<std::int64_t, std::size_t> Values;
    for (const Shape &At : Shapes)
      if (std::optional<std::int64_t> Value = A.evaluate(At))
        ++Values[*Value];
    if (A.as<rounding::Above>()) {
      if (Values[0] < EachSide || Values[1] < EachSide)
        return false;
    } else if (Values.size() < Powers + Spare) {
      return false;
    }
  }
  return true;
}

std::vector<std::int64_t> lastBeforeSteps(const Atom &Of, std::int64_t Low, std::int64_t High) {
  std::vector<std::int64_t> Found;
  if (const auto *Over = Of.as<rounding::Above>())
    Found.push_back(Over->Limit);
  else if (const auto *Capped = Of.as<rounding::Least>())
    Found.push_back(Capped->Cap);
  else if (Of.as<rounding::PowerOfTwo>() || Of.as<rounding::Smooth>())
    for (int Exponent = 2; Exponent < 40; ++Exponent)
      Found.push_back(std::int64_t(1) << Exponent);
  else if (Of.as<rounding::Log2>())
    for (int Exponent = 2; Exponent < 40; ++Exponent)
      Found.push_back((std::int64_t(1) << Exponent) - 1);
  else if (Of.as<rounding::Root>())
    for (std::int64_t Root = 2; Root < 4000; Root += 1 + Root / 8)
      Found.push_back(Root * Root - 1);
  // Of the others steps are dense.
  std::erase_if(Found, [&](std::int64_t Value) { return Value < Low || Value >= High; });
  return Found;
}

} // namespace memshape
