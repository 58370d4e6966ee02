// What two profiles differ in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/profile/Comparison.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace memshape {

namespace {

using Json = nlohmann::ordered_json;

bool isInSystem(const std::string &File) {
  return File.starts_with("/usr/") || File.find("/include/c++/") != std::string::npos;
}

/// The functions that their author would name: those of the system's headers are left out, but for the first.
Stack shownOf(const Stack &Where) {
  Stack Shown;
  for (const StackFrame &Frame : Where)
    if (Shown.empty() || !isInSystem(Frame.File))
      Shown.push_back(Frame);
  return Shown;
}

std::vector<std::string> namesOf(const Stack &Where) {
  std::vector<std::string> Names;
  for (const StackFrame &Frame : Where) // lines that moved are no difference
    Names.push_back(frameName({Frame.Function, Frame.File, Frame.Function.empty() ? Frame.Line : 0}));
  return Names;
}

/// A line that allocates, in one profile.
struct Site {
  Stack Shown;
  std::vector<std::string> Names; ///< of all functions, of one of its stacks
  std::int64_t Value = 0;
};

/// By functions that are shown, then by line.
using Sites = std::map<std::vector<std::string>, std::map<std::uint32_t, Site>>;

/// Without chains only the first and the last function count.
Sites sitesOf(const Profile &P, v1::Sample What, bool WithChains) {
  Sites Found;
  for (const auto &[Where, Figures] : P.Stacks) {
    Stack Shown = shownOf(Where);
    if (!WithChains && Shown.size() > 2)
      Shown = {Shown.front(), Shown.back()};
    Site &To = Found[namesOf(Shown)][Shown.empty() ? 0 : Shown.back().Line];
    To.Value += Figures.of(What);
    To.Shown = std::move(Shown);
    To.Names = namesOf(Where);
  }
  return Found;
}

/// Which of two builds' lines in one function are the same: those with one number, then those with the same types
/// below, then those that are left, in their order.
void match(std::map<std::uint32_t, Site> Before, std::map<std::uint32_t, Site> After, std::vector<SiteGrowth> &To) {
  const auto take = [&](auto Then, auto Now) {
    To.push_back({Now->second.Shown, Then->second.Value, Now->second.Value});
    After.erase(Now);
    return Before.erase(Then);
  };
  for (auto Then = Before.begin(); Then != Before.end();)
    if (const auto Now = After.find(Then->first); Now != After.end())
      Then = take(Then, Now);
    else
      ++Then;
  for (auto Then = Before.begin(); Then != Before.end();) {
    const auto Now =
        std::ranges::find_if(After, [&](const auto &Each) { return Each.second.Names == Then->second.Names; });
    if (Now != After.end())
      Then = take(Then, Now);
    else
      ++Then;
  }
  while (!Before.empty() && !After.empty())
    take(Before.begin(), After.begin());
  for (const auto &[Line, Then] : Before)
    To.push_back({Then.Shown, Then.Value, 0});
  for (const auto &[Line, Now] : After)
    To.push_back({Now.Shown, 0, Now.Value});
}

/// Before and after, by stacks of functions.
std::map<std::string, std::pair<std::int64_t, std::int64_t>> bothSides(const Profile &Before, const Profile &After,
                                                                       v1::Sample What) {
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> Found;
  for (const auto &[Where, Figures] : Before.Stacks)
    Found[foldedName(Where)].first += Figures.of(What);
  for (const auto &[Where, Figures] : After.Stacks)
    Found[foldedName(Where)].second += Figures.of(What);
  return Found;
}

std::string changeText(std::int64_t Change, v1::Sample What) {
  const std::uint64_t Size = Change < 0 ? 0 - std::uint64_t(Change) : std::uint64_t(Change);
  return (Change < 0 ? "-" : "+") + (What == v1::Sample::allocations ? grouped(Size) : inUnits(Size));
}

std::string figure(std::int64_t Value) {
  return (Value < 0 ? "-" : "") + grouped(Value < 0 ? 0 - std::uint64_t(Value) : std::uint64_t(Value));
}

std::string rows(const char *Title, const std::vector<const SiteGrowth *> &Changes, v1::Sample What) {
  if (Changes.empty())
    return "";
  std::vector<std::vector<std::string>> Rows;
  for (const SiteGrowth *Each : Changes) {
    const StackFrame &Site = Each->Shown.back();
    Rows.push_back({changeText(Each->change(), What), figure(Each->Before), "->", figure(Each->After),
                    Site.Line ? frameName({"", Site.File, Site.Line}) : "", joined(namesOf(Each->Shown), " > ")});
  }
  return std::string("  ") + Title + "\n" + aligned(Rows, {0, 1, 3}, 4);
}

const char *titleOf(v1::Sample What) {
  return What == v1::Sample::peak    ? "bytes live at the peak"
         : What == v1::Sample::total ? "bytes requested in all"
                                     : "allocations";
}

} // namespace

