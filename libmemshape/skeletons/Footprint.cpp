// The runner's answers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <charconv>

namespace memshape {

/// The element of a short array of integers, as in [id, bytes].
static std::optional<std::int64_t> elementOf(const nlohmann::json &Array, std::size_t Index) {
  if (!Array.is_array() || Index >= Array.size() || !Array[Index].is_number_integer())
    return std::nullopt;
  if (Array[Index].is_number_unsigned() && Array[Index].get<std::uint64_t>() > INT64_MAX)
    return std::nullopt;
  return Array[Index].get<std::int64_t>();
}

static Result<Footprint::Status> statusOf(const std::string &Word) {
  if (Word == "ok")
    return Footprint::Status::Ok;
  if (Word == "throws")
    return Footprint::Status::Throws;
  if (Word == "limit")
    return Footprint::Status::Limit;
  if (Word == "error")
    return Footprint::Status::Error;
  return Failure{"unknown status '" + Word + "'"};
}

static std::optional<Failure> readSteps(JsonFields &Fields, Footprint &F) {
  F.Events = Fields.natural("events");
  F.EventsPerStep = Fields.natural("events_per_step", 1);
  for (const nlohmann::json &Row : Fields.array("steps")) {
    const Failure Wrong{"'steps' is not a list of events"};
    std::optional<std::int64_t> Event = elementOf(Row, 0), Site = elementOf(Row, 1), Change = elementOf(Row, 2),
                                Live = elementOf(Row, 3);
    if (!Event || !Site || !Change || !Live || *Event < 0 || *Site < LibrarySite || Row.size() != 5 ||
        !Row[4].is_array())
      return Wrong;
    LiveStep Step{static_cast<std::uint64_t>(*Event), *Site, *Change, *Live, {}};
    for (const nlohmann::json &Pair : Row[4]) {
      std::optional<std::int64_t> Id = elementOf(Pair, 0), Held = elementOf(Pair, 1);
      if (!Id || !Held || *Id < LibrarySite)
        return Wrong;
      Step.Held.emplace_back(*Id, *Held);
    }
    F.Steps.push_back(std::move(Step));
  }
  return std::nullopt;
}

static void readFigures(JsonFields &Fields, Footprint &F) {
  if (std::uint64_t Reason = Fields.natural("reason", UINT64_MAX); Reason <= UINT32_MAX)
    F.Reason = static_cast<std::uint32_t>(Reason);
  if (std::uint64_t Attempted = Fields.natural("attempted", UINT64_MAX); Attempted <= UINT32_MAX)
    F.Attempted = static_cast<std::uint32_t>(Attempted);
  F.Building = static_cast<std::uint32_t>(std::min<std::uint64_t>(Fields.natural("building"), UINT32_MAX));
  F.Peak = Fields.natural("peak");
  const std::uint64_t Most = Fields.natural("most", F.Peak), Least = Fields.natural("least", F.Peak);
  F.Above = Most > F.Peak ? Most - F.Peak : 0;
  F.Below = Least < F.Peak ? F.Peak - Least : 0;
  F.Undecided = std::min(Fields.natural("undecided"), F.Peak);
  if (std::uint64_t Touched = Fields.natural("touched", UINT64_MAX); Touched <= F.Peak)
    F.Touched = Touched;
  if (std::uint64_t Touched = Fields.natural("touched_with_tensors", UINT64_MAX); F.Touched && Touched <= INT64_MAX)
    F.TouchedWithTensors = Touched;
  if (std::uint64_t Kept = Fields.natural("kept", UINT64_MAX); F.Touched && Kept <= INT64_MAX)
    F.Kept = Kept;
  if (std::uint64_t Code = Fields.natural("called_code", UINT64_MAX); Code <= INT64_MAX)
    F.CalledCode = Code;
  F.Threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(Fields.natural("threads"), UINT32_MAX));
  F.Teams.Regions = static_cast<std::uint32_t>(std::min<std::uint64_t>(Fields.natural("regions"), UINT32_MAX));
  F.Teams.Largest = static_cast<std::uint32_t>(std::min<std::uint64_t>(Fields.natural("largest"), UINT32_MAX));
  F.Teams.Widest = static_cast<std::uint32_t>(std::min<std::uint64_t>(Fields.natural("widest"), UINT32_MAX));
  F.Total = Fields.natural("total");
  F.Allocations = Fields.natural("allocations");
  F.Reallocations = Fields.natural("reallocations");
  // An operator may free more than it leaves behind.
  std::int64_t Output = Fields.integer("output");
  F.Output = Output < 0 ? 0 : static_cast<std::uint64_t>(Output);
  F.OneTime = Fields.natural("one_time");
  F.Microseconds = std::clamp(Fields.number("time_us"), 0.0, 1e12);
  F.WorkMicroseconds = std::min<std::uint64_t>(Fields.natural("work_us"), 1'000'000'000'000);
}

