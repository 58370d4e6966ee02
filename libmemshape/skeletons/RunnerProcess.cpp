// The child process that executes skeletons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/RunnerProcess.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Try.h"
#include "runner/protocol/Request.h"

#include "memshape/SkeletonAbi.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <functional>
#include <poll.h>
#include <unistd.h>

namespace memshape {

/// An answer is a few numbers per site; a runner that writes more than this on one line is broken.
constexpr std::size_t MaxLine = std::size_t(64) << 20;

/// Real time, and processor time, are so much longer than what an answer takes by its instructions: they end what does
/// not count any, as libraries that are called for real.
constexpr std::int64_t LastResort = 10, ReplayResort = 6, SkeletonResort = 3;
/// Code of a compilation in earnest does so many times as much in the same time.
constexpr std::int64_t OptimisedSpeed = 3;
constexpr std::chrono::minutes LongestResort{5};
constexpr const char *NoAnswer = "the skeleton gave no answer in real time, though it has not taken the steps that it "
                                 "may; on a machine with less to "
                                 "do it may";

/// Who is looked at from outside cannot pretend to work: in so much real time a process of a busy machine, too, has been
/// at work, or has waited for a processor, for at least a tenth of it.
constexpr std::chrono::seconds LongestSleep{60}, LeastWork{6}, BetweenLooks{1};
/// Of processor time: for an answer, beyond what the runner itself ends.
constexpr std::chrono::seconds Grace{5};

/// Milliseconds until the deadline for poll(), 0 when it has passed.
static int left(std::chrono::steady_clock::time_point Deadline) {
  auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(Deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(Left.count(), 0, 1 << 30));
}

RunnerOptions runnerOptions(const Skeleton &S, const InstrumentedFile &File, const std::vector<std::string> &More,
                            std::string Executable) {
  return runnerOptions(S, std::vector<InstrumentedFile>{{File.Path, {}, File.Libraries}}, More, std::move(Executable));
}

RunnerOptions runnerOptions(const Skeleton &S, const std::vector<InstrumentedFile> &Files,
                            const std::vector<std::string> &More, std::string Executable) {
  RunnerOptions Options;
  Options.Executable = std::move(Executable);
  Options.Libraries = More;
  // The runner opens them only for names that it does not find elsewhere.
  for (const InstrumentedFile &File : Files)
    Options.Libraries.insert(Options.Libraries.end(), File.Libraries.begin(), File.Libraries.end());
  for (const std::string &Library : S.Libraries) {
    bool Listed = std::any_of(Options.Libraries.begin(), Options.Libraries.end(), [&](const std::string &Other) {
      return Other == Library || Other.ends_with("/" + Library);
    });
    if (!Listed)
      Options.Libraries.push_back(Library);
  }
  return Options;
}

Result<std::unique_ptr<RunnerProcess>> RunnerProcess::start(const Skeleton &S, const RunnerOptions &Options) {
  std::unique_ptr<RunnerProcess> Runner(new RunnerProcess);
  Runner->Limit = Options.Limit;
  Runner->Sleeps = S.Sleeps;
  Runner->Replays = S.Replayed;
  Runner->Speed = Options.Optimised ? OptimisedSpeed : 1;
  Runner->Ends = std::chrono::steady_clock::now() + LastResort * Options.Limit;
  if (!Runner->Child.start(Options.Executable, Options.Trust))
    return Failure{"cannot start the skeleton runner '" + Options.Executable + "': " + std::strerror(errno)};
  nlohmann::json Request = {
      {"bitcode_bytes", S.Bitcode.size()},
      {"object_bytes", S.Object.size()},
      {"sites", S.Sites.size()},
      {"decisions", S.Decisions.size()},
      {"libraries", Options.Libraries},
      {"limits", {{"seconds", Runner->resort() * Options.Limit.count()}, {"address_space_bytes", 0}}}};
  Runner->Allowed = static_cast<double>(Runner->resort() * Options.Limit.count());
  if (S.Replayed) {
    Request["replay"] = true;
    Request["limits"]["resident_bytes"] = Options.ResidentBytes;
  }
  if (Options.Optimised)
    Request["optimised"] = true;
  if (!Options.Machine.empty())
    Request["machine"] = Options.Machine;
  nlohmann::json Spaces = nlohmann::json::array();
  for (const SkeletonSite &Site : S.Sites)
    Spaces.push_back(Site.Space.empty() ? "host" : Site.Space);
  Request["site_spaces"] = std::move(Spaces);
  for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
    if (const SkeletonDecision &D = S.Decisions[Id]; D.Tensor)
      Runner->AsksForTensors.push_back({Id, *D.Tensor, D.OneIsNull});
  std::string Text = Request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  MEMSHAPE_CHECK(Runner->write(Text));
  for (const std::string &Part : {std::cref(S.Bitcode), std::cref(S.Object)})
    MEMSHAPE_CHECK(Runner->write(Part));
  MEMSHAPE_TRY(std::string Line, Runner->readLine());
  MEMSHAPE_TRY(nlohmann::json Answer, inContext("the skeleton runner gave no proper answer: ", parseJson(Line)));
  JsonFields Fields(Answer);
  if (Fields.string("status") == "ready") {
    Runner->InChildren = Fields.string("evaluations_in") == "children";
    return Runner;
  }
  std::string Message = Fields.string("message");
  return Failure{"the skeleton of '" + S.Operator +
                 "' cannot be executed: " + (Message.empty() ? "no reason given" : Message)};
}

RunnerProcess::~RunnerProcess() = default;

Failure RunnerProcess::lost(const std::string &What) {
  Child.end();
  return Failure{What};
}

std::optional<Failure> RunnerProcess::write(std::string_view Text) {
  Course Seen = beginCourse();
  while (!Text.empty()) {
    if (!Child.runs())
      return Failure{"the skeleton runner has ended"};
    ssize_t Written = ::write(Child.to(), Text.data(), Text.size());
    if (Written > 0) {
      Text.remove_prefix(static_cast<std::size_t>(Written));
      continue;
    }
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0 && errno == EAGAIN) {
      MEMSHAPE_CHECK(await(Child.to(), POLLOUT, Seen));
      continue;
    }
    // It ended early; its last words say why.
    Result<std::string> Line = readLine();
    if (Line)
      if (Result<Footprint> Answer = parseFootprint(*Line); Answer && !Answer->Message.empty())
        return lost("the skeleton runner ended: " + Answer->Message);
    return lost("the skeleton runner ended unexpectedly");
  }
  return std::nullopt;
}

