// memshape run and memshape watch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunCommand.h"
#include "libmemshape/measurement/watch/WatchCommand.h"
#include "libmemshape/runs/MeasuredRuns.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/Commands.h"

#include <iostream>
#include <memory>
#include <unistd.h>

namespace memshape {

namespace {

/// What both share.
template <class Base> struct Forecasting : Base {
  std::string LimitText;
  bool Trust = false, Learn = false;

  /// The limit as a number, and what forecasts calls. Needed: without a limit, too.
  std::optional<Failure> prepare(const Installation &Installed, bool Needed) {
    if (!LimitText.empty()) {
      MEMSHAPE_TRY(std::uint64_t Bytes, inContext("--limit: ", readByteSize(LimitText)));
      this->Limit = Bytes;
    }
    MEMSHAPE_CHECK(checkSandbox(Trust, Needed || this->Limit));
    if (Needed || this->Limit)
      this->Forecast = predictedCalls(Installed, Trust);
    return std::nullopt;
  }
};

} // namespace

Run describeRun(Options &On) {
  const auto Options = std::make_shared<Forecasting<RunOptions>>();
  On.file("--record", Options->Record,
          "keep the run in this store; a name that ends in .jsonl is a file of JSON lines");
  On.file("--json", Options->JsonOut, "write memshape.run/1 to this file; - is standard output");
  On.file("--html", Options->HtmlOut, "write the run as a page for browsers to this file");
  On.file("--profile", Options->ProfileOut, "write what is live at the peak, by call stack, to this file");
  On.choice(
      "--format", "of the profile; by the ending of its name where not given, or pprof",
      v1::joined_names<v1::ProfileFormat>(),
      [=](const std::string &Name) { Options->ProfileFormat = v1::named<v1::ProfileFormat>(Name); }, "");
  On.sample(Options->Sample);
  for (const char *Option : {"--format", "--sample"})
    On.needs(Option, "--profile");
  On.file("--timeline", Options->TimelineOut, "write live bytes over time, memshape.timeline/1, to this file");
  On.size("--limit", Options->LimitText, "warn before so much is held, as in 8GiB");
  On.confidence(Options->Confidence, "of the bound of resident memory that warns; 0.9 by default");
  On.flag("--full", Options->Full, "the page shows up to 100 operators and shapes, and each process, however small");
  On.flag("--kernel", Options->Kernel, "also watch what the kernel sees: resident memory, page faults, control group");
  On.flag("--exact-peak", Options->ExactPeak,
          "have threads that meet at a peak take turns: exact, but slow, where it is known to some KiB a thread");
  On.flag("--libraries", Options->Libraries,
          "also count by library where nothing was compiled with the plugin; counting is slower then");
  On.flag("--learn", Options->Learn, "keep the run in the store, and say what was expected of it");
  On.work(Options->Trust);
  On.footer("The program and its arguments stand last, as in: memshape run ./program 400 400. Behind -- all words are "
            "the program's, whatever they begin with.");
  return [Options](const Context &In) {
    if (std::optional<Failure> Wrong = Options->prepare(In.Installed, false))
      return refuse(Wrong->Message);
    if (In.Program.empty())
      return refuse("run wants a program, as in: memshape run ./program 400 400");
    Options->Command = In.Program;
    if (std::optional<Failure> Unkept = keepInStore(*Options, Options->Learn))
      return refuse(Unkept->Message);
    return runCommand(*Options, std::cout, std::cerr);
  };
}

Run describeWatch(Options &On) {
  const auto Options = std::make_shared<Forecasting<WatchOptions>>();
  On.add("PROCESS", Options->Target, "process id, path of a record, or folder of a store", {.Required = true});
  On.add("--interval", Options->Interval, "seconds between two looks",
         {.ShowDefault = true, .Between = {{0.01, 86400.0}}});
  On.add("--times", Options->Times, "looks; without it until the process ends");
  On.size("--limit", Options->LimitText, "say when so much will be held, as in 8GiB");
  On.flag("--until-alarm", Options->UntilAlarm, "end with status 1 once the limit is met or foreseen");
  On.needs("--until-alarm", "--limit");
  On.confidence(Options->Confidence, "of the forecast's bound of resident memory; 0.9 by default");
  On.flag("--json", Options->Json, "print memshape.watch/1, a line per look");
  On.work(Options->Trust);
  return [Options](const Context &In) {
    if (std::optional<Failure> Wrong = Options->prepare(In.Installed, true))
      return refuse(Wrong->Message);
    Options->Screen = !Options->Json && isatty(STDOUT_FILENO);
    return watchCommand(*Options, std::cout, std::cerr);
  };
}

} // namespace memshape
