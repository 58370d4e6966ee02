//===- RunnerProcess.cpp - The child process that executes skeletons ------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/skeletons/RunnerProcess.h"
#include "libmemshape/text/JsonFields.h"
#include "runner/protocol/Request.h"

#include "memshape/SkeletonAbi.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace memshape {

namespace {

/// An answer is a few numbers per site; a runner that writes more than this on one line is broken.
constexpr std::size_t MaxLine = std::size_t(64) << 20;

/// Real time, and processor time, are so much longer than what an answer takes by its instructions: they end what does
/// not count any, as libraries that are called for real.
constexpr std::int64_t LastResort = 10, ProcessorResort = 6;
/// Code of a compilation in earnest does so many times as much in the same time.
constexpr std::int64_t OptimisedSpeed = 3;
constexpr std::chrono::minutes LongestResort{5};
constexpr const char *NoAnswer = "the skeleton gave no answer in real time, though it has not taken the steps that it "
                                 "may; on a machine with less to "
                                 "do it may";

/// Milliseconds until the deadline for poll(), 0 when it has passed.
int left(std::chrono::steady_clock::time_point Deadline) {
  auto Left = std::chrono::duration_cast<std::chrono::milliseconds>(Deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(Left.count(), 0, 1 << 30));
}

} // namespace

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
  Runner->Speed = Options.Optimised ? OptimisedSpeed : 1;
  Runner->Ends = std::chrono::steady_clock::now() + LastResort * Options.Limit;
  if (std::optional<Failure> Wrong = Runner->spawn(Options))
    return *Wrong;
  nlohmann::json Request = {
      {"bitcode_bytes", S.Bitcode.size()},
      {"object_bytes", S.Object.size()},
      {"sites", S.Sites.size()},
      {"decisions", S.Decisions.size()},
      {"libraries", Options.Libraries},
      {"limits", {{"seconds", ProcessorResort * Options.Limit.count()}, {"address_space_bytes", 0}}}};
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
  if (std::optional<Failure> Wrong = Runner->write(Text))
    return *Wrong;
  for (const std::string &Part : {std::cref(S.Bitcode), std::cref(S.Object)})
    if (std::optional<Failure> Wrong = Runner->write(Part))
      return *Wrong;
  Result<std::string> Line = Runner->readLine();
  if (!Line)
    return Line.failure();
  Result<nlohmann::json> Answer = parseJson(*Line);
  if (!Answer)
    return Failure{"the skeleton runner gave no proper answer: " + Answer.failure().Message};
  JsonFields Fields(*Answer);
  if (Fields.string("status") == "ready") {
    Runner->InChildren = Fields.string("evaluations_in") == "children";
    return Runner;
  }
  std::string Message = Fields.string("message");
  return Failure{"the skeleton of '" + S.Operator +
                 "' cannot be executed: " + (Message.empty() ? "no reason given" : Message)};
}