/// Sites and decisions, row by row.
static std::optional<Failure> readRows(JsonFields &Fields, Footprint &F) {
  for (const nlohmann::json &Triple : Fields.array("sites")) {
    std::optional<std::int64_t> Id = elementOf(Triple, 0), Held = elementOf(Triple, 1), Blocks = elementOf(Triple, 2);
    if (!Id || !Held || *Id < LibrarySite || !Blocks)
      return Failure{"'sites' is not a list of triples"};
    if (*Blocks > 0)
      F.SiteBlocks[*Id] = static_cast<std::uint64_t>(*Blocks);
    if (!*Held && *Blocks)
      continue;
    // Negative where this call has freed what an earlier one left: it holds nothing of its own.
    F.SiteBytes[*Id] = static_cast<std::uint64_t>(std::max<std::int64_t>(*Held, 0));
  }
  for (const nlohmann::json &Five : Fields.array("requests")) {
    std::optional<std::int64_t> Id = elementOf(Five, 0), Bytes = elementOf(Five, 1), Times = elementOf(Five, 2),
                                Left = elementOf(Five, 3), Reallocations = elementOf(Five, 4);
    if (!Id || !Bytes || !Times || !Left || *Id < LibrarySite || *Bytes < 0 || *Times < 0 || !Reallocations ||
        *Reallocations < 0 || *Reallocations > *Times)
      return Failure{"'requests' is not a list of fives"};
    F.Requested[*Id] = {static_cast<std::uint64_t>(*Bytes), static_cast<std::uint64_t>(*Times),
                        static_cast<std::uint64_t>(std::max<std::int64_t>(*Left, 0)),
                        static_cast<std::uint64_t>(*Reallocations)};
  }
  for (const nlohmann::json &Triple : Fields.array("decisions")) {
    std::optional<std::int64_t> Id = elementOf(Triple, 0), Asked = elementOf(Triple, 1), Ones = elementOf(Triple, 2);
    if (!Id || !Asked || !Ones || *Id < 0 || *Id > UINT32_MAX || *Asked < 0 || *Ones < 0)
      return Failure{"'decisions' is not a list of triples"};
    if (*Asked > 0)
      F.Decisions.push_back(
          {static_cast<std::uint32_t>(*Id), static_cast<std::uint64_t>(*Asked), static_cast<std::uint64_t>(*Ones)});
  }
  return std::nullopt;
}

/// Unknown calls, calls that were recalled, and sites without a bound, by their numbers.
static std::optional<Failure> readNumbers(JsonFields &Fields, Footprint &F) {
  const std::pair<const char *, std::vector<std::uint32_t> *> Lists[] = {
      {"unknown", &F.UnknownMet}, {"unknown_in_arguments", &F.UnknownInArguments},
      {"recalled", &F.Recalled},  {"may_end", &F.MayEnd},
      {"compared", &F.Compared},  {"resized", &F.Resized},
      {"wraps", &F.Wraps}};
  for (const auto &[Name, List] : Lists)
    for (const nlohmann::json &Number : Fields.array(Name)) {
      if (!Number.is_number_unsigned() || Number.get<std::uint64_t>() > UINT32_MAX)
        return Failure{"'" + std::string(Name) + "' is not a list of numbers"};
      List->push_back(Number.get<std::uint32_t>());
    }
  for (const nlohmann::json &Number : Fields.array("endless")) {
    if (!Number.is_number_integer() || Number.get<std::int64_t>() < LibrarySite)
      return Failure{"'endless' is not a list of sites"};
    F.Endless.push_back(Number.get<std::int64_t>());
  }
  return std::nullopt;
}

