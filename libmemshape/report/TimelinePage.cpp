// Live bytes over one call, for terminals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/report/Report.h"
#include "libmemshape/text/Figures.h"

#include <algorithm>
#include <tuple>

namespace memshape {

namespace {

constexpr unsigned Indent = 4;
constexpr std::size_t MostPlaces = 5;
constexpr std::size_t WidestLine = 60; ///< characters of a sparkline

struct Band {
  std::string Where, Function;
  std::vector<std::int64_t> Held; ///< bytes after each step
  std::int64_t most() const { return *std::max_element(Held.begin(), Held.end()); }
};

std::string placeOf(const Skeleton &S, std::int64_t Site) {
  if (Site < 0 || Site >= static_cast<std::int64_t>(S.Sites.size()))
    return "inside libraries";
  std::string Where = shortPlace(S.Sites[static_cast<std::size_t>(Site)].Place);
  return Where.empty() ? "(no line known)" : Where;
}

std::string functionOf(const Skeleton &S, std::int64_t Site) {
  return Site < 0 || Site >= static_cast<std::int64_t>(S.Sites.size())
             ? ""
             : shortFunction(S.Sites[static_cast<std::size_t>(Site)].Place.Function);
}

/// Sums the sites of one place and function, and sorts by the most bytes held.
std::vector<Band> bandsOf(const OperatorReport &Report) {
  std::vector<Band> Bands;
  const std::vector<LiveStep> &Steps = Report.AtTypical->Steps;
  for (std::size_t I = 0; I < Steps.size(); ++I)
    for (auto [Site, Bytes] : Steps[I].Held) {
      std::string Where = placeOf(Report.Source, Site), Function = functionOf(Report.Source, Site);
      auto Place = std::find_if(Bands.begin(), Bands.end(),
                                [&](const Band &B) { return B.Where == Where && B.Function == Function; });
      if (Place == Bands.end())
        Place = Bands.insert(Bands.end(), {Where, Function, std::vector<std::int64_t>(Steps.size(), 0)});
      Place->Held[I] += std::max<std::int64_t>(0, Bytes);
    }
  std::sort(Bands.begin(), Bands.end(), [](const Band &A, const Band &B) {
    return std::tuple(-A.most(), A.Where, A.Function) < std::tuple(-B.most(), B.Where, B.Function);
  });
  return Bands;
}

} // namespace

std::string timelinePage(const OperatorReport &Report, const std::string &At, const Terminal &Screen) {
  if (!Report.AtTypical || Report.AtTypical->Steps.empty())
    return "";
  const Footprint &Heap = *Report.AtTypical;
  std::vector<std::int64_t> Lives;
  for (const LiveStep &Step : Heap.Steps)
    Lives.push_back(std::max<std::int64_t>(0, Step.Live));
  const auto Peak = std::max_element(Lives.begin(), Lives.end());
  const LiveStep &AtPeak = Heap.Steps[static_cast<std::size_t>(Peak - Lives.begin())];

  constexpr std::size_t RoomForNames = 44;
  std::size_t Columns = Screen.Width > RoomForNames + 20 ? std::min(Screen.Width - RoomForNames, WidestLine)
                        : Screen.Width                   ? std::size_t(20)
                                                         : WidestLine;
  Columns = std::min(Columns, Lives.size());
  std::vector<std::vector<std::string>> Rows;
  auto Add = [&](const std::vector<std::int64_t> &Values, Ink How, const std::string &Where,
                 const std::string &Function) {
    std::int64_t Highest = *std::max_element(Values.begin(), Values.end());
    std::string Line = sparkline(Values, *Peak, Columns, Screen);
    // Columns are joined by blanks; a sparkline may end in one.
    Rows.push_back({inked(Line, How, Screen), inUnits(Highest), Where, Function});
  };
  Add(Lives, Ink::Accent, "in all", "");
  std::vector<Band> Bands = bandsOf(Report);
  std::size_t Left = 0;
  if (Bands.size() > 1)
    for (const Band &B : Bands) {
      if (Rows.size() > MostPlaces)
        ++Left;
      else
        Add(B.Held, Ink::Quiet, B.Where, B.Function);
    }
  std::string Text = "\n  " + inked("Live over one call" + (At.empty() ? "" : " at " + At), Ink::Strong, Screen) +
                     " (" + grouped(Heap.Events) + " allocations and frees; at most)\n";
  Text += aligned(Rows, {1}, Indent);
  if (Left)
    Text += "    and " + std::to_string(Left) + " other places\n";
  std::string Where = placeOf(Report.Source, AtPeak.Site), Function = functionOf(Report.Source, AtPeak.Site);
  Text += "    the most after event " + grouped(AtPeak.Event + 1) + ": " + Where +
          (Function.empty() ? "" : " (" + Function + ")") + (AtPeak.Change > 0 ? " allocates " : " changes ") +
          inUnits(static_cast<std::uint64_t>(AtPeak.Change < 0 ? -AtPeak.Change : AtPeak.Change)) + "\n";
  return Text;
}

} // namespace memshape
