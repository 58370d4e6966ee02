// Reversals of chains, read and written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/checkpoint/CheckpointText.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/MemberJson.h"
#include "libmemshape/text/Split.h"

#include <algorithm>
#include <sstream>
#include <type_traits>

namespace memshape {

using namespace checkpointing;

template <class Number> static bool readAll(const std::string &Text, Number &Into) {
  Into = numberIn<Number>(Text).value_or(Number(-1));
  return Into >= 0 && (std::is_integral_v<Number> || Into < Number(0x1p50));
}

/// What stands behind the name and the state; levels as Names has them.
static std::string detailOf(const Action &A, const std::vector<std::string> &Names) {
  if (A.kind == Do::backward)
    return "";
  return A.kind == Do::forward ? std::to_string(A.to) : Names[A.level];
}

Result<std::vector<Level>> readLevels(const std::string &Text) {
  std::vector<Level> Levels;
  for (const std::string &Each : split(Text, ',')) {
    const std::vector<std::string> Parts = split(Each, ':');
    Level L;
    L.name = Parts[0];
    if (L.name.empty() || Parts.size() < 2 || Parts.size() > 4 || !readAll(Parts[1], L.slots) ||
        (Parts.size() > 2 && !readAll(Parts[2], L.write)) || (Parts.size() > 3 && !readAll(Parts[3], L.read)))
      return Failure{"--levels: '" + Each + "' is no NAME:SLOTS:WRITE:READ, as in disk:100:2:1"};
    if (oneLine(L.name) != L.name)
      return Failure{"--levels: the name '" + oneLine(L.name) + "' is no line of UTF-8"};
    if (std::any_of(Levels.begin(), Levels.end(), [&](const Level &Other) { return Other.name == L.name; }))
      return Failure{"--levels: '" + L.name + "' is given twice"};
    Levels.push_back(std::move(L));
  }
  return Levels;
}

std::string actionWords(const Action &A, const std::vector<Level> &Levels) {
  const std::string Begin = std::string(v1::name_of(A.kind)) + " " + std::to_string(A.from);
  if (A.kind == Do::backward)
    return Begin;
  return A.kind == Do::forward ? Begin + " to " + std::to_string(A.to) : Begin + " in " + Levels[A.level].name;
}

std::string costText(double Cost) { return format("%.15g", Cost); }

namespace {

/// Members on one line.
struct OneLine {
  std::string &Text;

  template <class Value> void operator()(const std::string &Name, const Value &Of) const { JsonWriter{Text}(Name, Of); }
  /// There may be millions.
  void operator()(const std::string &Name, v1::ChainActions Of) const {
    std::vector<std::string> Names;
    for (const Level &L : Of.of.levels)
      Names.push_back(jsonText(nlohmann::json(L.name)));
    Text += ",\"" + Name + "\":[";
    for (const Action &A : Of.of.actions) {
      const std::string Detail = detailOf(A, Names);
      Text += (Text.back() == '[' ? "[\"" : ",[\"") + std::string(v1::name_of(A.kind)) + "\"," +
              std::to_string(A.from) + (Detail.empty() ? "" : "," + Detail) + "]";
    }
    Text += "]";
  }
};

} // namespace

std::string checkpointJson(const Reversal &Found) {
  std::string Text = "{";
  Found.members(OneLine{Text});
  Text += "}\n";
  return Text;
}

std::string refusedCheckpointJson(std::optional<std::uint64_t> LeastMemory) {
  nlohmann::ordered_json Refused = {{"schema", "memshape.checkpoint/1"}, {"feasible", false}};
  if (LeastMemory)
    Refused["least_memory_bytes"] = *LeastMemory;
  return Refused.dump() + "\n";
}

std::string heldWords(const Reversal &Found) {
  if (Found.peak_tapes)
    return several(Found.peak_slots, "slot") + " taken and " + several(*Found.peak_tapes, "tape") + " kept";
  return several(Found.peak_slots, "state") + " stored";
}

std::string checkpointPage(const Reversal &Found) {
  constexpr std::size_t Shown = 40;
  std::ostringstream Page;
  Page << Found.steps << (Found.steps == 1 ? " step is" : " steps are") << " reversed, with at most "
       << heldWords(Found) << " at a time\n\n  recomputed  " << Found.recomputed_steps << " steps, beyond the "
       << (Found.peak_tapes ? Found.steps : Found.steps - 1) << " of a single sweep\n"
       << "  cost        " << costText(Found.cost) << "\n\n";
  for (std::size_t I = 0; I != std::min(Shown, Found.actions.size()); ++I)
    Page << "  " << actionWords(Found.actions[I], Found.levels) << "\n";
  if (Found.actions.size() > Shown)
    Page << "  ... and " << Found.actions.size() - Shown << " actions more: --json lists all\n";
  if (Found.peak_bytes)
    Page << "\n  at most " << *Found.peak_bytes << " bytes are held\n";
  if (Found.optimal && !*Found.optimal)
    Page << (Found.peak_bytes ? "" : "\n") << "  bytes were rounded up to find this\n";
  return Page.str();
}

} // namespace memshape