RunnerProcess::Course RunnerProcess::beginCourse() const {
  return {std::chrono::steady_clock::now() + BetweenLooks, {}, std::nullopt, {}};
}

/// A failure where the runner is past its processor time, or asleep: foreign code may have switched off what ends it.
std::optional<Failure> RunnerProcess::examine(Course &Seen) {
  using Seconds = std::chrono::duration<double>;
  const auto Now = std::chrono::steady_clock::now();
  const TreeTime Time = timeOf(Child.id());
  Seen.NextLook = Now + BetweenLooks;
  const bool First = !Seen.AtStart;
  if (First)
    Seen.AtStart = Time;
  if (Seconds(std::chrono::nanoseconds(Time.Running - Seen.AtStart->Running) - Grace).count() > Allowed)
    return lost("the skeleton did not end within its limit of processor time");
  if (First ||
      std::chrono::nanoseconds(Time.Running - Seen.AtWork.Running + Time.Waiting - Seen.AtWork.Waiting) >= LeastWork) {
    Seen.AtWork = Time;
    Seen.Since = Now;
  }
  if (Now - Seen.Since < LongestSleep)
    return std::nullopt;
  *Sleeps = true;
  return lost("the skeleton waits for something that does not come: it gave no answer in " +
              std::to_string(LongestSleep.count()) + " seconds and did next to nothing");
}

