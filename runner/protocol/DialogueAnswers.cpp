// What the runner answers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers are numbers in a fixed order and are written directly.

#include "runner/protocol/Dialogue.h"

#include <charconv>
#include <cmath>
#include <concepts>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

using namespace memshape;
using nlohmann::json;

namespace {

/// A JSON object that grows member by member.
class Answer {
public:
  explicit Answer(std::string_view Status) { Text.append(R"({"status": ")").append(Status) += '"'; }

  void reserve(std::size_t Bytes) { Text.reserve(Bytes); }

  template <class T> void add(const char *Name, const T &Value) {
    Text.append(", \"").append(Name).append("\": ");
    write(Value);
  }
  void add(const char *Name, double Microseconds) {
    Text.append(", \"").append(Name).append("\": ");
    const bool Known = std::isfinite(Microseconds) && Microseconds >= 0 && Microseconds < 1e15;
    const auto Tenths = std::uint64_t(Known ? std::round(Microseconds * 10) : 0);
    write(Tenths / 10);
    Text += '.';
    write(Tenths % 10);
  }
  /// What is not there is left out, as what is 0, false or empty.
  template <class T> void addIf(const char *Name, const T &Value) {
    if (Value != T())
      add(Name, Value);
  }
  template <class T> void addIf(const char *Name, const std::optional<T> &Value) {
    if (Value)
      add(Name, *Value);
  }
  /// RowOf: the numbers of an item, as a tuple.
  template <class List, class Function> void addRows(const char *Name, const List &Items, Function RowOf) {
    Text.append(", \"").append(Name).append("\": ");
    list(Items, [&](const auto &Item) { write(RowOf(Item)); });
  }

  std::string line() && { return std::move(Text) + "}\n"; }

private:
  void write(std::integral auto Number) {
    char Digits[24];
    Text.append(Digits, std::to_chars(Digits, Digits + sizeof(Digits), Number).ptr);
  }
  void write(bool Truth) { Text += Truth ? "true" : "false"; }
  void write(const json &Value) { Text += Value.dump(-1, ' ', false, json::error_handler_t::replace); }
  void write(const char *Word) { write(json(Word)); }
  template <class T> void write(const std::vector<T> &Items) {
    list(Items, [&](const T &Item) { write(Item); });
  }
  template <class A, class B> void write(const std::pair<A, B> &Row) { write(std::tuple(Row.first, Row.second)); }
  template <class... Parts> void write(const std::tuple<Parts...> &Row) {
    const char *Before = "[";
    const auto One = [&](const auto &Part) {
      Text += std::exchange(Before, ", ");
      write(Part);
    };
    std::apply([&](const auto &...Each) { (One(Each), ...); }, Row);
    Text += ']';
  }
  template <class List, class Function> void list(const List &Items, Function Write) {
    const char *Before = "";
    Text += '[';
    for (const auto &Item : Items) {
      Text += std::exchange(Before, ", ");
      Write(Item);
    }
    Text += ']';
  }

  std::string Text;
};

void addHeap(Answer &To, const EvaluationFigures &Figures) {
  To.add("peak", Figures.Peak);
  To.add("total", Figures.Total);
  To.add("allocations", Figures.Allocations);
  To.add("reallocations", Figures.Reallocations);
  To.add("output", Figures.Output);
  To.add("one_time", Figures.OneTime);
  To.add("most", Figures.Most);
  To.add("least", Figures.Least);
  To.add("undecided", Figures.Undecided);
  To.addIf("touched", Figures.Touched);
  To.addIf("touched_with_tensors", Figures.TouchedWithTensors);
  To.addIf("kept", Figures.Kept);
  To.addIf("called_code", Figures.CalledCode);
  To.add("varies", Figures.Varies);
  To.addIf("threads", Figures.Threads);
  if (Figures.Teams.Regions) {
    To.add("regions", Figures.Teams.Regions);
    To.add("widest", Figures.Teams.Widest);
  }
  if (Figures.Teams.Largest)
    To.add("largest", Figures.Teams.Largest);
  To.addIf("nested", Figures.Teams.Nested);
  To.addIf("of_caller", Figures.Teams.OfCaller);
  To.addIf("threads_keep", Figures.Teams.Keep);
  json Peaks = json::object();
  for (const auto &[Space, Peak] : Figures.SpacePeaks)
    Peaks[SpaceNames[Space]] = Peak;
  To.add("spaces", Peaks);
}

/// Sites, decisions and unknown calls, each as a list of rows.
void addRows(Answer &To, const EvaluationFigures &Figures) {
  To.addRows("sites", Figures.SitesAtPeak, [](const auto &S) { return std::tuple(S.Site, S.Bytes, S.Blocks); });
  To.addRows("requests", Figures.Requests,
             [](const auto &R) { return std::tuple(R.Site, R.Bytes, R.Times, R.Left, R.Reallocations); });
  To.addRows("decisions", Figures.Decisions, [](const auto &D) { return std::tuple(D.Id, D.Asked, D.Ones); });
  To.addRows("values", Figures.Values, [](const auto &V) { return std::tuple(V.Id, V.Least, V.Greatest); });
  To.add("unknown", Figures.Unknowns);
  To.addIf("unknown_in_arguments", Figures.UnknownsOfArguments);
}

/// What a call found that others before it had left, and what it asked the machine for.
void addCircumstances(Answer &To, const EvaluationFigures &Figures) {
  To.addIf("counts_whole", Figures.CountsWhole);
  if (Figures.Remembers) {
    To.add("remembers", Figures.Unsettled ? "changes" : "settled");
    To.add("state", Figures.State);
  }
  To.addIf("float_events", Figures.FloatEvents);
  To.addIf("compared", Figures.Compared);
  To.addIf("recalled", Figures.Recalled);
  To.addIf("may_end", Figures.MayEnd);
  To.addIf("resized", Figures.Resized);
  To.addIf("endless", Figures.Endless);
  To.addIf("wraps", Figures.Wraps);
  To.addIf("threads_started", Figures.ThreadStarted);
  if (Figures.Machine.empty() && Figures.Environment.empty())
    return;
  json Machine = json::object(), Environment = json::object();
  for (const auto &[Name, Value] : Figures.Machine)
    Machine[Name] = Value;
  for (const auto &[Name, Value] : Figures.Environment)
    Environment[Name] = Value;
  To.add("machine", Machine);
  To.add("environment", Environment);
  To.addIf("presumed", Figures.Presumed);
}

} // namespace

std::string memshape::formatReady(double Milliseconds, bool Forked, bool FromObject) {
  Answer Ready("ready");
  Ready.add("evaluations_in", Forked ? "children" : "process");
  Ready.add("code_from", FromObject ? "object" : "bitcode");
  Ready.add("time_us", Milliseconds * 1000);
  return std::move(Ready).line();
}

std::string memshape::formatFigures(const EvaluationFigures &Figures) {
  Answer Found("ok");
  Found.reserve(512 + 32 * (Figures.SitesAtPeak.size() + Figures.Decisions.size()));
  addHeap(Found, Figures);
  addRows(Found, Figures);
  addCircumstances(Found, Figures);
  if (!Figures.Steps.empty()) {
    Found.add("events", Figures.Events);
    Found.add("events_per_step", Figures.EventsPerStep);
    Found.addRows("steps", Figures.Steps,
                  [](const auto &S) { return std::tuple(S.Event, S.Site, S.Change, S.Live, S.Held); });
  }
  Found.add("work_us", Figures.WorkMicroseconds);
  Found.add("time_us", Figures.Microseconds);
  return std::move(Found).line();
}

std::string memshape::formatExploration(const ExplorationFigures &Figures) {
  Answer Found("ok");
  Found.add("complete", Figures.Complete);
  Found.add("states", Figures.States);
  Found.add("highest", Figures.HighestSeen);
  Found.add("work_us", Figures.WorkMicroseconds);
  Found.add("decisions", Figures.Decisions);
  Found.addIf("float_events", Figures.FloatEvents);
  Found.addIf("orders", Figures.AsksOrders);
  Found.addIf("distances", Figures.AsksDistances);
  if (!Figures.Complete) {
    Found.add("why", Figures.Why);
    Found.add("too_many", Figures.TooMany);
    return std::move(Found).line();
  }
  Found.add("lower", Figures.Runs.LeastPeak);
  Found.add("upper", Figures.Runs.GreatestPeak);
  Found.add("alike", Figures.Runs.Alike);
  if (Figures.Runs.Alike) {
    Found.add("total", Figures.Runs.Total);
    Found.add("allocations", Figures.Runs.Allocations);
    Found.add("reallocations", Figures.Runs.Reallocations);
    Found.add("output", Figures.Runs.Output);
  }
  return std::move(Found).line();
}

std::string memshape::formatRow(const EvaluationFigures &Figures) {
  std::vector<std::int64_t> Row = {Figures.Peak, Figures.Total, Figures.Output, std::int64_t(Figures.Allocations),
                                   Figures.WorkMicroseconds};
  for (const auto &[Site, Bytes, Blocks] : Figures.SitesAtPeak)
    if (Bytes || !Blocks) // not: blocks of no bytes
      Row.insert(Row.end(), {Site, Bytes});
  std::string Text;
  for (const std::int64_t Number : Row) {
    char Digits[24];
    (Text += Text.empty() ? '[' : ',').append(Digits, std::to_chars(Digits, Digits + sizeof(Digits), Number).ptr);
  }
  return Text + "]\n";
}

/// Messages may quote symbols of foreign bitcode: bytes that are no UTF-8 become replacement characters.
static Answer problem(std::string_view Status, std::string_view Message, std::optional<std::uint32_t> Reason) {
  Answer Problem(Status);
  Problem.add("message", json(std::string(Message)));
  Problem.addIf("reason", Reason);
  return Problem;
}

std::string memshape::formatProblem(std::string_view Status, std::string_view Message,
                                    std::optional<std::uint32_t> Reason, const std::vector<std::uint32_t> &Wraps) {
  Answer Problem = problem(Status, Message, Reason);
  Problem.addIf("wraps", Wraps);
  return std::move(Problem).line();
}

std::string memshape::formatUnbuilt(std::string_view Message, std::optional<std::uint32_t> Reason,
                                    std::uint32_t Building, const std::vector<std::uint32_t> &Unknowns) {
  Answer Problem = problem("throws", Message, Reason);
  Problem.add("building", Building);
  Problem.addIf("unknown_in_arguments", Unknowns);
  return std::move(Problem).line();
}
