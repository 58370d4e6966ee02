// memshape run, as a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunCommand.h"

#include "libmemshape/files/OutputFile.h"
#include "libmemshape/measurement/process/Launch.h"
#include "libmemshape/measurement/report/RecordFolder.h"
#include "libmemshape/measurement/report/RunReport.h"
#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Try.h"

#include <cstdlib>
#include <filesystem>
#include <optional>

#ifndef MEMSHAPE_LIBDIR
#define MEMSHAPE_LIBDIR "lib"
#endif

namespace memshape {
namespace {

namespace fs = std::filesystem;

constexpr char RuntimeName[] = "libmemshape_rt.so";

/// The runtime at its place relative to this executable, which is the same in the build tree and after installation.
Result<std::string> findRuntime() {
  std::error_code Ignored;
  fs::path Prefix = fs::read_symlink("/proc/self/exe", Ignored).parent_path().parent_path();
  for (const char *Folder : {MEMSHAPE_LIBDIR, "lib", "lib64"})
    if (fs::path Candidate = Prefix / Folder / RuntimeName; fs::exists(Candidate, Ignored))
      return Candidate.string();
  return Failure{std::string(RuntimeName) + " is not in " + (Prefix / MEMSHAPE_LIBDIR).string() +
                 ": reinstall memshape"};
}

/// The way from a program's folder to the root, written so that only glibc's loader follows it. The loader of another C
/// library (musl), into which the runtime does not fit, takes the first part for the name of a folder, finds none, and
/// starts the program without it; under its plain path it would try, and give up the program.
std::string fromOrigin() {
  constexpr int DeepestFolder = 64;
  std::string Path = "$ORIGIN";
  for (int I = 0; I != DeepestFolder; ++I)
    Path += "/..";
  return Path;
}

/// The value of LD_PRELOAD that puts Runtime first. LD_PRELOAD is separated by colons and spaces and has no quoting, so
/// a path that contains one gets a symbolic link.
Result<std::string> preloadValue(const std::string &Runtime, const fs::path &Folder) {
  std::string Path = Runtime;
  if (Path.find_first_of(": $") != std::string::npos) {
    std::error_code Error;
    fs::path Link = Folder / RuntimeName;
    fs::create_symlink(Path, Link, Error);
    if (Error)
      return Failure{"cannot make the symbolic link " + Link.string() + ": " + Error.message()};
    Path = Link.string();
  }
  const char *Before = std::getenv("LD_PRELOAD");
  return fromOrigin() + Path + (Before && *Before ? std::string(":") + Before : "");
}

/// What must be ready before the program may start.
struct Preparation {
  std::string Program;
  std::string Runtime;
  std::optional<OutputFile> Json;     ///< where a file was asked for
  std::optional<OutputFile> Timeline; ///< likewise
  std::optional<OutputFile> Html;     ///< likewise
  std::optional<OutputFile> Profile;  ///< likewise
};

/// Finds an unwritable place before the program has run.
std::optional<Failure> openOutput(const std::string &Path, std::optional<OutputFile> &Into) {
  if (Path.empty())
    return std::nullopt;
  MEMSHAPE_TRY(OutputFile Opened, OutputFile::open(Path));
  Into.emplace(std::move(Opened));
  return std::nullopt;
}

Result<Preparation> prepare(const RunOptions &Options) {
  Preparation Ready;
  if (Options.Command.empty())
    return Failure{"run: no program given; write: memshape run PROGRAM ARGS..."};
  MEMSHAPE_TRY(Ready.Program, findProgram(Options.Command.front()));
  MEMSHAPE_TRY(Ready.Runtime, Options.Runtime.empty() ? findRuntime() : Result<std::string>(Options.Runtime));
  if (!Options.Record.empty())
    MEMSHAPE_CHECK(checkAppendable(Options.Record));
  if (Options.JsonOut != "-")
    MEMSHAPE_CHECK(openOutput(Options.JsonOut, Ready.Json));
  MEMSHAPE_CHECK(openOutput(Options.TimelineOut, Ready.Timeline));
  MEMSHAPE_CHECK(openOutput(Options.HtmlOut, Ready.Html));
  MEMSHAPE_CHECK(openOutput(Options.ProfileOut, Ready.Profile));
  return Ready;
}

/// Null if nothing is reported before the end.
std::unique_ptr<Monitor> monitorFor(const RunOptions &Options, const fs::path &Folder, std::ostream &Err) {
  if (Options.TimelineOut.empty() && !Options.Limit)
    return nullptr;
  MonitorOptions Wanted;
  Wanted.Folder = Folder;
  Wanted.Timeline = !Options.TimelineOut.empty();
  Wanted.Limit = Options.Limit;
  Wanted.Forecast = Options.Forecast;
  Wanted.Confidence = Options.Confidence;
  Wanted.Warn = [&Err](const std::string &Text) { Err << "memshape: " + oneLine(Text) + "\n" << std::flush; };
  return std::make_unique<Monitor>(std::move(Wanted));
}

Result<Run> measure(const RunOptions &Options, const Preparation &Ready, std::ostream &Err) {
  RecordFolder Folder;
  if (Folder.path().empty())
    return Failure{
        "cannot make a folder for the run's records in /dev/shm or /tmp: free some space there, or check permissions"};
  MEMSHAPE_TRY(std::string Preload, preloadValue(Ready.Runtime, Folder.path()));
  std::unique_ptr<Monitor> Watching = monitorFor(Options, Folder.path(), Err);
  std::vector<std::string> Variables = {"LD_PRELOAD=" + Preload,
                                        "MEMSHAPE_RUNTIME_RECORD=" + (Folder.path() / RecordName).string()};
  Run R;
  if (Options.ExactPeak)
    Variables.push_back("MEMSHAPE_RUNTIME_EXACT_PEAK=1");
  if (!Options.ProfileOut.empty())
    Variables.push_back("MEMSHAPE_RUNTIME_STACKS=1");
  if (Options.Libraries)
    Variables.push_back("MEMSHAPE_RUNTIME_LIBRARIES=1");
  if (Options.Kernel) {
    Variables.push_back("MEMSHAPE_RUNTIME_KERNEL=1");
    R.GroupBefore = groupMemory();
  }
  MEMSHAPE_TRY(R.How, launch(Ready.Program, Options.Command, Variables));
  if (Options.Kernel)
    R.GroupAfter = groupMemory();
  R.Command = Options.Command;
  if (Watching) {
    Watching->stop();
    R.Limit = Watching->limit();
    R.Timelines = std::move(Watching->timelines());
  }
  readRecords(Folder.path(), R);
  nameCallSites(R);
  addNotes(Ready.Program, R);
  return R;
}

/// What a file of this name usually holds.
v1::ProfileFormat formatOf(const std::string &Path) {
  for (const char *Ending : {".folded", ".txt", ".collapsed"})
    if (Path.ends_with(Ending))
      return v1::ProfileFormat::folded;
  for (const char *Ending : {".perfetto", ".perfetto-trace", ".pftrace"})
    if (Path.ends_with(Ending))
      return v1::ProfileFormat::perfetto;
  return v1::ProfileFormat::pprof;
}

std::optional<Failure> writeProfile(const RunOptions &Options, OutputFile &To, const Run &R, std::ostream &Err) {
  const RunRecord *Process = profiledProcess(R);
  if (!Process)
    return Failure{"run: no profile of " + R.Command.front() + ": its allocations were not counted"};
  if (Process != ownProcess(R))
    Err << "memshape: the profile is of " + oneLine(Process->Program) + ", process " + std::to_string(Process->Pid) +
               ", which held most\n";
  return To.commit(
      profileText(profileOf(*Process), Options.ProfileFormat.value_or(formatOf(Options.ProfileOut)), Options.Sample));
}

std::optional<Failure> deliver(const RunOptions &Options, Preparation &Ready, const Run &R, std::ostream &Out,
                               std::ostream &Err) {
  if (Options.JsonOut.empty())
    Err << runPage(R, Options.Full);
  const bool Wanted = !Options.JsonOut.empty() || !Options.Record.empty() || Options.Keep;
  const nlohmann::ordered_json Document = Wanted ? runJson(R) : nlohmann::ordered_json();
  if (Options.JsonOut == "-")
    Out << jsonText(Document, 1) << "\n" << std::flush;
  if (Ready.Json)
    MEMSHAPE_CHECK(Ready.Json->commit(jsonText(Document, 1) + "\n"));
  if (Ready.Timeline)
    MEMSHAPE_CHECK(Ready.Timeline->commit(jsonText(timelineJson(R, R.Timelines)) + "\n"));
  if (Ready.Html)
    MEMSHAPE_CHECK(Ready.Html->commit(runHtml(R)));
  if (Ready.Profile)
    MEMSHAPE_CHECK(writeProfile(Options, *Ready.Profile, R, Err));
  if (!Options.Record.empty())
    MEMSHAPE_CHECK(appendLine(Options.Record, jsonText(Document)));
  if (Options.Keep)
    return Options.Keep(Document, Err);
  return std::nullopt;
}

int refuse(const Failure &Why, std::ostream &Err) {
  Err << "memshape: " << oneLine(Why.Message) << "\n";
  return 2;
}

} // namespace

int runCommand(const RunOptions &Options, std::ostream &Out, std::ostream &Err) {
  Result<Preparation> Ready = prepare(Options);
  if (!Ready)
    return refuse(Ready.failure(), Err);
  Result<Run> R = measure(Options, *Ready, Err);
  if (!R)
    return refuse(R.failure(), Err);
  if (std::optional<Failure> Why = deliver(Options, *Ready, *R, Out, Err))
    return refuse(*Why, Err);
  return R->How.Status;
}

} // namespace memshape
