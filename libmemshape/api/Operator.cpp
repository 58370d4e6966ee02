// Questions to one operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/api/PipeSignal.h"
#include "libmemshape/formulas/FormulaSampling.h"
#include "libmemshape/resident/ResidentMemory.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/Try.h"

#include <algorithm>

namespace memshape::v1 {

/// A formula is for a caller that waits, and is kept.
constexpr std::chrono::milliseconds FormulaBudget{2000};
/// Budgets are of processor time; where others use the processor, so many times as long may pass.
constexpr int BusyMachine = 4;
/// Large enough for tensors to outweigh what is constant.
constexpr std::int64_t TypicalValue = 100;

static Error wrongArguments(const Failure &Why) { return errorOf(Why, ErrorCode::arguments); }

/// A member of an argument that has no value of its own is not given.
static bool lacksMembers(const Skeleton &S, const CallText &Given) {
  return std::any_of(S.Parameters.begin(), S.Parameters.end(), [&](const Parameter &P) {
    const std::vector<std::string> &Texts = P.What == Role::Setting ? Given.settings : Given.shape;
    return (P.What == Role::Setting || P.What == Role::Shape) && P.Default.empty() &&
           P.Name.find('.') != std::string::npos &&
           std::none_of(Texts.begin(), Texts.end(), [&](const std::string &Text) {
             return ("," + Text).find("," + P.Name + "=") != std::string::npos;
           });
  });
}

static ResidentRequest residentRequest(const Call &Asked) {
  ResidentRequest Request{Asked.store, Asked.model, Asked.confidence};
  if (Asked.held_bytes)
    Request.Held = static_cast<double>(*Asked.held_bytes);
  if (Asked.fresh_bytes)
    Request.Fresh = static_cast<double>(*Asked.fresh_bytes);
  return Request;
}

ErrorCode codeOf(const Failure &Why) {
  switch (Why.Code) {
  case FailureCode::TooLarge: return ErrorCode::too_large;
  case FailureCode::CallsLeftOut: return ErrorCode::calls_left_out;
  case FailureCode::DamagedStore:
  case FailureCode::NotAStore:
  case FailureCode::Other: break;
  }
  return ErrorCode::no_answer;
}

Expected<Question> questionOf(const Skeleton &S, const Call &Asked) {
  if (!(Asked.confidence > 0 && Asked.confidence < 1))
    return Error{ErrorCode::arguments, "a confidence lies above 0 and below 1"};
  MEMSHAPE_TRY(ArgumentValues Values, expected(checkArguments(S, {Asked.shape.begin(), Asked.shape.end()},
                                                              {Asked.settings.begin(), Asked.settings.end()}),
                                               ErrorCode::arguments));
  Question Out;
  Out.Shape = std::move(Values.Shape);
  Out.Settings = std::move(Values.Settings);
  Out.Open = std::move(Values.Open);
  Out.Presence = std::move(Values.Presence);
  Out.Threads = Asked.threads;
  return Out;
}

std::optional<Error> assume(const Skeleton &S, const Call &Asked, Question &Into) {
  GivenValues Assumed;
  for (const auto &[Name, Value] : Asked.assume)
    Assumed[Name] = static_cast<std::int64_t>(std::min<std::uint64_t>(Value, INT64_MAX));
  if (std::optional<Failure> Wrong = checkAssumptions(S, Assumed, Into))
    return wrongArguments(*Wrong);
  return std::nullopt;
}

Result<std::shared_ptr<const WholeOperator>> Operator::Content::whole() const {
  const std::lock_guard<std::mutex> Alone(Making);
  if (!Whole) {
    MEMSHAPE_TRY(WholeOperator Made, Files->whole(*Stored));
    Whole = std::make_shared<const WholeOperator>(std::move(Made));
  }
  return Whole;
}

std::map<std::string, std::string> Operator::Content::tied(const GivenValues &Given, const GivenValues &Set) const {
  std::map<std::string, std::string> Found;
  const std::vector<std::string> Names = Stored->shapeSymbols();
  if (std::none_of(Names.begin(), Names.end(), [&](const std::string &Name) { return Given.contains(Name); }))
    return Found;
  Result<std::shared_ptr<const WholeOperator>> Linked = whole();
  if (!Linked || !(*Linked)->Source.Available)
    return Found;
  const Skeleton &S = (*Linked)->Source;
  Result<SettingValues> Values = checkSettings(S, Set, std::nullopt);
  SkeletonSession Session(S, runnerOptions(S, Files->forAnswer()));
  if (!Values || Session.start())
    return Found;
  Session.setTimeouts(FormulaBudget, BusyMachine * FormulaBudget);
  Question Anywhere;
  Anywhere.Settings = std::move(Values->Settings);
  Anywhere.Presence = std::move(Values->Presence);
  const std::vector<std::size_t> Ties = tiesOf(S, Anywhere, Session);
  for (std::size_t I = 0; I < Names.size() && Ties.size() >= Names.size(); ++I)
    for (std::size_t Other = 0; Other < Names.size() && !Given.contains(Names[I]); ++Other)
      if (Ties[Other] == Ties[I] && Given.contains(Names[Other]))
        Found.emplace(Names[I], Names[Other]);
  return Found;
}

Operator Access::operatorOf(std::shared_ptr<const OpenFiles> Files, const Skeleton &S) {
  auto Content = std::make_shared<Operator::Content>();
  Content->Stored = &S;
  Content->Place = placeOf(S.Place);
  for (const Parameter &P : S.Parameters)
    if (P.What == Role::Shape)
      Content->Symbols.push_back({P.Name, largestValueOf(P)});
    else if (P.What == Role::Setting)
      Content->Settings.push_back({P.Name, P.Bits == 1});
    else if (P.What == Role::Tensor)
      Content->Tensors.push_back(P.Name);
  for (const SkeletonSite &Each : S.Sites)
    if (Each.isArgument())
      Content->Tensors.push_back(Each.Allocator);
    else if (Each.allocates())
      Content->Sites.push_back(siteOf(Each));
  const std::vector<std::string> Names = decisionNames(S);
  for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
    Content->Decisions.push_back(decisionOf(S, Id, Names[Id]));
  Content->Files = std::move(Files);
  return Operator(std::move(Content));
}

const std::string &Operator::name() const { return of->Stored->Operator; }
const std::string &Operator::linker_name() const { return of->Stored->Symbol; }
const Place &Operator::place() const { return of->Place; }
const std::vector<Symbol> &Operator::symbols() const { return of->Symbols; }
const std::vector<Setting> &Operator::settings() const { return of->Settings; }
const std::vector<std::string> &Operator::tensors() const { return of->Tensors; }
const std::vector<Site> &Operator::sites() const { return of->Sites; }
const std::vector<Decision> &Operator::decisions() const { return of->Decisions; }

Expected<Call> Operator::read(const CallText &text) const {
  const PipeSignal Blocked;
  const Skeleton &S = *of->Stored;
  GivenValues FromCube;
  if (!text.shape_from.empty()) {
    MEMSHAPE_TRY(FromCube, expected(shapeFromCube(S, text.shape_from), ErrorCode::arguments));
  }
  Result<ArgumentValues> Values = readArguments(S, FromCube, text.shape, text.settings);
  // With the code of all units it may turn out that a member decides nothing.
  if (!Values && lacksMembers(S, text))
    if (const Result<std::shared_ptr<const WholeOperator>> Whole = of->whole())
      Values = readArguments((*Whole)->Source, FromCube, text.shape, text.settings);
  std::map<std::string, std::string> Tied;
  if (!Values) {
    const Result<GivenValues> Shape = splitAssignments(text.shape, "--shape"),
                              Set = splitAssignments(text.settings, "--set");
    if (Shape && Set)
      Tied = of->tied(*Shape, *Set);
    std::vector<std::string> Filled = text.shape;
    for (const auto &[Symbol, Other] : Tied)
      Filled.push_back(Symbol + "=" + Other);
    if (!Tied.empty())
      Values = readArguments(S, FromCube, Filled, text.settings);
  }
  if (!Values)
    return wrongArguments(Values.failure());
  Call Out;
  Out.tied = std::move(Tied);
  for (std::size_t I = 0; I < of->Symbols.size(); ++I)
    if (Values->Shape[I] < 0) // no extent: given as a setting
      Out.settings[of->Symbols[I].name] = double(Values->Shape[I]);
    else if (!Values->Open.contains(of->Symbols[I].name))
      Out.shape[of->Symbols[I].name] = Values->Shape[I];
  // With the code of all units a setting that is not given may turn out to be another number.
  for (std::size_t I = 0; I < of->Settings.size(); ++I)
    if (!Values->Open.contains(of->Settings[I].name) && !Values->Defaulted.contains(of->Settings[I].name))
      Out.settings[of->Settings[I].name] = Values->Settings[I];
  const std::map<std::uint32_t, std::string> Tensors = S.namedTensors();
  for (const auto &[Number, IsThere] : Values->Presence)
    Out.settings[presenceName(Tensors.at(Number))] = IsThere;
  if (text.assume.empty())
    return Out;
  // Decisions are those of all units.
  MEMSHAPE_TRY(std::shared_ptr<const WholeOperator> Whole, expected(of->whole(), ErrorCode::no_answer));
  Question Assumed;
  if (std::optional<Failure> Wrong = readAssumptions(Whole->Source, text.assume, Assumed))
    return wrongArguments(*Wrong);
  for (const auto &[Id, Value] : Assumed.Branches)
    Out.assume[std::to_string(Id)] = Value;
  for (const auto &[Id, Value] : Assumed.Values)
    Out.assume[std::to_string(Id)] = Value;
  return Out;
}

Expected<AskedCall> Operator::Content::asked(const Call &Given) const {
  Expected<Question> Alone = questionOf(*Stored, Given);
  const auto Units = whole();
  if (!Alone && !Units)
    return Alone.error();
  MEMSHAPE_TRY(std::shared_ptr<const WholeOperator> Linked, expected(Units, ErrorCode::no_answer));
  // With the code of all units, what the unit alone asks for may decide nothing, and what is not given be another number.
  Expected<Question> Together = questionOf(Linked->Source, Given);
  MEMSHAPE_TRY(Question Asked, Together ? std::move(Together) : std::move(Alone));
  MEMSHAPE_CHECK(assume(Linked->Source, Given, Asked));
  return AskedCall{std::move(Linked), std::move(Asked)};
}

Expected<Prediction> Operator::predict(const Call &call) const {
  const PipeSignal Blocked;
  MEMSHAPE_TRY(const AskedCall Given, of->asked(call));
  Surroundings Around = of->Files->forAnswer();
  Around.Formulas = call.formulas;
  MEMSHAPE_TRY(Answer Found, expected(answer(*Given.Whole, Given.Asked, Around)));
  Found.Predicted.MachineGiven = Around.Machine;
  for (const auto &[Symbol, Other] : call.tied)
    Found.Predicted.Notes.push_back({NoteCode::tied_symbol, "'" + Symbol + "' is taken to be '" + Other +
                                                                "', which it has to equal for the call to return"});
  if (std::optional<Failure> Wrong = addResident(Found.Predicted, residentRequest(call), Around))
    return errorOf(*Wrong, ErrorCode::history);
  return Access::predictionOf(std::move(Found));
}

Expected<Formula> Operator::formula(const v1::Settings &settings) const {
  const PipeSignal Blocked;
  MEMSHAPE_TRY(std::shared_ptr<const WholeOperator> Whole, expected(of->whole(), ErrorCode::no_answer));
  const Skeleton &S = Whole->Source;
  MEMSHAPE_TRY(SettingValues Values,
               expected(checkSettings(S, {settings.begin(), settings.end()}, std::nullopt), ErrorCode::arguments));
  if (!S.Available)
    return Error{ErrorCode::no_answer,
                 "operator '" + S.Operator + "' has no skeleton: " + (S.Reason.empty() ? "no reason given" : S.Reason)};
  const Surroundings Around = of->Files->forAnswer();
  SkeletonSession Session(S, runnerOptions(S, Around));
  if (std::optional<Failure> Wrong = Session.start())
    return errorOf(*Wrong, ErrorCode::no_answer);
  Session.setTimeouts(FormulaBudget, BusyMachine * FormulaBudget);
  Question Typical;
  Typical.Settings = std::move(Values.Settings);
  Typical.Presence = std::move(Values.Presence);
  for (const Parameter &P : S.parametersOf(Role::Shape))
    Typical.Shape.push_back(std::min(TypicalValue, largestValueOf(P)));
  const Result<Footprint> At = Session.evaluate(Typical);
  const bool Returns = At && At->Outcome == Footprint::Status::Ok;
  Question Anywhere = Typical;
  Anywhere.Shape.clear();
  const FormulaSet Found =
      searchFormulas(S, Anywhere, Session, FormulaBudget, Returns ? &*At : nullptr, FormulaCache::ofUser());
  if (std::optional<Formula> Best = Access::formulaOf(Found, false))
    return *Best;
  return Error{ErrorCode::no_formula,
               "no closed form of the peak of '" + S.Operator + "' was found" + (Found.OutOfTime ? " in time" : "")};
}

} // namespace memshape::v1
