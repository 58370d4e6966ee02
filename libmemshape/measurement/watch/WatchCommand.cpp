// memshape watch, as a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/watch/WatchCommand.h"

#include "libmemshape/measurement/forecast/GrowthTrend.h"
#include "libmemshape/measurement/record/LiveRecord.h"
#include "libmemshape/measurement/stores/StoreWatch.h"
#include "libmemshape/measurement/watch/Moment.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Try.h"

#include "record/record.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace memshape {
namespace {

namespace fs = std::filesystem;

/// A process that the runtime counts, or that has stores, or both.
struct Watched {
  std::optional<LiveRecord> Record;
  StoreWatch Stores;
};

Result<Watched> processOf(int Pid) {
  Result<LiveRecord> Record = LiveRecord::ofProcess(Pid);
  if (Record) {
    const int Counted = Record->pid();
    return Watched{std::move(*Record), StoreWatch(Counted)};
  }
  MEMSHAPE_TRY(std::optional<StoreWatch> Stores, StoreWatch::ofProcess(Pid));
  if (!Stores)
    return Record.failure();
  return Watched{{}, std::move(*Stores)};
}

Result<Watched> watchedOf(const std::string &Target) {
  if (!Target.empty() && Target.size() < 10 && Target.find_first_not_of("0123456789") == std::string::npos)
    return processOf(std::stoi(Target));
  if (std::error_code Ignored; !fs::is_directory(Target, Ignored)) {
    MEMSHAPE_TRY(LiveRecord Record, LiveRecord::open(Target));
    const int Counted = Record.pid();
    return Watched{std::move(Record), StoreWatch(Counted)};
  }
  MEMSHAPE_TRY(StoreWatch Stores, StoreWatch::ofFolder(Target));
  Result<LiveRecord> Record = LiveRecord::ofProcess(Stores.pid());
  if (Record && Record->pid() == Stores.pid())
    return Watched{std::move(*Record), std::move(Stores)};
  return Watched{{}, std::move(Stores)};
}

class Watch {
public:
  Watch(const WatchOptions &Options, Watched Process)
      : Options(Options), Record(std::move(Process.Record)), Stores(std::move(Process.Stores)),
        Forecasts(Options.Forecast, Options.Confidence) {}

  Result<Moment> look();
  std::string text(const Moment &Now) const;

private:
  int pid() const { return Record ? Record->pid() : Stores.pid(); }
  std::optional<Failure> readProcess(Moment &Now);

  const WatchOptions &Options;
  std::optional<LiveRecord> Record;
  StoreWatch Stores;
  std::string Program; ///< of a process that is not counted
  std::uint64_t Started = 0;
  GrowthTrend Trend{10};
  Forecaster Forecasts;
};

/// What it is and whether it is alive; of one that is not counted, when its first store was made.
std::optional<Failure> Watch::readProcess(Moment &Now) {
  Now.Alive = isAlive(pid());
  Now.Counted = Record.has_value();
  if (Record) {
    MEMSHAPE_TRY(Now.Process, Record->read());
    Now.Alive = Now.Alive && (Now.Process.State == MEMSHAPE_RECORD_RUNNING);
    Started = Record->started();
  }
  const std::uint64_t Time = unixTime();
  Now.Stores = Stores.look(static_cast<double>(Time) / 1e9, Now.Alive);
  if (Record)
    return std::nullopt;
  if (!Started)
    for (const StoreLook &Each : Now.Stores)
      Started = Started ? std::min(Started, Each.Now.started) : Each.Now.started;
  if (std::error_code Ignored; Program.empty() && Now.Alive)
    Program = fs::read_symlink("/proc/" + std::to_string(pid()) + "/exe", Ignored).string();
  Now.Process.Pid = static_cast<std::uint64_t>(pid());
  Now.Process.Program = Program;
  return std::nullopt;
}

Result<Moment> Watch::look() {
  Moment Now;
  ResidentFigures Resident = residentFigures(pid());
  LiveFigures Counted = Record ? Record->figures() : LiveFigures();
  MEMSHAPE_CHECK(readProcess(Now));
  Now.Resident = Now.Alive ? Resident.Bytes : 0;
  std::uint64_t Time = unixTime();
  Now.Seconds = Started && Time > Started ? static_cast<double>(Time - Started) / 1e9 : 0;
  Now.Limit = Options.Limit;
  Trend.add(Now.Seconds, heldBytes(Now));
  if (Now.Alive) {
    Now.Rate = Trend.rate();
    if (Record && Resident.Bytes)
      Forecasts.see(Now.Process.Pid, lookOf(Counted, Resident));
    if (Record)
      Now.Forecast = Forecasts.of(Now.Process);
    if (Options.Limit)
      Now.SecondsLeft = Trend.secondsUntil(static_cast<double>(Options.Limit));
    Now.Alarm = meetsLimit(Now);
  }
  return Now;
}

std::string Watch::text(const Moment &Now) const {
  if (Options.Json) // names from a measured program may be invalid UTF-8
    return jsonText(momentJson(Now)) + "\n";
  if (!Options.Screen)
    return momentLine(Now) + "\n";
  winsize Size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &Size) != 0 || !Size.ws_col || !Size.ws_row)
    Size = {24, 80, 0, 0};
  return momentScreen(Now, Size.ws_col, Size.ws_row);
}

} // namespace

int watchCommand(const WatchOptions &Options, std::ostream &Out, std::ostream &Err) {
  Result<Watched> Process = watchedOf(Options.Target);
  if (!Process) {
    Err << "memshape: " << oneLine(Process.failure().Message) << "\n";
    return 2;
  }
  Watch Watching(Options, std::move(*Process));
  bool Raised = false;
  for (std::uint64_t Round = 1;; ++Round) {
    Result<Moment> Now = Watching.look();
    if (!Now) {
      Err << "memshape: " << oneLine(Now.failure().Message) << "\n";
      return 2;
    }
    Out << Watching.text(*Now) << std::flush;
    if (Now->Alarm && !std::exchange(Raised, true))
      Err << "memshape: " + alarmLine(*Now) + "\n" << std::flush;
    if (Raised && Options.UntilAlarm)
      return 1;
    if (!Now->Alive || Round == Options.Times || !Out)
      return 0;
    // In steps, so that the end of the process is noticed soon.
    for (double Left = Options.Interval; Left > 0 && isAlive(static_cast<int>(Now->Process.Pid)); Left -= 0.1)
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(Left, 0.1)));
  }
}

} // namespace memshape
