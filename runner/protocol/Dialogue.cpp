// What the runner is asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests, parsed with nlohmann_json. Answers: DialogueAnswers.cpp.

#include "runner/protocol/Dialogue.h"

#include "runner/accounting/Accounting.h"

#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace memshape;
using namespace memshape::request;
using nlohmann::json;

namespace {

/// A member of an object, or null. Readers ignore what they do not know, and null is what is not there.
const json *member(const json &Object, const char *Name) {
  auto Found = Object.find(Name);
  return Found == Object.end() || Found->is_null() ? nullptr : &*Found;
}

bool readCount(const json &Object, const char *Name, std::uint64_t Max, std::uint64_t &Value, std::string &Problem) {
  const json *Found = member(Object, Name);
  if (!Found)
    return true;
  const auto *Number = Found->get_ptr<const json::number_unsigned_t *>();
  if (!Number || *Number > Max) {
    Problem = std::string("the request's \"") + Name + "\" is not a number between 0 and " + std::to_string(Max);
    return false;
  }
  Value = *Number;
  return true;
}

std::string wrongSeconds() {
  return "the request's \"seconds\" is not a number above 0 and up to " +
         std::to_string(static_cast<std::uint64_t>(MaxSeconds));
}

bool parseObject(std::string_view Line, json &Object, std::string &Problem) {
  Object = json::parse(Line.begin(), Line.end(), nullptr, /*allow_exceptions=*/false);
  if (!Object.is_object()) {
    Problem = "the request is not a JSON object";
    return false;
  }
  return true;
}

bool readSpaces(const json &Spaces, std::vector<std::uint8_t> &Result, std::string &Problem) {
  Problem = "the request's \"site_spaces\" is not a list of one known space per site";
  if (!Spaces.is_array() || Spaces.size() != Result.size())
    return false;
  for (std::size_t I = 0; I < Result.size(); ++I) {
    const auto *Name = Spaces[I].get_ptr<const json::string_t *>();
    if (Name && *Name == "arguments") {
      Result[I] = ArgumentSpace;
      continue;
    }
    if (Name && (*Name == "results" || *Name == "reach" || *Name == "frames")) {
      Result[I] = ResultSpace;
      continue;
    }
    std::size_t Space = 0;
    while (Name && Space < SpaceNames.size() && *Name != SpaceNames[Space])
      ++Space;
    if (!Name || Space == SpaceNames.size())
      return false;
    Result[I] = std::uint8_t(Space);
  }
  Problem.clear();
  return true;
}

bool readId(const std::string &Key, std::uint32_t &Id) {
  const auto [End, Error] = std::from_chars(Key.data(), Key.data() + Key.size(), Id);
  return Error == std::errc() && End == Key.data() + Key.size() && Id < MaxIds;
}

/// An integer as the 64 bits that the skeleton sees.
bool readInteger(const json &Number, std::uint64_t &Bits, bool Unsigned) {
  if (const auto *Positive = Number.get_ptr<const json::number_unsigned_t *>()) {
    Bits = *Positive;
    return Unsigned || Bits <= std::uint64_t(INT64_MAX);
  }
  const auto *Negative = Number.get_ptr<const json::number_integer_t *>();
  if (Negative)
    Bits = std::uint64_t(*Negative);
  return Negative;
}

/// An integer for each of some decisions.
bool readAnswers(const json &Object, const char *Name, std::vector<std::pair<std::uint32_t, std::uint64_t>> &Into,
                 std::string &Problem) {
  Problem = std::string("the request's \"") + Name + "\" does not give integers for numbers of decisions";
  if (!Object.is_object())
    return false;
  for (const auto &[Key, Answer] : Object.items()) {
    std::uint32_t Id;
    std::uint64_t Bits;
    if (!readId(Key, Id) || !readInteger(Answer, Bits, true))
      return false;
    Into.push_back({Id, Bits});
  }
  return true;
}

bool readShape(const json &List, std::vector<std::int64_t> &Shape) {
  if (!List.is_array() || List.size() > MaxParameters)
    return false;
  for (const json &Number : List) {
    std::uint64_t Bits;
    if (!readInteger(Number, Bits, /*Unsigned=*/true))
      return false;
    Shape.push_back(std::int64_t(Bits));
  }
  return true;
}

/// Parses the list of shapes in its usual form: digits, commas and brackets. This is many times as fast as a JSON
/// document. On success the list is removed from Line.
bool takeShapes(std::string &Line, std::vector<std::vector<std::int64_t>> &Shapes) {
  constexpr std::string_view Member = "\"shapes\":[";
  const std::size_t Start = Line.find(Member);
  if (Start == std::string::npos || Line.find('\\') != std::string::npos)
    return false;
  const char *At = Line.data() + Start + Member.size(), *const End = Line.data() + Line.size();
  const auto Next = [&](char Wanted) { return At != End && *At == Wanted && (++At, true); };
  const auto Number = [&](std::vector<std::int64_t> &Shape) {
    std::int64_t Value;
    const auto [After, Error] = std::from_chars(At, End, Value);
    if (Error != std::errc() || Shape.size() == MaxParameters)
      return false;
    At = After;
    Shape.push_back(Value);
    return true;
  };
  std::vector<std::vector<std::int64_t>> Found;
  do {
    std::vector<std::int64_t> &Shape = Found.emplace_back();
    Shape.reserve(Found.front().size());
    if (!Next('['))
      return false;
    do {
      if (!Number(Shape))
        return false;
    } while (Next(','));
    if (!Next(']'))
      return false;
  } while (Next(','));
  if (!Next(']'))
    return false;
  Shapes = std::move(Found);
  const std::size_t From = Start + Member.size();
  Line.erase(From, std::size_t(At - Line.data()) - 1 - From);
  return true;
}

} // namespace

