// memshape.check/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/writers/Writers.h"
#include "libmemshape/include/memshape/names.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Sarif.h"
#include "libmemshape/text/Split.h"

#include <nlohmann/json.hpp>

namespace memshape {

using Json = nlohmann::ordered_json;

static Json placeJson(const CodePlace &Place, const Presentation &Shown) {
  return {{"file", pathFrom(Shown.Root, Place.File)},
          {"line", Place.Line},
          {"column", Place.Column},
          {"function", Place.Function},
          {"code", Place.Code}};
}

template <class T> static Json orNull(const std::optional<T> &Value) { return Value ? Json(*Value) : Json(nullptr); }

static Json findingJson(const Finding &F, const Presentation &Shown) {
  static constexpr const char *Words[] = {"error", "improvement", "note"};
  Json Out = {{"rule", F.Rule},
              {"severity", Words[static_cast<unsigned>(F.How)]},
              {"operator", F.Operator},
              {"message", F.Message},
              {"place", F.Place && F.Place->Line ? placeJson(*F.Place, Shown) : Json(nullptr)}};
  for (const auto &[Symbol, Extent] : F.Shape)
    Out["shape"][Symbol] = Extent;
  Json Figures = Json::array(), Sites = Json::array();
  for (const FigureChange &Change : F.Figures)
    Figures.push_back({{"figure", Change.Figure},
                       {"formula_before", orNull(Change.Before)},
                       {"formula_after", orNull(Change.After)},
                       {"at", Change.At},
                       {"before", orNull(Change.Then)},
                       {"after", orNull(Change.Now)}});
  for (const SiteChange &Change : F.Sites) {
    Json Site = placeJson(Change.Place, Shown);
    Site["change"] = changeWord(Change.What);
    Site["formula"] = orNull(Change.Formula);
    Site["requested_before"] = Change.Then;
    Site["requested_after"] = Change.Now;
    Site["times_before"] = Change.TimesThen;
    Site["times_after"] = Change.TimesNow;
    Site["held_before"] = Change.HeldThen;
    Site["held_after"] = Change.HeldNow;
    if (!Change.Via.empty()) {
      Site["via"] = mapped(Change.Via, [&](const CodePlace &Call) { return placeJson(Call, Shown); });
    }
    Sites.push_back(std::move(Site));
  }
  Out["figures"] = std::move(Figures);
  Out["sites"] = std::move(Sites);
  return Out;
}

std::string checkJson(const Comparison &Found, const Presentation &Shown) {
  Json Findings = mapped(Found.Findings, [&](const Finding &F) { return findingJson(F, Shown); });
  Json Notes = Json::array(), Reasons = Json::array();
  for (const CheckNote &Note : Found.Notes) {
    Notes.push_back(Note.Text);
    Reasons.push_back({{"code", v1::name_of(Note.Code)}, {"text", Note.Text}});
  }
  Json Out = {{"schema", "memshape.check/1"}, {"baseline", Shown.Baseline},      {"passed", !Found.failed()},
              {"operators", Found.Operators}, {"findings", std::move(Findings)}, {"notes", std::move(Notes)},
              {"reasons", std::move(Reasons)}};
  return jsonText(Out, 2) + "\n";
}

} // namespace memshape
