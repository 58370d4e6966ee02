// Names as people write them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Spelling.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>

namespace memshape {

std::size_t editDistance(std::string_view A, std::string_view B) {
  std::vector<std::size_t> Row(B.size() + 1);
  for (std::size_t K = 0; K <= B.size(); ++K)
    Row[K] = K;
  for (std::size_t I = 1; I <= A.size(); ++I) {
    std::size_t Diagonal = Row[0];
    Row[0] = I;
    for (std::size_t K = 1; K <= B.size(); ++K) {
      std::size_t Substituted = Diagonal + (A[I - 1] != B[K - 1]);
      Diagonal = Row[K];
      Row[K] = std::min({Row[K] + 1, Row[K - 1] + 1, Substituted});
    }
  }
  return Row[B.size()];
}

std::string nearestName(const std::string &Name, const std::vector<std::string> &Candidates) {
  std::string Nearest;
  std::size_t Least = SIZE_MAX;
  for (const std::string &Candidate : Candidates)
    if (std::size_t Distance = editDistance(Name, Candidate); Distance < Least) {
      Least = Distance;
      Nearest = Candidate;
    }
  return Nearest;
}

std::string demangled(const std::string &Symbol) {
  int Status = 0;
  char *Text = abi::__cxa_demangle(Symbol.c_str(), nullptr, nullptr, &Status);
  std::string Name = Status == 0 && Text ? Text : Symbol;
  std::free(Text);
  return Name;
}

} // namespace memshape
