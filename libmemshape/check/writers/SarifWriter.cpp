// A comparison in SARIF 2.1.0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OASIS, Static Analysis Results Interchange Format 2.1.0.

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/text/JsonFields.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace memshape {

namespace {

using Json = nlohmann::ordered_json;

/// A path as a URI reference: RFC 3986, all but unreserved characters and slashes percent-encoded.
std::string uri(const std::string &Path) {
  std::string Out = Path.starts_with('/') ? "file://" : "";
  for (unsigned char C : Path)
    if (std::isalnum(C) || std::string_view("-._~/").find(static_cast<char>(C)) != std::string_view::npos) {
      Out += static_cast<char>(C);
    } else {
      Out += '%';
      Out += "0123456789ABCDEF"[C >> 4];
      Out += "0123456789ABCDEF"[C & 15];
    }
  return Out;
}

Json location(const std::string &Path, std::uint32_t Line, std::uint32_t Column) {
  Json Artifact = {{"uri", uri(Path)}};
  if (!Path.starts_with('/'))
    Artifact["uriBaseId"] = "SRCROOT";
  Json Region = {{"startLine", std::max<std::uint32_t>(Line, 1)}};
  if (Column)
    Region["startColumn"] = Column;
  return {{"physicalLocation", {{"artifactLocation", std::move(Artifact)}, {"region", std::move(Region)}}}};
}

Json result(const Finding &F, const Presentation &Shown) {
  const auto Rule =
      std::find_if(CheckRules.begin(), CheckRules.end(), [&](const CheckRule &Known) { return F.Rule == Known.Id; });
  std::string Text = F.Operator + ": " + F.Message;
  Json Out = {{"ruleId", F.Rule},
              {"ruleIndex", Rule - CheckRules.begin()},
              {"level", F.How == Severity::Error ? "error" : "note"},
              {"message", {{"text", Text}}}};
  const CodePlace At = shownPlace(F, Shown);
  Out["locations"] = Json::array({location(At.File, At.Line, At.Column)});
  Json Related = Json::array();
  for (const SiteChange &Change : F.Sites)
    if (Change.Place.Line && !Change.Place.File.empty()) {
      Json Site = location(pathFrom(Shown.Root, Change.Place.File), Change.Place.Line, Change.Place.Column);
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

} // namespace

std::string checkSarif(const Comparison &Found, const Presentation &Shown) {
  Json Rules = Json::array(), Results = Json::array(), Notes = Json::array();
  for (const CheckRule &Rule : CheckRules)
    Rules.push_back({{"id", Rule.Id}, {"shortDescription", {{"text", Rule.Text}}}});
  for (const Finding &F : Found.Findings)
    Results.push_back(result(F, Shown));
  for (const CheckNote &Note : Found.Notes)
    Notes.push_back({{"level", "note"}, {"message", {{"text", Note.Text}}}});
  std::error_code Error;
  std::string Root = std::filesystem::weakly_canonical(Shown.Root.empty() ? "." : Shown.Root, Error).generic_string();
  if (!Root.ends_with('/'))
    Root += '/';
  Json Run = {
      {"tool", {{"driver", {{"name", "memshape"}, {"version", MEMSHAPE_VERSION}, {"rules", std::move(Rules)}}}}},
      {"originalUriBaseIds", {{"SRCROOT", {{"uri", uri(Root)}}}}},
      {"columnKind", "utf16CodeUnits"},
      {"invocations", Json::array({{{"executionSuccessful", true},
                                    {"exitCode", Found.failed() ? 1 : 0},
                                    {"toolExecutionNotifications", std::move(Notes)}}})},
      {"results", std::move(Results)}};
  Json Out = {{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({std::move(Run)})}};
  return jsonText(Out, 2) + "\n";
}

} // namespace memshape
