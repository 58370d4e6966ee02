// The data of the HTML report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scripts in html/ read this document. Frequent names are short. Integers that may exceed 2^53 are decimal text,
// because a browser reads numbers as doubles.

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/report/Report.h"
#include "libmemshape/report/SourceExcerpts.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Split.h"

#include <algorithm>

namespace memshape {

namespace {

using Json = nlohmann::ordered_json;

/// Most rows of a table; the JSON report has the rest.
constexpr std::size_t MostRows = 200;

/// Whether File is a system header: of a chain of calls, the user's own code is of interest.
bool isOfTheMachine(const std::string &File) {
  return File.starts_with("/usr/include/") || File.starts_with("/usr/lib/") ||
         File.find("/include/c++/") != std::string::npos;
}

class PageWriter {
public:
  Json page(const std::vector<FileReport> &Files) {
    Json Operators = Json::array(), Inputs = Json::array();
    for (const FileReport &File : Files) {
      Inputs.push_back(File.Path);
      Paths.clear();
      for (const Json &Document : File.Features)
        collectPaths(Document);
      for (const OperatorReport &Report : File.Operators) {
        Sources.Shown.add(File.Path, Report.Source.Directory);
        Operators.push_back(operatorData(File, Report));
      }
    }
    Json Page = {{"schema", "memshape.page/1"}, {"version", MEMSHAPE_VERSION}, {"inputs", std::move(Inputs)}};
    Page["operators"] = std::move(Operators);
    Page["files"] = Sources.json();
    return Page;
  }

private:
  SourceExcerpts Sources;
  std::set<std::string> Paths; ///< absolute paths in the features documents of the current file

  void collectPaths(const Json &Part) {
    if (Part.is_structured())
      for (const auto &[Key, Value] : Part.items()) {
        if (Value.is_string() && (Key == "file" || Key == "unit"))
          if (const auto &Path = Value.get_ref<const std::string &>(); Path.starts_with("/"))
            Paths.insert(Path);
        collectPaths(Value);
      }
  }

  /// The absolute path of File: skeletons have names as given to the compiler, features have absolute paths.
  std::string whole(const std::string &File) const {
    if (!File.starts_with("/"))
      for (const std::string &Path : Paths)
        if (Path.ends_with("/" + File))
          return Path;
    return File;
  }

  /// [number of the file, line, function]; null if unknown.
  Json place(const SourcePlace &Place) {
    if (Place.File.empty())
      return nullptr;
    return {Sources.add(whole(Place.File), Place.Line), Place.Line, Place.Function};
  }

  Json formula(const std::optional<Recovered> &Found, const std::vector<std::string> &Symbols) {
    if (!Found)
      return nullptr;
    Json Domain = Json::array();
    for (const Range &R : Found->Valid.Ranges)
      Domain.push_back({std::to_string(R.Low), std::to_string(R.High)});
    return {{"text", Found->Value.str(Symbols)}, {"verified", Found->VerifiedShapes}, {"domain", std::move(Domain)}};
  }

  Json sites(const OperatorReport &Report) {
    Json Sites = Json::array();
    for (std::size_t I = 0; I < Report.Source.Sites.size(); ++I) {
      const SkeletonSite &Site = Report.Source.Sites[I];
      Json Chain = Json::array();
      for (const SourcePlace &Caller : Site.Chain)
        if (!isOfTheMachine(Caller.File))
          Chain.push_back(place(Caller));
      Json Out = {{"at", place(Site.Place)}, {"allocator", Site.Allocator}, {"chain", std::move(Chain)}};
      if (!Site.Space.empty() && Site.Space != "host")
        Out["space"] = Site.Space;
      if (auto Found = Report.Formulas.Sites.find(static_cast<std::int64_t>(I)); Found != Report.Formulas.Sites.end())
        Out["formula"] = Found->second.Value.str(Report.Formulas.Symbols);
      Sites.push_back(std::move(Out));
    }
    return Sites;
  }

