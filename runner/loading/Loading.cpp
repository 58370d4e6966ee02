// From a request to code that can be run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/loading/Loading.h"

#include <climits>
#include <dlfcn.h>
#include <unistd.h>

using namespace memshape;

/// Skeletons with more writable data are evaluated in a child, which starts with fresh data. Less is restored by
/// copying.
static constexpr std::uint64_t MaxRestoredBytes = 16 << 20;

/// More data takes too long to compare at each state of an exploration.
static constexpr std::uint64_t MaxExploredBytes = 256 << 10;

/// Opens memshape-jit.so, the runner's part that uses LLVM, from the runner's folder.
static JitFunction *openJit(std::string &Problem) {
  char Own[PATH_MAX];
  const ssize_t Length = readlink("/proc/self/exe", Own, sizeof(Own));
  std::string Path(Own, Length > 0 ? std::size_t(Length) : 0);
  Path.erase(Path.rfind('/') + 1);
  Path += JitModule;
  void *Module = dlopen(Path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  void *Entry = Module ? dlsym(Module, JitEntry) : nullptr;
  if (!Entry) {
    const char *Why = dlerror();
    Problem = "the skeleton's bitcode cannot be compiled: " + std::string(Why ? Why : Path.c_str());
  }
  return reinterpret_cast<JitFunction *>(Entry);
}

bool memshape::loadSkeleton(std::string_view Bitcode, std::string_view Object, bool Optimised, Symbols &Names,
                            LoadedSkeleton &Result, std::string &Problem) {
  const NameSearch Search = [&Names](const std::string &Name, std::string &Why) { return Names.find(Name, Why); };
  PlacedCode Code;
  switch (Object.empty() ? Placement::Unusual : placeObject(Object, Search, Code, Problem)) {
  case Placement::Done: Result.FromObject = true; break;
  case Placement::Failed: return false;
  case Placement::Unusual:
    Code = PlacedCode();
    JitFunction *Jit = openJit(Problem);
    if (!Jit || !Jit(Bitcode, Search, Names.unwinding(), Optimised, Code, Problem))
      return false;
  }
  Result.Run = Code.Run;
  Result.Constructors = std::move(Code.Constructors);
  std::uint64_t WritableBytes = 0;
  for (const PlacedCode::Range &Part : Code.Writable)
    WritableBytes += Part.Bytes;
  Result.NeedsChild = Code.NeedsChild || Names.openedLibraries() || WritableBytes > MaxRestoredBytes;
  if (WritableBytes <= MaxRestoredBytes)
    for (const PlacedCode::Range &Part : Code.Writable)
      Result.Writable.push_back({Part.Address, std::vector<char>(Part.Address, Part.Address + Part.Bytes)});
  Result.HasVariables = WritableBytes != 0;
  Result.Explorable = WritableBytes <= MaxExploredBytes;
  return true;
}
