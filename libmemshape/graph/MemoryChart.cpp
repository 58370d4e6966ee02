// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/SchedulePictures.h"
#include "libmemshape/pictures/Axes.h"
#include "libmemshape/text/Figures.h"

#include <algorithm>

namespace memshape {

namespace {

constexpr double Left = 84, Right = 744, Top = 28, Bottom = 228;
constexpr std::size_t MostSteps = 400; ///< that are drawn one by one

/// One or several steps, of which the most is drawn.
struct Column {
  HeldStep Most;
  std::size_t Steps = 1;
};

/// Columns of equal width where there are many steps.
std::vector<Column> columnsOf(const Course &In) {
  std::vector<Column> Columns;
  if (In.Steps.size() <= MostSteps) {
    for (const HeldStep &Each : In.Steps)
      Columns.push_back({Each, 1});
    return Columns;
  }
  const double Width = In.Length / MostSteps;
  if (!(Width > 0)) // they all take no time
    return {{In.Steps[In.Peak], In.Steps.size()}};
  Columns.resize(MostSteps);
  for (std::size_t I = 0; I < MostSteps; ++I)
    Columns[I] = {{Width * double(I), Width * double(I + 1), 0, 0}, 0};
  for (const HeldStep &Each : In.Steps) {
    std::size_t I = std::min(static_cast<std::size_t>(Each.From / Width), MostSteps - 1);
    do {
      HeldStep &Most = Columns[I].Most;
      if (Columns[I].Steps++ == 0 || Each.Held > Most.Held) {
        Most.Held = Each.Held;
        Most.While = Each.While;
      }
    } while (++I < MostSteps && Columns[I].Most.From < Each.To);
  }
  return Columns;
}

std::string bytes(std::uint64_t Value) { return grouped(Value) + (Value == 1 ? " byte" : " bytes"); }

std::string wordsOf(const Course &In, const Column &Each, const std::vector<std::string> &Ids) {
  const std::string Node = shownId(Ids[Each.Most.While]);
  if (Each.Steps > 1)
    return "from " + shortNumber(Each.Most.From) + " to " + shortNumber(Each.Most.To) + ": at most " +
           bytes(Each.Most.Held) + ", at " + Node;
  if (!In.InTime)
    return Node + " runs: " + bytes(Each.Most.Held);
  return "from " + shortNumber(Each.Most.From) + " to " + shortNumber(Each.Most.To) + ": " + bytes(Each.Most.Held);
}

/// A line across the chart and what it is, said where it begins or where it ends.
std::string level(const Scale &Y, std::uint64_t Bytes, const std::string &Words, bool Begins, const char *Class) {
  const double At = Y.at(static_cast<double>(Bytes));
  return group(Class, line(Left, At, Right, At) + label(Begins ? Left + 4 : Right, At - 4, Words + " " + inUnits(Bytes),
                                                        Begins ? "start" : "end"));
}

std::string describe(const Course &In, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  std::string Said = "At most " + bytes(Answer.Peak) + " are held";
  if (!In.Steps.empty())
    Said += std::string(", ") + (In.InTime ? "from " + shortNumber(In.Steps[In.Peak].From) + " on"
                                           : "while " + shownId(Ids[In.Steps[In.Peak].While]) + " runs");
  return Said + ".";
}

/// The line of the steps, and the area below it.
std::string steps(const std::vector<Column> &Columns, const Scale &X, const Scale &Y) {
  std::string Line;
  for (const Column &Each : Columns) {
    const std::string Height = coordinate(Y.at(static_cast<double>(Each.Most.Held)));
    Line += (Line.empty() ? "M" + coordinate(X.at(Each.Most.From)) + " " + Height : "V" + Height) + "H" +
            coordinate(X.at(Each.Most.To));
  }
  if (Line.empty())
    return "";
  return "<path class=\"held\" d=\"" + Line + "V" + coordinate(Bottom) + "H" + coordinate(Left) +
         "Z\"/>\n<path class=\"held-line\" d=\"" + Line + "\"/>\n";
}

} // namespace

Chart memoryChart(const Course &In, const ScheduleAnswer &Answer, std::optional<std::uint64_t> Memory,
                  const std::vector<std::string> &Ids) {
  Chart Drawn{"Memory over the schedule", describe(In, Answer, Ids), "", 760, 268, ""};
  const std::uint64_t Most = std::max({Answer.Peak, Memory.value_or(0), std::uint64_t(1)});
  // A memory far above the peak would flatten the chart.
  const bool LimitFits = Memory && *Memory / 4 <= Answer.Peak;
  const Scale X{0, In.Length, Left, Right};
  const Scale Y{0, 1.08 * static_cast<double>(LimitFits ? Most : std::max(Answer.Peak, std::uint64_t(1))), Bottom, Top};
  const std::vector<Column> Columns = columnsOf(In);
  Drawn.Body = byteAxis(Y, Left, Right) +
               numberAxis(X, Bottom, In.InTime ? "time" : "nodes that have run", !In.InTime) + steps(Columns, X, Y);
  const bool Late = !In.Steps.empty() && In.Steps[In.Peak].From > In.Length / 2; // the peak's words are on the right
  if (LimitFits)
    Drawn.Body += level(Y, *Memory, "memory", Late, "limit");
  if (Answer.LowerBound && !Answer.Optimal)
    Drawn.Body += level(Y, *Answer.LowerBound, "every order holds", Late, "least");
  for (const Column &Each : Columns)
    Drawn.Body += mark(wordsOf(In, Each, Ids),
                       rectangle(X.at(Each.Most.From), Top, std::max(X.at(Each.Most.To) - X.at(Each.Most.From), 0.5),
                                 Bottom - Top, "hit"));
  if (!In.Steps.empty()) {
    const HeldStep &Peak = In.Steps[In.Peak];
    const double At = X.at(Peak.From / 2 + Peak.To / 2), Height = Y.at(static_cast<double>(Peak.Held));
    Drawn.Body +=
        group("peak-mark", circle(At, Height, 3.5) + label(At + (Late ? -7 : 7), Height - 6,
                                                           "peak " + inUnits(Peak.Held), Late ? "end" : "start"));
  }
  if (In.Steps.size() > MostSteps)
    Drawn.Note = grouped(In.Steps.size()) + " steps are drawn as " + grouped(Columns.size()) +
                 (Columns.size() == 1 ? " column" : " columns") + ", as high as the most that is held.";
  if (Memory && !LimitFits)
    Drawn.Note +=
        std::string(Drawn.Note.empty() ? "" : " ") + "The memory, " + inUnits(*Memory) + ", is above the chart.";
  return Drawn;
}

} // namespace memshape
