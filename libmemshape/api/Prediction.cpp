// Predictions as values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/skeletons/Assumptions.h"

#include <algorithm>

namespace memshape::v1 {

Place placeOf(const SourcePlace &From) { return {From.File, From.Function, From.Line, From.Column}; }

Site siteOf(const SkeletonSite &From) {
  Site Out;
  Out.place = placeOf(From.Place);
  for (const SourcePlace &Call : From.Chain)
    Out.chain.push_back(placeOf(Call));
  Out.space = From.Space.empty() ? "host" : From.Space;
  Out.allocator = From.Allocator;
  return Out;
}

Decision decisionOf(const Skeleton &S, std::uint32_t Id, const std::string &Name) {
  const SkeletonDecision &From = S.Decisions[Id];
  Decision Out;
  Out.id = Id;
  Out.place = placeOf(From.Place);
  Out.is_size = From.IsValue;
  Out.name = Name;
  Out.condition = From.Condition;
  Out.effect = sentence(From);
  return Out;
}

static Heap heapOf(const memshape::Prediction &P) {
  Heap Out;
  Out.peak_bytes = P.Heap.Peak;
  Out.lower_bytes = P.Range.Lower;
  Out.upper_bytes = P.Range.Upper;
  Out.exact = P.Range.Exact;
  Out.bounds_proven = P.Range.Proven;
  Out.total_bytes = P.Heap.Total;
  Out.allocations = P.Heap.Allocations;
  Out.reallocations = P.Heap.Reallocations;
  Out.output_bytes = P.Heap.Output;
  Out.one_time_bytes = P.Heap.OneTime;
  Out.touched_bytes = P.Heap.Touched;
  Out.spaces = P.Heap.Spaces;
  return Out;
}

static Space spaceOf(const memshape::Prediction &P) {
  Space Out{P.Heap.Peak, P.Range.Lower, P.Range.Upper, P.Range.Exact, P.Heap.Output, ""};
  if (P.Formulas.prefersPart())
    Out.formula = P.Formulas.Part->str(P.Formulas.Symbols);
  else if (P.Formulas.HoldsAtShape && P.Formulas.Peak)
    Out.formula = P.Formulas.Peak->Value.str(P.Formulas.Symbols);
  return Out;
}

static std::vector<Site> sitesOf(const memshape::Prediction &P) {
  std::vector<Site> Out;
  const std::map<std::int64_t, Recovered> Formulas = formulasOfSites(P);
  for (const auto &[Id, Held] : sitesByBytes(P.Heap, *P.Operator)) {
    Site Each;
    if (Id == LibrarySite) {
      Each.place.function = "(libraries)";
      Each.space = "host";
    } else
      Each = siteOf(P.Operator->Sites[static_cast<std::size_t>(Id)]);
    Each.bytes_at_peak = Held;
    if (const auto Found = Formulas.find(Id); Found != Formulas.end())
      Each.formula = Found->second.Value.str(P.Formulas.Symbols);
    Out.push_back(std::move(Each));
  }
  return Out;
}

static std::vector<Tensor> handedIn(const memshape::Prediction &P) {
  std::vector<Tensor> Out;
  for (const TensorBytes &Each : memshape::tensorsOf(P))
    Out.push_back({Each.Name, Each.Bytes, Each.Formula});
  return Out;
}

static std::vector<Decision> decisionsOf(const memshape::Prediction &P) {
  std::vector<Decision> Out;
  const std::vector<std::string> Names = decisionNames(*P.Operator);
  for (const DecisionUse &Use : P.Heap.Decisions) {
    if (Use.Id >= P.Operator->Decisions.size())
      continue;
    Decision Each = decisionOf(*P.Operator, Use.Id, Names[Use.Id]);
    if (isIndifferent(P))
      Each.effect = NoEffect;
    Each.asked = Use.Asked;
    Each.answered_one = Use.Ones;
    Out.push_back(std::move(Each));
  }
  return Out;
}

/// Of what is left out, that which this shape comes to.
static std::vector<UnknownCall> unknownOf(const memshape::Prediction &P) {
  std::vector<UnknownCall> Out;
  const std::vector<std::uint32_t> &Met = P.Heap.UnknownMet;
  for (std::uint32_t Id = 0; Id < P.Operator->Unknown.size(); ++Id) {
    const memshape::UnknownCall &Call = P.Operator->Unknown[Id];
    if (!Call.Dropped || P.Range.LeftOut.contains(Id) || std::find(Met.begin(), Met.end(), Id) != Met.end())
      Out.push_back(
          {placeOf(Call.Place), Call.Symbol, !Call.Dropped, std::string(codeOf(Call.Reason)), sentence(Call)});
  }
  return Out;
}

static std::vector<MachineFact> machineOf(const memshape::Prediction &P) {
  std::vector<MachineFact> Out;
  for (const auto &[Name, Value] : P.Heap.Machine)
    Out.push_back({Name, std::to_string(Value), P.MachineGiven.contains(Name)});
  for (const auto &[Name, Value] : P.Heap.Environment)
    Out.push_back({"$" + Name, Value, false});
  return Out;
}

Prediction Access::predictionOf(Answer Found) {
  const memshape::Prediction &P = Found.Predicted;
  const Skeleton &S = *P.Operator;
  Prediction Out;
  Out.operator_name = S.Operator;
  const std::vector<Parameter> Extents = S.parametersOf(Role::Shape), Settings = S.parametersOf(Role::Setting);
  for (std::size_t I = 0; I < Extents.size(); ++I)
    Out.shape[Extents[I].Name] = P.Asked.Shape[I];
  for (std::size_t I = 0; I < Settings.size(); ++I)
    Out.settings[Settings[I].Name] = P.Asked.Settings[I];
  Out.threads = P.Heap.Threads;
  Out.heap = heapOf(P);
  Out.spaces["host"] = spaceOf(P);
  for (const auto &[Name, There] : P.Elsewhere)
    Out.spaces[Name] = spaceOf(There);
  if (const std::optional<StackUse> Stack = stackOf(P))
    Out.spaces["stack"] = {
        .peak_bytes = Stack->Most.value_or(0), .upper_bytes = Stack->Most, .formula = Stack->Formula};
  if (P.Resident)
    Out.resident = {P.Resident->Peak, P.Resident->Upper, P.Resident->Confidence, P.Resident->Runs,
                    P.Resident->HeldKnown};
  Out.formula = formulaOf(P.Formulas, true);
  Out.tensors = handedIn(P);
  for (const OutputExtent &Each : outputShapeOf(P)) {
    Out.output_shape[Each.Symbol] = Each.Extent;
    if (!Each.Formula.empty())
      Out.output_formulas[Each.Symbol] = Each.Formula;
  }
  Out.sites = sitesOf(P);
  Out.decisions = decisionsOf(P);
  Out.unknown = unknownOf(P);
  Out.machine = machineOf(P);
  for (const memshape::Note &Each : P.Notes)
    Out.notes.push_back({std::string(name_of(Each.Code)), Each.Text});
  Out.replayed = S.Replayed;
  Out.seconds = P.Heap.Microseconds / 1e6;
  Out.of = std::make_shared<const Prediction::Content>(std::move(Found));
  return Out;
}

std::string Prediction::json() const { return of ? predictionJson(of->Found.Predicted) : std::string(); }

std::string Prediction::text() const { return of ? predictionPage(of->Found.Predicted) : std::string(); }

} // namespace memshape::v1
