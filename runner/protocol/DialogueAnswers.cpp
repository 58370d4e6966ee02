// What the runner answers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers are numbers in a fixed order and are written directly.

#include "runner/accounting/Accounting.h"
#include "runner/protocol/Dialogue.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace memshape;
using nlohmann::json;

namespace {

void append(std::string &Text, std::string_view Literal) { Text += Literal; }

template <class Number> void appendNumber(std::string &Text, Number Value) {
  char Digits[24];
  Text.append(Digits, std::to_chars(Digits, Digits + sizeof(Digits), Value).ptr);
}

void appendTenths(std::string &Text, double Value) {
  const double Tenths = std::isfinite(Value) && Value >= 0 && Value < 1e15 ? std::round(Value * 10) : 0;
  appendNumber(Text, std::uint64_t(Tenths) / 10);
  Text += '.';
  appendNumber(Text, std::uint64_t(Tenths) % 10);
}

template <class List, class Write> void appendList(std::string &Text, const List &Items, Write WriteItem) {
  Text += '[';
  bool First = true;
  for (const auto &Item : Items) {
    if (!First)
      Text += ", ";
    First = false;
    WriteItem(Item);
  }
  Text += ']';
}

template <class... Numbers> void appendRow(std::string &Text, Numbers... Values) {
  Text += '[';
  bool First = true;
  ((append(Text, First ? "" : ", "), First = false, appendNumber(Text, Values)), ...);
  Text += ']';
}

template <class Number> void appendMember(std::string &Text, const char *Name, Number Value) {
  append(Text, ", \"");
  append(Text, Name);
  append(Text, "\": ");
  appendNumber(Text, Value);
}

void appendHeap(std::string &Text, const EvaluationFigures &Figures) {
  const auto Member = [&](const char *Name, auto Value) { appendMember(Text, Name, Value); };
  Member("peak", Figures.Peak);
  Member("total", Figures.Total);
  Member("allocations", Figures.Allocations);
  Member("reallocations", Figures.Reallocations);
  Member("output", Figures.Output);
  Member("one_time", Figures.OneTime);
  Member("most", Figures.Most);
  Member("least", Figures.Least);
  Member("undecided", Figures.Undecided);
  if (Figures.Touched)
    Member("touched", *Figures.Touched);
  if (Figures.TouchedWithTensors)
    Member("touched_with_tensors", *Figures.TouchedWithTensors);
  if (Figures.Kept)
    Member("kept", *Figures.Kept);
  if (Figures.CalledCode)
    Member("called_code", *Figures.CalledCode);
  append(Text, Figures.Varies ? R"(, "varies": true)" : R"(, "varies": false)");
  if (Figures.Threads)
    Member("threads", Figures.Threads);
  if (Figures.Teams.Regions) {
    Member("regions", Figures.Teams.Regions);
    Member("widest", Figures.Teams.Widest);
  }
  append(Text, Figures.Teams.Nested ? R"(, "nested": true)" : "");
  append(Text, Figures.Teams.OfCaller ? R"(, "of_caller": true)" : "");
  append(Text, Figures.Teams.Keep ? R"(, "threads_keep": true)" : "");
}

void appendSpaces(std::string &Text, const EvaluationFigures &Figures) {
  append(Text, R"(, "spaces": {)");
  bool First = true;
  for (const auto &[Space, Peak] : Figures.SpacePeaks) {
    append(Text, First ? "\"" : ", \"");
    First = false;
    append(Text, SpaceNames[Space]);
    append(Text, "\": ");
    appendNumber(Text, Peak);
  }
  append(Text, "}");
}

void appendOfArguments(std::string &Text, const std::vector<std::uint32_t> &Unknowns) {
  if (Unknowns.empty())
    return;
  append(Text, R"(, "unknown_in_arguments": )");
  appendList(Text, Unknowns, [&](std::uint32_t Id) { appendNumber(Text, Id); });
}

/// Sites, decisions and unknown calls, each as a list of rows.
void appendRows(std::string &Text, const EvaluationFigures &Figures) {
  append(Text, R"(, "sites": )");
  appendList(Text, Figures.SitesAtPeak, [&](const auto &S) { appendRow(Text, S.Site, S.Bytes, S.Blocks); });
  append(Text, R"(, "requests": )");
  appendList(Text, Figures.Requests,
             [&](const auto &R) { appendRow(Text, R.Site, R.Bytes, R.Times, R.Left, R.Reallocations); });
  append(Text, R"(, "decisions": )");
  appendList(Text, Figures.Decisions, [&](const auto &D) { appendRow(Text, D.Id, D.Asked, D.Ones); });
  append(Text, R"(, "values": )");
  appendList(Text, Figures.Values, [&](const auto &V) { appendRow(Text, V.Id, V.Least, V.Greatest); });
  append(Text, R"(, "unknown": )");
  appendList(Text, Figures.Unknowns, [&](std::uint32_t Id) { appendNumber(Text, Id); });
  appendOfArguments(Text, Figures.UnknownsOfArguments);
}

void appendWraps(std::string &Text, const std::vector<std::uint32_t> &Wraps) {
  if (Wraps.empty())
    return;
  append(Text, R"(, "wraps": )");
  appendList(Text, Wraps, [&](std::uint32_t Number) { appendNumber(Text, Number); });
}

/// What a call found that others before it had left, and what it asked the machine for.
void appendCircumstances(std::string &Text, const EvaluationFigures &Figures) {
  if (Figures.Remembers) {
    append(Text, Figures.Unsettled ? R"(, "remembers": "changes")" : R"(, "remembers": "settled")");
    appendMember(Text, "state", Figures.State);
  }
  if (!Figures.Recalled.empty()) {
    append(Text, R"(, "recalled": )");
    appendList(Text, Figures.Recalled, [&](std::uint32_t Number) { appendNumber(Text, Number); });
  }
  if (!Figures.Resized.empty()) {
    append(Text, R"(, "resized": )");
    appendList(Text, Figures.Resized, [&](std::uint32_t Number) { appendNumber(Text, Number); });
  }
  if (!Figures.Endless.empty()) {
    append(Text, R"(, "endless": )");
    appendList(Text, Figures.Endless, [&](std::int32_t Site) { appendNumber(Text, Site); });
  }
  appendWraps(Text, Figures.Wraps);
  if (Figures.ThreadStarted)
    append(Text, R"(, "threads_started": true)");
  if (!Figures.Machine.empty() || !Figures.Environment.empty()) {
    json Machine = json::object(), Environment = json::object();
    for (const auto &[Name, Value] : Figures.Machine)
      Machine[Name] = Value;
    for (const auto &[Name, Value] : Figures.Environment)
      Environment[Name] = Value;
    append(Text, R"(, "machine": )");
    append(Text, Machine.dump());
    append(Text, R"(, "environment": )");
    append(Text, Environment.dump(-1, ' ', false, json::error_handler_t::replace));
    if (!Figures.Presumed.empty()) {
      append(Text, R"(, "presumed": )");
      append(Text, json(Figures.Presumed).dump());
    }
  }
}

void appendSteps(std::string &Text, const EvaluationFigures &Figures) {
  if (Figures.Steps.empty())
    return;
  appendMember(Text, "events", Figures.Events);
  appendMember(Text, "events_per_step", Figures.EventsPerStep);
  append(Text, R"(, "steps": )");
  appendList(Text, Figures.Steps, [&](const EvaluationFigures::Step &S) {
    appendRow(Text, S.Event, S.Site, S.Change, S.Live);
    Text.back() = ',';
    appendList(Text, S.Held, [&](const auto &Held) { appendRow(Text, Held.first, Held.second); });
    Text += ']';
  });
}

} // namespace

