// Reversals of chains, read and written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/checkpoint/CheckpointText.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Split.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>
#include <type_traits>

namespace memshape {

using namespace checkpointing;

namespace {

template <class Number> bool readAll(const std::string &Text, Number &Into) {
  const auto [Stop, Wrong] = std::from_chars(Text.data(), Text.data() + Text.size(), Into);
  return Wrong == std::errc() && Stop == Text.data() + Text.size() && Into >= 0 &&
         (std::is_integral_v<Number> || Into < Number(0x1p50));
}

const char *nameOf(Do What) {
  switch (What) {
  case Do::Forward:
    return "forward";
  case Do::Store:
    return "store";
  case Do::Restore:
    return "restore";
  case Do::Discard:
    return "discard";
  case Do::Backward:
    return "backward";
  }
  return "";
}

/// What stands behind the name and the state; levels as Names has them.
std::string detailOf(const Action &A, const std::vector<std::string> &Names) {
  if (A.What == Do::Backward)
    return "";
  return A.What == Do::Forward ? std::to_string(A.To) : Names[A.At];
}

} // namespace

Result<std::vector<Level>> readLevels(const std::string &Text) {
  std::vector<Level> Levels;
  for (const std::string &Each : split(Text, ',')) {
    const std::vector<std::string> Parts = split(Each, ':');
    Level L;
    L.Name = Parts[0];
    if (L.Name.empty() || Parts.size() < 2 || Parts.size() > 4 || !readAll(Parts[1], L.Slots) ||
        (Parts.size() > 2 && !readAll(Parts[2], L.Write)) || (Parts.size() > 3 && !readAll(Parts[3], L.Read)))
      return Failure{"--levels: '" + Each + "' is no NAME:SLOTS:WRITE:READ, as in disk:100:2:1"};
    if (oneLine(L.Name) != L.Name)
      return Failure{"--levels: the name '" + oneLine(L.Name) + "' is no line of UTF-8"};
    if (std::any_of(Levels.begin(), Levels.end(), [&](const Level &Other) { return Other.Name == L.Name; }))
      return Failure{"--levels: '" + L.Name + "' is given twice"};
    Levels.push_back(std::move(L));
  }
  return Levels;
}

std::string actionWords(const Action &A, const std::vector<Level> &Levels) {
  const std::string Begin = std::string(nameOf(A.What)) + " " + std::to_string(A.From);
  if (A.What == Do::Backward)
    return Begin;
  return A.What == Do::Forward ? Begin + " to " + std::to_string(A.To) : Begin + " in " + Levels[A.At].Name;
}

std::string costText(double Cost) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.15g", Cost);
  return Text;
}

/// Of one level for the states before steps that differ; their costs are in what was found.
static Chain oneLevel(std::size_t Steps, const StepReversal &Found) {
  return {std::int64_t(Steps), {{"ram", Found.Found.PeakSlots, 0, 0}}, 1, 1};
}

static nlohmann::ordered_json headOf(const Chain &C, const Reversal &Found) {
  return {{"schema", "memshape.checkpoint/1"},
          {"steps", C.Steps},
          {"recomputed_steps", Found.RecomputedSteps},
          {"cost", Found.Cost},
          {"peak_slots", Found.PeakSlots}};
}

static std::string withActions(const nlohmann::ordered_json &Head, const Chain &C, const Reversal &Found) {
  std::string Text = Head.dump();
  Text.pop_back();
  // There may be millions.
  std::vector<std::string> Names;
  for (const Level &L : C.Levels)
    Names.push_back(jsonText(nlohmann::json(L.Name)));
  Text += ",\"actions\":[";
  for (const Action &A : Found.Actions) {
    const std::string Detail = detailOf(A, Names);
    Text += (Text.back() == '[' ? "[\"" : ",[\"") + std::string(nameOf(A.What)) + "\"," + std::to_string(A.From) +
            (Detail.empty() ? "" : "," + Detail) + "]";
  }
  return Text + "]}\n";
}

std::string checkpointJson(const Chain &C, const Reversal &Found) { return withActions(headOf(C, Found), C, Found); }

std::string checkpointJson(std::size_t Steps, const StepReversal &Found) {
  const Chain C = oneLevel(Steps, Found);
  nlohmann::ordered_json Head = headOf(C, Found.Found);
  Head["peak_bytes"] = Found.PeakBytes;
  Head["optimal"] = Found.IsLeast;
  return withActions(Head, C, Found.Found);
}

std::string refusedCheckpointJson(std::optional<std::uint64_t> LeastMemory) {
  nlohmann::ordered_json Refused = {{"schema", "memshape.checkpoint/1"}, {"feasible", false}};
  if (LeastMemory)
    Refused["least_memory_bytes"] = *LeastMemory;
  return Refused.dump() + "\n";
}

std::string checkpointPage(const Chain &C, const Reversal &Found) {
  constexpr std::size_t Shown = 40;
  std::ostringstream Page;
  Page << C.Steps << (C.Steps == 1 ? " step is" : " steps are") << " reversed, with at most " << Found.PeakSlots
       << (Found.PeakSlots == 1 ? " state" : " states") << " stored at a time\n\n"
       << "  recomputed  " << Found.RecomputedSteps << " steps, beyond the " << C.Steps - 1 << " of a single sweep\n"
       << "  cost        " << costText(Found.Cost) << "\n\n";
  for (std::size_t I = 0; I != std::min(Shown, Found.Actions.size()); ++I)
    Page << "  " << actionWords(Found.Actions[I], C.Levels) << "\n";
  if (Found.Actions.size() > Shown)
    Page << "  ... and " << Found.Actions.size() - Shown << " actions more: --json lists all\n";
  return Page.str();
}

std::string checkpointPage(std::size_t Steps, const StepReversal &Found) {
  return checkpointPage(oneLevel(Steps, Found), Found.Found) + "\n  at most " + std::to_string(Found.PeakBytes) +
         " bytes are held" + (Found.IsLeast ? "" : "; bytes were rounded up to find this") + "\n";
}

} // namespace memshape
