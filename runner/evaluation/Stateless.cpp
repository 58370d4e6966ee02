// Library functions that keep no state.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only a question of speed: a skeleton that calls nothing else is evaluated in the runner's own process, one that calls
// anything more in a child, where what the library remembers dies with the evaluation.

#include "runner/evaluation/Symbols.h"

#include <algorithm>
#include <iterator>

using namespace memshape;

/// The members "stateless" of the documents of libraries/: names, names that end by {,f,l}, and beginnings of names
/// that end by an asterisk.
static constexpr std::string_view Patterns[] = {
#include "StatelessNames.inc"
};

static bool fits(std::string_view Name, std::string_view Pattern) {
  constexpr std::string_view Widths = "{,f,l}";
  if (Pattern.ends_with('*'))
    return Name.starts_with(Pattern.substr(0, Pattern.size() - 1));
  if (!Pattern.ends_with(Widths))
    return Name == Pattern;
  Pattern.remove_suffix(Widths.size());
  return Name.starts_with(Pattern) && (Name.size() == Pattern.size() || (Name.size() == Pattern.size() + 1 &&
                                                                         (Name.back() == 'f' || Name.back() == 'l')));
}

bool memshape::isStateless(std::string_view Name) {
  return std::any_of(std::begin(Patterns), std::end(Patterns),
                     [&](std::string_view Pattern) { return fits(Name, Pattern); });
}
