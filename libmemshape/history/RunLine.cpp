// One line of JSON about a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/RunLine.h"

#include "libmemshape/text/Figures.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "model/formula/Expression.h"

#include <cmath>
#include <limits>

namespace memshape {

namespace {

using Json = nlohmann::json;

/// Larger numbers are no byte counts of any machine, and not exact in a double.
constexpr double MostBytes = 9007199254740992.0;
/// A process that holds less than a page has no memory.
constexpr double LeastResident = 4096;
/// Clocks of two machines may differ by this, seconds.
constexpr double ClockTolerance = 86400;
constexpr std::size_t LongestName = 1000, MostSymbols = 64;

/// Reads numbers that count bytes or things, and remembers the first problem.
class Figures {
public:
  std::optional<double> read(const Json &Object, const char *Key, double Least = 0) {
    auto Place = Object.find(Key);
    if (Place == Object.end() || Place->is_null())
      return std::nullopt;
    if (!Place->is_number())
      return refuse(Key, "is not a number");
    double Value = Place->get<double>();
    if (!std::isfinite(Value))
      return refuse(Key, "is not finite");
    if (Value < 0)
      return refuse(Key, "is negative");
    if (Value < Least)
      return refuse(Key, "is less than any process holds");
    if (Value > MostBytes)
      return refuse(Key, "is more than any machine has");
    return Value;
  }
  double orUnknown(const Json &Object, const char *Key) { return read(Object, Key).value_or(Unknown); }
  std::optional<double> refuse(const std::string &Key, const char *What) {
    if (Problem.empty())
      Problem = "'" + oneLine(Key) + "' " + What;
    return std::nullopt;
  }
  std::string Problem;
};

const Json &member(const Json &Object, const char *Key) {
  static const Json None = Json::object();
  auto Place = Object.find(Key);
  return Place == Object.end() || !Place->is_object() ? None : *Place;
}

void readShape(const Json &Shape, Situation &Into, Figures &Read) {
  if (Shape.size() > MostSymbols) {
    Read.refuse("shape", "has more than 64 symbols");
    return;
  }
  for (const auto &[Name, Value] : Shape.items()) {
    std::optional<double> Extent = Read.read(Shape, Name.c_str());
    if (!Extent && Read.Problem.empty())
      Read.refuse(Name, "is not a number");
    Into.Shape.emplace(Name, Extent.value_or(0));
  }
}

void readSettings(const Json &Settings, RunEntry &Into, Figures &Read) {
  if (Settings.size() > MostSymbols) {
    Read.refuse("settings", "has more than 64 members");
    return;
  }
  for (const auto &[Name, Value] : Settings.items())
    if (Value.is_boolean())
      Into.Settings.emplace(Name, settingText(Value.get<bool>() ? 1.0 : 0.0));
    else if (Value.is_number())
      Into.Settings.emplace(Name, settingText(Value.get<double>()));
    else if (Value.is_string())
      Into.Settings.emplace(Name, settingText(std::string_view(Value.get_ref<const std::string &>())));
    else if (!Value.is_null()) // of any type: another value is another function
      Into.Settings.emplace(Name, jsonText(Value));
}

void readFeatures(const Json &Record, RunEntry &Entry, Figures &Read) {
  const Json &Features = member(Record, "features"), &Around = member(Record, "environment");
  Situation &Into = Entry.At;
  Entry.HeapLower = Read.orUnknown(Features, "heap_lower_bytes");
  Entry.HeapUpper = Read.orUnknown(Features, "heap_upper_bytes");
  if (auto Upper = Features.find("heap_upper_bytes"); Upper != Features.end() && Upper->is_null())
    Entry.HeapUpper = std::numeric_limits<double>::infinity();
  Into.Heap = Read.orUnknown(Features, "heap_bytes");
  Into.Total = Read.orUnknown(Features, "total_bytes");
  Into.Allocations = Read.orUnknown(Features, "allocations");
  Into.OneTime = Read.orUnknown(Features, "one_time_bytes");
  Into.Touched = Read.orUnknown(Features, "touched_bytes");
  Into.TouchedWithTensors = Read.orUnknown(Features, "touched_with_tensors_bytes");
  Into.Kept = Read.orUnknown(Features, "kept_bytes");
  Into.CalledCode = Read.orUnknown(Features, "called_code_bytes");
  Into.Held = Read.orUnknown(Record, "held_bytes");
  Into.Fresh = Read.orUnknown(Record, "fresh_bytes");
  Into.Libraries = Read.orUnknown(Around, "libraries");
}

/// Compiler, allocator, host and the like: texts and small values that do not change from run to run.
std::string environmentOf(const Json &Record) {
  Json Kept = Json::object();
  const Json &Around = member(Record, "environment");
  for (const char *Key : {"compiler", "allocator", "host", "page", "threads", "process"})
    if (auto Place = Around.find(Key); Place != Around.end() && (Place->is_string() || Place->is_number()))
      Kept[Key] = *Place;
  return Kept.empty() ? "" : jsonText(Kept);
}

/// Rejects clocks that contradict each other, and times in the future.
void readClocks(const Json &Record, double Now, RunEntry &Into, Figures &Read) {
  std::optional<double> Start = Read.read(Record, "started_at"), End = Read.read(Record, "ended_at");
  Read.read(Record, "time_us");
  if (Start && End && *End < *Start)
    Read.refuse("ended_at", "is before 'started_at': they come from different clocks");
  for (const auto &[Moment, Key] : {std::pair(Start, "started_at"), std::pair(End, "ended_at")})
    if (Moment && *Moment > Now + ClockTolerance)
      Read.refuse(Key, "is in the future: check the clock of the machine that wrote it");
  Into.Time = End ? End : Start;
}

/// Finds members of a wrong form, which would be ignored silently.
std::optional<std::string> problemOnArrival(const Json &Record) {
  for (const char *Key : {"features", "environment", "settings", "footprint"})
    if (auto Place = Record.find(Key); Place != Record.end() && !Place->is_null() && !Place->is_object())
      return std::string("'") + Key + "' is not an object";
  return std::nullopt;
}

Result<RunEntry> readEntry(const Json &Record, double Now, Origin From) {
  if (std::optional<std::string> Wrong = From == Origin::Arriving ? problemOnArrival(Record) : std::nullopt)
    return Failure{*Wrong};
  RunEntry Entry;
  Figures Read;
  JsonFields Fields(Record);
  Entry.Operator = Fields.string("operator");
  Entry.Killed = Fields.boolean("killed");
  if (Fields.failed())
    return Failure{*Fields.failed()};
  if (Entry.Operator.empty())
    return Failure{"'operator' is missing"};
  if (Entry.Operator.size() > LongestName)
    return Failure{"'operator' is longer than 1000 bytes"};
  auto Shape = Record.find("shape");
  if (Shape == Record.end() || !Shape->is_object())
    return Failure{"'shape' is missing"};
  readShape(*Shape, Entry.At, Read);
  readFeatures(Record, Entry, Read);
  readSettings(member(Record, "settings"), Entry, Read);
  readClocks(Record, Now, Entry, Read);
  Entry.HeapPeak = Read.read(Record, "heap_peak_bytes");
  Entry.Resident = Read.read(Record, "rss_peak_bytes", LeastResident);
  if (!Read.Problem.empty())
    return Failure{Read.Problem};
  if (!Entry.HeapPeak && !Entry.Resident)
    return Failure{"a measured peak is missing: 'heap_peak_bytes' or 'rss_peak_bytes'"};
  const Json &Footprint = member(Record, "footprint");
  JsonFields Formula(Footprint);
  Entry.Formula = Formula.string("formula");
  if (!Entry.Formula.empty()) {
    std::string Why;
    std::optional<Expression> Parsed = Expression::parse(Entry.Formula, &Why);
    if (!Parsed)
      return Failure{"'footprint' cannot be read: " + oneLine(Why)};
    std::optional<double> Value = Parsed->evaluate(Entry.At.Shape);
    if (!Value)
      return Failure{"'footprint' has no value at the shape of the record"};
    if (*Value < 0 && From == Origin::Arriving)
      return Failure{"'footprint' is negative at the shape of the record"};
  }
  Entry.Environment = environmentOf(Record);
  return Entry;
}

/// The arguments of the call told its shape and its settings.
bool isKnown(const Json &Call) {
  for (const char *Key : {"shape", "settings"})
    for (const Json &Value : member(Call, Key))
      if (Value.is_null())
        return false;
  return true;
}

/// One record per operator and shape of a run's document, none where that is unknown. The memory of the process is assigned only if there is one
/// record.
Result<std::vector<RunEntry>> readRun(const Json &Run, double Now, Origin From) {
  std::vector<RunEntry> Found;
  const Json &Calls = Run.at("calls");
  bool Killed = Run.contains("out_of_memory") && Run.at("out_of_memory").is_string();
  for (const Json &Call : Calls) {
    if (!Call.is_object())
      return Failure{"'calls' is not a list of objects"};
    if (!isKnown(Call))
      continue;
    Json Record = {{"schema", "memshape.run/1"}};
    for (const char *Key : {"operator", "shape", "settings", "time_us", "held_bytes", "features", "footprint"})
      if (auto Place = Call.find(Key); Place != Call.end() && !Place->is_null())
        Record[Key] = *Place;
    for (const char *Key : {"environment", "started_at", "ended_at"})
      if (auto Place = Run.find(Key); Place != Run.end() && !Place->is_null())
        Record[Key] = *Place;
    const Json &Heap = member(Call, "heap"), &Resident = member(Call, "rss");
    if (auto Peak = Heap.find("peak_bytes"); Peak != Heap.end())
      Record["heap_peak_bytes"] = *Peak;
    if (auto Peak = Resident.find("peak_bytes"); Peak != Resident.end() && Calls.size() == 1)
      Record["rss_peak_bytes"] = *Peak;
    if (Killed)
      Record["killed"] = true;
    MEMSHAPE_TRY(RunEntry Entry, readEntry(Record, Now, From));
    Entry.Document = jsonText(Record);
    Found.push_back(std::move(Entry));
  }
  return Found;
}

} // namespace

std::string shapeOf(const Situation &At) {
  return joined(At.Shape, ", ",
                [](const auto &Each) { return oneLine(Each.first) + "=" + std::to_string(wholeBytes(Each.second)); });
}

bool areAlike(const RunEntry &A, const RunEntry &B) { return haveSameSymbols(A.At, B.At) && A.Settings == B.Settings; }

std::string settingText(double Value) { return Json(Value).dump(); }
std::string settingText(std::string_view Value) {
  return Json(Value).dump(-1, ' ', false, Json::error_handler_t::replace);
}
std::optional<ResidentRun> residentRun(const RunEntry &Run) {
  if (!Run.Resident || !known(Run.At.Heap) || Run.Killed)
    return std::nullopt;
  return ResidentRun{Run.At, *Run.Resident, Run.HeapPeak.value_or(Unknown), Run.HeapLower, Run.HeapUpper};
}

std::optional<double> settingValue(const std::string &Text) {
  Json Value = Json::parse(Text, nullptr, false);
  return Value.is_number() ? std::optional<double>(Value.get<double>()) : std::nullopt;
}

Result<std::vector<RunEntry>> parseRunLine(std::string_view Line, double Now, Origin From) {
  MEMSHAPE_TRY(Json Parsed, parseJson(Line));
  if (!Parsed.is_object())
    return Failure{"it is not a JSON object"};
  JsonFields Fields(Parsed);
  std::string Schema = Fields.string("schema");
  if (Schema != "memshape.run/1")
    return Failure{Schema.empty() ? "'schema' is missing; memshape.run/1 was expected"
                                  : "it is of the schema '" + Schema + "', not memshape.run/1"};
  if (auto Calls = Parsed.find("calls"); Calls != Parsed.end() && Calls->is_array())
    return readRun(Parsed, Now, From);
  MEMSHAPE_TRY(RunEntry Entry, readEntry(Parsed, Now, From));
  Entry.Document = std::string(Line);
  return std::vector<RunEntry>{std::move(Entry)};
}

} // namespace memshape
