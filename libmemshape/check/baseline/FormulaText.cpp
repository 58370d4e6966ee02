// Formulas as a baseline has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/baseline/FormulaText.h"
#include "model/formula/Expression.h"

#include <algorithm>
#include <cctype>

namespace memshape {

/// Behind the name that begins at At: "ni", "image.cols", "x.shape[0]". At itself where none begins there.
static std::size_t endOfName(const std::string &Text, std::size_t At) {
  auto IsPart = [](char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; };
  if (!IsPart(Text[At]))
    return At;
  const bool IsNumber = std::isdigit(static_cast<unsigned char>(Text[At]));
  std::size_t End = At;
  while (End < Text.size() && (IsPart(Text[End]) || Text[End] == '.' || (!IsNumber && Text[End] == '[')))
    End = Text[End] == '[' ? std::min(Text.find(']', End), Text.size() - 1) + 1 : End + 1;
  return End;
}

std::string renamed(const std::string &Text, const std::vector<std::string> &Then,
                    const std::vector<std::string> &Now) {
  if (Then == Now)
    return Text;
  std::string Out;
  for (std::size_t I = 0; I < Text.size();) {
    const std::size_t End = endOfName(Text, I);
    if (End == I) {
      Out += Text[I++];
      continue;
    }
    std::string Word = Text.substr(I, End - I);
    auto At = std::find(Then.begin(), Then.end(), Word);
    const auto Place = static_cast<std::size_t>(At - Then.begin());
    Out += At != Then.end() && Place < Now.size() ? Now[Place] : Word;
    I = End;
  }
  return Out;
}

std::optional<double> valueOf(const std::string &Text, const std::vector<std::string> &Symbols,
                              const std::vector<double> &Values) {
  const std::optional<Expression> Read = Expression::parse(Text);
  std::map<std::string, double> At;
  for (std::size_t I = 0; I < Symbols.size() && I < Values.size(); ++I)
    At[Symbols[I]] = Values[I];
  return Read ? Read->evaluate(At) : std::nullopt;
}

} // namespace memshape
