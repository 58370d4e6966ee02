// Answers at the shapes that were asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search for formulas looks up each of some thousand shapes a dozen times, and now and then goes through all: they
// lie one behind the other, in the order in which they came, with an index beside them.

#pragma once

#include "model/formula/Formula.h"

#include <algorithm>

namespace memshape {

/// All shapes are in the same symbols.
template <class Answer> class AskedShapes {
public:
  /// Null where nobody asked. Valid until the next add.
  Answer *find(const Shape &At) {
    const std::uint32_t Number = Index.empty() || At.size() != Symbols ? None : Index[placeOf(At)];
    return Number == None ? nullptr : &Answers[Number];
  }
  const Answer *find(const Shape &At) const { return const_cast<AskedShapes *>(this)->find(At); }

  /// Of a shape that was not asked for before.
  Answer &add(const Shape &At, Answer Found) {
    Symbols = At.size();
    if ((Answers.size() + 1) * 2 > Index.size())
      grow();
    Index[placeOf(At)] = static_cast<std::uint32_t>(Answers.size());
    Extents.insert(Extents.end(), At.begin(), At.end());
    return Answers.emplace_back(std::move(Found));
  }

  /// Do(shape, answer) for all, first asked first, until it returns false.
  template <class Function> void forEach(Function Do) const {
    Shape At(Symbols);
    for (std::size_t I = 0; I < Answers.size(); ++I) {
      std::copy_n(Extents.data() + I * Symbols, Symbols, At.data());
      if (!Do(At, Answers[I]))
        return;
    }
  }
  std::size_t size() const { return Answers.size(); }

private:
  static constexpr std::uint32_t None = UINT32_MAX;

  static std::uint64_t hashOf(const std::int64_t *At, std::size_t Count) {
    std::uint64_t Hash = Count;
    for (std::size_t I = 0; I < Count; ++I)
      Hash = (Hash ^ static_cast<std::uint64_t>(At[I])) * 0x9e3779b97f4a7c15 + (Hash >> 29);
    return Hash ^ (Hash >> 32);
  }

  /// Where the shape's number stands, or the free place where it would.
  std::size_t placeOf(const Shape &At) const {
    std::size_t Place = hashOf(At.data(), At.size()) & (Index.size() - 1);
    while (Index[Place] != None && !std::equal(At.begin(), At.end(), Extents.data() + Index[Place] * Symbols))
      Place = (Place + 1) & (Index.size() - 1);
    return Place;
  }

  void grow() {
    Index.assign(Index.empty() ? 4096 : Index.size() * 2, None);
    for (std::size_t I = 0; I < Answers.size(); ++I) {
      std::size_t Place = hashOf(Extents.data() + I * Symbols, Symbols) & (Index.size() - 1);
      while (Index[Place] != None)
        Place = (Place + 1) & (Index.size() - 1);
      Index[Place] = static_cast<std::uint32_t>(I);
    }
  }

  std::size_t Symbols = 0;
  std::vector<std::int64_t> Extents; ///< Symbols for each shape
  std::vector<Answer> Answers;
  std::vector<std::uint32_t> Index; ///< a power of two, at most half of it taken
};

} // namespace memshape
