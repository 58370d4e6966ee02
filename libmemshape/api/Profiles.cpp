// Predictions as profiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Profiles.h"
#include "libmemshape/api/Contents.h"
#include "libmemshape/profile/Profile.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <filesystem>

namespace memshape {

/// What a call takes in a memory space; null where it does not use it.
static const Prediction *thereOf(const Prediction &P, const std::string &Space) {
  if (Space == "host")
    return &P;
  const auto Other = P.Elsewhere.find(Space);
  return Other == P.Elsewhere.end() ? nullptr : &Other->second;
}

namespace v1 {

Expected<std::string> Prediction::profile(ProfileFormat format, Sample sample, const std::string &space) const {
  if (!of)
    return Error{ErrorCode::arguments, "nothing was predicted"};
  const memshape::Prediction *There = thereOf(of->Found.Predicted, space);
  if (!There)
    return Error{ErrorCode::arguments, "operator '" + operator_name + "' uses no memory space '" + space + "'"};
  Profile Whole;
  Whole.Program = operator_name;
  for (const std::string &Symbol : There->Operator->shapeSymbols())
    Whole.Program += " " + Symbol + "=" + std::to_string(shape.at(Symbol));
  Whole.Remarks = {"predicted by memshape: no such call was made"};
  if (space != "host")
    Whole.Remarks.push_back("memory space: " + space);
  for (const memshape::Note &Each : There->Notes)
    Whole.Remarks.push_back(Each.Text);
  addCall(Whole, *There->Operator, There->Heap, space);
  return profileText(Whole, format, sample);
}

} // namespace v1

/// The call of one of several operators: with what was given for its own parameters.
static Result<v1::Prediction> predictionOf(const v1::Operator &Of, const GivenValues &Shape,
                                           const GivenValues &Settings) {
  constexpr std::int64_t Usual = 100;
  v1::CallText Text;
  for (const v1::Symbol &Each : Of.symbols()) {
    const auto Given = Shape.find(Each.name);
    Text.shape.push_back(
        Each.name + "=" +
        (Given != Shape.end() ? textOf(Given->second) : std::to_string(std::min(Usual, Each.largest))));
  }
  for (const v1::Setting &Each : Of.settings())
    if (const auto Given = Settings.find(Each.name); Given != Settings.end())
      Text.settings.push_back(Each.name + "=" + textOf(Given->second));
    else if (!Each.name.ends_with(presenceName("")))
      Text.settings.push_back(Each.name + "=1");
  MEMSHAPE_TRY(v1::Call Call, resultOf(Of.read(Text)));
  Call.formulas = false;
  return resultOf(Of.predict(Call));
}

/// A name that none of the operators has is a mistake.
static std::optional<Failure> checkNames(const std::vector<v1::Operator> &Operators, const GivenValues &Shape) {
  for (const auto &[Name, Value] : Shape)
    if (std::ranges::none_of(Operators, [&](const v1::Operator &Of) {
          return std::ranges::any_of(Of.symbols(), [&](const v1::Symbol &Each) { return Each.name == Name; });
        }))
      return Failure{"no operator has a shape symbol '" + Name + "'"};
  return std::nullopt;
}

Result<Profile> profileOf(const ProgramQuestion &Asked) {
  v1::OpenOptions Opening;
  Opening.with.assign(Asked.Files.begin() + 1, Asked.Files.end());
  Opening.libraries = Asked.Libraries;
  Opening.trust = Asked.Trust;
  MEMSHAPE_TRY(const v1::Program Opened, resultOf(v1::open(Asked.Files.front(), Opening)));
  std::vector<v1::Operator> Operators = Opened.operators();
  if (!Asked.Operator.empty() || Operators.size() == 1) {
    MEMSHAPE_TRY(const v1::Operator Chosen, resultOf(Opened.find(Asked.Operator)));
    Operators = {Chosen};
  }
  MEMSHAPE_TRY(const GivenValues Shape, splitAssignments(Asked.Shapes, "--shape"));
  MEMSHAPE_TRY(const GivenValues Settings, splitAssignments(Asked.Settings, "--set"));
  MEMSHAPE_CHECK(checkNames(Operators, Shape));
  Profile Whole;
  Whole.Program = std::filesystem::path(Asked.Files.front()).filename().string();
  Whole.Remarks = {"predicted by memshape: no such calls were made"};
  std::optional<Failure> Last;
  std::size_t Known = 0;
  for (const v1::Operator &Each : Operators) {
    Result<v1::Prediction> Found = predictionOf(Each, Shape, Settings);
    if (!Found) {
      Last = Found.failure();
      Whole.Omissions.push_back("'" + Each.name() + "' is left out: " + Last->Message);
      continue;
    }
    ++Known;
    if (const Prediction *There = thereOf(v1::Access::foundBy(*Found), Asked.Space))
      addCall(Whole, *There->Operator, There->Heap, Asked.Space);
  }
  if (!Known && Last)
    return *Last;
  return Whole;
}

} // namespace memshape