bool memshape::parseStart(std::string_view Line, StartRequest &Request, std::string &Problem) {
  json Object;
  if (!parseObject(Line, Object, Problem))
    return false;
  std::uint64_t Sites = 0, Decisions = 0;
  Request = StartRequest();
  if (!readCount(Object, "bitcode_bytes", MaxBitcodeBytes, Request.BitcodeBytes, Problem) ||
      !readCount(Object, "object_bytes", MaxBitcodeBytes, Request.ObjectBytes, Problem) ||
      !readCount(Object, "sites", MaxIds, Sites, Problem) ||
      !readCount(Object, "decisions", MaxIds, Decisions, Problem))
    return false;
  if (!Request.BitcodeBytes) {
    Problem = "the request's \"bitcode_bytes\" is missing or 0";
    return false;
  }
  Request.Decisions = std::uint32_t(Decisions);
  if (const json *Replay = member(Object, "replay"))
    Request.Replay = Replay->is_boolean() && Replay->get<bool>();
  if (const json *Optimised = member(Object, "optimised"))
    Request.Optimised = Optimised->is_boolean() && Optimised->get<bool>();
  Request.SiteSpaces.assign(Sites, 0);
  if (const json *Spaces = member(Object, "site_spaces"))
    if (!readSpaces(*Spaces, Request.SiteSpaces, Problem))
      return false;
  if (const json *Libraries = member(Object, "libraries")) {
    Problem = "the request's \"libraries\" is not a list of names";
    if (!Libraries->is_array())
      return false;
    for (const json &Library : *Libraries) {
      const auto *Name = Library.get_ptr<const json::string_t *>();
      if (!Name || Name->empty() || Name->find('\0') != std::string::npos)
        return false;
      Request.Libraries.push_back(*Name);
    }
    Problem.clear();
  }
  if (const json *Machine = member(Object, "machine")) {
    Problem = "the request's \"machine\" is not an object";
    if (!Machine->is_object())
      return false;
    Problem.clear();
    for (std::size_t I = 0; I < MachineFactNames.size(); ++I) {
      std::uint64_t Value = 0;
      if (!readCount(*Machine, MachineFactNames[I], std::uint64_t(1) << 40, Value, Problem))
        return false;
      Request.Machine[I] = std::int64_t(Value);
    }
  }
  const json *Limits = member(Object, "limits");
  if (!Limits)
    return true;
  if (!Limits->is_object()) {
    Problem = "the request's \"limits\" is not an object";
    return false;
  }
  if (!readCount(*Limits, "address_space_bytes", INT64_MAX, Request.AddressSpaceBytes, Problem) ||
      !readCount(*Limits, "resident_bytes", INT64_MAX, Request.ResidentBytes, Problem))
    return false;
  if (const json *Seconds = member(*Limits, "seconds")) {
    if (!Seconds->is_number() || !((Request.Seconds = Seconds->get<double>()) > 0) || Request.Seconds > MaxSeconds) {
      Problem = wrongSeconds();
      return false;
    }
  }
  return true;
}

