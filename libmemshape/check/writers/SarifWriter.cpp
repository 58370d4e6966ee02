// A comparison in SARIF 2.1.0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OASIS, Static Analysis Results Interchange Format 2.1.0.

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/text/Sarif.h"

#include <algorithm>

namespace memshape {

using Json = nlohmann::ordered_json;

static Json result(const Finding &F, const Presentation &Shown) {
  const auto Rule =
      std::find_if(CheckRules.begin(), CheckRules.end(), [&](const CheckRule &Known) { return F.Rule == Known.Id; });
  std::string Text = F.Operator + ": " + F.Message;
  Json Out = {{"ruleId", F.Rule},
              {"ruleIndex", Rule - CheckRules.begin()},
              {"level", F.How == Severity::Error ? "error" : "note"},
              {"message", {{"text", Text}}}};
  const CodePlace At = shownPlace(F, Shown);
  Out["locations"] = Json::array({sarif::location(At.File, At.Line, At.Column)});
  Json Related = Json::array();
  for (const SiteChange &Change : F.Sites)
    if (Change.Place.Line && !Change.Place.File.empty()) {
      Json Site = sarif::location(pathFrom(Shown.Root, Change.Place.File), Change.Place.Line, Change.Place.Column);
      Site["id"] = Related.size();
      Site["message"] = {{"text", siteText(Change)}};
      Related.push_back(std::move(Site));
    }
  if (!Related.empty())
    Out["relatedLocations"] = std::move(Related);
  Out["partialFingerprints"] = {{"memshapeFinding/v1", fingerprint(F)}};
  Json Figures = Json::array();
  for (const FigureChange &Change : F.Figures)
    Figures.push_back({{"figure", Change.Figure},
                       {"before", Change.Before ? Json(*Change.Before) : Json(nullptr)},
                       {"after", Change.After ? Json(*Change.After) : Json(nullptr)},
                       {"bytes", figureText(Change)},
                       {"at", Change.At}});
  Out["properties"] = {{"operator", F.Operator}, {"figures", std::move(Figures)}};
  for (const auto &[Symbol, Extent] : F.Shape)
    Out["properties"]["shape"][Symbol] = Extent;
  return Out;
}

std::string checkSarif(const Comparison &Found, const Presentation &Shown) {
  Json Rules = Json::array(), Results = Json::array(), Notes = Json::array();
  for (const CheckRule &Rule : CheckRules)
    Rules.push_back({{"id", Rule.Id}, {"shortDescription", {{"text", Rule.Text}}}});
  for (const Finding &F : Found.Findings)
    Results.push_back(result(F, Shown));
  for (const CheckNote &Note : Found.Notes)
    Notes.push_back({{"level", "note"}, {"message", {{"text", Note.Text}}}});
  return sarif::document(Shown.Root, std::move(Rules), std::move(Results), std::move(Notes), Found.failed() ? 1 : 0);
}

} // namespace memshape
