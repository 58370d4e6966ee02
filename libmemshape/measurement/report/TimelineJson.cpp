// memshape.timeline/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunReport.h"

#include <algorithm>

namespace memshape {
using Json = nlohmann::ordered_json;

/// Most spans that are written; the longest are kept, for drawing.
constexpr std::size_t MostSpans = 1000;

static double microseconds(std::uint64_t Nanoseconds) { return static_cast<double>(Nanoseconds) / 1000.0; }

static Json spansJson(const RunRecord &Process) {
  std::vector<const RunCall *> Calls;
  for (const RunCall &Call : Process.Calls)
    Calls.push_back(&Call);
  if (Calls.size() > MostSpans) {
    std::nth_element(Calls.begin(), Calls.begin() + MostSpans, Calls.end(),
                     [](const RunCall *A, const RunCall *B) { return A->Nanoseconds > B->Nanoseconds; });
    Calls.resize(MostSpans);
  }
  std::sort(Calls.begin(), Calls.end(), [](const RunCall *A, const RunCall *B) { return A->Sequence < B->Sequence; });
  Json List = Json::array();
  for (const RunCall *Call : Calls) {
    const RunGroup &Group = Process.Groups[Call->Group];
    const RunOperator &Operator = Process.Operators[Group.Operator];
    List.push_back({{Operator.IsPhase ? "phase" : "operator", Operator.Name},
                    {"shape", namedValues(Operator.ShapeNames, Group.Shape)},
                    {"thread", Call->Thread},
                    {"depth", Call->Depth},
                    {"started_us", microseconds(Call->Started)},
                    {"time_us", microseconds(Call->Nanoseconds)},
                    {"peak_bytes", Call->Base + Call->Peak}});
  }
  return List;
}

static Json bucketsJson(const Timeline &Line) {
  Json List = Json::array();
  for (std::size_t I = 0; I != Line.buckets().size(); ++I)
    if (const TimelineBucket &Bucket = Line.buckets()[I]; Bucket.Samples)
      List.push_back(Json::array({microseconds(I * Line.width()), Bucket.Least, Bucket.Most, Bucket.Last,
                                  Bucket.ResidentMost ? Json(Bucket.ResidentMost) : Json(nullptr)}));
  return List;
}

Json timelineJson(const Run &R, const std::vector<ProcessTimeline> &Timelines) {
  Json Processes = Json::array();
  for (const ProcessTimeline &One : Timelines) {
    auto Record = std::find_if(R.Processes.begin(), R.Processes.end(), [&](const RunRecord &Process) {
      return Process.Pid == static_cast<std::uint64_t>(One.Pid) && Process.Started == One.Started;
    });
    if (Record == R.Processes.end())
      continue;
    Processes.push_back({{"pid", One.Pid},
                         {"program", Record->Program},
                         {"started_us", microseconds(One.Started - std::min(One.Started, R.Processes.front().Started))},
                         {"peak_bytes", Record->Peak},
                         {"peak_seen_us", microseconds(One.Line.peakSeen())},
                         {"bucket_us", microseconds(One.Line.width())},
                         {"columns", {"time_us", "least_bytes", "most_bytes", "last_bytes", "resident_bytes"}},
                         {"buckets", bucketsJson(One.Line)},
                         {"spans", spansJson(*Record)}});
  }
  return {{"schema", "memshape.timeline/1"},
          {"program", R.Command.front()},
          {"command", R.Command},
          {"processes", std::move(Processes)}};
}

} // namespace memshape