/// Spaces by name, and what the machine and the environment were asked for.
static void readNamed(const nlohmann::json &Document, Footprint &F) {
  if (auto Spaces = Document.find("spaces"); Spaces != Document.end() && Spaces->is_object())
    for (const auto &[Name, Held] : Spaces->items())
      if (Held.is_number_unsigned() && Name != "arguments") // the caller's: in SiteBytes, one site for each
        F.Spaces[oneLine(Name)] = Held.get<std::uint64_t>();
  if (auto Machine = Document.find("machine"); Machine != Document.end() && Machine->is_object())
    for (const auto &[Name, Value] : Machine->items())
      if (Value.is_number_integer())
        F.Machine[oneLine(Name)] = Value.get<std::int64_t>();
  if (auto Presumed = Document.find("presumed"); Presumed != Document.end() && Presumed->is_array())
    for (const nlohmann::json &Name : *Presumed)
      if (Name.is_string())
        F.Presumed.insert(oneLine(Name.get<std::string>()));
  if (auto Variables = Document.find("environment"); Variables != Document.end() && Variables->is_object())
    for (const auto &[Name, Value] : Variables->items())
      if (Value.is_string())
        F.Environment[oneLine(Name)] = oneLine(Value.get<std::string>());
}

Result<Footprint> parseFootprint(std::string_view Line) {
  MEMSHAPE_TRY(nlohmann::json Document, parseJson(Line));
  JsonFields Fields(Document);
  Footprint F;
  MEMSHAPE_TRY(Footprint::Status Outcome, statusOf(Fields.string("status")));
  F.Outcome = Outcome;
  F.Message = Fields.string("message");
  readFigures(Fields, F);
  F.Varies = Fields.boolean("varies");
  F.Teams.Nested = Fields.boolean("nested");
  F.Teams.OfCaller = Fields.boolean("of_caller");
  F.Teams.Keep = Fields.boolean("threads_keep");
  for (auto *Read : {readRows, readNumbers, readSteps})
    MEMSHAPE_CHECK(Read(Fields, F));
  const std::string Remembers = Fields.string("remembers");
  F.Remembers = !Remembers.empty();
  F.Unsettled = Remembers == "changes";
  F.FloatEvents = std::uint32_t(Fields.natural("float_events"));
  F.CountsWhole = Fields.boolean("counts_whole");
  F.State = Fields.natural("state");
  if (auto Started = Document.find("threads_started"); Started != Document.end())
    F.ThreadStarted = Started->is_boolean() && Started->get<bool>();
  readNamed(Document, F);
  if (Fields.failed())
    return Failure{*Fields.failed()};
  if (F.Outcome == Footprint::Status::Ok && !Document.contains("peak"))
    return Failure{"'peak' is missing"};
  // Footprints beyond 2^63 bytes do not exist; sums of two stay within 64 bits.
  for (std::uint64_t Figure :
       {F.Peak, Fields.natural("most", F.Peak), F.Total, F.Allocations, F.Reallocations, F.OneTime})
    if (Figure > INT64_MAX)
      return Failure{"a figure is beyond 2^63"};
  return F;
}

