// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/checkpoint/CheckpointText.h"
#include "libmemshape/pictures/Axes.h"
#include "libmemshape/pictures/Escape.h"
#include "libmemshape/pictures/Page.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace memshape {

using namespace checkpointing;

namespace {

constexpr double Left = 64, Right = 744, Top = 52, Bottom = 352;
constexpr std::size_t MostActions = 2000; ///< that are drawn one by one
constexpr std::size_t MostSlots = 300;
constexpr std::size_t MostRows = 200; ///< of the table
constexpr std::size_t Columns = 340;
constexpr std::size_t Colours = 8;

/// An action on the plane: from when to when, and from which state to which.
struct Move {
  Do What = Do::forward;
  double Begin = 0, End = 0;
  std::int64_t From = 0, To = 0;
};

/// A state for as long as it is stored, or the tape of the step from it.
struct Kept {
  std::int64_t State = 0;
  bool IsTape = false;
  std::size_t At = 0; ///< the number of a level
  double From = 0, To = 0;
};

struct Plane {
  std::vector<Move> Moves; ///< forward, backward and restore: those with a tape as those without
  std::vector<Kept> Slots;
  double Length = 0;
};

/// Where nothing costs anything each action takes a unit.
double lengthOf(const Chain &C, const Action &A, bool Free) {
  if (Free)
    return A.kind == Do::discard ? 0 : 1;
  switch (A.kind) {
  case Do::forward: return C.forward * static_cast<double>(A.to - A.from);
  case Do::store: return C.levels[A.level].write;
  case Do::restore: return C.levels[A.level].read;
  case Do::backward: return C.forward + C.backward;
  case Do::tape:
    return C.forward + C.levels[A.level].write * static_cast<double>(C.tape_slots) / static_cast<double>(C.state_slots);
  case Do::rewind:
    return C.backward + C.levels[A.level].read * static_cast<double>(C.tape_slots) / static_cast<double>(C.state_slots);
  case Do::discard: break;
  }
  return 0;
}

Plane planeOf(const Chain &C, const Reversal &Found) {
  Plane Of;
  std::map<std::tuple<std::size_t, std::int64_t, bool>, double> Open; // level, state, whether it is a tape
  const auto Close = [&](const Action &A, double Now) {
    const auto Slot = Open.find({A.level, A.from, A.kind == Do::rewind});
    Of.Slots.push_back({A.from, A.kind == Do::rewind, A.level, Slot->second, Now});
    Open.erase(Slot);
  };
  double Now = 0;
  std::int64_t At = 0;
  for (const Action &A : Found.actions) {
    const double Begin = Now;
    Now += lengthOf(C, A, Found.cost <= 0);
    if (A.kind == Do::store || A.kind == Do::tape)
      Open[{A.level, A.from, A.kind == Do::tape}] = Begin;
    if (A.kind == Do::discard || A.kind == Do::rewind)
      Close(A, Now);
    if (A.kind != Do::store && A.kind != Do::discard) {
      const bool IsBack = A.kind == Do::backward || A.kind == Do::rewind;
      const bool IsOn = A.kind == Do::forward || A.kind == Do::tape;
      const std::int64_t From = IsBack ? A.from + 1 : IsOn ? A.from : At;
      At = A.kind == Do::forward ? A.to : A.from + (A.kind == Do::tape ? 1 : 0);
      Of.Moves.push_back({IsBack ? Do::backward : IsOn ? Do::forward : A.kind, Begin, Now, From, At});
    }
  }
  for (const auto &[Slot, Since] : Open)
    Of.Slots.push_back({std::get<1>(Slot), false, std::get<0>(Slot), Since, Now});
  Of.Length = Now;
  return Of;
}

/// One line for all moves of a kind.
std::string moves(const Plane &Of, Do What, const char *Class, const Scale &X, const Scale &Y) {
  std::string Line;
  for (const Move &Each : Of.Moves)
    if (Each.What == What)
      Line += "M" + coordinate(X.at(Each.Begin)) + " " + coordinate(Y.at(static_cast<double>(Each.From))) + "L" +
              coordinate(X.at(Each.End)) + " " + coordinate(Y.at(static_cast<double>(Each.To)));
  return Line.empty() ? "" : "<path class=\"" + std::string(Class) + "\" d=\"" + Line + "\"/>\n";
}

/// The states that the moves of each column reach, from the least to the greatest.
std::string covered(const Plane &Of, const Scale &X, const Scale &Y) {
  std::vector<double> Least(Columns, -1), Most(Columns, -1);
  const double Width = Of.Length / static_cast<double>(Columns);
  if (!(Width > 0)) // too small for a double
    return "";
  for (const Move &Each : Of.Moves) {
    if (Each.What == Do::restore)
      continue;
    const auto At = [&](double Now) {
      const double Part =
          Each.End > Each.Begin ? std::clamp((Now - Each.Begin) / (Each.End - Each.Begin), 0.0, 1.0) : 1;
      return static_cast<double>(Each.From) + Part * static_cast<double>(Each.To - Each.From);
    };
    std::size_t I = std::min(static_cast<std::size_t>(Each.Begin / Width), Columns - 1);
    do {
      const double A = At(Width * static_cast<double>(I)), B = At(Width * static_cast<double>(I + 1));
      Least[I] = Least[I] < 0 ? std::min(A, B) : std::min({Least[I], A, B});
      Most[I] = std::max({Most[I], A, B});
    } while (++I < Columns && Width * static_cast<double>(I) < Each.End);
  }
  std::string Drawn;
  for (std::size_t I = 0; I < Columns; ++I)
    if (Least[I] >= 0) {
      const double From = X.at(Width * static_cast<double>(I)), To = X.at(Width * static_cast<double>(I + 1));
      Drawn += rectangle(From, Y.at(Least[I]), To - From, std::max(Y.at(Most[I]) - Y.at(Least[I]), 0.5), "rest");
    }
  return group("covered", Drawn);
}

std::string colour(std::size_t Level) { return std::to_string(Level % Colours); }

std::string slots(const Chain &C, const Plane &Of, std::size_t Count, const Scale &X, const Scale &Y) {
  std::string Drawn;
  for (std::size_t I = 0; I < Count; ++I) {
    const Kept &Each = Of.Slots[I];
    const double Height = Y.at(static_cast<double>(Each.State)), From = X.at(Each.From), To = X.at(Each.To);
    Drawn +=
        mark((Each.IsTape ? "tape of step " : "state ") + std::to_string(Each.State) + " in " +
                 oneLine(C.levels[Each.At].name) + " from " + shortNumber(Each.From) + " to " + shortNumber(Each.To),
             line(From, Height, To, Height, "slot stroke-" + colour(Each.At)) +
                 circle(From, Height, 2.5, "band-" + colour(Each.At)));
  }
  return Drawn;
}

std::string legend(const Chain &C) {
  std::string Drawn;
  double X = Left;
  for (std::size_t I = 0; I < C.levels.size() && X < Right - 60; ++I) {
    const std::string Name = shortened(oneLine(C.levels[I].name), 20);
    Drawn += rectangle(X, 8, 11, 11, "band-" + colour(I)) + label(X + 16, 18, Name);
    X += 34 + 7 * static_cast<double>(Name.size());
  }
  return group("legend", Drawn);
}

Chart triangle(const Chain &C, const Reversal &Found) {
  Plane Of = planeOf(C, Found);
  Chart Drawn{"The reversal of " + several(C.steps, "step"),
              "States of the chain downwards, cost to the right. Thin lines are forward sweeps, thick ones backward "
              "steps, dashed ones restores; a coloured line is a stored state or a tape for as long as it is kept.",
              "",
              760,
              392,
              ""};
  const Scale X{0, Of.Length, Left, Right}, Y{0, static_cast<double>(C.steps), Top, Bottom};
  const std::size_t Slots = std::min(Of.Slots.size(), MostSlots);
  const auto Earlier = [](const Kept &A, const Kept &B) {
    return std::tuple(A.From, A.State, A.At) < std::tuple(B.From, B.State, B.At);
  };
  std::sort(Of.Slots.begin(), Of.Slots.end(), [&](const Kept &A, const Kept &B) {
    const double OfA = A.To - A.From, OfB = B.To - B.From;
    return OfA != OfB ? OfA > OfB : Earlier(A, B);
  });
  std::sort(Of.Slots.begin(), Of.Slots.begin() + static_cast<std::ptrdiff_t>(Slots), Earlier);
  Drawn.Body =
      legend(C) + numberAxisDown(Y, Left, "state") + numberAxis(X, Bottom, Found.cost > 0 ? "cost" : "actions", false);
  if (Found.actions.size() <= MostActions)
    Drawn.Body += moves(Of, Do::restore, "jump", X, Y) + slots(C, Of, Slots, X, Y) +
                  moves(Of, Do::forward, "sweep", X, Y) + moves(Of, Do::backward, "back", X, Y);
  else {
    Drawn.Body += covered(Of, X, Y) + slots(C, Of, Slots, X, Y);
    Drawn.Note = grouped(Found.actions.size()) + " actions are drawn as the states that they reach.";
  }
  if (Of.Slots.size() > Slots)
    Drawn.Note += std::string(Drawn.Note.empty() ? "" : " ") + "Of " + grouped(Of.Slots.size()) +
                  " stored states the " + std::to_string(Slots) + " that are kept longest are drawn.";
  return Drawn;
}

} // namespace

