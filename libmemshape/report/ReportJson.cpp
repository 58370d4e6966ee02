// Features and skeletons as one JSON array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/report/Report.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Split.h"

namespace memshape {

using Json = nlohmann::ordered_json;

/// What leaves its type on the way to the site's size, and at which shape first; null where nothing does.
static Json wrapsJson(const OperatorReport &Report, std::uint32_t Site) {
  const FirstWrap *First = firstAt(Report.Source, Report.Wraps, Site);
  if (!First)
    return nullptr;
  const SizeWrap &Wrap = Report.Source.Wraps[First->Wrap];
  Json Shape = Json::object();
  const std::vector<std::string> Symbols = Report.Source.shapeSymbols();
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    Shape[Symbols[I]] = First->Shape[I];
  Json Out = placeJson(Wrap.Place);
  Out.update({{"expression", Wrap.Place.Text}, {"bits", Wrap.Bits}, {"signed", Wrap.Signed}});
  Out["first"] = std::move(Shape);
  return Out;
}

static Json sitesJson(const OperatorReport &Report, const std::vector<std::string> &Symbols) {
  Json Sites = Json::array();
  for (std::size_t I = 0; I < Report.Source.Sites.size(); ++I) {
    const SkeletonSite &Site = Report.Source.Sites[I];
    if (!Site.allocates())
      continue;
    Json Out = placeJson(Site.Place);
    Out["space"] = Site.Space.empty() ? "host" : Site.Space;
    Out["allocator"] = Site.Allocator;
    auto Id = static_cast<std::int64_t>(I);
    auto Found = Report.Formulas.Sites.find(Id);
    Out["formula"] = Found != Report.Formulas.Sites.end() ? Json(Found->second.Value.str(Symbols)) : Json(nullptr);
    if (Report.AtTypical && Report.AtTypical->Peak) {
      auto Held = Report.AtTypical->SiteBytes.find(Id);
      double Bytes = Held == Report.AtTypical->SiteBytes.end() ? 0 : static_cast<double>(Held->second);
      Out["share"] = Bytes / static_cast<double>(Report.AtTypical->Peak);
    }
    Out["wraps"] = wrapsJson(Report, static_cast<std::uint32_t>(I));
    Sites.push_back(std::move(Out));
  }
  return Sites;
}

static Json skeletonJson(const OperatorReport &Report) {
  const Skeleton &S = Report.Source;
  std::vector<std::string> Symbols = S.shapeSymbols();
  Json Out = Json::object();
  Out["status"] = S.Available ? "sliced" : "unavailable";
  Out["reason"] = Report.Trouble;
  Json Formula = Json::object();
  Formula["peak"] = textOrNull(Report.Formulas.Peak, Report.Formulas.Symbols);
  Formula["verified_shapes"] = Report.Formulas.Peak ? Report.Formulas.Peak->VerifiedShapes : 0;
  if (Report.Formulas.Peak)
    addDomain(Formula, Report.Formulas.Peak->Valid, Report.Formulas.Symbols);
  Formula["total"] = textOrNull(Report.Formulas.Total, Report.Formulas.Symbols);
  Formula["output"] = textOrNull(Report.Formulas.Output, Report.Formulas.Symbols);
  Formula["allocations"] = textOrNull(Report.Formulas.Allocations, Report.Formulas.Symbols);
  Out["formula"] = Report.Formulas.prefersPart() ? partFormulaJson(Report.Formulas, nullptr) : std::move(Formula);
  if (Report.AtTypical) {
    Json Shape = Json::object();
    for (std::size_t I = 0; I < Symbols.size(); ++I)
      Shape[Symbols[I]] = Report.Typical.Shape[I];
    Out["typical_shape"] = std::move(Shape);
    Out["peak_bytes"] = Report.AtTypical->Peak;
  }
  Out["sites"] = sitesJson(Report, Report.Formulas.Symbols);
  Json Decisions = Json::array();
  for (const SkeletonDecision &Decision : S.Decisions) {
    Json Entry = placeJson(Decision.Place);
    Entry["kind"] = Decision.IsValue ? "value" : "branch";
    Entry["condition"] = Decision.Condition;
    Entry["effect"] = sentence(Decision);
    Entry["effect_code"] = codeOf(Decision.Effect);
    Entry["in_loop"] = Decision.InLoop;
    Decisions.push_back(std::move(Entry));
  }
  Out["decisions"] = std::move(Decisions);
  Out["unknown"] = mapped(S.Unknown, callJson);
  Json Presences = Json::array();
  for (const TensorPresence &Each : S.Presences) {
    Json Entry = placeJson(Each.Place);
    Entry["name"] = Each.Name;
    Entry["setting"] = presenceName(Each.Name);
    const auto Said = Report.Typical.Presence.find(Each.Tensor);
    Entry["present"] = Said == Report.Typical.Presence.end() || Said->second;
    Presences.push_back(std::move(Entry));
  }
  Out["presences"] = std::move(Presences);
  Out["settings_that_matter"] = Report.SettingsThatMatter;
  Out["size"] = {{"flattened", S.Flattened}, {"kept", S.Kept}};
  return Out;
}

std::string reportJson(const std::vector<FileReport> &Files) {
  Json All = Json::array();
  for (const FileReport &File : Files)
    for (Json Document : File.Features) {
      auto Operators = Document.find("operators");
      if (Operators != Document.end() && Operators->is_array())
        for (Json &Operator : *Operators)
          for (const OperatorReport &Report : File.Operators)
            if (Operator.is_object() && Operator.contains("symbol") && Operator["symbol"] == Report.Source.Symbol) {
              Operator["shape_symbols"] = Report.Source.shapeSymbols();
              Operator["skeleton"] = skeletonJson(Report);
              if (!Report.History.empty())
                Operator["history"] = roundsJson(Report.History);
            }
      All.push_back(std::move(Document));
    }
  return jsonText(All, 2) + "\n";
}

} // namespace memshape
