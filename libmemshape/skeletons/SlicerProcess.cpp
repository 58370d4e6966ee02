// Making a skeleton when it is asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One request, one answer: docs/formats.md, section 6. Foreign bitcode is parsed there and not here.

#include "libmemshape/skeletons/SlicerProcess.h"
#include "libmemshape/processes/ChildProcess.h"
#include "libmemshape/skeletons/SourceText.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Try.h"
#include "runner/sandbox/Limits.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace memshape {

/// As a record of a file.
constexpr std::size_t MaxAnswer = MaxRawSize;
constexpr std::uint64_t ProcessorSeconds = SlicerSeconds;

/// After it has closed its output: it was ended because it had no processor time left.
static bool ranOutOfTime(ChildProcess &Slicer) {
  const int Status = Slicer.wait();
  return Status != -1 && WIFSIGNALED(Status) && (WTERMSIG(Status) == SIGXCPU || WTERMSIG(Status) == SIGKILL);
}

/// Writes Request and reads until the child has closed its output. It may answer before it has read everything.
static Result<std::string> converse(ChildProcess &With, std::string_view Request,
                                    std::chrono::steady_clock::time_point Deadline) {
  std::string Answer;
  for (;;) {
    if (Request.empty())
      With.closeInput();
    pollfd Wait[2] = {{With.from(), POLLIN, 0}, {With.to(), POLLOUT, 0}};
    auto Left =
        std::chrono::duration_cast<std::chrono::milliseconds>(Deadline - std::chrono::steady_clock::now()).count();
    int Ready =
        Left <= 0 ? 0 : ::poll(Wait, With.to() >= 0 ? 2 : 1, static_cast<int>(std::min<std::int64_t>(Left, 1 << 30)));
    if (Ready < 0 && errno == EINTR)
      continue;
    if (Ready <= 0)
      return Failure{"the slicer did not end in real time, though it had processor time left; it may on a machine with "
                     "less to do"};
    if (With.to() >= 0 && Wait[1].revents) {
      ssize_t Written = ::write(With.to(), Request.data(), Request.size());
      if (Written > 0)
        Request.remove_prefix(static_cast<std::size_t>(Written));
      else if (errno != EINTR && errno != EAGAIN)
        With.closeInput(), Request = {}; // it has ended; its last words say why
    }
    if (!Wait[0].revents)
      continue;
    char Buffer[1 << 12];
    ssize_t Count = ::read(With.from(), Buffer, sizeof Buffer);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return Answer;
    Answer.append(Buffer, static_cast<std::size_t>(Count));
    if (Answer.size() > MaxAnswer)
      return Failure{"the slicer gave an endless answer"};
  }
}

/// The skeleton in an answer. One that ends within its machine code has none; the bitcode is what counts.
static Result<Skeleton> skeletonIn(std::string_view Answer) {
  std::size_t End = Answer.find('\n');
  MEMSHAPE_TRY(nlohmann::json Head, inContext("the slicer gave no proper answer: ", parseJson(Answer.substr(0, End))));
  JsonFields Fields(Head);
  if (Fields.string("status") != "ok")
    return Failure{oneLine(Fields.string("message"))};
  std::string_view Rest = End == std::string_view::npos ? std::string_view() : Answer.substr(End + 1);
  const std::uint64_t Bytes = Fields.natural("payload_bytes");
  if (Fields.failed() || Rest.size() < Bytes)
    return Failure{"the slicer ended unexpectedly"};
  Result<Skeleton> Made = parseSkeleton(Rest.substr(0, Bytes));
  if (!Made)
    return Failure{"the slicer's answer " + Made.failure().Message};
  Rest.remove_prefix(Bytes);
  if (End = Rest.find('\n'); End == std::string_view::npos)
    return Made;
  Result<nlohmann::json> More = parseJson(Rest.substr(0, End));
  Rest.remove_prefix(End + 1);
  if (More && Rest.size() == JsonFields(*More).natural("object_bytes"))
    Made->Object = std::string(Rest);
  return Made;
}

