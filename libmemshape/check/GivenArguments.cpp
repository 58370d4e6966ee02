// Shapes and settings for many operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/BaselineParts.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace memshape {

Result<GivenArguments::Assignment> GivenArguments::split(const std::string &Text, const char *Option) {
  Assignment Given;
  const std::size_t Equals = Text.find('=');
  const std::size_t Colon = Equals == std::string::npos ? Equals : Text.rfind(':', Equals);
  if (Colon != std::string::npos)
    Given.Operator = Text.substr(0, Colon);
  MEMSHAPE_TRY(Given.Values, splitAssignments({Colon == std::string::npos ? Text : Text.substr(Colon + 1)}, Option));
  return Given;
}

bool GivenArguments::fits(const Assignment &A, const std::string &Name, const Skeleton &S) {
  if (!A.Operator.empty())
    return A.Operator == Name || A.Operator == S.Operator;
  const std::vector<std::string> Symbols = S.shapeSymbols();
  return A.Values.size() == Symbols.size() &&
         std::all_of(Symbols.begin(), Symbols.end(),
                     [&](const std::string &Symbol) { return A.Values.contains(Symbol); });
}

Result<GivenArguments> GivenArguments::read(const std::vector<std::string> &Shapes,
                                            const std::vector<std::string> &Settings,
                                            const std::vector<Skeleton> &Skeletons,
                                            const std::vector<std::string> &Names) {
  GivenArguments Given;
  for (const std::string &Text : Shapes) {
    MEMSHAPE_TRY(Assignment A, split(Text, "--shape"));
    bool Used = false;
    for (std::size_t I = 0; I < Skeletons.size(); ++I) {
      if (!fits(A, Names[I], Skeletons[I]))
        continue;
      GivenValues Any;
      for (const Parameter &P : Skeletons[I].parametersOf(Role::Setting))
        Any[P.Name] = 1.0;
      if (Result<ArgumentValues> Checked = checkArguments(Skeletons[I], A.Values, Any); !Checked)
        return Checked.failure();
      Used = true;
    }
    if (!Used)
      return Failure{"--shape " + Text + " fits no operator in these files: none has exactly these shape symbols"};
    Given.Shapes.push_back(std::move(A));
  }
  for (const std::string &Text : Settings) {
    MEMSHAPE_TRY(Assignment A, split(Text, "--set"));
    for (auto &[Setting, Answer] : A.Values) {
      const std::string Value = textOf(Answer);
      const double Number = Value == "true" ? 1
                            : Value == "false"
                                ? 0
                                : numberIn<double>(Value).value_or(std::numeric_limits<double>::infinity());
      if (!std::isfinite(Number))
        return Failure{"--set " + Text + ": '" + Value + "' is not a number"};
      Answer = Number;
      bool Known = false;
      for (std::size_t I = 0; I < Skeletons.size(); ++I)
        if (A.Operator.empty() || fits(A, Names[I], Skeletons[I]))
          for (const Parameter &P : Skeletons[I].parametersOf(Role::Setting))
            Known |= P.Name == Setting;
      if (!Known)
        return Failure{"--set " + Text + ": no operator in these files has a setting '" + Setting + "'"};
    }
    Given.Settings.push_back(std::move(A));
  }
  return Given;
}

std::vector<std::vector<std::int64_t>> GivenArguments::shapes(const std::string &Name, const Skeleton &S) const {
  std::vector<std::vector<std::int64_t>> Wanted;
  for (const Assignment &A : Shapes) {
    if (!fits(A, Name, S))
      continue;
    std::vector<std::int64_t> Shape;
    for (const std::string &Symbol : S.shapeSymbols())
      Shape.push_back(std::stoll(textOf(A.Values.at(Symbol)))); // read() has checked it
    Wanted.push_back(std::move(Shape));
  }
  std::sort(Wanted.begin(), Wanted.end());
  Wanted.erase(std::unique(Wanted.begin(), Wanted.end()), Wanted.end());
  return Wanted;
}

std::optional<double> GivenArguments::setting(const std::string &Name, const std::string &Setting) const {
  std::optional<double> Value;
  for (const Assignment &A : Settings)
    if (auto Found = A.Values.find(Setting);
        Found != A.Values.end() && (A.Operator.empty() || A.Operator == Name || Name.starts_with(A.Operator + "(")))
      Value = std::get<double>(Found->second);
  return Value;
}

} // namespace memshape
