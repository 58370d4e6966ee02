// How processes ended, and what they held.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunParts.h"

#include "libmemshape/measurement/record/RunText.h"

#include "record/record.h"

#include <cstring>

namespace memshape {
using Json = nlohmann::ordered_json;

/// Whether Process is the child whose exit status this process received.
static bool isOwnChild(const Run &R, const RunRecord &Process) { return &Process == ownProcess(R); }

static bool returned(const std::string &Word) { return Word == "exit" || Word == "exec"; }

std::string endingWord(const Run &R, const RunRecord &Process) {
  if (isOwnChild(R, Process) && R.How.Signal)
    return "signal";
  switch (Process.State) {
  case MEMSHAPE_RECORD_ENDED: return "exit";
  case MEMSHAPE_RECORD_LEFT: return "_exit";
  case MEMSHAPE_RECORD_ABORTED: return "abort";
  case MEMSHAPE_RECORD_REPLACED: return "exec";
  default: // the last part of exit, in a program that makes the system call itself
    return isOwnChild(R, Process) ? "_exit" : Process.StillRunning ? "running" : "unknown";
  }
}

std::string endingText(const Run &R) {
  if (!R.How.Signal)
    return "exit status " + std::to_string(R.How.Status);
  std::string Text = "killed by signal " + std::to_string(R.How.Signal) + ", " + strsignal(R.How.Signal);
  if (R.How.OutOfMemory == "cgroup")
    Text += ": its control group was out of memory";
  else if (R.How.OutOfMemory == "system")
    Text += ": the kernel was out of memory";
  return Text;
}

std::string lastMoment(const Run &R, const RunRecord &Process) {
  const std::string Word = endingWord(R, Process);
  std::string Text;
  if (!isOwnChild(R, Process) || Process.StillRunning)
    Text += Word == "abort"     ? "  ended by abort\n"
            : Word == "running" ? "  still running\n"
            : Word == "unknown" ? "  killed, or left without a word\n"
                                : "";
  if (returned(Word))
    return Text;
  Text += sitesTable(Process, Process.LiveSites, Process.Live, "live at that moment");
  for (const RunOpenCall &Open : Process.Open) {
    const RunGroup &Group = Process.Groups[Open.Group];
    Text += std::string("  in flight: ") + (isPhase(Process, Group) ? "phase " : "") +
            callName(Process.Operators[Group.Operator], Group) + "  (" + inUnits(Process.Live - Open.Base) +
            " above its entry, thread " + std::to_string(Open.Thread) + ")\n";
  }
  return Text;
}

Json inFlightJson(const RunRecord &Process) {
  Json List = Json::array();
  for (const RunOpenCall &Open : Process.Open) {
    const RunGroup &Group = Process.Groups[Open.Group];
    const RunOperator &Operator = Process.Operators[Group.Operator];
    List.push_back({{isPhase(Process, Group) ? "phase" : "operator", Operator.Name},
                    {"shape", namedValues(Operator.ShapeNames, Group.Shape)},
                    {"settings", namedValues(Operator.SettingNames, Group.Settings)},
                    {"thread", Open.Thread},
                    {"depth", Open.Depth},
                    {"started_us", static_cast<double>(Open.Started) / 1000.0},
                    {"live_bytes", Process.Live - Open.Base}});
  }
  return List;
}

} // namespace memshape