/// "shape", "shapes" and "values_at".
static bool readShapes(const json &Object, EvaluationRequest &Request, std::string &Problem) {
  if (const json *Shape = member(Object, "shape")) {
    Problem = "the request's \"shape\" is not a list of up to 1024 integers of 64 bits";
    if (!readShape(*Shape, Request.Shape))
      return false;
  }
  if (const json *Shapes = member(Object, "shapes")) {
    Problem = "the request's \"shapes\" is not a list of shapes";
    if (!Shapes->is_array())
      return false;
    Request.Many = true;
    for (const json &Shape : *Shapes)
      if (!readShape(Shape, Request.Shapes.emplace_back()))
        return false;
  }
  if (const json *Ids = member(Object, "values_at")) {
    Problem = "the request's \"values_at\" is not a list of numbers of decisions";
    std::vector<std::int64_t> Numbers;
    if (!readShape(*Ids, Numbers))
      return false;
    for (const std::int64_t Number : Numbers) {
      if (Number < 0 || std::uint64_t(Number) >= MaxIds)
        return false;
      Request.ValuesAt.push_back(std::uint32_t(Number));
    }
    for (const std::vector<std::int64_t> &Shape : Request.Shapes)
      if (Shape.size() < Numbers.size())
        return false;
  }
  return true;
}

static bool readSettings(const json &Object, EvaluationRequest &Request, std::string &Problem) {
  if (const json *Settings = member(Object, "settings")) {
    Problem = "the request's \"settings\" is not a list of up to 1024 numbers";
    if (!Settings->is_array() || Settings->size() > MaxParameters)
      return false;
    for (const json &Number : *Settings) {
      if (Number.is_boolean())
        Request.Settings.push_back(Number.get<bool>() ? 1 : 0);
      else if (Number.is_number())
        Request.Settings.push_back(Number.get<double>());
      else
        return false;
    }
  }
  if (const json *Absent = member(Object, "absent")) {
    Problem = "the request's \"absent\" is not a list of numbers of tensors";
    std::vector<std::int64_t> Numbers;
    if (!readShape(*Absent, Numbers))
      return false;
    for (const std::int64_t Number : Numbers) {
      if (Number < 0 || std::uint64_t(Number) >= MaxParameters)
        return false;
      Request.Absent.push_back(std::uint32_t(Number));
    }
  }
  return true;
}

/// What decisions are answered: "branches", "values", "ones" and "sizes"; and the unknown calls that are "refused".
static bool readDecisions(const json &Object, EvaluationRequest &Request, std::string &Problem) {
  if (const json *Branches = member(Object, "branches")) {
    Problem = "the request's \"branches\" does not give answers, 0 to " + std::to_string(BranchAnswers - 1) +
              ", for numbers of decisions";
    if (!Branches->is_object())
      return false;
    for (const auto &[Key, Answer] : Branches->items()) {
      std::uint32_t Id;
      std::uint64_t Bits;
      if (Answer.is_boolean())
        Bits = Answer.get<bool>() ? 1 : 0;
      else if (!readInteger(Answer, Bits, true) || Bits >= BranchAnswers)
        return false;
      if (!readId(Key, Id))
        return false;
      Request.Branches.push_back({Id, BranchAnswer(Bits)});
    }
  }
  if (const json *Values = member(Object, "values"))
    if (!readAnswers(*Values, "values", Request.Values, Problem))
      return false;
  if (const json *Ones = member(Object, "ones"))
    if (!readAnswers(*Ones, "ones", Request.Ones, Problem))
      return false;
  if (const json *Sizes = member(Object, "sizes")) {
    Problem = "the request's \"sizes\" is none of \"least\", \"middle\" and \"greatest\"";
    static const std::map<std::string, SizesFromData> Known = {
        {"least", SizesFromData::Least}, {"middle", SizesFromData::Middle}, {"greatest", SizesFromData::Greatest}};
    const auto *Word = Sizes->get_ptr<const json::string_t *>();
    const auto Found = Word ? Known.find(*Word) : Known.end();
    if (Found == Known.end())
      return false;
    Request.Sizes = Found->second;
  }
  if (const json *Refused = member(Object, "refused")) {
    Problem = "the request's \"refused\" is not a list of numbers of unknown calls";
    if (!Refused->is_array())
      return false;
    for (const json &Number : *Refused) {
      std::uint64_t Bits;
      if (!readInteger(Number, Bits, true) || Bits > UINT32_MAX)
        return false;
      Request.Refused.push_back(std::uint32_t(Bits));
    }
  }
  return true;
}