std::string memshape::formatReady(double Milliseconds, bool Forked, bool FromObject) {
  std::string Text = R"({"status": "ready", "evaluations_in": ")";
  append(Text, Forked ? "children" : "process");
  append(Text, R"(", "code_from": ")");
  append(Text, FromObject ? "object" : "bitcode");
  append(Text, R"(", "time_us": )");
  appendTenths(Text, Milliseconds * 1000);
  append(Text, "}\n");
  return Text;
}

std::string memshape::formatFigures(const EvaluationFigures &Figures) {
  std::string Text;
  Text.reserve(512 + 32 * (Figures.SitesAtPeak.size() + Figures.Decisions.size()));
  append(Text, R"({"status": "ok")");
  appendHeap(Text, Figures);
  appendSpaces(Text, Figures);
  appendRows(Text, Figures);
  appendCircumstances(Text, Figures);
  appendSteps(Text, Figures);
  appendMember(Text, "work_us", Figures.WorkMicroseconds);
  append(Text, R"(, "time_us": )");
  appendTenths(Text, Figures.Microseconds);
  append(Text, "}\n");
  return Text;
}

std::string memshape::formatExploration(const ExplorationFigures &Figures) {
  json Answer = {{"status", "ok"},
                 {"complete", Figures.Complete},
                 {"states", Figures.States},
                 {"highest", Figures.HighestSeen},
                 {"work_us", Figures.WorkMicroseconds},
                 {"decisions", Figures.Decisions}};
  if (Figures.Complete) {
    Answer["lower"] = Figures.Runs.LeastPeak;
    Answer["upper"] = Figures.Runs.GreatestPeak;
    Answer["alike"] = Figures.Runs.Alike;
    if (Figures.Runs.Alike) {
      Answer["total"] = Figures.Runs.Total;
      Answer["allocations"] = Figures.Runs.Allocations;
      Answer["reallocations"] = Figures.Runs.Reallocations;
      Answer["output"] = Figures.Runs.Output;
    }
  } else {
    Answer["why"] = Figures.Why;
    Answer["too_many"] = Figures.TooMany;
  }
  return Answer.dump() + "\n";
}

