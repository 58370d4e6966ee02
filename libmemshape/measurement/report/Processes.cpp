// Reads the records of a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/ElfFile.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/files/MappedFile.h"
#include "libmemshape/measurement/record/LiveRecord.h"
#include "libmemshape/measurement/record/RunText.h"
#include "libmemshape/measurement/report/RunParts.h"
#include "libmemshape/measurement/report/RunReport.h"
#include "libmemshape/measurement/symbols/SymbolPlaces.h"
#include "record/record.h"

#include <algorithm>
#include <cstdlib>
#include <elf.h>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {

namespace {

namespace fs = std::filesystem;

/// More than a record can have; see runtime/src/record/recordfile.c.
constexpr std::uint64_t MostRecordBytes = 128 << 20;

/// Why a process that wrote a record was not counted; "" if it was.
std::string whyNotCounted(const RunRecord &Process) {
  std::string Which =
      "process " + std::to_string(Process.Pid) + " (" + baseName(Process.Program) + ") was not counted: ";
  switch (Process.Mode) {
  case MEMSHAPE_RECORD_OTHER_ALLOCATOR:
    return Which + "the executable brings a malloc of its own, a sanitizer's or another allocator's";
  case MEMSHAPE_RECORD_UNDER_VALGRIND:
    return Which + "valgrind puts its own malloc in the place of all others, unless it is started with "
                   "--soname-synonyms=somalloc=nouserintercepts";
  case MEMSHAPE_RECORD_UNANNOUNCED: return Which + "it was made by the system call itself, without fork";
  default: return "";
  }
}

bool hasPeakError(const RunRecord &Process) {
  return Process.PeakError || std::any_of(Process.Groups.begin(), Process.Groups.end(), [](const RunGroup &Group) {
           return Group.First.PeakError || Group.Later.PeakError;
         });
}

/// The path of the loader that a program of 64 bits names; "" where it names none.
std::string loaderOf(Bytes Program) {
  const std::optional<Elf64_Ehdr> Header = Program.read<Elf64_Ehdr>(0);
  for (std::uint64_t I = 0; Header && I != Header->e_phnum; ++I) {
    const auto Segment = Program.read<Elf64_Phdr>(Header->e_phoff + I * sizeof(Elf64_Phdr));
    if (Segment && Segment->p_type == PT_INTERP)
      return std::string(Program.string(Segment->p_offset).value_or(""));
  }
  return "";
}

/// Why a program's file cannot load the runtime.
std::string whyNoRuntime(const std::string &Program) {
  Result<MappedFile> File = MappedFile::open(Program);
  struct stat Status;
  if (!File || !isElf(File->bytes()))
    return "it is a script or of a kind that loads no libraries";
  if (File->bytes().read<std::uint8_t>(EI_CLASS) != ELFCLASS64)
    return "it is a program of 32 bits, and the runtime is a library of 64";
  const std::string Loader = loaderOf(File->bytes());
  if (Loader.empty())
    return "it is statically linked and loads no libraries; link it with the runtime (docs/runtime.md)";
  if (Result<MappedFile> Own = MappedFile::open("/proc/self/exe");
      Own && baseName(loaderOf(Own->bytes())) != baseName(Loader))
    return "its C library is another one than the runtime's: it is loaded by " + Loader;
  if (stat(Program.c_str(), &Status) == 0 && (Status.st_mode & (S_ISUID | S_ISGID)))
    return "it runs with the rights of another user or group, and is not given the runtime";
  return "it ended before it had loaded the runtime, or its limits left no room for a record (docs/runtime.md)";
}

} // namespace

const RunRecord *ownProcess(const Run &R) {
  bool Own = !R.Processes.empty() && R.Processes.front().Pid == static_cast<std::uint64_t>(R.How.Pid);
  return Own ? &R.Processes.front() : nullptr;
}

