// The arguments of memshape and memshape-report.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/CommandLine.h"
#include "libmemshape/files/OutputFile.h"
#include "libmemshape/measurement/report/RunCommand.h"
#include "libmemshape/measurement/watch/WatchCommand.h"
#include "libmemshape/processes/WorkLimits.h"
#include "libmemshape/runs/CallForecasts.h"
#include "libmemshape/runs/RunKeeping.h"
#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/ByteSize.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/version/Version.h"
#include "runner/protocol/Request.h"
#include "runner/sandbox/Availability.h"
#include "tools/memshape/Commands.h"
#include "tools/memshape/Environment.h"
#include "tools/memshape/WorkOptions.h"
#include "tools/memshape/pages/Pages.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <iostream>
#include <unistd.h>

namespace memshape {

std::optional<Failure> checkSandbox(bool Trust, bool Needed) {
  if (Trust || !Needed)
    return std::nullopt;
  std::optional<std::string> Why = whyNoSandbox();
  if (!Why)
    return std::nullopt;
  return Failure{
      "this system gives no sandbox for the code that files bring (its kernel does not filter system calls: " + *Why +
      "); --trust executes it without"};
}

namespace {

constexpr int Wrong = 2;

int refuse(const std::string &Message) {
  std::cerr << "memshape: " << oneLine(Message) << "\n";
  return Wrong;
}

/// The text of a command to standard output or to a file.
int deliver(const Result<std::string> &Text, const std::string &Path) {
  if (!Text)
    return refuse(Text.failure().Message);
  if (!Path.empty() && Path != "-") {
    if (std::optional<Failure> Unwritten = writeOutput(Path, *Text))
      return refuse(Unwritten->Message);
    return 0;
  }
  std::cout << *Text << std::flush;
  return std::cout ? 0 : refuse("cannot write to standard output");
}

/// A list option that takes one value each time it is given, so that a FILE may stand after it.
CLI::Option *addList(CLI::App &To, const std::string &Name, std::vector<std::string> &Into, const std::string &Help) {
  return To.add_option(Name, Into, Help)->allow_extra_args(false);
}

void addConfidence(CLI::App &To, double &Into,
                   const std::string &Of = "of the bounds, above 0 and below 1; 0.99 by default") {
  To.add_option("--confidence", Into, Of)->check([](const std::string &Text) -> std::string {
    double Value = std::atof(Text.c_str());
    return Value > 0 && Value < 1 ? "" : "a confidence lies between 0 and 1, and '" + Text + "' does not";
  });
}

/// An option whose value is the name of a file: shells complete it.
template <class Into>
CLI::Option *addFile(CLI::App &To, const std::string &Name, Into &Value, const std::string &Help) {
  return To.add_option(Name, Value, Help)->type_name("FILE");
}

/// An option whose value is a size of memory. An empty one is not none: a variable of a shell may be unset.
CLI::Option *addSize(CLI::App &To, const std::string &Name, std::string &Into, const std::string &Help) {
  return To.add_option(Name, Into, Help)->check([](const std::string &Text) -> std::string {
    return Text.empty() ? "'' is no size; write it as in 8GiB, 500MB or 1000000" : "";
  });
}

void describePredict(CLI::App &Command, PredictOptions &Options) {
  addFile(Command, "FILE", Options.Files,
          "executable, shared library, object file or archive; further ones hold functions that the first calls. "
          "Without one, past runs of --operator answer");
  Command.add_option("--operator", Options.Operator, "operator to predict; may be left out when FILE has one");
  addList(Command, "--shape", Options.Shapes, "shape, as in ni=400,nx=400,ns=400");
  addFile(Command, "--shape-from", Options.ShapeFrom,
          "SEG-Y cube that gives the shape: CUBE.segy or CUBE.segy:ni=inlines,nx=crosslines,ns=samples");
  addList(Command, "--set", Options.Settings, "settings, as in sigma=1.5");
  addList(Command, "--assume", Options.Assumed,
          "answers to decisions by number, name or place, as in 0=1,k=1000,fit.c:31=0");
  addList(Command, "--machine", Options.Machine,
          "another machine, as in l1d=49152,l2=1048576,l3=33554432,processors=8");
  addList(Command, "--library", Options.Libraries, "library that the operator calls, beside those that FILE names");
  addList(Command, "--summaries", Options.Summaries, "file that says what functions without a body do to memory")
      ->type_name("FILE");
  Command
      .add_option("--threads", Options.Threads,
                  "threads of a parallel region that asks for no number; otherwise what this machine gives")
      ->check(CLI::Range(1, static_cast<int>(request::MaxThreads)));
  addFile(Command, "--store", Options.Store, "store of past runs; by default the one in the user's data folder");
  addConfidence(Command, Options.Confidence);
  Command.add_option("--held", Options.Held, "bytes that the process holds besides, tensors passed in among them")
      ->check(CLI::NonNegativeNumber);
  Command
      .add_option("--fresh", Options.Fresh, "bytes of --held that nobody has written before the call, as a new output")
      ->check(CLI::NonNegativeNumber);
  addFile(Command, "--model", Options.Model, "generic prior, from memshape train; otherwise the one of this build");
  addSize(Command, "--budget", Options.Budget,
          "memory that the call may hold, as in 8GiB: what then has to be written is said, too");
  Command.add_flag("--json", Options.Json, "print memshape.prediction/1");
  Command.add_flag("--without-formulas", Options.WithoutFormulas, "the figures alone: no formula is looked for");
  addWorkOptions(Command, Options.Trust);
}

/// What a call of the operator is predicted from. Options: PlanOptions or CheckpointOptions.
template <class Options> void addCall(CLI::App &Command, Options &Given, const std::string &ShapeHelp) {
  addList(Command, "--shape", Given.Shapes, ShapeHelp);
  addFile(Command, "--shape-from", Given.ShapeFrom,
          "SEG-Y cube that gives the shape: CUBE.segy or CUBE.segy:ni=inlines,nx=crosslines,ns=samples");
  addList(Command, "--set", Given.Settings, "settings, as in sigma=1.5");
  addList(Command, "--assume", Given.Assumed, "answers to decisions, as for predict");
  addList(Command, "--machine", Given.Machine, "another machine, as for predict");
  addList(Command, "--library", Given.Libraries, "library that the operator calls, beside those that FILE names");
  addList(Command, "--summaries", Given.Summaries, "file that says what functions without a body do to memory")
      ->type_name("FILE");
}

void describePlan(CLI::App &Command, PlanOptions &Options) {
  addFile(Command, "FILE", Options.Files,
          "executable, shared library, object file or archive; further ones hold functions that the first calls")
      ->required();
  Command.add_option("--operator", Options.Operator, "operator of the tasks; may be left out when FILE has one");
  addCall(Command, Options, "shape of the whole array, as in ni=651,nx=951,ns=462");
  addList(Command, "--split", Options.Split, "symbols that may be split, as in ni,nx")->required();
  addList(Command, "--halo", Options.Halo, "elements that a task reads beyond its chunk on each side, as in ni=2,nx=2");
  addList(Command, "--align", Options.Align, "chunks begin at multiples of so many elements, as in ni=64");
  addList(Command, "--extents", Options.Extents,
          "symbols that are extents of the array; where not given, all but integers beside objects");
  Command.add_option("--memory", Options.Memory, "that one worker may hold, as in 1.5GiB")->required();
  Command.add_option("--workers", Options.Workers, "number of workers")->capture_default_str();
  Command.add_option("--threads", Options.Threads, "tasks that run at a time in each worker")->capture_default_str();
  Command.add_option("--held", Options.Held, "that a worker holds before its first task, as in 176MB");
  Command.add_option("--element-bytes", Options.ElementBytes,
                     "bytes per element of input and output, as in 4,4; from the operator's types where not given");
  Command.add_option("--max-tasks", Options.MaxTasks, "no more tasks than that");
  Command.add_option("--sink", Options.Sink, "what becomes of results: store, persist or gather")
      ->type_name("store|persist|gather")
      ->capture_default_str();
  Command
      .add_option("--source", Options.Source,
                  "who cuts halos: the engine out of blocks, or the task, which reads them from storage; blocks, or "
                  "storage where blocks leave no room, where not given")
      ->type_name("blocks|storage");
  Command.add_option("--format", Options.Format, "text, json, or a worker's request to slurm, snakemake or kubernetes")
      ->type_name("text|json|slurm|snakemake|kubernetes")
      ->capture_default_str();
  Command.add_flag("--json", Options.Json, "print memshape.plan/1");
  addWorkOptions(Command, Options.Trust);
  Command.footer("Exit status: 0 there is a plan; 1 nothing fits, and the least memory that would do is printed; 2 the "
                 "request was wrong.");
}

void describeSchedule(CLI::App &Command, ScheduleOptions &Options) {
  addFile(Command, "GRAPH", Options.Graph, "tasks, their bytes and their inputs: JSON, memshape.graph/1")->required();
  addSize(Command, "--memory", Options.Memory, "that no moment may exceed, as in 16GiB or 1000000");
  Command.add_option("--processors", Options.Processors, "tasks that may run at a time");
  Command
      .add_option("--objective", Options.Objective,
                  "what is to be least: peak, makespan or bytes written; makespan with several processors, otherwise "
                  "peak, where not given")
      ->type_name("peak|makespan|io");
  Command.add_flag("--whole-outputs", Options.WholeOutputs, "with --objective io: an output leaves as a whole");
  Command.add_flag("--edges", Options.Edges, "edges with which any execution stays within --memory");
  Command.add_option("--format", Options.Format, "text, json, html, dot (the graph) or svg (what is held)")
      ->type_name("text|json|html|dot|svg")
      ->capture_default_str();
  Command.add_flag("--json", Options.Json, "print memshape.schedule/1");
  addFile(Command, "-o,--output", Options.Output, "file to write instead of standard output");
  addWorkOptions(Command, Options.Trust);
  Command.footer("Exit status: 0 there is a schedule; 1 the memory cannot be kept, and the least that would do is "
                 "printed; 2 the request was wrong.");
}

void describeCheckpoint(CLI::App &Command, CheckpointOptions &Options) {
  addFile(Command, "FILE", Options.Files,
          "with the operator that is a step, for --memory; further files with what it calls");
  Command.add_option("--operator", Options.Operator, "operator, where FILE has several");
  addCall(Command, Options, "shape of a step, as in nz=400,nx=300");
  Command.add_option("--steps", Options.Steps, "steps of the chain that is reversed");
  CLI::Option *Chain =
      Command.add_option("--chain", Options.Chain,
                         "a file of memshape.chain/1 instead, whose steps differ in bytes and time; with --memory");
  Command.add_option("--slots", Options.Slots, "states that can be stored at once");
  Command.add_option("--levels", Options.Levels, "places: NAME:SLOTS:WRITE:READ, with commas between them");
  Command.add_option("--memory", Options.Memory,
                     "for states, as in 16GiB: with --state, or FILE and the shape of a step");
  Command.add_option("--state", Options.State, "what a state takes, as in 40MiB");
  Command.add_option("--forward", Options.Forward, "cost of a step")->capture_default_str();
  Command.add_option("--backward", Options.Backward, "cost of a reversal beyond its step")->capture_default_str();
  Command.add_option("--format", Options.Format, "text, json, html or svg (the plan as a drawing)")
      ->type_name("text|json|html|svg")
      ->capture_default_str();
  Command.add_flag("--json", Options.Json, "print memshape.checkpoint/1");
  addFile(Command, "-o,--output", Options.Output, "file to write instead of standard output");
  addWorkOptions(Command, Options.Trust);
  for (const char *Name : {"--chain", "--levels", "--memory", "--state"})
    Command.get_option(Name)->check([](const std::string &Text) { return Text.empty() ? "is empty" : ""; });
  // The parser takes what is beyond 63 bits as the largest number.
  Command.get_option("--slots")->check([](const std::string &Text) {
    std::int64_t Slots = 0;
    const auto [Stop, Wrong] = std::from_chars(Text.data(), Text.data() + Text.size(), Slots);
    return Wrong == std::errc::result_out_of_range ? "is a number from 0 to 2^63 - 1" : "";
  });
  for (const char *Name : {"--steps", "--slots", "--levels", "--state", "--forward", "--backward", "FILE"})
    Command.get_option(Name)->excludes(Chain);
  for (const char *Name :
       {"--operator", "--shape", "--shape-from", "--set", "--assume", "--machine", "--library", "--summaries"})
    Command.get_option(Name)->needs(Command.get_option("FILE"));
  Command.footer(
      "Exit status: 0 the chain can be reversed; 1 no state can be stored, and the least memory that would do is "
      "printed; 2 the request was wrong.");
}

/// Status 1 where the answer is no.
int deliverOrRefuse(Result<TextOrRefusal> Found, const std::string &Output = "") {
  if (!Found)
    return refuse(Found.failure().Message);
  if (!Found->Text.empty())
    if (const int Status = deliver(std::move(Found->Text), Output)) // may be a hundred megabytes
      return Status;
  if (Found->Refusal.empty())
    return 0;
  refuse(Found->Refusal);
  return 1;
}

int plan(const PlanOptions &Options) {
  if (std::optional<Failure> Open = checkSandbox(Options.Trust))
    return refuse(Open->Message);
  return deliverOrRefuse(planText(Options));
}

void describeHistory(CLI::App &Command, HistoryOptions &Options) {
  Command.add_option("ACTION", Options.Action, "import, export or list")->required();
  addFile(Command, "FILE", Options.File, "JSON lines, memshape.run/1; - is standard input or output");
  addFile(Command, "--store", Options.Store, "store of past runs; by default the one in the user's data folder");
}

void describeTrain(CLI::App &Command, TrainOptions &Options) {
  addFile(Command, "FILE", Options.Files, "records of many operators: JSON lines, memshape.run/1")->required();
  addFile(Command, "-o,--output", Options.Output, "model file to write instead of standard output");
  Command.add_flag("--explain", Options.Explain, "say on standard error what each feature is worth");
}

int train(const TrainOptions &Options) {
  std::string Explanation;
  Result<std::string> Model = trainText(Options, Explanation);
  std::cerr << Explanation;
  return deliver(Model, Options.Output);
}

void describeReport(CLI::App &Command, ReportOptions &Options) {
  addFile(Command, "FILE", Options.Files, "executables, shared libraries, object files or archives");
  Command.add_option("--operator", Options.Operator, "report this operator alone");
  Command.add_option("--format", Options.Format, "text, json or html")
      ->type_name("text|json|html")
      ->capture_default_str();
  addFile(Command, "-o,--output", Options.Output, "file to write instead of standard output");
  addList(Command, "--shape", Options.Shapes, "shape to give shares and the timeline at; 100 for symbols not given");
  addList(Command, "--set", Options.Settings, "settings to derive the formulas with; 1 where not given");
  addList(Command, "--library", Options.Libraries, "library that the operators call, beside those that FILE names");
  addFile(Command, "--store", Options.Store, "store of past runs: shows each beside what was expected of it");
  addFile(Command, "--model", Options.Model, "generic prior, with --store");
  addConfidence(Command, Options.Confidence);
  addWorkOptions(Command, Options.Trust);
}

void describeCheck(CLI::App &Command, CheckOptions &Options) {
  addFile(Command, "FILE", Options.Files, "executables, shared libraries, object files or archives of the build")
      ->required();
  addFile(Command, "--baseline", Options.Baseline, "what operators may take: memshape.lock, kept with the source")
      ->required();
  Command.add_flag("--update", Options.Update, "write the baseline anew from this build");
  Command.add_option("--format", Options.Format, "text, json, markdown, sarif or github")
      ->type_name("text|json|markdown|sarif|github")
      ->capture_default_str();
  addFile(Command, "-o,--output", Options.Output, "file to write instead of standard output");
  addList(Command, "--tolerance", Options.Tolerances, "growth that is allowed, as in 5% or NAME=5%; 0% by default");
  addList(Command, "--shape", Options.Shapes, "with --update: reference shape, as in [NAME:]ni=400,nx=300");
  addList(Command, "--set", Options.Settings, "with --update: settings, as in [NAME:]sigma=1.5; 1 where not given");
  addList(Command, "--machine", Options.Machine, "machine to check for; the baseline's where not given");
  addFile(Command, "--source-root", Options.SourceRoot,
          "folder that places are named from; the baseline's where not given");
  addList(Command, "--library", Options.Libraries, "library that the operators call, beside those that FILE names");
  addWorkOptions(Command, Options.Trust);
}

/// Status 1 where a regression was found.
int check(const CheckOptions &Options, const Installation &Installed) {
  if (std::optional<Failure> Open = checkSandbox(Options.Trust))
    return refuse(Open->Message);
  Result<CheckOutcome> Outcome = checkBuild(Options, Installed);
  if (!Outcome)
    return refuse(Outcome.failure().Message);
  const int Status = deliver(Outcome->Text, Options.Output);
  return Status ? Status : Outcome->Failed;
}

void describeConfig(CLI::App &Command, ConfigOptions &Options) {
  Command.add_flag("--cflags", Options.Cflags, "flags to compile with");
  Command.add_flag("--libs", Options.Libs, "flags to link with");
  Command.add_flag("--static", Options.Static, "with --libs: for a program that is linked with -static");
  Command.add_flag("--plugin", Options.Plugin, "path to give to -fplugin=");
  Command.add_option("--clang", Options.Clang, "check that this clang has a module here, as in 22");
}

/// What `run` and `watch` share.
struct ForecastArguments {
  std::string Limit;
  bool Trust = false;
};

void describeRun(CLI::App &Command, RunOptions &Options, ForecastArguments &Forecast, bool &Learn) {
  addFile(Command, "--record", Options.Record,
          "keep the run in this store; a name that ends in .jsonl is a file of JSON lines");
  addFile(Command, "--json", Options.JsonOut, "write memshape.run/1 to this file; - is standard output");
  addFile(Command, "--html", Options.HtmlOut, "write the run as a page for browsers to this file");
  addFile(Command, "--timeline", Options.TimelineOut, "write live bytes over time, memshape.timeline/1, to this file");
  addSize(Command, "--limit", Forecast.Limit, "warn before so much is held, as in 8GiB");
  addConfidence(Command, Options.Confidence, "of the bound of resident memory that warns; 0.9 by default");
  Command.add_flag("--kernel", Options.Kernel,
                   "also watch what the kernel sees: resident memory, page faults, control group");
  Command.add_flag(
      "--exact-peak", Options.ExactPeak,
      "have threads that meet at a peak take turns: exact, but slow, where it is known to some KiB a thread");
  Command.add_flag("--libraries", Options.Libraries,
                   "also count by library where nothing was compiled with the plugin; counting is slower then");
  Command.add_flag("--learn", Learn, "keep the run in the store, and say what was expected of it");
  addWorkOptions(Command, Forecast.Trust);
  Command.footer("The program and its arguments stand after --, as in: memshape run -- ./program 400 400");
}

void describeWatch(CLI::App &Command, WatchOptions &Options, ForecastArguments &Forecast) {
  Command.add_option("PROCESS", Options.Target, "process id, path of a record, or folder of a store")->required();
  Command.add_option("--interval", Options.Interval, "seconds between two looks")
      ->check(CLI::Range(0.01, 86400.0))
      ->capture_default_str();
  Command.add_option("--times", Options.Times, "looks; without it until the process ends");
  CLI::Option *Bytes = addSize(Command, "--limit", Forecast.Limit, "say when so much will be held, as in 8GiB");
  Command.add_flag("--until-alarm", Options.UntilAlarm, "end with status 1 once the limit is met or foreseen")
      ->needs(Bytes);
  addConfidence(Command, Options.Confidence, "of the forecast's bound of resident memory; 0.9 by default");
  Command.add_flag("--json", Options.Json, "print memshape.watch/1, a line per look");
  addWorkOptions(Command, Forecast.Trust);
}

void describeDiff(CLI::App &Command, DiffOptions &Options) {
  addFile(Command, "BEFORE", Options.Before, "executable, shared library, object file or archive")->required();
  addFile(Command, "AFTER", Options.After, "the same of another build")->required();
  Command.add_option("--operator", Options.Of.Operator, "compare this operator alone");
  Command.add_option("--format", Options.Of.Format, "text or json")->type_name("text|json")->capture_default_str();
  addFile(Command, "-o,--output", Options.Of.Output, "file to write instead of standard output");
  addList(Command, "--shape", Options.Of.Shapes, "shape to compare figures at; 100 for symbols not given");
  addList(Command, "--set", Options.Of.Settings, "settings to derive the formulas with; 1 where not given");
  addList(Command, "--library", Options.Of.Libraries, "library that the operators call, beside those that files name");
  addWorkOptions(Command, Options.Of.Trust);
  Command.footer("Exit status: 0 nothing differs, 1 something does, 2 the request was wrong.");
}

/// `report` and what it has below it.
struct ReportArguments {
  ReportOptions Report;
  DiffOptions Diff;
  CLI::App *DiffCommand = nullptr;
};

void describeReports(CLI::App &Command, ReportArguments &Options) {
  describeReport(Command, Options.Report);
  Options.DiffCommand = Command.add_subcommand("diff", "what differs between two builds");
  describeDiff(*Options.DiffCommand, Options.Diff);
}

int report(const ReportArguments &Options, const std::string &Program, const Installation &Installed) {
  if (Options.DiffCommand->parsed()) {
    if (std::optional<Failure> Open = checkSandbox(Options.Diff.Of.Trust))
      return refuse(Open->Message);
    bool Differs = false;
    const int Status = deliver(diffText(Options.Diff, Installed, Differs), Options.Diff.Of.Output);
    return Status ? Status : Differs;
  }
  if (Options.Report.Files.empty())
    return refuse("FILE is required (see " + Program + " --help)");
  if (std::optional<Failure> Open = checkSandbox(Options.Report.Trust))
    return refuse(Open->Message);
  return deliver(reportText(Options.Report, Installed), Options.Report.Output);
}

/// Parses; gives the exit status where there is nothing left to do.
std::optional<int> parse(CLI::App &App, std::vector<std::string> Arguments) {
  try {
    // CLI11 takes the arguments last first.
    App.parse(std::vector<std::string>(Arguments.rbegin(), Arguments.rend()));
  } catch (const CLI::Success &Help) {
    return App.exit(Help, std::cout, std::cerr);
  } catch (const CLI::ParseError &Error) {
    return refuse(std::string(Error.what()) + " (see " + App.get_name() + " --help)");
  }
  return std::nullopt;
}

/// What both programs do around their work.
int guarded(int Count, char **Arguments,
            int (*Work)(std::vector<std::string> Arguments, const Installation &Installed)) {
  try {
    // A runner that ended, and a file beyond RLIMIT_FSIZE, show as a failed write. Handlers, for a program that is
    // started gets what this process was given.
    for (const int Signal : {SIGPIPE, SIGXFSZ})
      if (std::signal(Signal, [](int) {}) == SIG_IGN)
        std::signal(Signal, SIG_IGN);
    if (std::optional<Failure> Unknown = checkEnvironment(environ))
      return refuse(Unknown->Message);
    Result<Installation> Installed = Installation::ofThisCode();
    if (!Installed)
      return refuse(Installed.failure().Message);
    return Work(std::vector<std::string>(Arguments + 1, Arguments + Count), *Installed);
  } catch (const std::bad_alloc &) {
    return refuse("the work needs more than " + std::to_string(workLimits().Bytes >> 20) +
                  " MiB of memory; --work-memory allows more");
  } catch (const std::exception &Error) {
    return refuse(std::string("internal error: ") + Error.what());
  }
}

int writeAllPages(const CLI::App &Memshape, const std::string &Folder) {
  CLI::App Report("where the memory of operators goes, as formulas", "memshape-report");
  Report.set_version_flag("--version", "");
  ReportArguments Options;
  describeReports(Report, Options);
  std::optional<Failure> Unwritten = writePages({commandTree(Memshape), commandTree(Report)}, Folder);
  return Unwritten ? refuse(Unwritten->Message) : 0;
}

// Long: a line for each command that describes it, and one that runs it.
int runMemshape(std::vector<std::string> Arguments, const Installation &Installed) {
  CLI::App App("memshape: the peak memory of an operator, from its source, before it runs", "memshape");
  App.set_version_flag("--version", versionText());
  App.require_subcommand(1);
  PredictOptions Predict;
  PlanOptions Plan;
  ScheduleOptions Schedule;
  CheckpointOptions Checkpoint;
  ReportArguments Report;
  ConfigOptions Config;
  CheckOptions Check;
  RunOptions Run;
  WatchOptions Watch;
  ForecastArguments Forecast;
  bool Learn = false;
  HistoryOptions History;
  TrainOptions Train;
  CLI::App &PredictCommand = *App.add_subcommand("predict", "predict the memory of one call at a shape");
  CLI::App &PlanCommand = *App.add_subcommand("plan", "split an array so that no worker goes beyond its memory");
  CLI::App &ScheduleCommand = *App.add_subcommand("schedule", "order the tasks of a graph so that they hold little");
  CLI::App &CheckpointCommand = *App.add_subcommand("checkpoint", "which states of a chain to store for its reversal");
  CLI::App &ReportCommand = *App.add_subcommand("report", "where the memory of operators goes, as formulas");
  CLI::App &RunCommand = *App.add_subcommand("run", "run a program and measure its operators");
  CLI::App &WatchCommand =
      *App.add_subcommand("watch", "what a program under memshape run holds now, and what stores do");
  CLI::App &CheckCommand =
      *App.add_subcommand("check", "compare the memory of operators with a baseline; for continuous integration");
  CLI::App &ConfigCommand = *App.add_subcommand("config", "flags for build systems");
  CLI::App &HistoryCommand = *App.add_subcommand("history", "past runs: import, export, list");
  CLI::App &TrainCommand = *App.add_subcommand("train", "make the generic prior from records of many operators");
  describeHistory(HistoryCommand, History);
  describeTrain(TrainCommand, Train);
  describePredict(PredictCommand, Predict);
  describePlan(PlanCommand, Plan);
  describeSchedule(ScheduleCommand, Schedule);
  describeCheckpoint(CheckpointCommand, Checkpoint);
  describeReports(ReportCommand, Report);
  describeRun(RunCommand, Run, Forecast, Learn);
  describeWatch(WatchCommand, Watch, Forecast);
  describeConfig(ConfigCommand, Config);
  describeCheck(CheckCommand, Check);

  // The build asks for manual pages and completions.
  if (Arguments.size() == 2 && Arguments.front() == "--write-pages")
    return writeAllPages(App, Arguments.back());
  // Completions ask for the shape symbols of a file.
  if (Arguments.size() == 2 && Arguments.front() == "--shape-symbols") {
    limitOwnMemory();
    return deliver(shapeSymbolsText(Arguments.back()), "");
  }
  // What stands after -- belongs to the program that is run, options and all.
  if (!Arguments.empty() && Arguments.front() == "run")
    if (auto Dashes = std::find(Arguments.begin(), Arguments.end(), "--"); Dashes != Arguments.end()) {
      Run.Command.assign(Dashes + 1, Arguments.end());
      Arguments.erase(Dashes, Arguments.end());
    }
  auto Named = [&](const CLI::App *Command) { return Command->get_name() == Arguments.front(); };
  std::vector<CLI::App *> Known = App.get_subcommands(nullptr);
  if (!Arguments.empty() && !Arguments.front().starts_with("-") && std::none_of(Known.begin(), Known.end(), Named))
    return refuse(
        "unknown command '" + Arguments.front() +
        "'; there are predict, plan, schedule, checkpoint, report, check, run, watch, history, train and config");
  if (std::optional<int> Status = parse(App, std::move(Arguments)))
    return *Status;
  if (!RunCommand.parsed()) // the program would inherit the limit
    limitOwnMemory();
  if (PredictCommand.parsed()) {
    if (std::optional<Failure> Open = checkSandbox(Predict.Trust, !Predict.Files.empty()))
      return refuse(Open->Message);
    if (Predict.Files.empty() && !Predict.Budget.empty())
      return refuse("--budget needs FILE: past runs do not say what a budget costs");
    return deliver(Predict.Files.empty() ? predictFromStoreText(Predict) : predictText(Predict), "");
  }
  if (PlanCommand.parsed())
    return plan(Plan);
  if (CheckpointCommand.parsed()) {
    if (std::optional<Failure> Open = Checkpoint.Files.empty() ? std::nullopt : checkSandbox(Checkpoint.Trust))
      return refuse(Open->Message);
    return deliverOrRefuse(checkpointText(Checkpoint), Checkpoint.Output);
  }
  if (ScheduleCommand.parsed())
    return deliverOrRefuse(scheduleText(Schedule), Schedule.Output);
  if (HistoryCommand.parsed())
    return deliver(historyText(History), "");
  if (TrainCommand.parsed())
    return train(Train);
  if (ReportCommand.parsed())
    return report(Report, "memshape report", Installed);
  if (CheckCommand.parsed())
    return check(Check, Installed);
  if (ConfigCommand.parsed())
    return deliver(configText(Config, Installed), "");
  if (!Forecast.Limit.empty()) {
    Result<std::uint64_t> Bytes = readByteSize(Forecast.Limit);
    if (!Bytes)
      return refuse("--limit: " + Bytes.failure().Message);
    Run.Limit = Watch.Limit = *Bytes;
  }
  if (std::optional<Failure> Open = checkSandbox(Forecast.Trust, WatchCommand.parsed() || Run.Limit))
    return refuse(Open->Message);
  Run.Forecast = Watch.Forecast = predictedCalls(Installed, Forecast.Trust);
  if (WatchCommand.parsed()) {
    Watch.Screen = !Watch.Json && isatty(STDOUT_FILENO);
    return watchCommand(Watch, std::cout, std::cerr);
  }
  if (Run.Command.empty())
    return refuse("run wants a program after --, as in: memshape run -- ./program 400 400");
  if (!Run.Limit)
    Run.Forecast = nullptr;
  if (std::optional<Failure> Unkept = keepInStore(Run, Learn))
    return refuse(Unkept->Message);
  return runCommand(Run, std::cout, std::cerr);
}

int runReport(std::vector<std::string> Arguments, const Installation &Installed) {
  CLI::App App("memshape-report: where the memory of operators goes, as formulas", "memshape-report");
  App.set_version_flag("--version", versionText());
  ReportArguments Report;
  describeReports(App, Report);
  if (std::optional<int> Status = parse(App, std::move(Arguments)))
    return *Status;
  limitOwnMemory();
  return report(Report, "memshape-report", Installed);
}

} // namespace

int memshapeMain(int Count, char **Arguments) { return guarded(Count, Arguments, runMemshape); }

int memshapeReportMain(int Count, char **Arguments) { return guarded(Count, Arguments, runReport); }

} // namespace memshape