/// At the end of a wait that is shorter than the longest sleep.
void RunnerProcess::noteSleep(const Course &Seen) {
  constexpr std::chrono::seconds ShortestSleep{10};
  const auto For = std::chrono::steady_clock::now() - Seen.Since;
  if (!Seen.AtStart || For < ShortestSleep)
    return;
  const TreeTime Time = timeOf(Child.id());
  const std::chrono::nanoseconds Work(Time.Running - Seen.AtWork.Running + Time.Waiting - Seen.AtWork.Waiting);
  if (Work < For / (LongestSleep / LeastWork))
    *Sleeps = true;
}

/// Waits until Descriptor is ready, and looks at the runner meanwhile.
std::optional<Failure> RunnerProcess::await(int Descriptor, short Event, Course &Seen) {
  for (;;) {
    if (left(Ends) == 0) {
      noteSleep(Seen);
      return lost(NoAnswer);
    }
    if (std::chrono::steady_clock::now() >= Seen.NextLook)
      MEMSHAPE_CHECK(examine(Seen));
    pollfd Wait{Descriptor, Event, 0};
    if (::poll(&Wait, 1, left(std::min(Ends, Seen.NextLook))) > 0)
      return std::nullopt;
  }
}

Result<std::string> RunnerProcess::readLine() {
  Course Seen = beginCourse();
  for (std::size_t Searched = Taken;;) {
    if (std::size_t End = Pending.find('\n', Searched); End != std::string::npos) {
      std::string Line = Pending.substr(Taken, End - Taken);
      Taken = End + 1;
      return Line;
    }
    Pending.erase(0, Taken);
    Taken = 0;
    Searched = Pending.size();
    if (!Child.runs())
      return Failure{"the skeleton runner has ended"};
    if (Searched > MaxLine)
      return lost("the skeleton runner gave an endless answer");
    MEMSHAPE_CHECK(await(Child.from(), POLLIN, Seen));
    char Buffer[1 << 12];
    ssize_t Count = ::read(Child.from(), Buffer, sizeof Buffer);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return lost("the skeleton runner ended unexpectedly");
    Pending.append(Buffer, static_cast<std::size_t>(Count));
  }
}

void RunnerProcess::allow(std::chrono::nanoseconds One, std::chrono::nanoseconds All,
                          std::chrono::steady_clock::time_point Latest) {
  Longest = std::min(One, All);
  InAll = All;
  const auto Resort = std::chrono::seconds(10) + LastResort * std::min<std::chrono::nanoseconds>(All, LongestResort);
  Ends = std::min(Latest, std::chrono::steady_clock::now() + Resort);
}

std::int64_t RunnerProcess::resort() const { return Replays ? ReplayResort : SkeletonResort; }

/// An answer that came to its end after so much work.
void RunnerProcess::charge(double Microseconds) {
  constexpr std::chrono::nanoseconds Each{2000}, EachInChild{1'000'000};
  const auto Work = std::chrono::nanoseconds(static_cast<std::int64_t>(Microseconds * 1000));
  Spent += (InChildren ? EachInChild : Each) + Work / Speed;
}

/// Answers to branch decisions, with those that follow from which tensors are there.
std::map<std::uint32_t, std::uint32_t> RunnerProcess::branchesOf(const Question &Asked) const {
  std::map<std::uint32_t, std::uint32_t> Branches = Asked.Branches;
  for (const PresenceDecision &D : AsksForTensors)
    if (const auto Said = Asked.Presence.find(D.Tensor); Said != Asked.Presence.end())
      Branches[D.Id] = Said->second != D.OneIsNull;
  return Branches;
}

static nlohmann::json changeJson(const TriedChange &Tried) {
  nlohmann::json Change = {{"what", Tried.What == TriedChange::Kind::Scale   ? "scale"
                                    : Tried.What == TriedChange::Kind::Close ? "free_before"
                                                                             : "reserve"},
                           {"sites", Tried.Sites},
                           {"before", Tried.Before},
                           {"into", Tried.Into},
                           {"times", Tried.Times},
                           {"parts", Tried.Parts}};
  if (Tried.Extent)
    Change["extent"] = *Tried.Extent;
  return Change;
}