std::optional<Failure> RunnerProcess::spawn(const RunnerOptions &Options) {
  const std::string &Executable = Options.Executable;
  int Down[2] = {-1, -1}, Up[2] = {-1, -1};
  if (::pipe2(Down, O_CLOEXEC) != 0 || ::pipe2(Up, O_CLOEXEC) != 0) {
    for (int Descriptor : {Down[0], Down[1]})
      if (Descriptor >= 0)
        ::close(Descriptor);
    return Failure{"cannot start the skeleton runner: " + std::string(std::strerror(errno))};
  }
  posix_spawn_file_actions_t Actions;
  posix_spawn_file_actions_init(&Actions);
  posix_spawn_file_actions_adddup2(&Actions, Down[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&Actions, Up[1], STDOUT_FILENO);
  // What libraries print while they are called for real is not for the user.
  posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  sigset_t Defaults;
  sigemptyset(&Defaults);
  sigaddset(&Defaults, SIGPIPE); // ignored here, but not there
  posix_spawnattr_setsigdefault(&Attributes, &Defaults);
  // A group of its own, so that all that libraries start there can be ended with it. No session: a kernel that shares
  // processors between sessions would let it wait.
  posix_spawnattr_setpgroup(&Attributes, 0);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  char Trust[] = "--trust";
  char *Arguments[] = {const_cast<char *>(Executable.c_str()), Options.Trust ? Trust : nullptr, nullptr};
  int Error = ::posix_spawn(&Process, Executable.c_str(), &Actions, &Attributes, Arguments, environ);
  posix_spawn_file_actions_destroy(&Actions);
  posix_spawnattr_destroy(&Attributes);
  ::close(Down[0]);
  ::close(Up[1]);
  ToRunner = Down[1];
  FromRunner = Up[0];
  if (Error == 0) {
    ::fcntl(ToRunner, F_SETFL, O_NONBLOCK);
    return std::nullopt;
  }
  Process = -1;
  return Failure{"cannot start the skeleton runner '" + Executable + "': " + std::strerror(Error)};
}

void RunnerProcess::end() {
  if (ToRunner >= 0)
    ::close(ToRunner);
  if (FromRunner >= 0)
    ::close(FromRunner);
  ToRunner = FromRunner = -1;
  if (Process > 0) {
    ::kill(-Process, SIGKILL);
    while (::waitpid(Process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Process = -1;
}

RunnerProcess::~RunnerProcess() { end(); }

Failure RunnerProcess::lost(const std::string &What) {
  end();
  return Failure{What};
}

std::optional<Failure> RunnerProcess::write(std::string_view Text) {
  while (!Text.empty()) {
    if (Process < 0)
      return Failure{"the skeleton runner has ended"};
    ssize_t Written = ::write(ToRunner, Text.data(), Text.size());
    if (Written > 0) {
      Text.remove_prefix(static_cast<std::size_t>(Written));
      continue;
    }
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0 && errno == EAGAIN) {
      pollfd Wait{ToRunner, POLLOUT, 0};
      int Milliseconds = left(Ends);
      if (Milliseconds == 0 || ::poll(&Wait, 1, Milliseconds) == 0)
        return lost(NoAnswer);
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

Result<std::string> RunnerProcess::readLine() {
  for (std::size_t Searched = Taken;;) {
    if (std::size_t End = Pending.find('\n', Searched); End != std::string::npos) {
      std::string Line = Pending.substr(Taken, End - Taken);
      Taken = End + 1;
      return Line;
    }
    Pending.erase(0, Taken);
    Taken = 0;
    Searched = Pending.size();
    if (Process < 0)
      return Failure{"the skeleton runner has ended"};
    if (Searched > MaxLine)
      return lost("the skeleton runner gave an endless answer");
    pollfd Wait{FromRunner, POLLIN, 0};
    int Milliseconds = left(Ends);
    int Ready = Milliseconds == 0 ? 0 : ::poll(&Wait, 1, Milliseconds);
    if (Ready < 0 && errno == EINTR)
      continue;
    if (Ready <= 0)
      return lost(NoAnswer);
    char Buffer[1 << 14];
    ssize_t Count = ::read(FromRunner, Buffer, sizeof Buffer);
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

/// All of a question but its shape.
nlohmann::json RunnerProcess::requestOf(const Question &Asked, std::size_t Shapes) const {
  nlohmann::json Request = {{"settings", Asked.Settings}};
  const auto Micro = [](std::chrono::nanoseconds Time) {
    return std::max<std::int64_t>(1, std::chrono::duration_cast<std::chrono::microseconds>(Time).count());
  };
  Request["work_us"] = Micro(Speed * Longest);
  if (Shapes > 1)
    Request["work_in_all_us"] = Micro(Speed * InAll);
  const auto All = std::min(InAll, Longest * static_cast<std::int64_t>(std::min<std::size_t>(Shapes, 100'000)));
  Request["seconds"] = std::min(request::MaxSeconds, 1 + ProcessorResort * std::chrono::duration<double>(All).count());
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
  if (Asked.Rounding)
    Request["rounding"] = Asked.Rounding;
  if (Asked.Places)
    Request["places"] = Asked.Places;
  if (!Asked.First.empty())
    Request["first"] = Asked.First;
  if (!Asked.Between.empty())
    Request["between"] = Asked.Between;
  if (!Asked.Refused.empty())
    Request["refused"] = Asked.Refused;
  if (!Asked.Space.empty())
    Request["space"] = Asked.Space;
  return Request;
}

Result<Footprint> RunnerProcess::evaluate(const Question &Asked) {
  nlohmann::json Request = requestOf(Asked, 1);
  Request["shape"] = Asked.Shape;
  if (Asked.Steps)
    Request["steps"] = Asked.Steps;
  if (std::optional<Failure> Wrong = write(Request.dump() + "\n"))
    return *Wrong;
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
  end(); // a run that faults ends the runner
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
      end(); // children do not know of each other
  }
  return Rows;
}

Result<Footprint> RunnerProcess::readFootprint() {
  Result<std::string> Line = readLine();
  if (!Line)
    return Line.failure();
  return footprintOf(*Line);
}

Result<Footprint> RunnerProcess::footprintOf(std::string_view Line) {
  Result<Footprint> Answer = parseFootprint(Line);
  if (!Answer)
    return lost("the skeleton runner gave no proper answer: " + Answer.failure().Message);
  const bool Tired = Answer->Outcome == Footprint::Status::Limit &&
                     (Answer->Reason == MEMSHAPE_SK_TIRED || Answer->Reason == MEMSHAPE_SK_ASTRAY);
  charge(Tired ? std::chrono::duration<double, std::micro>(Speed * Longest).count()
               : static_cast<double>(Answer->WorkMicroseconds));
  // The protocol: after these the process ends.
  if (Answer->Outcome == Footprint::Status::Limit || Answer->Outcome == Footprint::Status::Error)
    end();
  return Answer;
}

} // namespace memshape
