//===- Processes.cpp - Reads the records of a run -------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/measurement/report/Processes.h"

#include "libmemshape/measurement/record/LiveRecord.h"
#include "libmemshape/measurement/record/RunText.h"
#include "libmemshape/measurement/report/RunStores.h"

#include "record/record.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

namespace memshape {
namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path &Path) {
  std::ifstream Stream(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(Stream), {}};
}

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
  case MEMSHAPE_RECORD_UNANNOUNCED:
    return Which + "it was made by the system call itself, without fork";
  default:
    return "";
  }
}

bool hasPeakError(const RunRecord &Process) {
  return Process.PeakError || std::any_of(Process.Groups.begin(), Process.Groups.end(), [](const RunGroup &Group) {
           return Group.First.PeakError || Group.Later.PeakError;
         });
}

/// Why a program's file cannot load the runtime.
std::string whyNoRuntime(const std::string &Program) {
  std::ifstream File(Program, std::ios::binary);
  Elf64_Ehdr Header = {};
  struct stat Status;
  File.read(reinterpret_cast<char *>(&Header), sizeof Header);
  if (std::memcmp(Header.e_ident, ELFMAG, SELFMAG) != 0)
    return "it is a script or of a kind that loads no libraries";
  if (Header.e_ident[EI_CLASS] != ELFCLASS64)
    return "it is a program of 32 bits, and the runtime is a library of 64";
  bool AsksForLoader = false;
  for (unsigned I = 0; I != Header.e_phnum; ++I) {
    Elf64_Phdr Segment = {};
    File.clear();
    File.seekg(static_cast<std::streamoff>(Header.e_phoff + I * std::uint64_t(Header.e_phentsize)));
    File.read(reinterpret_cast<char *>(&Segment), sizeof Segment);
    AsksForLoader |= File && Segment.p_type == PT_INTERP;
  }
  if (!AsksForLoader)
    return "it is statically linked and loads no libraries; link it with the runtime (docs/runtime.md)";
  if (stat(Program.c_str(), &Status) == 0 && (Status.st_mode & (S_ISUID | S_ISGID)))
    return "it runs with the rights of another user or group, and is not given the runtime";
  return "it ended before it had loaded the runtime, or found no room for a record";
}

} // namespace

const RunRecord *ownProcess(const Run &R) {
  bool Own = !R.Processes.empty() && R.Processes.front().Pid == static_cast<std::uint64_t>(R.How.Pid);
  return Own ? &R.Processes.front() : nullptr;
}

void readRecords(const fs::path &Folder, Run &R) {
  std::error_code Ignored;
  std::vector<RunRecord> NotCounted;
  for (const fs::directory_entry &Entry : fs::directory_iterator(Folder, Ignored)) {
    if (Entry.path().filename().string().starts_with(StoreName))
      readStore(Entry.path(), R);
    if (!Entry.path().filename().string().starts_with(RecordName))
      continue;
    Result<RunRecord> Record = readRunRecord(readFile(Entry.path()));
    if (!Record) {
      R.Notes.push_back("one process left no readable record: " + Record.failure().Message);
    } else if (!whyNotCounted(*Record).empty()) {
      NotCounted.push_back(std::move(*Record));
    } else {
      R.Processes.push_back(std::move(*Record));
      RunRecord &Process = R.Processes.back();
      Process.StillRunning = Process.State == MEMSHAPE_RECORD_RUNNING && isAlive(static_cast<int>(Process.Pid));
    }
  }
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
    if (Process.UnlistedCalls)
      R.Notes.push_back(Which + ": " + std::to_string(Process.UnlistedCalls) +
                        " calls are in the sums but not listed one by one");
  }
}

} // namespace memshape