/// All of a question but its shape.
nlohmann::json RunnerProcess::requestOf(const Question &Asked, std::size_t Shapes) {
  nlohmann::json Request = {{"settings", Asked.Settings}};
  const auto Micro = [](std::chrono::nanoseconds Time) {
    return std::max<std::int64_t>(1, std::chrono::duration_cast<std::chrono::microseconds>(Time).count());
  };
  Granted = Asked.MostWork.count() ? std::min<std::chrono::nanoseconds>(Asked.MostWork, Longest) : Longest;
  Request["work_us"] = Micro(Speed * Granted);
  if (Shapes > 1)
    Request["work_in_all_us"] = Micro(Speed * InAll);
  const auto All = std::min(InAll, Longest * static_cast<std::int64_t>(std::min<std::size_t>(Shapes, 100'000)));
  Allowed =
      std::min(request::MaxSeconds, 1 + static_cast<double>(resort()) * std::chrono::duration<double>(All).count());
  Request["seconds"] = Allowed;
  Began = std::chrono::steady_clock::now();
  for (auto [Id, Answer] : branchesOf(Asked))
    Request["branches"][std::to_string(Id)] = Answer;
  for (const auto &[Tensor, IsThere] : Asked.Presence)
    if (!IsThere)
      Request["absent"].push_back(Tensor);
  if (!Asked.Values.empty()) {
    nlohmann::json &Values = Request["values"] = nlohmann::json::object();
    for (auto [Id, Value] : Asked.Values)
      Values[std::to_string(Id)] = Value;
  }
  if (!Asked.Ones.empty()) {
    nlohmann::json &Ones = Request["ones"] = nlohmann::json::object();
    for (auto [Id, Count] : Asked.Ones)
      Ones[std::to_string(Id)] = Count;
  }
  if (Asked.SizesFromData != Question::Sizes::AsAnswered)
    Request["sizes"] = Asked.SizesFromData == Question::Sizes::Least    ? "least"
                       : Asked.SizesFromData == Question::Sizes::Middle ? "middle"
                                                                        : "greatest";
  if (Asked.Threads)
    Request["threads"] = Asked.Threads;
  if (!Asked.TeamSizes.empty())
    Request["team_sizes"] = Asked.TeamSizes;
  if (Asked.NestedTeams)
    Request["nested"] = true;
  if (Asked.ThreadOrder)
    Request["thread_order"] = Asked.ThreadOrder;
  if (Asked.Rounding)
    Request["rounding"] = Asked.Rounding;
  if (Asked.Places)
    Request["places"] = Asked.Places;
  if (!Asked.Compared.empty())
    Request["compared"] = Asked.Compared;
  if (!Asked.First.empty())
    Request["first"] = Asked.First;
  if (!Asked.Between.empty())
    Request["between"] = Asked.Between;
  if (Asked.Ending) {
    Request["ending"] = Asked.Ending;
    Request["ends_at"] = Asked.EndsAt;
  }
  if (!Asked.Refused.empty())
    Request["refused"] = Asked.Refused;
  if (!Asked.Space.empty())
    Request["space"] = Asked.Space;
  if (Asked.Tried.What != TriedChange::Kind::None)
    Request["change"] = changeJson(Asked.Tried);
  return Request;
}

Result<Footprint> RunnerProcess::evaluate(const Question &Asked) {
  nlohmann::json Request = requestOf(Asked, 1);
  Request["shape"] = Asked.Shape;
  if (Asked.Steps)
    Request["steps"] = Asked.Steps;
  MEMSHAPE_CHECK(write(Request.dump() + "\n"));
  Result<Footprint> Answer = readFootprint();
  if (Answer)
    std::erase_if(Answer->Decisions, [&](const DecisionUse &Use) {
      return std::any_of(AsksForTensors.begin(), AsksForTensors.end(), [&](const PresenceDecision &D) {
        return D.Id == Use.Id && Asked.Presence.contains(D.Tensor);
      });
    });
  return Answer;
}

std::optional<AllRuns> RunnerProcess::explore(const Question &Asked, const RunLimits &Limits) {
  nlohmann::json Request = requestOf(Asked, 1);
  Request["shape"] = Asked.Shape;
  Request["explore"] = {{"states", Limits.States}, {"milliseconds", Limits.Time.count()}, {"bytes", Limits.Bytes}};
  if (write(Request.dump() + "\n"))
    return std::nullopt;
  Result<std::string> Line = readLine();
  if (!Line)
    return std::nullopt;
  Result<AllRuns> Answer = parseAllRuns(*Line);
  if (Answer) {
    charge(static_cast<double>(Answer->WorkMicroseconds));
    return std::move(*Answer);
  }
  Child.end(); // a run that faults ends the runner
  return std::nullopt;
}

FootprintRows RunnerProcess::evaluateAt(const Question &Asked, std::span<const std::vector<std::int64_t>> Shapes) {
  nlohmann::json Request = requestOf(Asked, Shapes.size());
  if (!Asked.ValuesAt.empty())
    Request["values_at"] = Asked.ValuesAt;
  std::string Text = Request.dump();
  Text.pop_back(); // the brace
  Text += ",\"shapes\":[";
  for (const std::vector<std::int64_t> &Shape : Shapes) {
    Text += Text.back() == ']' ? ",[" : "[";
    for (std::size_t I = 0; I < Shape.size(); ++I) {
      char Digits[24];
      if (I)
        Text += ',';
      Text.append(Digits, std::to_chars(Digits, Digits + sizeof(Digits), Shape[I]).ptr);
    }
    Text += ']';
  }
  FootprintRows Rows;
  const std::chrono::nanoseconds Before = Spent;
  Rows.reserve(Shapes.size());
  if (write(Text + "]}\n"))
    return Rows;
  while (Rows.size() < Shapes.size() && alive()) {
    Result<std::string> Line = readLine();
    if (!Line)
      return Rows;
    std::optional<FootprintRow> Row = parseRow(*Line);
    if (Row) {
      charge(static_cast<double>(Row->Microseconds));
    } else {
      // It does not return there, or came to an end of its own.
      Result<Footprint> Answer = footprintOf(*Line);
      if (!Answer)
        return Rows;
    }
    Rows.push_back(std::move(Row));
    if (Spent - Before > InAll && Rows.size() < Shapes.size())
      Child.end(); // children do not know of each other
  }
  return Rows;
}

Result<Footprint> RunnerProcess::readFootprint() {
  MEMSHAPE_TRY(std::string Line, readLine());
  return footprintOf(Line);
}

Result<Footprint> RunnerProcess::footprintOf(std::string_view Line) {
  Result<Footprint> Answer = parseFootprint(Line);
  if (!Answer)
    return lost("the skeleton runner gave no proper answer: " + Answer.failure().Message);
  using Micro = std::chrono::duration<double, std::micro>;
  const bool Late = Answer->Outcome == Footprint::Status::Limit;
  const bool Tired = Late && (Answer->Reason == MEMSHAPE_SK_TIRED || Answer->Reason == MEMSHAPE_SK_ASTRAY);
  double Work = static_cast<double>(Answer->WorkMicroseconds);
  if (Tired)
    Work = Micro(Speed * Granted).count();
  else if (Late && !Answer->Reason && !Replays) // in a library, which counts no steps
    Work =
        static_cast<double>(Speed) * std::min(Allowed * 1e6, Micro(std::chrono::steady_clock::now() - Began).count());
  charge(Work);
  // The protocol: after these the process ends that has evaluated. What comes to a limit is charged for a new start.
  if (Late || (!InChildren && Answer->Outcome == Footprint::Status::Error))
    Child.end();
  return Answer;
}

} // namespace memshape
