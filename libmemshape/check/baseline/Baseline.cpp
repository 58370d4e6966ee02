// Lookups and texts of a baseline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/baseline/Baseline.h"
#include "model/formula/Expression.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace memshape {

std::vector<std::string> BaselineOperator::formulaSymbols() const {
  std::vector<std::string> All = Symbols;
  All.insert(All.end(), Sizes.begin(), Sizes.end());
  return All;
}

const BaselineOperator *BaselineFile::find(std::string_view Name) const {
  auto Found = std::find_if(Operators.begin(), Operators.end(), [&](const auto &Op) { return Op.Name == Name; });
  return Found == Operators.end() ? nullptr : &*Found;
}

const std::map<std::string, std::int64_t> &referenceMachine() {
  static const std::map<std::string, std::int64_t> Facts = {
      {"l1d", 32 << 10}, {"l2", 1 << 20}, {"l3", 32 << 20}, {"page", 4096}, {"processors", 4}};
  return Facts;
}

Result<double> readTolerance(std::string_view Text) {
  double Percent = 0;
  const char *End = Text.data() + Text.size();
  auto [Last, Error] = std::from_chars(Text.data(), End, Percent);
  if (Error != std::errc() || Last + 1 != End || *Last != '%' || !(Percent >= 0 && Percent <= 1000))
    return Failure{"'" + std::string(Text) + "' is not a tolerance: write it as in 5% (0% to 1000%)"};
  return Percent / 100;
}

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