std::string checkpointSvg(const Chain &C, const Reversal &Found) { return chartFile(triangle(C, Found)); }

std::string checkpointHtml(const Chain &C, const Reversal &Found) {
  std::vector<std::vector<std::string>> Levels, Actions;
  for (const Level &L : C.levels)
    Levels.push_back({oneLine(L.name), std::to_string(L.slots), shortNumber(L.write), shortNumber(L.read)});
  for (std::size_t I = 0; I < Found.actions.size() && I < MostRows; ++I)
    Actions.push_back({std::to_string(I + 1), oneLine(actionWords(Found.actions[I], C.levels))});
  const std::string Body =
      facts({{"steps", grouped(C.steps)},
             {"cost", costText(Found.cost) + (Found.peak_tapes ? "" : ": no sequence of actions costs less")},
             {"recomputed", grouped(Found.recomputed_steps) + " steps beyond a single sweep"},
             {"at a time", "at most " + heldWords(Found)}}) +
      figure(triangle(C, Found), "plan") +
      foldedTable("Levels", {"level", "slots", "cost of a store", "cost of a restore"}, Levels,
                  {false, true, true, true}) +
      foldedTable(tableTitle(MostRows, Found.actions.size(), "actions", "All actions"), {"", "action"}, Actions,
                  {true, false});
  return picturePage("Checkpoints of a chain", Body);
}

} // namespace memshape
