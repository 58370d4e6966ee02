// What the runner is asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests, parsed with nlohmann_json. Answers: DialogueAnswers.cpp.

#include "runner/protocol/Dialogue.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

using namespace memshape;
using namespace memshape::request;
using nlohmann::json;

namespace {

/// An integer as the 64 bits that the skeleton sees.
std::optional<std::uint64_t> bitsOf(const json &Number) {
  if (const auto *Positive = Number.get_ptr<const json::number_unsigned_t *>())
    return *Positive;
  const auto *Negative = Number.get_ptr<const json::number_integer_t *>();
  return Negative ? std::optional(std::uint64_t(*Negative)) : std::nullopt;
}

std::optional<std::uint32_t> decisionOf(const std::string &Key) {
  std::uint32_t Id;
  const auto [End, Error] = std::from_chars(Key.data(), Key.data() + Key.size(), Id);
  return Error == std::errc() && End == Key.data() + Key.size() && Id < MaxIds ? std::optional(Id) : std::nullopt;
}

bool readShape(const json &List, std::vector<std::int64_t> &Shape) {
  if (!List.is_array() || List.size() > MaxParameters)
    return false;
  for (const json &Number : List) {
    const std::optional<std::uint64_t> Bits = bitsOf(Number);
    if (!Bits)
      return false;
    Shape.push_back(std::int64_t(*Bits));
  }
  return true;
}

bool readShapes(const json &List, std::size_t Most, std::vector<std::vector<std::int64_t>> &Shapes) {
  return List.is_array() && List.size() <= Most && std::all_of(List.begin(), List.end(), [&](const json &Each) {
           return readShape(Each, Shapes.emplace_back());
         });
}

/// Index of a memory space's name.
std::optional<unsigned> spaceOf(const json &Name) {
  const auto *Text = Name.get_ptr<const json::string_t *>();
  const auto Found = Text ? std::find(SpaceNames.begin(), SpaceNames.end(), *Text) : SpaceNames.end();
  return Found != SpaceNames.end() ? std::optional(unsigned(Found - SpaceNames.begin())) : std::nullopt;
}

/// The members of a request, or of an object in it. Readers ignore what they do not know, and null is what is not there.
/// Each reader is false, with a one-line problem, where a member is there and is not what it has to be.
class Members {
public:
  Members(const json &Object, std::string &Problem) : Object(Object), Problem(Problem) {}

  /// Take is given the member. Wrong: what is to be said where it returns false.
  template <class Function> bool read(const char *Name, const std::string &Wrong, Function Take) const {
    const auto Found = Object.find(Name);
    if (Found == Object.end() || Found->is_null() || Take(*Found))
      return true;
    Problem = std::string("the request's \"") + Name + "\" " + Wrong;
    return false;
  }

  template <class Number> bool count(const char *Name, std::uint64_t Max, Number &Into) const {
    return read(Name, "is not a number between 0 and " + std::to_string(Max), [&](const json &Value) {
      const auto *Given = Value.get_ptr<const json::number_unsigned_t *>();
      if (Given && *Given <= Max)
        Into = static_cast<Number>(*Given);
      return Given && *Given <= Max;
    });
  }

  bool seconds(double &Into) const {
    return read(
        "seconds", "is not a number above 0 and up to " + std::to_string(std::uint64_t(MaxSeconds)),
        [&](const json &Value) { return Value.is_number() && (Into = Value.get<double>()) > 0 && Into <= MaxSeconds; });
  }

  /// Of at most so many numbers.
  bool numbers(const char *Name, const char *Wrong, std::size_t Most, std::uint64_t Least, std::uint64_t Greatest,
               std::vector<std::uint32_t> &Into) const {
    return read(Name, Wrong, [&](const json &List) {
      if (!List.is_array() || List.size() > Most)
        return false;
      for (const json &Number : List) {
        const std::optional<std::uint64_t> Bits = bitsOf(Number);
        if (!Bits || *Bits < Least || *Bits > Greatest)
          return false;
        Into.push_back(std::uint32_t(*Bits));
      }
      return true;
    });
  }