  Json typical(const OperatorReport &Report) {
    if (!Report.AtTypical)
      return nullptr;
    const Footprint &Heap = *Report.AtTypical;
    Json Held = Json::array(), Spaces = Json::object(), Machine = Json::object();
    for (auto [Id, Bytes] : sitesByBytes(Heap, Report.Source))
      if (Bytes)
        Held.push_back({Id, std::to_string(Bytes)});
    for (const auto &[Space, Bytes] : Heap.Spaces)
      Spaces[Space] = std::to_string(Bytes);
    for (const auto &[Name, Value] : Heap.Machine)
      Machine[Name] = std::to_string(Value);
    for (const auto &[Name, Value] : Heap.Environment)
      Machine["$" + Name] = Value;
    Json Out = {{"shape", Report.Typical.Shape},
                {"peak", std::to_string(Heap.Peak)},
                {"total", std::to_string(Heap.Total)},
                {"output", std::to_string(Heap.Output)},
                {"allocations", std::to_string(Heap.Allocations)},
                {"one_time", std::to_string(Heap.OneTime)},
                {"spaces", std::move(Spaces)},
                {"machine", std::move(Machine)},
                {"held", std::move(Held)}};
    if (Report.Range) {
      Out["exact"] = Report.Range->Exact;
      Out["proven"] = Report.Range->Proven;
      Out["lower"] = std::to_string(Report.Range->Lower);
      Out["upper"] = Report.Range->Upper ? Json(std::to_string(*Report.Range->Upper)) : Json(nullptr);
      Out["notes"] = textsOf(Report.Range->Notes);
    }
    if (Heap.Threads)
      Out["threads"] = Heap.Threads;
    if (!Heap.Steps.empty())
      Out["steps"] = steps(Heap);
    return Out;
  }

  /// Per step its event, site, change and live bytes, then site and bytes of each site that has changed since the step
  /// before.
  Json steps(const Footprint &Heap) {
    Json List = Json::array();
    std::map<std::int64_t, std::int64_t> Before;
    for (const LiveStep &Step : Heap.Steps) {
      std::map<std::int64_t, std::int64_t> Now(Step.Held.begin(), Step.Held.end());
      Json Changes = Json::array();
      for (auto [Site, Bytes] : Now)
        if (auto Old = Before.find(Site); Old == Before.end() || Old->second != Bytes) {
          Changes.push_back(Site);
          Changes.push_back(Bytes);
        }
      for (auto [Site, Bytes] : Before)
        if (!Now.contains(Site)) {
          Changes.push_back(Site);
          Changes.push_back(0);
        }
      Before = std::move(Now);
      List.push_back({Step.Event, Step.Site, Step.Change, Step.Live, std::move(Changes)});
    }
    return {{"events", Heap.Events}, {"each", Heap.EventsPerStep}, {"list", std::move(List)}};
  }

  Json table(const OperatorReport &Report) {
    Json Rows = Json::array();
    for (const PeakTableRow &Row : Report.Table)
      Rows.push_back({Row.Shape, std::to_string(Row.Figures.Peak), std::to_string(Row.Figures.Total),
                      std::to_string(Row.Figures.Output), std::to_string(Row.Figures.Allocations)});
    return Rows;
  }

  /// The first rows of a list of the features document, with the file of each as a number.
  Json featureRows(const Json &Features, const char *Member) {
    Json Rows = Json::array();
    auto List = Features.find(Member);
    if (List == Features.end() || !List->is_array())
      return Rows;
    for (const Json &Element : *List) {
      if (Rows.size() == MostRows)
        break;
      if (!Element.is_object())
        continue;
      Json Row = Element;
      Row.erase("chain");
      Row.erase("element");
      auto Location = Element.find("location");
      if (Location != Element.end() && Location->is_object()) {
        SourcePlace At;
        if (auto Name = Location->find("file"); Name != Location->end() && Name->is_string())
          At.File = Name->get<std::string>();
        if (auto Line = Location->find("line"); Line != Location->end() && Line->is_number_unsigned())
          At.Line = Line->get<std::uint32_t>();
        Row["location"] = place(At);
      }
      Rows.push_back(std::move(Row));
    }
    return Rows;
  }