std::string memshape::formatRow(const EvaluationFigures &Figures) {
  std::string Text = "[";
  for (const std::uint64_t Number : {std::uint64_t(Figures.Peak), std::uint64_t(Figures.Total),
                                     std::uint64_t(Figures.Output), Figures.Allocations}) {
    appendNumber(Text, std::int64_t(Number));
    Text += ',';
  }
  appendNumber(Text, Figures.WorkMicroseconds);
  for (const auto &[Site, Bytes, Blocks] : Figures.SitesAtPeak) {
    if (!Bytes && Blocks)
      continue; // blocks of no bytes
    Text += ',';
    appendNumber(Text, Site);
    Text += ',';
    appendNumber(Text, Bytes);
  }
  append(Text, "]\n");
  return Text;
}

static std::string problem(std::string_view Status, std::string_view Message, std::optional<std::uint32_t> Reason) {
  // Messages may quote symbols of foreign bitcode: bytes that are no UTF-8 become replacement characters.
  std::string Text = R"({"status": )";
  append(Text, json(std::string(Status)).dump());
  append(Text, R"(, "message": )");
  append(Text, json(std::string(Message)).dump(-1, ' ', false, json::error_handler_t::replace));
  if (Reason)
    appendMember(Text, "reason", *Reason);
  return Text;
}

std::string memshape::formatProblem(std::string_view Status, std::string_view Message,
                                    std::optional<std::uint32_t> Reason, const std::vector<std::uint32_t> &Wraps) {
  std::string Text = problem(Status, Message, Reason);
  appendWraps(Text, Wraps);
  return Text + "}\n";
}

std::string memshape::formatUnbuilt(std::string_view Message, std::optional<std::uint32_t> Reason,
                                    std::uint32_t Building, const std::vector<std::uint32_t> &Unknowns) {
  std::string Text = problem("throws", Message, Reason);
  appendMember(Text, "building", Building);
  appendOfArguments(Text, Unknowns);
  return Text + "}\n";
}