  /// An integer for each of some decisions.
  bool answers(const char *Name, std::vector<std::pair<std::uint32_t, std::uint64_t>> &Into) const {
    return read(Name, "does not give integers for numbers of decisions", [&](const json &Answers) {
      if (!Answers.is_object())
        return false;
      for (const auto &[Key, Answer] : Answers.items()) {
        const std::optional<std::uint32_t> Id = decisionOf(Key);
        const std::optional<std::uint64_t> Bits = bitsOf(Answer);
        if (!Id || !Bits)
          return false;
        Into.push_back({*Id, *Bits});
      }
      return true;
    });
  }

  /// Reads members of the object that is member Name.
  template <class Function> bool object(const char *Name, Function ReadMembers) const {
    bool Read = true;
    return read(Name, "is not an object",
                [&](const json &Inner) {
                  Read = !Inner.is_object() || ReadMembers(Members(Inner, Problem));
                  return Inner.is_object();
                }) &&
           Read;
  }

private:
  const json &Object;
  std::string &Problem;
};

bool parseObject(std::string_view Line, json &Object, std::string &Problem) {
  Object = json::parse(Line.begin(), Line.end(), nullptr, /*allow_exceptions=*/false);
  if (!Object.is_object())
    Problem = "the request is not a JSON object";
  return Object.is_object();
}

/// A member that is a hint: true where it says so.
bool isTrue(const json &Object, const char *Name) {
  const auto Found = Object.find(Name);
  return Found != Object.end() && *Found == true;
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
  Request = StartRequest();
  if (!parseObject(Line, Object, Problem))
    return false;
  const Members In(Object, Problem);
  std::uint64_t Sites = 0;
  if (!In.count("bitcode_bytes", MaxBitcodeBytes, Request.BitcodeBytes) ||
      !In.count("object_bytes", MaxBitcodeBytes, Request.ObjectBytes) || !In.count("sites", MaxIds, Sites) ||
      !In.count("decisions", MaxIds, Request.Decisions))
    return false;
  if (!Request.BitcodeBytes) {
    Problem = "the request's \"bitcode_bytes\" is missing or 0";
    return false;
  }
  Request.Replay = isTrue(Object, "replay");
  Request.Optimised = isTrue(Object, "optimised");
  Request.SiteSpaces.assign(Sites, 0);
  const auto SpaceOfSite = [](const json &Name) -> std::optional<unsigned> {
    if (Name == "arguments")
      return ArgumentSpace;
    return Name == "results" || Name == "reach" || Name == "frames" ? ResultSpace : spaceOf(Name);
  };
  return In.read("site_spaces", "is not a list of one known space per site", [&](const json &Spaces) {
    if (!Spaces.is_array() || Spaces.size() != Sites)
      return false;
    for (std::size_t I = 0; I < Sites; ++I) {
      const std::optional<unsigned> Space = SpaceOfSite(Spaces[I]);
      if (!Space)
        return false;
      Request.SiteSpaces[I] = std::uint8_t(*Space);
    }
    return true;
  }) && In.read("libraries", "is not a list of names", [&](const json &Libraries) {
    if (!Libraries.is_array())
      return false;
    for (const json &Library : Libraries) {
      const auto *Name = Library.get_ptr<const json::string_t *>();
      if (!Name || Name->empty() || Name->find('\0') != std::string::npos)
        return false;
      Request.Libraries.push_back(*Name);
    }
    return true;
  }) && In.object("machine", [&](const Members &Machine) {
    for (std::size_t I = 0; I < MachineFactNames.size(); ++I)
      if (!Machine.count(MachineFactNames[I], std::uint64_t(1) << 40, Request.Machine[I]))
        return false;
    return true;
  }) && In.object("limits", [&](const Members &Limits) {
    return Limits.count("address_space_bytes", INT64_MAX, Request.AddressSpaceBytes) &&
           Limits.count("resident_bytes", INT64_MAX, Request.ResidentBytes) && Limits.seconds(Request.Seconds);
  });
}

/// "shape", "shapes" and "values_at".
static bool readAllShapes(const Members &In, EvaluationRequest &Request) {
  return In.read("shape", "is not a list of up to 1024 integers of 64 bits",
                 [&](const json &Shape) { return readShape(Shape, Request.Shape); }) &&
         In.read("shapes", "is not a list of shapes",
                 [&](const json &Shapes) {
                   Request.Many = true;
                   return readShapes(Shapes, SIZE_MAX, Request.Shapes);
                 }) &&
         In.numbers("values_at", "is not a list of numbers of decisions", MaxParameters, 0, MaxIds - 1,
                    Request.ValuesAt) &&
         In.read("values_at", "has more numbers than a shape has extents", [&](const json &) {
           return std::none_of(Request.Shapes.begin(), Request.Shapes.end(),
                               [&](const auto &Shape) { return Shape.size() < Request.ValuesAt.size(); });
         });
}

/// "settings", and the tensors that are "absent".
static bool readSettings(const Members &In, EvaluationRequest &Request) {
  return In.read("settings", "is not a list of up to 1024 numbers",
                 [&](const json &Settings) {
                   if (!Settings.is_array() || Settings.size() > MaxParameters)
                     return false;
                   for (const json &Number : Settings) {
                     if (!Number.is_boolean() && !Number.is_number())
                       return false;
                     Request.Settings.push_back(Number.is_boolean() ? Number.get<bool>() : Number.get<double>());
                   }
                   return true;
                 }) &&
         In.numbers("absent", "is not a list of numbers of tensors", MaxParameters, 0, MaxParameters - 1,
                    Request.Absent);
}

/// What decisions are answered: "branches", "values", "ones" and "sizes"; and the unknown calls that are "refused".
static bool readDecisions(const Members &In, EvaluationRequest &Request) {
  return In.read("branches",
                 "does not give answers, 0 to " + std::to_string(BranchAnswers - 1) + ", for numbers of decisions",
                 [&](const json &Branches) {
                   if (!Branches.is_object())
                     return false;
                   for (const auto &[Key, Answer] : Branches.items()) {
                     const std::optional<std::uint32_t> Id = decisionOf(Key);
                     const std::optional<std::uint64_t> Bits =
                         Answer.is_boolean() ? std::uint64_t(Answer.get<bool>()) : bitsOf(Answer);
                     if (!Id || !Bits || *Bits >= BranchAnswers)
                       return false;
                     Request.Branches.push_back({*Id, BranchAnswer(*Bits)});
                   }
                   return true;
                 }) &&
         In.answers("values", Request.Values) && In.answers("ones", Request.Ones) &&
         In.read("sizes", R"(is none of "least", "middle" and "greatest")",
                 [&](const json &Word) {
                   Request.Sizes = Word == "least"      ? SizesFromData::Least
                                   : Word == "middle"   ? SizesFromData::Middle
                                   : Word == "greatest" ? SizesFromData::Greatest
                                                        : SizesFromData::AsAnswered;
                   return Request.Sizes != SizesFromData::AsAnswered;
                 }) &&
         In.numbers("refused", "is not a list of numbers of unknown calls", SIZE_MAX, 0, UINT32_MAX, Request.Refused);
}

/// What the call finds: "rounding", "places", calls before it ("first", "between") and teams; and the "space" whose
/// figures are wanted.
static bool readCircumstances(const Members &In, EvaluationRequest &Request) {
  return In.count("rounding", Rounding::States - 1, Request.Rounds) &&
         In.count("places", Places::Orders, Request.PlacesOrder) &&
         In.numbers("compared", "is not a list of numbers of blocks", Places::MostCompared, 1, UINT32_MAX,
                    Request.Compared) &&
         In.read("first", "is not a shape", [&](const json &First) { return readShape(First, Request.First); }) &&
         In.read("between", "is not a list of shapes",
                 [&](const json &Shapes) { return readShapes(Shapes, MaxCallsBetween, Request.Between); }) &&
         In.count("ending", MaxCallsBetween + 1, Request.Ending) && In.count("ends_at", UINT32_MAX, Request.EndsAt) &&
         In.count("threads", MaxThreads, Request.Teams.Threads) &&
         In.numbers("team_sizes", "is not a list of numbers of threads", MaxTeamSizes, 1, MaxThreads,
                    Request.Teams.Sizes) &&
         In.count("thread_order", MaxThreads, Request.Teams.Order) &&
         In.read("nested", "is neither true nor false",
                 [&](const json &Nested) {
                   Request.Teams.Nested = Nested == true;
                   return Nested.is_boolean();
                 }) &&
         In.read("space", "is no memory space", [&](const json &Name) {
           const std::optional<unsigned> Space = spaceOf(Name);
           Request.Space = Space.value_or(0);
           return Space.has_value();
         });
}

/// The "change" that is tried.
static bool readChange(const Members &In, EvaluationRequest &Request) {
  constexpr std::uint64_t MostParts = std::uint64_t(1) << 62;
  constexpr const char *NoSites = "is not a list of numbers of sites";
  Change &Tried = Request.Tried;
  return In.object("change", [&](const Members &Of) {
    std::vector<std::uint32_t> Sites, Before, Into;
    std::uint64_t Extent = UINT64_MAX;
    if (!Of.read("what", R"(is none of "scale", "free_before" and "reserve")",
                 [&](const json &Word) {
                   Tried.What = Word == "scale"         ? Change::Kind::Scale
                                : Word == "free_before" ? Change::Kind::Close
                                : Word == "reserve"     ? Change::Kind::Reserve
                                                        : Change::Kind::None;
                   return Tried.What != Change::Kind::None;
                 }) ||
        !Of.numbers("sites", NoSites, MaxIds, 0, MaxIds - 1, Sites) ||
        !Of.numbers("before", NoSites, MaxIds, 0, MaxIds - 1, Before) ||
        !Of.numbers("into", NoSites, MaxIds, 0, MaxIds - 1, Into) || !Of.count("times", MostParts, Tried.Times) ||
        !Of.count("parts", MostParts, Tried.Parts) || !Of.count("extent", MaxParameters - 1, Extent))
      return false;
    Tried.Extent = Extent == UINT64_MAX ? -1 : std::int32_t(Extent);
    Tried.Sites.assign(Sites.begin(), Sites.end());
    Tried.Before.assign(Before.begin(), Before.end());
    Tried.Into.assign(Into.begin(), Into.end());
    return true;
  });
}

/// What the evaluation may come to: "steps", "explore", "work_us", "work_in_all_us" and "seconds".
static bool readEffort(const Members &In, EvaluationRequest &Request) {
  constexpr auto MostWork = std::uint64_t(MaxSeconds) * 1'000'000;
  std::int64_t Work = 0, InAll = 0;
  const auto ReadLimits = [&](const Members &Explore) {
    ExplorationLimits &Limits = Request.Explore.emplace();
    const bool Read = Explore.count("states", MaxStates, Limits.States) &&
                      Explore.count("milliseconds", MaxMilliseconds, Limits.Work) &&
                      Explore.count("bytes", MaxStateBytes, Limits.Bytes);
    Limits.Work *= 1000 * WorkPerMicrosecond;
    return Read;
  };
  if (!In.count("steps", MaxSteps, Request.Steps) || !In.object("explore", ReadLimits) ||
      !In.read("explore", "goes without \"shapes\"", [&](const json &) { return !Request.Many; }) ||
      !In.count("work_us", MostWork, Work) || !In.count("work_in_all_us", MostWork, InAll) ||
      !In.seconds(Request.Seconds))
    return false;
  Request.Work = Work ? Work * WorkPerMicrosecond : INT64_MAX;
  Request.WorkInAll = InAll ? InAll * WorkPerMicrosecond : INT64_MAX;
  return true;
}

bool memshape::parseEvaluation(std::string_view Line, EvaluationRequest &Request, std::string &Problem) {
  json Object;
  Request = EvaluationRequest();
  std::string Rest(Line);
  takeShapes(Rest, Request.Shapes);
  if (!parseObject(Rest, Object, Problem))
    return false;
  const Members In(Object, Problem);
  for (auto *Read : {readAllShapes, readSettings, readDecisions, readCircumstances, readChange, readEffort})
    if (!Read(In, Request))
      return false;
  Problem.clear();
  return true;
}
