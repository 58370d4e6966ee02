// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/Course.h"
#include "model/mapping/TreeMapping.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

namespace memshape {

using graph::Graph;
using graph::Node;

namespace {

class Replay {
public:
  Replay(const Graph &Of, const ScheduleAnswer &Answer)
      : Of(Of), Answer(Answer), Waiting(Of.size()), Resident(Of.size(), 0), Since(Of.size(), 0) {
    for (Node Each = 0; Each < Of.size(); ++Each)
      Waiting[Each] = Of.consumers(Each).size();
  }

  Course run() {
    Done.InTime = Answer.Makespan.has_value();
    for (std::size_t At = 0; At < Answer.Order.size(); ++At) {
      const Node Each = Answer.Order[At];
      const double Start = Done.InTime ? shownTime(Answer.Start[Each]) : static_cast<double>(At);
      while (!Running.empty() && Running.top().first <= Start)
        endNext();
      start(Each, Start);
      Running.push({Done.InTime ? shownTime(Answer.End[Each]) : Start + 1, Each});
    }
    while (!Running.empty())
      endNext();
    close(Now);
    return std::move(Done);
  }

private:
  std::uint64_t workOf(Node Each) const {
    const bool IsCopied = !Answer.PeakOfEach.empty();
    return static_cast<std::uint64_t>(
        (Answer.PeakOfOne || IsCopied ? scheduling::workOn(Of, Answer.On, Each) : Of[Each].Work) +
        (IsCopied ? scheduling::copiesOf(Of, Answer.On, Each) : 0));
  }

  /// From Now on Bytes of an output are in memory.
  void keep(Node Output, std::uint64_t Bytes) {
    if (Bytes == Resident[Output])
      return;
    if (Resident[Output] > 0)
      Done.Parts.push_back({Output, Since[Output], Now, Resident[Output]});
    Held = Held - Resident[Output] + Bytes;
    Resident[Output] = Bytes;
    Since[Output] = Now;
  }

  void start(Node Each, double Start) {
    Now = Start;
    for (Node Input : Of.inputs(Each)) // what was evicted is read back
      keep(Input, static_cast<std::uint64_t>(Of[Input].Output));
    keep(Each, static_cast<std::uint64_t>(Of[Each].Output));
    Held += workOf(Each); // it may be less than 0; the sum is not
    step(Each);
  }

  void endNext() {
    const Node Each = Running.top().second;
    Now = Running.top().first;
    Running.pop();
    Held -= workOf(Each);
    for (Node Input : Of.inputs(Each))
      if (--Waiting[Input] == 0)
        keep(Input, 0);
    for (; Left < Answer.Evictions.size() && Answer.Evictions[Left].After == Each; ++Left)
      keep(Answer.Evictions[Left].Of, Resident[Answer.Evictions[Left].Of] - Answer.Evictions[Left].Written);
    step(Each);
    OfEnd = true;
  }

  void step(Node While) {
    std::vector<HeldStep> &Steps = Done.Steps;
    if (!Steps.empty()) {
      Steps.back().To = Now;
      // At one instant ends come first, and starts add up; only a node that takes no time leaves more than comes after.
      if (Steps.back().From == Now && (OfEnd || Held >= Steps.back().Held))
        Steps.pop_back();
    }
    OfEnd = false;
    Steps.push_back({Now, Now, Held, While});
  }

  void close(double End) {
    Done.Length = End;
    if (!Done.Steps.empty() && Done.Steps.size() > 1 && Done.Steps.back().From == End)
      Done.Steps.pop_back(); // what the last end leaves
    for (Node Each : Answer.Order)
      if (Resident[Each] > 0)
        Done.Parts.push_back({Each, Since[Each], End, Resident[Each]});
    for (std::size_t At = 0; At < Done.Steps.size(); ++At)
      if (Done.Steps[At].Held > Done.Steps[Done.Peak].Held)
        Done.Peak = At;
  }

  using End = std::pair<double, Node>;
  const Graph &Of;
  const ScheduleAnswer &Answer;
  std::vector<std::size_t> Waiting; ///< consumers that have not ended
  std::vector<std::uint64_t> Resident;
  std::vector<double> Since;
  std::priority_queue<End, std::vector<End>, std::greater<>> Running;
  std::size_t Left = 0; ///< evictions that have happened
  std::uint64_t Held = 0;
  double Now = 0;
  bool OfEnd = false; ///< the last step begins with an end
  Course Done;
};

} // namespace

double shownTime(double Time) { return std::min(Time, std::numeric_limits<double>::max()); }

Course courseOf(const Graph &Of, const ScheduleAnswer &Answer) { return Replay(Of, Answer).run(); }

bool isLiveAtPeak(const Course &In, const LivePart &Part) {
  const double Peak = In.Steps.empty() ? 0 : In.Steps[In.Peak].From;
  return Part.From <= Peak && (Part.To > Peak || Part.From == Peak);
}

} // namespace memshape
