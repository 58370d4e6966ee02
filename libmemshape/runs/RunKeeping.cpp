// Measured runs into the store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/runs/MeasuredRuns.h"

#include "libmemshape/files/ElfFile.h"
#include "libmemshape/files/LoadedLibraries.h"
#include "libmemshape/files/MappedFile.h"
#include "libmemshape/files/OutputFile.h"
#include "libmemshape/history/HistoryPrediction.h"
#include "libmemshape/history/Store.h"
#include "libmemshape/history/StorePool.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Try.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gnu/libc-version.h>
#include <memory>
#include <sys/utsname.h>
#include <unistd.h>

namespace memshape {

using Json = nlohmann::ordered_json;

constexpr double Confidence = 0.99;

/// A file of JSON lines: one is there already, or the name says so.
static bool isForLines(const std::string &Path) {
  std::error_code Ignored;
  std::filesystem::path P(Path);
  if (std::filesystem::is_regular_file(P, Ignored) && std::filesystem::file_size(P, Ignored) > 0)
    return std::ifstream(P).peek() == '{';
  return P.extension() == ".jsonl" || P.extension() == ".ndjson" || P.extension() == ".json";
}

/// What a change of makes the model forget, and what the process loads.
static Json environmentOf(const std::string &Program) {
  Json Around = {{"allocator", std::string("glibc-") + gnu_get_libc_version()},
                 {"page", sysconf(_SC_PAGESIZE)},
                 {"process", "memshape run"}};
  utsname Host;
  if (uname(&Host) == 0)
    Around["host"] = Host.nodename;
  if (Result<MappedFile> File = MappedFile::open(Program); File && isElf(File->bytes()))
    if (Result<ElfFile> Elf = readElf(File->bytes()))
      if (std::size_t Count = countLoadedLibraries(Elf->Needed))
        Around["libraries"] = Count;
  return Around;
}

static std::string against(const char *What, const std::optional<Forecast> &Before, const std::optional<double> &Peak) {
  if (!Peak)
    return "";
  std::string Line = std::string("  ") + What + "  held " + inUnits(wholeBytes(*Peak));
  if (!Before)
    return Line + ", nothing was expected yet\n";
  std::optional<std::uint64_t> Bound = boundInBytes(Before->Upper);
  return Line + ", expected " + inUnits(wholeBytes(Before->Expected.Location)) +
         format(" (%+.2f %%)", 100 * (Before->Expected.Location - *Peak) / std::max(*Peak, 1.0)) +
         (Bound ? ", at most " + inUnits(*Bound) : ", without a bound") + (*Peak > Before->Upper ? ": exceeded" : "") +
         "\n";
}

/// One round of learning, for a person.
static Result<std::string> compared(const Store &Past, const std::vector<RunEntry> &Runs) {
  std::string Page;
  for (const RunEntry &Run : Runs) {
    MEMSHAPE_TRY(std::vector<RunEntry> Before, Past.runsOf(Run.Operator, MostRunsRead, &Run));
    Situation At = Run.At;
    At.Heap = Unknown;
    HistoryPrediction Expected = predictFromHistory(Prior::generic(), Before, At, Confidence);
    Page += "learned from " + oneLine(Run.Operator) + "  " + shapeOf(At) + "  (" + std::to_string(Before.size()) +
            (Before.size() == 1 ? " run before)\n" : " runs before)\n") +
            against("heap    ", Expected.Heap, Run.HeapPeak) + against("resident", Expected.Resident, Run.Resident);
  }
  return Page;
}

/// A run that took hours is not lost because the store cannot take it now.
static Failure keptBeside(const std::string &Store, const std::string &Line, const Failure &Why) {
  const std::string File = Store + ".run-" + std::to_string(getpid()) + ".jsonl";
  if (std::optional<Failure> Unwritten = appendLine(File, Line))
    return Failure{Why.Message + "; the run is lost: " + Unwritten->Message};
  return Failure{Why.Message + "; the run is in " + File + ": `memshape history import " + File + " --store " + Store +
                 "` adds it"};
}

std::optional<Failure> keepInStore(RunOptions &Options, bool Learn) {
  if (Options.Record.empty() && !Learn)
    return std::nullopt;
  if (!Options.Record.empty() && isForLines(Options.Record)) {
    if (Learn)
      return Failure{Options.Record +
                     " is a file of JSON lines; --learn wants a store: `memshape history import` makes one of it"};
    return std::nullopt;
  }
  MEMSHAPE_TRY(std::string Path, storePath(Options.Record));
  MEMSHAPE_TRY(Store Opened, Store::open(Path, Store::Purpose::Write));
  auto Past = std::make_shared<Store>(std::move(Opened));
  Options.Record.clear();
  std::string Program = Options.Command.empty() ? "" : Options.Command.front();
  double Started = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  auto Start = std::chrono::steady_clock::now();
  Options.Keep = [Past, Kept = Path, Learn, Program, Started, Start](Json Run,
                                                                     std::ostream &Err) -> std::optional<Failure> {
    Run["environment"] = environmentOf(Program);
    // The clock on the wall may be set back while the program runs.
    double Now = Started + std::chrono::duration<double>(std::chrono::steady_clock::now() - Start).count();
    Run["started_at"] = Started;
    Run["ended_at"] = Now;
    const std::string Line = jsonText(Run);
    MEMSHAPE_TRY(std::vector<RunEntry> Entries, inContext("the run cannot be kept: ", parseRunLine(Line, Now)));
    if (Learn) {
      MEMSHAPE_TRY(std::string Page, compared(*Past, Entries));
      Err << Page;
    }
    if (const std::size_t Calls = Run.contains("calls") ? Run["calls"].size() : 0; Calls > Entries.size())
      Err << "memshape: " + std::to_string(Calls - Entries.size()) +
                 " of the operators and shapes were not kept: the arguments of these calls do not tell their shape\n";
    Result<std::uint64_t> Added = Past->add(Entries);
    return Added ? std::nullopt : std::optional(keptBeside(Kept, Line, Added.failure()));
  };
  return std::nullopt;
}

} // namespace memshape