/// How many threads teams have: "threads", "team_sizes" and "nested".
static bool readTeams(const json &Object, TeamWishes &Wishes, std::string &Problem) {
  std::uint64_t Threads = 0;
  if (!readCount(Object, "threads", MaxThreads, Threads, Problem))
    return false;
  Wishes.Threads = std::uint32_t(Threads);
  if (const json *Sizes = member(Object, "team_sizes")) {
    Problem = "the request's \"team_sizes\" is not a list of numbers of threads";
    if (!Sizes->is_array() || Sizes->size() > MaxTeamSizes)
      return false;
    for (const json &Size : *Sizes) {
      std::uint64_t Bits = 0;
      if (!readInteger(Size, Bits, true) || Bits < 1 || Bits > MaxThreads)
        return false;
      Wishes.Sizes.push_back(std::uint32_t(Bits));
    }
    Problem.clear();
  }
  if (const json *Nested = member(Object, "nested")) {
    Problem = "the request's \"nested\" is neither true nor false";
    if (!Nested->is_boolean())
      return false;
    Wishes.Nested = Nested->get<bool>();
    Problem.clear();
  }
  return true;
}

/// What the call finds: "rounding", "places", calls before it ("first", "between") and teams; and the "space" whose
/// figures are wanted.
static bool readCircumstances(const json &Object, EvaluationRequest &Request, std::string &Problem) {
  std::uint64_t Rounds = 0;
  if (!readCount(Object, "rounding", Roundings - 1, Rounds, Problem))
    return false;
  Request.Rounds = Rounding(Rounds);
  std::uint64_t Lie = 0;
  if (!readCount(Object, "places", KindsOfPlaces - 1, Lie, Problem))
    return false;
  Request.BlocksLie = Places(Lie);
  if (const json *First = member(Object, "first")) {
    Problem = "the request's \"first\" is not a shape";
    if (!readShape(*First, Request.First))
      return false;
    Problem.clear();
  }
  if (const json *Between = member(Object, "between")) {
    Problem = "the request's \"between\" is not a list of shapes";
    if (!Between->is_array() || Between->size() > MaxCallsBetween)
      return false;
    for (const json &Shape : *Between)
      if (!readShape(Shape, Request.Between.emplace_back()))
        return false;
    Problem.clear();
  }
  if (!readTeams(Object, Request.Teams, Problem))
    return false;
  if (const json *Space = member(Object, "space")) {
    Problem = "the request's \"space\" is no memory space";
    const auto *Name = Space->get_ptr<const json::string_t *>();
    const auto Found = Name ? std::find(SpaceNames.begin(), SpaceNames.end(), *Name) : SpaceNames.end();
    if (Found == SpaceNames.end())
      return false;
    Request.Space = unsigned(Found - SpaceNames.begin());
    Problem.clear();
  }
  return true;
}

/// What the evaluation may come to: "steps", "explore", "work_us", "work_in_all_us" and "seconds".
static bool readEffort(const json &Object, EvaluationRequest &Request, std::string &Problem) {
  std::uint64_t Steps = 0;
  if (!readCount(Object, "steps", MaxSteps, Steps, Problem))
    return false;
  Request.Steps = std::uint32_t(Steps);
  if (const json *Explore = member(Object, "explore")) {
    Problem = "the request's \"explore\" is not an object";
    if (!Explore->is_object() || Request.Many)
      return false;
    std::uint64_t States = 0, Milliseconds = 0, Bytes = 0;
    if (!readCount(*Explore, "states", MaxStates, States, Problem) ||
        !readCount(*Explore, "milliseconds", MaxMilliseconds, Milliseconds, Problem) ||
        !readCount(*Explore, "bytes", MaxStateBytes, Bytes, Problem))
      return false;
    Request.Explore = {std::uint32_t(States), std::int64_t(Milliseconds) * 1000 * WorkPerMicrosecond, Bytes};
  }
  std::uint64_t Work = 0, InAll = 0;
  constexpr auto MostWork = std::uint64_t(MaxSeconds) * 1'000'000;
  if (!readCount(Object, "work_us", MostWork, Work, Problem) ||
      !readCount(Object, "work_in_all_us", MostWork, InAll, Problem))
    return false;
  Request.Work = Work ? std::int64_t(Work) * WorkPerMicrosecond : INT64_MAX;
  Request.WorkInAll = InAll ? std::int64_t(InAll) * WorkPerMicrosecond : INT64_MAX;
  if (const json *Seconds = member(Object, "seconds"))
    if (!Seconds->is_number() || !((Request.Seconds = Seconds->get<double>()) > 0) || Request.Seconds > MaxSeconds) {
      Problem = wrongSeconds();
      return false;
    }
  return true;
}

bool memshape::parseEvaluation(std::string_view Line, EvaluationRequest &Request, std::string &Problem) {
  json Object;
  Request = EvaluationRequest();
  std::string Rest(Line);
  takeShapes(Rest, Request.Shapes);
  if (!parseObject(Rest, Object, Problem))
    return false;
  for (auto *Read : {readShapes, readSettings, readDecisions, readCircumstances, readEffort})
    if (!Read(Object, Request, Problem))
      return false;
  Problem.clear();
  return true;
}
