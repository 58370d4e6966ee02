// memshape.prediction/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Split.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memshape {

using Json = nlohmann::ordered_json;

static Json formulaJson(const FormulaSet &Formulas, const Footprint &Heap) {
  const std::vector<std::string> &Symbols = Formulas.Symbols;
  Json Out = Json::object();
  bool Holds = Formulas.HoldsAtShape;
  if (Formulas.prefersPart())
    return partFormulaJson(Formulas, &Heap);
  Out["peak"] = Holds ? textOrNull(Formulas.Peak, Symbols) : Json(nullptr);
  Out["verified_shapes"] = Holds ? Formulas.Peak->VerifiedShapes : 0;
  if (Formulas.Peak) {
    if (!Holds)
      Out["elsewhere"] = Formulas.Peak->Value.str(Symbols);
    addDomain(Out, Formulas.Peak->Valid, Symbols);
  } else {
    Out["reason"] = Formulas.OutOfTime ? "no closed form found in time" : "no closed form";
    Out["reason_code"] = Formulas.OutOfTime ? "out_of_time" : "no_closed_form";
  }
  Out["total"] = textOrNull(Formulas.Total, Symbols);
  Out["output"] = textOrNull(Formulas.Output, Symbols);
  Out["allocations"] = textOrNull(Formulas.Allocations, Symbols);
  return Out;
}

static Json siteJson(const Prediction &P, std::int64_t Id, std::uint64_t Held,
                     const std::map<std::int64_t, Recovered> &Formulas) {
  Json Out;
  if (Id == LibrarySite) {
    Out = placeJson({});
    Out["function"] = "(libraries)";
    Out["space"] = "host";
  } else {
    const SkeletonSite &Site = P.Operator->Sites[static_cast<std::size_t>(Id)];
    Out = placeJson(Site.Place);
    Out["space"] = Site.Space.empty() ? "host" : Site.Space;
    Out["allocator"] = Site.Allocator;
    Out["chain"] = mapped(Site.Chain, placeJson);
  }
  Out["bytes_at_peak"] = Held;
  auto Found = Formulas.find(Id);
  Out["formula"] = Found != Formulas.end() ? Json(Found->second.Value.str(P.Formulas.Symbols)) : Json(nullptr);
  return Out;
}

/// The peak, its bounds and the requests, as the host and other spaces have them.
static Json peakJson(const Prediction &P) {
  Json Out = Json::object();
  Out["peak_bytes"] = P.Heap.Peak;
  Out["lower_bytes"] = P.Range.Lower;
  Out["upper_bytes"] = P.Range.Upper ? Json(*P.Range.Upper) : Json(nullptr);
  Out["exact"] = P.Range.Exact;
  Out["bounds_proven"] = P.Range.Proven;
  Out["headline"] = P.Range.Exact                            ? "exact"
                    : P.Range.Upper                          ? "upper"
                    : P.Range.Lower || !openSizes(P).empty() ? "lower"
                                                             : "run";
  Out["total_bytes"] = P.Heap.Total;
  Out["allocations"] = P.Heap.Allocations;
  return Out;
}

/// Of the space whose figures P has.
static Json spaceJson(const Prediction &P) {
  Json Out = peakJson(P);
  Out["output_bytes"] = P.Heap.Output;
  const FormulaSet &F = P.Formulas;
  Out["formula"] = F.prefersPart()            ? Json(F.Part->str(F.Symbols))
                   : F.Peak && F.HoldsAtShape ? Json(F.Peak->Value.str(F.Symbols))
                                              : Json(nullptr);
  return Out;
}

/// By name; those that the call may use, and the host's. Of the stack nothing is proven but the bound of arrays.
static Json spacesJson(const Prediction &P) {
  Json Out = Json::object();
  Out["host"] = spaceJson(P);
  for (const auto &[Space, There] : P.Elsewhere)
    Out[Space] = spaceJson(There);
  if (const std::optional<StackUse> Stack = stackOf(P))
    Out["stack"] = {{"peak_bytes", Stack->Most.value_or(0)},
                    {"lower_bytes", 0},
                    {"upper_bytes", Stack->Most ? Json(*Stack->Most) : Json(nullptr)},
                    {"exact", false},
                    {"formula", Stack->Formula.empty() ? Json(nullptr) : Json(Stack->Formula)}};
  return Out;
}

/// Extents of what is returned: by name, those that are known, the formulas of these, and what data decides.
static void addOutputShape(const Prediction &P, Json &Out) {
  Json Shape = Json::object(), Formulas = Json::object(), Decided = Json::array();
  for (const OutputExtent &Each : outputShapeOf(P)) {
    Shape[Each.Symbol] = Each.Extent;
    if (!Each.Formula.empty())
      Formulas[Each.Symbol] = Each.Formula;
  }
  for (const SkeletonSite &Each : P.Operator->Sites)
    if (Each.isDecidedByData()) {
      Json One = {{"symbol", Each.Allocator}};
      One.update(placeJson(Each.Place));
      One["condition"] = Each.Place.Text;
      Decided.push_back(std::move(One));
    }
  Out["output_shape"] = std::move(Shape);
  Out["output_formulas"] = std::move(Formulas);
  Out["output_decided"] = std::move(Decided);
}