ProfileComparison compared(const Profile &Before, const Profile &After, v1::Sample What) {
  ProfileComparison Out;
  Out.What = What;
  Out.Before = Before.sum().of(What);
  Out.After = After.sum().of(What);
  const bool WithChains = Before.HasChains && After.HasChains;
  Sites Then = sitesOf(Before, What, WithChains), Now = sitesOf(After, What, WithChains);
  for (auto &[Names, Lines] : Then)
    match(std::move(Lines), std::move(Now[Names]), Out.Sites), Now.erase(Names);
  for (auto &[Names, Lines] : Now)
    match({}, std::move(Lines), Out.Sites);
  std::erase_if(Out.Sites, [](const SiteGrowth &Each) { return !Each.change() || Each.Shown.empty(); });
  std::ranges::sort(Out.Sites, [](const SiteGrowth &A, const SiteGrowth &B) {
    return A.change() != B.change() ? A.change() > B.change() : A.Shown < B.Shown;
  });
  return Out;
}

std::string comparisonPage(const ProfileComparison &Of) {
  std::string Text = std::string(titleOf(Of.What)) + "\n" +
                     aligned({{"before", figure(Of.Before), oneLine(Of.BeforeName)},
                              {"after", figure(Of.After), oneLine(Of.AfterName)},
                              {"change", changeText(Of.After - Of.Before, Of.What)}},
                             {1}, 2);
  std::vector<const SiteGrowth *> Grew, Shrank;
  for (const SiteGrowth &Each : Of.Sites)
    (Each.change() > 0 ? Grew : Shrank).push_back(&Each);
  std::ranges::reverse(Shrank);
  Text += rows("grew", Grew, Of.What) + rows("shrank", Shrank, Of.What);
  if (Of.Sites.empty())
    Text += "  no site grew or shrank\n";
  for (const std::string &Remark : Of.Remarks)
    Text += "  note: " + oneLine(Remark) + "\n";
  return Text;
}

std::string comparisonJson(const ProfileComparison &Of) {
  const auto Side = [](const std::string &File, std::int64_t Value) { return Json{{"file", File}, {"value", Value}}; };
  Json Sites = Json::array();
  for (const SiteGrowth &Each : Of.Sites) {
    const StackFrame &Site = Each.Shown.back();
    Sites.push_back({{"function", frameName({Site.Function, "", 0})},
                     {"file", Site.File.empty() ? Json(nullptr) : Json(Site.File)},
                     {"line", Site.Line ? Json(Site.Line) : Json(nullptr)},
                     {"before", Each.Before},
                     {"after", Each.After},
                     {"change", Each.change()},
                     {"stack", namesOf(Each.Shown)}});
  }
  return jsonText(Json{{"schema", "memshape.comparison/1"},
                       {"sample", v1::name_of(Of.What)},
                       {"before", Side(Of.BeforeName, Of.Before)},
                       {"after", Side(Of.AfterName, Of.After)},
                       {"change", Of.After - Of.Before},
                       {"sites", std::move(Sites)},
                       {"notes", Of.Remarks}},
                  2) +
         "\n";
}

std::string foldedDifference(const Profile &Before, const Profile &After, v1::Sample What) {
  std::string Text;
  for (const auto &[Names, Both] : bothSides(Before, After, What))
    if (Both.first != Both.second)
      Text += Names + " " + std::to_string(Both.second - Both.first) + "\n";
  return Text;
}

std::string differentialStacks(const Profile &Before, const Profile &After, v1::Sample What) {
  std::string Text;
  for (const auto &[Names, Both] : bothSides(Before, After, What))
    if (Both.first || Both.second)
      Text += Names + " " + std::to_string(Both.first) + " " + std::to_string(Both.second) + "\n";
  return Text;
}

} // namespace memshape
