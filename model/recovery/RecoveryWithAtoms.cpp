// Formulas in more than symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/AtomSearch.h"
#include "model/recovery/Recovery.h"

#include <algorithm>

namespace memshape {

constexpr unsigned MaxDegree = 4;
/// A system of so many terms takes some ten milliseconds.
constexpr std::size_t MaxTerms = 130;

std::optional<Recovered> Recovery::proposeAtoms(std::size_t Index, const Region &Where, const std::vector<Atom> &Set,
                                                bool MayCut, std::vector<Shape> &Explored) {
  std::vector<Atom> Atoms;
  for (std::size_t I = 0; I < Symbols; ++I)
    Atoms.push_back({rounding::None(), I});
  Atoms.insert(Atoms.end(), Set.begin(), Set.end());
  auto SampleAt = [&](const Shape &At) -> std::optional<AtomSample> {
    AtomSample Next;
    for (const Atom &A : Atoms) {
      std::optional<std::int64_t> Value = A.evaluate(At);
      if (!Value)
        return std::nullopt;
      Next.Atoms.push_back(*Value);
    }
    std::optional<std::int64_t> Value = Sample(At, Index);
    if (!Value)
      return std::nullopt;
    Next.Value = *Value;
    return Next;
  };
  // The whole box, and without its lowest part, where operators have less to do.
  for (bool Lowest : {true, false}) {
    if (!Lowest && !MayCut)
      break;
    Domain Box = Where.Box;
    if (!Lowest)
      for (Range &R : Box.Ranges)
        R.Low += (R.High - R.Low) / 12;
    std::vector<Shape> Wanted;
    for (const Shape &At : Explored)
      if (Box.contains(At))
        Wanted.push_back(At);
    std::vector<AtomSample> Samples;
    for (unsigned Degree = 1; Degree <= MaxDegree; ++Degree) {
      std::vector<Polynomial::Monomial> Terms = termsUpTo(Degree, Atoms);
      std::erase_if(Terms, [&](const Polynomial::Monomial &Term) {
        for (std::size_t I = 0; I < Symbols; ++I)
          if (Term[I] && !Where.isFree(I))
            return true; // a symbol that is held
        return false;
      });
      if (Terms.size() > MaxTerms || Sample.outOfTime())
        break;
      const std::size_t Enough = Terms.size() + 2 * SamplesBeyondTerms;
      ShapeSource Source(Options.Seed + 4 + Degree);
      for (std::size_t Draws = 0; Draws < 20 * Enough && Wanted.size() < Enough; ++Draws) {
        Shape At = Source.draw(Box);
        if (Where.holds(At) && std::find(Wanted.begin(), Wanted.end(), At) == Wanted.end())
          Wanted.push_back(std::move(At));
      }
      Sample.prefetch(Wanted);
      for (std::size_t I = Samples.size(); I < Wanted.size(); ++I) {
        std::optional<AtomSample> Next = SampleAt(Wanted[I]);
        if (!Next)
          return std::nullopt;
        Samples.push_back(std::move(*Next));
      }
      Sample.spend(std::chrono::nanoseconds(Terms.size() * (Terms.size() + 20) * Samples.size()));
      std::optional<Polynomial> Fitted = fitTerms(Terms, Samples);
      if (!Fitted)
        continue;
      if (std::optional<Recovered> Found = cutAndVerify(Formula(Atoms, {*Fitted}), Index, Where, MayCut, Explored))
        return Found;
      break;
    }
  }
  return std::nullopt;
}

std::optional<Recovered> Recovery::searchAtoms(std::size_t Index, const Region &Where, std::vector<Shape> &Explored) {
  for (const std::vector<Atom> &Set : KnownAtoms)
    if (std::optional<Recovered> Found = proposeAtoms(Index, Where, Set, false, Explored))
      return Found;
  // Atoms are the same from wherever one looks: what all shapes have none for has none around one.
  if (!Options.Anchor.empty())
    return std::nullopt;
  const auto Now = [&]() -> std::chrono::nanoseconds {
    const std::optional<std::chrono::nanoseconds> Busy = Options.Busy ? Options.Busy() : std::nullopt;
    return Busy.value_or(std::chrono::steady_clock::now().time_since_epoch());
  };
  const std::chrono::nanoseconds Start = Now(), Before = AtomsTook;
  const auto OutOfTime = [&] {
    AtomsTook = Before + (Now() - Start);
    Hurried |= AtomsTook >= Options.AtomBudget;
    return Hurried || Sample.outOfTime();
  };
  if (OutOfTime())
    return std::nullopt;
  constexpr std::chrono::microseconds LookingAlong{500}; // one symbol
  Sample.spend(Symbols * LookingAlong);
  const std::vector<std::vector<Atom>> Sets = AtomSearch(Where.Box, Index, false, Sample).candidates();
  // All shapes first. A set that explains a part only is mostly a wrong one.
  constexpr std::size_t MayBeCut = 2;
  for (bool MayCut : {false, true})
    for (std::size_t I = 0; I < Sets.size() && (!MayCut || I < MayBeCut) && !OutOfTime(); ++I)
      if (std::optional<Recovered> Found = proposeAtoms(Index, Where, Sets[I], MayCut, Explored)) {
        AtomsTook = Before + (Now() - Start);
        if (std::find(KnownAtoms.begin(), KnownAtoms.end(), Sets[I]) == KnownAtoms.end())
          KnownAtoms.push_back(Sets[I]);
        return Found;
      }
  AtomsTook = Before + (Now() - Start);
  return std::nullopt;
}

} // namespace memshape