/// What the caller hands in. Bytes are known of arguments that are built, not of pointers.
static Json tensorsJson(const Prediction &P) {
  Json Out = Json::array();
  for (const TensorBytes &Tensor : tensorsOf(P)) {
    Json Each = {{"name", Tensor.Name}, {"bytes", Tensor.Bytes ? Json(*Tensor.Bytes) : Json(nullptr)}};
    Each["formula"] = Tensor.Formula.empty() ? Json(nullptr) : Json(Tensor.Formula);
    Out.push_back(std::move(Each));
  }
  return Out;
}

Json textOrNull(const std::optional<Recovered> &Found, const std::vector<std::string> &Symbols) {
  return Found ? Json(Found->Value.str(Symbols)) : Json(nullptr);
}

void addDomain(Json &To, const Domain &Valid, const std::vector<std::string> &Symbols) {
  Json &Ranges = To["domain"] = Json::object();
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    Ranges[Symbols[I]] = {Valid.Ranges[I].Low, Valid.Ranges[I].High};
  for (std::size_t I = 0; I < Valid.Ties.size(); ++I)
    if (Valid.Ties[I] != I)
      To["equal"][Symbols[I]] = Symbols[Valid.Ties[I]];
}

Json placeJson(const SourcePlace &Place) {
  Json Out = Json::object();
  Out["file"] = Place.File;
  Out["line"] = Place.Line;
  Out["column"] = Place.Column;
  Out["function"] = Place.Function;
  return Out;
}

Json callJson(const UnknownCall &Call) {
  Json Out = placeJson(Call.Place);
  Out["symbol"] = Call.Symbol;
  Out["treatment"] = Call.Dropped ? "dropped" : "called";
  Out["note"] = sentence(Call);
  Out["reason"] = reasonJson(codeOf(Call.Reason), sentence(Call));
  return Out;
}

Json partFormulaJson(const FormulaSet &Formulas, const Footprint *Heap) {
  const std::vector<std::string> &Symbols = Formulas.Symbols;
  const PartFormula &Part = *Formulas.Part;
  Json Term = {{"name", Part.termName(Symbols)}, {"what", Part.what()}};
  if (Heap)
    if (std::optional<std::int64_t> Here = Part.termAt(Formulas.Asked, static_cast<std::int64_t>(Heap->Peak)))
      Term["bytes"] = *Here;
  Term["upper"] = Part.Bound ? Json(Part.Bound->str(Symbols)) : Json(nullptr);
  Term["least_bytes"] = Part.Least;
  Term["greatest_bytes"] = Part.Greatest;
  Term["shapes"] = Part.Shapes;
  Json Out = Json::object();
  Out["peak"] = Part.str(Symbols);
  Out["verified_shapes"] = Part.VerifiedShapes;
  addDomain(Out, Part.Valid, Symbols);
  Out["terms"] = Json::array({std::move(Term)});
  Out["total"] = nullptr;
  Out["output"] = textOrNull(Part.Output, Symbols);
  Out["allocations"] = nullptr;
  return Out;
}

static Json settingsJson(const Prediction &P) {
  Json Settings = Json::object();
  std::vector<Parameter> SettingParameters = P.Operator->parametersOf(Role::Setting);
  for (std::size_t I = 0; I < SettingParameters.size(); ++I)
    if (SettingParameters[I].Bits == 1)
      Settings[SettingParameters[I].Name] = P.Asked.Settings[I] != 0;
    else
      Settings[SettingParameters[I].Name] = P.Asked.Settings[I];
  const std::map<std::uint32_t, std::string> Tensors = P.Operator->namedTensors();
  for (const auto &[Tensor, IsThere] : P.Asked.Presence)
    Settings[presenceName(Tensors.at(Tensor))] = IsThere;
  return Settings;
}

static Json decisionsJson(const Prediction &P) {
  const Skeleton &S = *P.Operator;
  Json Decisions = Json::array();
  std::vector<std::string> Names = decisionNames(S);
  for (const DecisionUse &Use : P.Heap.Decisions) {
    if (Use.Id >= S.Decisions.size())
      continue;
    const SkeletonDecision &Decision = S.Decisions[Use.Id];
    Json Out = placeJson(Decision.Place);
    if (Decision.Inside.Line)
      Out["inside"] = placeJson(Decision.Inside);
    Out["id"] = Use.Id;
    Out["kind"] = Decision.IsValue ? "value" : "branch";
    if (Decision.IsValue) {
      Out["symbol"] = Names[Use.Id];
      auto Given = P.Asked.Values.find(Use.Id);
      Out["assumed"] = Given != P.Asked.Values.end() ? Json(Given->second) : Json(nullptr);
    }
    Out["condition"] = Decision.Condition;
    if (const auto Tensors = S.namedTensors(); Decision.Tensor && Tensors.contains(*Decision.Tensor))
      Out["setting"] = presenceName(Tensors.at(*Decision.Tensor));
    Out["effect"] = isIndifferent(P) ? NoEffect : sentence(Decision);
    Out["effect_code"] = isIndifferent(P) ? "none" : codeOf(Decision.Effect);
    Out["in_loop"] = Decision.InLoop;
    Out["asked"] = Use.Asked;
    Out["answered_one"] = Use.Ones;
    Decisions.push_back(std::move(Out));
  }
  return Decisions;
}

