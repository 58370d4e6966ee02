//===- SlicerProcess.cpp - Making a skeleton when it is asked for ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One request, one answer: docs/formats.md, section 6. Foreign bitcode is parsed there and not here.
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/SlicerProcess.h"
#include "tools/JsonFields.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace memshape {

namespace {

/// As a record of a file.
constexpr std::size_t MaxAnswer = MaxRawSize;
/// Pointers are followed for a number of steps, not for a time; this ends what is not counted.
constexpr rlim_t ProcessorSeconds = 60;

/// A child process with both its streams; it does not outlive this.
class Child {
public:
  ~Child() {
    closeInput();
    if (Out >= 0)
      ::close(Out);
    if (Process > 0) {
      ::kill(Process, SIGKILL);
      while (::waitpid(Process, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
  }

  bool start(const SlicerOptions &Options) {
    const std::string &Executable = Options.Executable;
    int Down[2] = {-1, -1}, Up[2] = {-1, -1};
    if (::pipe2(Down, O_CLOEXEC) != 0)
      return false;
    if (::pipe2(Up, O_CLOEXEC) != 0) {
      ::close(Down[0]);
      ::close(Down[1]);
      return false;
    }
    posix_spawn_file_actions_t Actions;
    posix_spawn_file_actions_init(&Actions);
    posix_spawn_file_actions_adddup2(&Actions, Down[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&Actions, Up[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&Actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char Trust[] = "--trust";
    char *Arguments[] = {const_cast<char *>(Executable.c_str()), Options.Trust ? Trust : nullptr, nullptr};
    int Error = ::posix_spawn(&Process, Executable.c_str(), &Actions, nullptr, Arguments, environ);
    posix_spawn_file_actions_destroy(&Actions);
    ::close(Down[0]);
    ::close(Up[1]);
    In = Down[1];
    Out = Up[0];
    ::fcntl(In, F_SETFL, O_NONBLOCK);
    if (Error == 0) {
      const rlimit Limit{ProcessorSeconds, ProcessorSeconds + 1};
      ::prlimit(Process, RLIMIT_CPU, &Limit, nullptr);
      return true;
    }
    Process = -1;
    errno = Error;
    return false;
  }

  void closeInput() {
    if (In >= 0)
      ::close(In);
    In = -1;
  }

  /// After it has closed its output: it was ended because it had no processor time left.
  bool ranOutOfTime() {
    int Status = 0;
    pid_t Ended;
    while ((Ended = ::waitpid(Process, &Status, 0)) < 0 && errno == EINTR) {
    }
    Process = -1;
    return Ended > 0 && WIFSIGNALED(Status) && (WTERMSIG(Status) == SIGXCPU || WTERMSIG(Status) == SIGKILL);
  }

  int In = -1, Out = -1;

private:
  pid_t Process = -1;
};

/// Writes Request and reads until the child has closed its output. It may answer before it has read everything.
Result<std::string> converse(Child &With, std::string_view Request, std::chrono::steady_clock::time_point Deadline) {
  std::string Answer;
  for (;;) {
    if (Request.empty())
      With.closeInput();
    pollfd Wait[2] = {{With.Out, POLLIN, 0}, {With.In, POLLOUT, 0}};
    auto Left =
        std::chrono::duration_cast<std::chrono::milliseconds>(Deadline - std::chrono::steady_clock::now()).count();
    int Ready =
        Left <= 0 ? 0 : ::poll(Wait, With.In >= 0 ? 2 : 1, static_cast<int>(std::min<std::int64_t>(Left, 1 << 30)));
    if (Ready < 0 && errno == EINTR)
      continue;
    if (Ready <= 0)
      return Failure{"the slicer did not end in real time, though it had processor time left; it may on a machine with "
                     "less to do"};
    if (With.In >= 0 && Wait[1].revents) {
      ssize_t Written = ::write(With.In, Request.data(), Request.size());
      if (Written > 0)
        Request.remove_prefix(static_cast<std::size_t>(Written));
      else if (errno != EINTR && errno != EAGAIN)
        With.closeInput(), Request = {}; // it has ended; its last words say why
    }
    if (!Wait[0].revents)
      continue;
    char Buffer[1 << 16];
    ssize_t Count = ::read(With.Out, Buffer, sizeof Buffer);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return Answer;
    Answer.append(Buffer, static_cast<std::size_t>(Count));
    if (Answer.size() > MaxAnswer)
      return Failure{"the slicer gave an endless answer"};
  }
}

} // namespace

Result<Skeleton> sliceNow(const SlicerOptions &Options, const std::vector<ModuleHead> &Heads,
                          const std::vector<std::size_t> &Units, const std::string &Symbol, SliceWish Wish,
                          const std::vector<SummaryDocument> &Summaries,
                          std::chrono::steady_clock::time_point Deadline) {
  nlohmann::json Request = {{"symbol", Symbol}, {"replay", Wish == SliceWish::Replay}};
  for (const SummaryDocument &Each : Summaries)
    Request["summaries"].push_back({{"name", Each.Name}, {"text", Each.Text}});
  Request["modules"] = nlohmann::json::array();
  std::string Modules;
  for (std::size_t Unit : Units) {
    Result<std::string> Bitcode = bitcodeOf(Heads[Unit]);
    if (!Bitcode)
      return Bitcode.failure();
    Request["modules"].push_back({{"name", Heads[Unit].Source}, {"bytes", Bitcode->size()}});
    Modules += *Bitcode;
  }
  std::string Text = Request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n" + Modules;
  Child Slicer;
  if (!Slicer.start(Options))
    return Failure{"cannot start the slicer '" + Options.Executable + "': " + std::strerror(errno)};
  Result<std::string> Answer = converse(Slicer, Text, Deadline);
  if (!Answer)
    return Answer.failure();
  std::size_t End = Answer->find('\n');
  if (End == std::string::npos)
    return Failure{Slicer.ranOutOfTime()
                       ? "slicing takes more than " + std::to_string(ProcessorSeconds) + " seconds of processor time"
                       : "the slicer ended unexpectedly"};
  Result<nlohmann::json> Head = parseJson(std::string_view(*Answer).substr(0, End));
  if (!Head)
    return Failure{"the slicer gave no proper answer: " + Head.failure().Message};
  JsonFields Fields(*Head);
  if (Fields.string("status") != "ok")
    return Failure{oneLine(Fields.string("message"))};
  std::string_view Payload = std::string_view(*Answer).substr(End + 1);
  if (Payload.size() != Fields.natural("payload_bytes"))
    return Failure{"the slicer ended unexpectedly"};
  Result<Skeleton> Made = parseSkeleton(Payload);
  if (!Made)
    return Failure{"the slicer's answer " + Made.failure().Message};
  return Made;
}

} // namespace memshape