Result<AllRuns> parseAllRuns(std::string_view Line) {
  MEMSHAPE_TRY(nlohmann::json Document, parseJson(Line));
  JsonFields Fields(Document);
  if (Fields.string("status") != "ok")
    return Failure{Fields.string("message")};
  AllRuns E;
  E.Complete = Fields.boolean("complete");
  E.TooMany = Fields.boolean("too_many");
  E.Alike = E.Complete && Fields.boolean("alike");
  E.Lower = Fields.natural("lower");
  E.Upper = Fields.natural("upper");
  E.Highest = Fields.natural("highest");
  E.Total = Fields.natural("total");
  E.Allocations = Fields.natural("allocations");
  E.Reallocations = Fields.natural("reallocations");
  const std::int64_t Output = Fields.integer("output");
  E.Output = Output < 0 ? 0 : static_cast<std::uint64_t>(Output);
  E.States = Fields.natural("states");
  E.WorkMicroseconds = std::min<std::uint64_t>(Fields.natural("work_us"), 1'000'000'000'000);
  E.FloatEvents = std::uint32_t(Fields.natural("float_events"));
  E.AsksOrders = Fields.boolean("orders");
  E.AsksDistances = Fields.boolean("distances");
  E.Why = Fields.string("why");
  for (const nlohmann::json &Pair : Fields.array("decisions")) {
    std::optional<std::int64_t> Id = elementOf(Pair, 0), States = elementOf(Pair, 1);
    if (!Id || !States || *Id < 0 || *Id > UINT32_MAX || *States < 0)
      return Failure{"'decisions' is not a list of pairs"};
    E.StatesOf.emplace_back(static_cast<std::uint32_t>(*Id), static_cast<std::uint64_t>(*States));
  }
  if (Fields.failed())
    return Failure{*Fields.failed()};
  return E;
}

FootprintRow rowOf(const Footprint &F) {
  FootprintRow Row;
  Row.Peak = static_cast<std::int64_t>(F.Peak);
  Row.Total = static_cast<std::int64_t>(F.Total);
  Row.Output = static_cast<std::int64_t>(F.Output);
  Row.Allocations = static_cast<std::int64_t>(F.Allocations);
  Row.Microseconds = static_cast<std::int64_t>(F.WorkMicroseconds);
  for (auto [Id, Held] : F.SiteBytes)
    Row.SiteBytes.emplace_back(Id, static_cast<std::int64_t>(Held));
  return Row;
}

std::optional<FootprintRow> parseRow(std::string_view Line) {
  const char *At = Line.data(), *End = Line.data() + Line.size();
  auto Number = [&](std::int64_t &Value) {
    auto [Next, Error] = std::from_chars(At, End, Value);
    if (Error != std::errc() || Next == End)
      return false;
    At = Next;
    return *At == ',' || *At == ']';
  };
  if (At == End || *At != '[')
    return std::nullopt;
  ++At;
  FootprintRow Row;
  for (std::int64_t *Value : {&Row.Peak, &Row.Total, &Row.Output, &Row.Allocations, &Row.Microseconds}) {
    if (!Number(*Value) || (*At == ']') != (Value == &Row.Microseconds && At + 1 == End))
      return std::nullopt;
    ++At;
  }
  while (At != End) {
    std::pair<std::int64_t, std::int64_t> Site;
    if (!Number(Site.first) || *At++ != ',' || Site.first < LibrarySite || !Number(Site.second) ||
        (*At == ']') != (At + 1 == End))
      return std::nullopt;
    ++At;
    Site.second = std::max<std::int64_t>(Site.second, 0);
    Row.SiteBytes.push_back(Site);
  }
  // An operator may free more than it leaves behind.
  Row.Output = std::max<std::int64_t>(Row.Output, 0);
  return Row;
}

FootprintRows Evaluator::evaluateAt(const Question &Asked, std::span<const std::vector<std::int64_t>> Shapes) {
  FootprintRows Rows;
  Question Next = Asked;
  for (const std::vector<std::int64_t> &Shape : Shapes) {
    Next.Shape.assign(Shape.begin(), Shape.end() - std::ssize(Asked.ValuesAt));
    for (std::size_t I = 0; I < Asked.ValuesAt.size(); ++I)
      Next.Values[Asked.ValuesAt[I]] = static_cast<std::uint64_t>(Shape[Next.Shape.size() + I]);
    Result<Footprint> Answer = evaluate(Next);
    if (!Answer)
      break;
    if (Answer->Outcome == Footprint::Status::Ok)
      Rows.emplace_back(rowOf(*Answer));
    else
      Rows.emplace_back();
  }
  return Rows;
}

} // namespace memshape
