// What writers of both languages share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/emit/Emission.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

/// Gives each name an identifier of C, C++ and Python that no other has: "a.rows" is a_rows, "x.shape[0]" x_shape_0.
class Identifiers {
public:
  /// Words of the three languages, and those of Taken, are no identifiers.
  explicit Identifiers(std::set<std::string> Taken = {}) : Taken(std::move(Taken)) {}
  std::string of(const std::string &Name);

private:
  std::set<std::string> Taken;
};

/// How a language writes conditions.
struct Conditions {
  const char *And, *Or, *Always;
  bool BracketsAnd; ///< within an Or
  std::string (*Number)(std::int64_t);
};

/// An emission with its identifiers.
struct Written {
  const Emission &Of;
  std::string Function;                  ///< that the functions' names begin with
  std::vector<std::string> Symbols = {}; ///< identifiers of all symbols

  explicit Written(const Emission &From);

  std::string name(const std::string &Figure) const { return Function + "_" + Figure + "_bytes"; }
  /// Each parameter but Without as Each writes it, with Between between them.
  template <class Writer>
  std::string parameters(Writer Each, const char *Between, std::size_t Without = SIZE_MAX) const {
    std::string Text;
    for (std::size_t I = 0; I < Symbols.size(); ++I)
      if (Of.Symbols[I].IsParameter && I != Without)
        Text += (Text.empty() ? "" : Between) + Each(I);
    return Text;
  }
  /// The names of the parameters but Without.
  std::string names(std::size_t Without = SIZE_MAX) const;
  /// The arguments of a call: the parameters, with Value for one of them.
  std::string namesWith(std::size_t Symbol, const std::string &Value) const;
  /// A variable that is no symbol.
  std::string local(std::string Name) const;
  /// Lines of a function, with a variable of its own in the place of each word behind a $.
  std::string withLocals(std::string Lines) const;
  /// "n >= 101 && n <= 2000" of a box of the parameters, without ends that every call keeps.
  std::string inside(const Domain &Box, const Conditions &As, std::size_t Without = SIZE_MAX) const;
  /// That the formulas of all figures were verified.
  std::string verified(const Conditions &As) const;
  /// With the symbol of number Which in between two ends.
  std::vector<std::string> spansOfSymbols(const std::string &Prefix, std::size_t Which) const;

  bool hasRounding() const;
  /// The bound may fall where some symbol grows: a search looks at spans.
  bool needsSpans() const;
  bool searchesBySpans(std::size_t Symbol) const;
};

/// Texts of a language, made from libmemshape/emit/prelude.
struct Prelude {
  std::string_view Numbers, Rounding, Spans, RoundedSpans;
};

extern const Prelude PreludeOfC, PreludeOfPython;

/// The functions that Of needs of a language's, with Between between the texts.
std::string preludeOf(const Written &Of, const Prelude &Language, const char *Between);

std::string cSource(const Written &Of);
std::string pythonSource(const Written &Of);

} // namespace memshape