constexpr std::string_view KeptSlice = "memshape.slice/1 ", KeptLate = "late ";
/// A program's operator as bitcode and as machine code is some megabytes.
constexpr std::uintmax_t MaxKept = 64 << 20;
constexpr unsigned MaxLate = 3;

static std::string keyOf(const SlicerOptions &Options, std::string_view Request) {
  CacheKey Key("slice");
  Key.addIdentityOf(Options.Executable.c_str());
  Key.add(Request);
  return Key.text();
}

static std::string sumOf(std::string_view Answer) {
  CacheKey Sum("answer");
  Sum.add(Answer);
  return Sum.text();
}

/// An answer after a line that tells whether it is whole.
static std::optional<Skeleton> keptSkeleton(std::string_view Text) {
  const std::size_t End = Text.find('\n');
  if (End == std::string_view::npos || Text.substr(0, End) != std::string(KeptSlice) + sumOf(Text.substr(End + 1)))
    return std::nullopt;
  Result<Skeleton> Made = skeletonIn(Text.substr(End + 1));
  return Made ? std::optional(std::move(*Made)) : std::nullopt;
}

static unsigned timesLate(std::string_view Text) {
  return Text.size() == KeptLate.size() + 1 && Text.starts_with(KeptLate) ? unsigned(Text.back() - '0') : 0;
}

Result<Skeleton> sliceNow(const SlicerOptions &Options, const std::vector<ModuleHead> &Heads,
                          const std::vector<std::size_t> &Units, const std::string &Symbol, SkeletonKind Kind,
                          const std::vector<SummaryDocument> &Summaries,
                          std::chrono::steady_clock::time_point Deadline) {
  nlohmann::json Request = {{"symbol", Symbol}, {"wish", wordOf(Kind)}};
  for (const SummaryDocument &Each : Summaries)
    Request["summaries"].push_back({{"name", Each.Name}, {"text", Each.Text}});
  Request["modules"] = nlohmann::json::array();
  std::string Modules;
  for (std::size_t Unit : Units) {
    MEMSHAPE_TRY(std::string Bitcode, bitcodeOf(Heads[Unit]));
    Request["modules"].push_back({{"name", Heads[Unit].Source}, {"bytes", Bitcode.size()}});
    Modules += Bitcode;
  }
  std::string Text = Request.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n" + Modules;
  const std::string Key = Options.Kept.keeps() ? keyOf(Options, Text) : "";
  const std::string Before = Options.Kept.read(Key, MaxKept).value_or("");
  if (std::optional<Skeleton> Made = keptSkeleton(Before)) {
    readConditions(*Made, Heads[Units.front()].File);
    return std::move(*Made);
  }
  const Failure Late{"slicing takes more than " + std::to_string(ProcessorSeconds) + " seconds of processor time"};
  if (timesLate(Before) >= MaxLate)
    return Late;
  ChildProcess Slicer;
  if (!Slicer.start(Options.Executable, Options.Trust))
    return Failure{"cannot start the slicer '" + Options.Executable + "': " + std::strerror(errno)};
  MEMSHAPE_TRY(std::string Answer, converse(Slicer, Text, Deadline));
  if (Answer.find('\n') == std::string::npos) {
    if (!ranOutOfTime(Slicer))
      return Failure{"the slicer ended unexpectedly"};
    Options.Kept.write(Key, std::string(KeptLate) + char('0' + std::min(MaxLate, timesLate(Before) + 1)));
    return Late;
  }
  Result<Skeleton> Made = skeletonIn(Answer);
  if (Made && Answer.size() <= MaxKept)
    Options.Kept.write(Key, std::string(KeptSlice) + sumOf(Answer) + "\n" + Answer);
  if (Made)
    readConditions(*Made, Heads[Units.front()].File);
  return Made;
}

} // namespace memshape