  Json features(const Json *Features) {
    if (!Features)
      return nullptr;
    Json Out = Json::object();
    for (const char *List : {"allocations", "intermediates", "control"}) {
      Out[List] = featureRows(*Features, List);
      if (auto All = Features->find(List); All != Features->end() && All->is_array())
        Out["counts"][List] = All->size();
    }
    for (const char *Member : {"transformation", "shares", "truncated", "parameters"})
      if (auto Found = Features->find(Member); Found != Features->end())
        Out[Member] = *Found;
    return Out;
  }

  Json operatorData(const FileReport &File, const OperatorReport &Report) {
    const Skeleton &S = Report.Source;
    const FormulaSet &F = Report.Formulas;
    Json Parameters = Json::array(), Settings = Json::array();
    for (const Parameter &P : S.Parameters)
      Parameters.push_back({{"name", P.Name},
                            {"role", P.What == Role::Shape      ? "shape"
                                     : P.What == Role::Setting  ? "setting"
                                     : P.What == Role::Tensor   ? "tensor"
                                     : P.What == Role::Function ? "function"
                                                                : "object"}});
    std::vector<Parameter> SettingsOf = S.parametersOf(Role::Setting);
    for (std::size_t I = 0; I < SettingsOf.size() && I < Report.Typical.Settings.size(); ++I) {
      bool Matters = std::find(Report.SettingsThatMatter.begin(), Report.SettingsThatMatter.end(),
                               SettingsOf[I].Name) != Report.SettingsThatMatter.end();
      Settings.push_back({{"name", SettingsOf[I].Name}, {"value", Report.Typical.Settings[I]}, {"matters", Matters}});
    }
    Json Limits =
        mapped(S.parametersOf(Role::Shape), [](const Parameter &P) { return std::to_string(largestValueOf(P)); });
    Json Out = {{"name", S.Operator},          {"input", File.Path},           {"at", place(S.Place)},
                {"sliced", S.Available},       {"trouble", Report.Trouble},    {"parameters", std::move(Parameters)},
                {"symbols", S.shapeSymbols()}, {"largest", std::move(Limits)}, {"settings", std::move(Settings)}};
    Out["formula_symbols"] = F.Symbols;
    Out["formulas"] = {{"peak", formula(F.Peak, F.Symbols)},
                       {"total", formula(F.Total, F.Symbols)},
                       {"output", formula(F.Output, F.Symbols)},
                       {"allocations", formula(F.Allocations, F.Symbols)}};
    Out["out_of_time"] = F.OutOfTime;
    Out["typical"] = typical(Report);
    Out["sites"] = sites(Report);
    Out["table"] = table(Report);
    Json Decisions = Json::array(), Unknown = Json::array();
    for (const SkeletonDecision &D : S.Decisions)
      Decisions.push_back({{"at", place(D.Place)},
                           {"kind", D.IsValue ? "value" : "branch"},
                           {"condition", D.Condition},
                           {"effect", sentence(D)},
                           {"in_loop", D.InLoop}});
    for (const UnknownCall &Call : S.Unknown)
      Unknown.push_back({{"symbol", Call.Symbol},
                         {"at", place(Call.Place)},
                         {"treatment", Call.Dropped ? "not counted" : "called for real"},
                         {"note", sentence(Call)}});
    Out["decisions"] = std::move(Decisions);
    Out["unknown"] = std::move(Unknown);
    Out["notes"] = textsOf(S.Notes);
    Out["features"] = features(featuresOf(File, S));
    Out["size"] = {S.Kept, S.Flattened};
    if (!Report.History.empty())
      Out["history"] = roundsJson(Report.History);
    return Out;
  }
};

} // namespace

Json pageData(const std::vector<FileReport> &Files) { return PageWriter().page(Files); }

} // namespace memshape