/// Of what is left out, that which this shape comes to.
static Json unknownJson(const Prediction &P) {
  const Skeleton &S = *P.Operator;
  Json Unknown = Json::array();
  for (std::uint32_t Id = 0; Id < S.Unknown.size(); ++Id) {
    const UnknownCall &Call = S.Unknown[Id];
    if (Call.Dropped && !P.Range.LeftOut.contains(Id) &&
        std::find(P.Heap.UnknownMet.begin(), P.Heap.UnknownMet.end(), Id) == P.Heap.UnknownMet.end())
      continue;
    Unknown.push_back(callJson(Call));
  }
  return Unknown;
}

static Json heapJson(const Prediction &P) {
  Json Heap = peakJson(P);
  Heap["reallocations"] = P.Heap.Reallocations;
  Heap["output_bytes"] = P.Heap.Output;
  Heap["one_time_bytes"] = P.Heap.OneTime;
  Heap["touched_bytes"] = P.Heap.Touched ? Json(*P.Heap.Touched) : Json(nullptr);
  Heap["touched_with_tensors_bytes"] = P.Heap.TouchedWithTensors ? Json(*P.Heap.TouchedWithTensors) : Json(nullptr);
  Heap["kept_bytes"] = P.Heap.Kept ? Json(*P.Heap.Kept) : Json(nullptr);
  Heap["spaces"] = P.Heap.Spaces;
  return Heap;
}

/// What the answer depends on beside the shape.
static Json machineJson(const Prediction &P) {
  Json Machine = Json::array();
  for (const auto &[Name, Value] : P.Heap.Machine)
    Machine.push_back({{"name", Name}, {"value", Value}, {"given", P.MachineGiven.contains(Name)}});
  for (const auto &[Name, Value] : P.Heap.Environment)
    Machine.push_back({{"name", "$" + Name}, {"value", Value}, {"given", false}});
  return Machine;
}

std::string predictionJson(const Prediction &P) {
  const Skeleton &S = *P.Operator;
  const std::vector<std::string> Symbols = S.shapeSymbols();
  Json Shape = Json::object(), Sites = Json::array();
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    Shape[Symbols[I]] = P.Asked.Shape[I];
  const std::map<std::int64_t, Recovered> SiteFormulas = formulasOfSites(P);
  for (auto [Id, Held] : sitesByBytes(P.Heap, S))
    Sites.push_back(siteJson(P, Id, Held, SiteFormulas));

  Json Out = Json::object();
  Out["schema"] = "memshape.prediction/1";
  Out["operator"] = S.Operator;
  Out["compiler"] = compiledBy(S);
  Out["shape"] = std::move(Shape);
  Out["settings"] = settingsJson(P);
  if (P.Heap.Threads)
    Out["threads"] = P.Heap.Threads;
  Out["heap"] = heapJson(P);
  Out["spaces"] = spacesJson(P);
  Out["rss"] = residentJson(P.Resident);
  if (P.Resident)
    Out["rss"]["called_code_bytes"] = P.Heap.CalledCode ? Json(*P.Heap.CalledCode) : Json(nullptr);
  Out["formula"] = formulaJson(P.Formulas, P.Heap);
  Out["tensors"] = tensorsJson(P);
  addOutputShape(P, Out);
  Out["sites"] = std::move(Sites);
  Out["decisions"] = decisionsJson(P);
  Out["unknown"] = unknownJson(P);
  Out["machine"] = machineJson(P);
  Out["notes"] = textsOf(P.Notes);
  Out["reasons"] = reasonsJson(P.Notes);
  Out["skeleton"] = {{"status", S.Replayed ? "replayed" : "sliced"}, {"flattened", S.Flattened}, {"kept", S.Kept}};
  Out["evidence"] = "skeleton";
  Out["method"] = !S.Replayed      ? (P.Extrapolated ? "sliced, extrapolated" : "sliced")
                  : P.Extrapolated ? "extrapolated replay"
                                   : "replay";
  Out["time_us"] = P.Heap.Microseconds;
  return jsonText(Out, 2) + "\n";
}

nlohmann::ordered_json residentJson(const std::optional<ResidentPeak> &Resident) {
  if (!Resident)
    return {{"peak_bytes", nullptr}, {"upper_bytes", nullptr}, {"confidence", nullptr}};
  return {{"peak_bytes", Resident->Peak},
          {"upper_bytes", Resident->Upper ? nlohmann::ordered_json(*Resident->Upper) : nlohmann::ordered_json(nullptr)},
          {"confidence", Resident->Confidence},
          {"evidence", Resident->Runs ? "history" : "prior"},
          {"runs", Resident->Runs},
          {"held_known", Resident->HeldKnown}};
}

} // namespace memshape