void readRecords(const fs::path &Folder, Run &R) {
  std::error_code Ignored;
  std::vector<RunRecord> NotCounted;
  std::size_t Unreadable = 0; // a program may leave any number of them
  std::string Why;
  for (const fs::directory_entry &Entry : fs::directory_iterator(Folder, Ignored)) {
    if (Entry.path().filename().string().starts_with(StoreName))
      readStore(Entry.path(), R);
    if (!Entry.path().filename().string().starts_with(RecordName))
      continue;
    Result<std::string> Bytes = readFile(Entry.path(), MostRecordBytes);
    Result<RunRecord> Record = Bytes ? readRunRecord(*Bytes) : Result<RunRecord>(Bytes.failure());
    if (!Record) {
      ++Unreadable;
      Why = Record.failure().Message;
    } else if (!whyNotCounted(*Record).empty()) {
      NotCounted.push_back(std::move(*Record));
    } else {
      R.Processes.push_back(std::move(*Record));
      RunRecord &Process = R.Processes.back();
      Process.StillRunning = Process.State == MEMSHAPE_RECORD_RUNNING && isAlive(static_cast<int>(Process.Pid));
    }
  }
  if (Unreadable)
    R.Notes.push_back((Unreadable == 1 ? "one process" : std::to_string(Unreadable) + " processes") +
                      " left no readable record: " + Why);
  // The malloc that takes precedence may be that of the runtime itself, linked into the executable.
  for (const RunRecord &Process : NotCounted)
    if (std::none_of(R.Processes.begin(), R.Processes.end(), [&](const RunRecord &Other) {
          return Other.Pid == Process.Pid && Other.Program == Process.Program;
        }))
      R.Notes.push_back(whyNotCounted(Process));
  std::sort(R.Processes.begin(), R.Processes.end(),
            [](const RunRecord &A, const RunRecord &B) { return A.Started < B.Started; });
  std::sort(R.Stores.begin(), R.Stores.end(),
            [](const StoreRecord &A, const StoreRecord &B) { return A.started < B.started; });
  // A program that replaced itself (a shell's exec, env) has several records under one process id: the last one counts.
  for (std::size_t I = R.Processes.size(); I-- != 0;)
    if (R.Processes[I].Pid == static_cast<std::uint64_t>(R.How.Pid)) {
      std::rotate(R.Processes.begin(), R.Processes.begin() + static_cast<std::ptrdiff_t>(I),
                  R.Processes.begin() + static_cast<std::ptrdiff_t>(I) + 1);
      break;
    }
}

void addNotes(const std::string &Program, Run &R) {
  if (!ownProcess(R) && R.Notes.empty())
    R.Notes.push_back((R.Processes.empty() ? "nothing was measured: " : "the program itself was not measured: ") +
                      whyNoRuntime(Program));
  for (const RunRecord &Process : R.Processes) {
    std::string Which = "process " + std::to_string(Process.Pid);
    if (Process.LostOperations)
      R.Notes.push_back(Which + ": " + std::to_string(Process.LostOperations) +
                        " allocations or frees in signal handlers could not be counted");
    if (hasPeakError(Process))
      R.Notes.push_back(Which + ": threads met at a peak, which was counted to within some KiB a thread; memshape run "
                                "--exact-peak has them take turns");
    if (Process.LostCalls)
      R.Notes.push_back(Which + ": " + std::to_string(Process.LostCalls) + " operator calls could not be recorded");
    const auto OfOperators =
        std::ranges::count_if(Process.Groups, [&](const RunGroup &G) { return !isPhase(Process, G); });
    if (OfOperators > static_cast<std::ptrdiff_t>(MostGroups))
      R.Notes.push_back(Which + ": of " + grouped(OfOperators) + " operators and shapes the " + grouped(MostGroups) +
                        " with the highest peaks are listed");
    if (Process.UnlistedCalls)
      R.Notes.push_back(Which + ": " + std::to_string(Process.UnlistedCalls) +
                        " calls are in the sums but not listed one by one");
  }
}

/// The code behind "module+0xoffset"; an empty module for any other site.
static SymbolPlaces::key_type codeOf(const RunRecord &Process, const RunSite &Site) {
  const std::size_t Plus = Site.Function.rfind("+0x");
  if (Site.Origin != MEMSHAPE_RECORD_LIBRARY || Plus == std::string::npos)
    return {};
  return {Plus == 0 ? Process.Program : Site.Function.substr(0, Plus),
          std::strtoull(Site.Function.c_str() + Plus + 1, nullptr, 16)};
}

void nameCallSites(Run &R) {
  SymbolPlaces Places;
  for (const RunRecord &Process : R.Processes)
    for (const RunSite &Site : Process.Sites)
      if (auto Code = codeOf(Process, Site); !Code.first.empty())
        Places[Code];
  findSymbolPlaces(Places, Inlined::Without);
  for (RunRecord &Process : R.Processes)
    for (RunSite &Site : Process.Sites)
      if (auto Found = Places.find(codeOf(Process, Site)); Found != Places.end() && !Found->second.empty()) {
        const SymbolPlace &Place = Found->second.front();
        if (Place.File.empty())
          continue;
        Site.CallerFile = Place.File;
        Site.CallerFunction = Place.Function;
        Site.CallerLine = Place.Line;
      }
}

} // namespace memshape
