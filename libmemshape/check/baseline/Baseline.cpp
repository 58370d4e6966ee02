// Lookups and texts of a baseline.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/baseline/Baseline.h"

#include <algorithm>
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

std::string rowText(const std::vector<std::string> &Symbols, const std::vector<std::int64_t> &Shape) {
  std::string Text;
  for (std::size_t I = 0; I < Shape.size() && I < Symbols.size(); ++I)
    Text += (I ? "," : "") + Symbols[I] + "=" + std::to_string(Shape[I]);
  return Text;
}

} // namespace memshape
