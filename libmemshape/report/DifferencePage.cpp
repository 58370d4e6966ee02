// What changed between two builds, as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Difference.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

namespace {

using Json = nlohmann::ordered_json;

const char *wordFor(OperatorDifference::Kind What) {
  switch (What) {
  case OperatorDifference::Kind::New:
    return "new";
  case OperatorDifference::Kind::Vanished:
    return "vanished";
  case OperatorDifference::Kind::Changed:
    return "changed";
  }
  return "";
}

std::string places(const char *Title, const std::vector<ChangedPlace> &Changed, const Terminal &Screen) {
  if (Changed.empty())
    return "";
  std::vector<std::vector<std::string>> Rows;
  for (const ChangedPlace &Place : Changed) {
    const bool More = Place.After > Place.Before;
    const std::size_t Count = More ? Place.After - Place.Before : Place.Before - Place.After;
    Rows.push_back({inked(More ? "+" : "-", More ? Ink::Warning : Ink::Accent, Screen), Place.Where, Place.Words,
                    Count > 1 ? std::to_string(Count) + " times" : ""});
  }
  return "  " + std::string(Title) + "\n" + aligned(Rows, {}, 4);
}

Json placesJson(const std::vector<ChangedPlace> &Changed) {
  Json List = Json::array();
  for (const ChangedPlace &Place : Changed)
    List.push_back({{"where", Place.Where}, {"what", Place.Words}, {"before", Place.Before}, {"after", Place.After}});
  return List;
}

} // namespace

std::string differencePage(const std::vector<OperatorDifference> &Changes, const Terminal &Screen) {
  std::string Text;
  for (const OperatorDifference &Change : Changes) {
    Text +=
        (Text.empty() ? "" : "\n") + inked(Change.Operator, Ink::Strong, Screen) + " (" + wordFor(Change.What) + ")\n";
    for (const ChangedLine &Line : Change.Lines) {
      Text += "  " + Line.What + "\n";
      if (!Line.Before.empty())
        Text += "    " + inked("- ", Ink::Accent, Screen) + Line.Before + "\n";
      if (!Line.After.empty())
        Text += "    " + inked("+ ", Ink::Warning, Screen) + Line.After + "\n";
    }
    Text += places("sites at the peak", Change.Sites, Screen) + places("decisions", Change.Decisions, Screen);
  }
  return fitted(Text, Screen);
}

std::string differenceJson(const std::vector<OperatorDifference> &Changes) {
  Json Operators = Json::array();
  for (const OperatorDifference &Change : Changes) {
    Json Lines = Json::array();
    for (const ChangedLine &Line : Change.Lines)
      Lines.push_back({{"what", Line.What},
                       {"before", Line.Before.empty() ? Json(nullptr) : Json(Line.Before)},
                       {"after", Line.After.empty() ? Json(nullptr) : Json(Line.After)}});
    Operators.push_back({{"operator", Change.Operator},
                         {"change", wordFor(Change.What)},
                         {"lines", std::move(Lines)},
                         {"sites", placesJson(Change.Sites)},
                         {"decisions", placesJson(Change.Decisions)}});
  }
  const Json All = {{"schema", "memshape.difference/1"}, {"operators", std::move(Operators)}};
  return jsonText(All, 2) + "\n";
}

} // namespace memshape
