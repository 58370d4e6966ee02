// A run as a profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunReport.h"
#include "libmemshape/measurement/symbols/SymbolPlaces.h"
#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/Figures.h"

#include "record/record.h"

#include <filesystem>

namespace memshape {

/// The functions around a frame's code, the outermost first. What has no name is called as its module and offset.
static Stack functionsOf(const RunRecord &Process, const RunFrame &Frame, const SymbolPlaces &Places) {
  const std::string &Module = Process.Modules[Frame.Module];
  Stack Functions;
  if (const auto Found = Places.find({Module, Frame.Offset}); Found != Places.end())
    for (auto Place = Found->second.rbegin(); Place != Found->second.rend(); ++Place)
      if (!Place->Function.empty())
        Functions.push_back({functionName(Place->Function), Place->File, Place->Line});
  if (Functions.empty() && !Module.empty())
    return {{std::filesystem::path(Module).filename().string() + format("+0x%lx", Frame.Offset), Module, 0}};
  return Functions.empty() ? Stack{{}} : Functions;
}

/// Where nothing tells what was inlined, the site itself still knows its function and line.
static void addSite(Stack &To, std::size_t Innermost, const RunSite &Site) {
  if (Site.Origin != MEMSHAPE_RECORD_SOURCE || Site.Function.empty())
    return;
  for (std::size_t I = Innermost; I != To.size(); ++I) {
    const std::string &Known = To[I].Function;
    if (Known != Site.Function && !Known.ends_with("::" + Site.Function) && !Site.Function.ends_with("::" + Known))
      continue;
    if (!To[I].Line)
      To[I] = {Known, Site.File, Site.Line};
    return;
  }
  To.push_back({Site.Function, Site.File, Site.Line});
}

static Stack stackOf(const RunRecord &Process, const RunStack &Of, const SymbolPlaces &Places) {
  const RunSite &Site = Process.Sites[Of.Site];
  Stack Calls;
  std::size_t Innermost = 0;
  for (auto Frame = Of.Frames.rbegin(); Frame != Of.Frames.rend(); ++Frame) {
    Innermost = Calls.size();
    const Stack Functions = functionsOf(Process, *Frame, Places);
    Calls.insert(Calls.end(), Functions.begin(), Functions.end());
  }
  addSite(Calls, Innermost, Site);
  if (Of.Frames.size() == MEMSHAPE_MOST_STACK_FRAMES)
    Calls.insert(Calls.begin(), {"(more calls)", "", 0});
  if (Calls.empty())
    Calls.push_back({Site.File.empty() ? "" : std::filesystem::path(Site.File).filename().string(), Site.File, 0});
  return Calls;
}

Profile profileOf(const RunRecord &Process) {
  SymbolPlaces Places;
  for (const RunStack &Each : Process.Stacks)
    for (const RunFrame &Frame : Each.Frames)
      Places[{Process.Modules[Frame.Module], Frame.Offset}];
  findSymbolPlaces(Places, Inlined::With);
  Profile P;
  P.Program = Process.Program;
  P.Started = Process.Started;
  P.Remarks = {"measured by memshape, process " + std::to_string(Process.Pid)};
  for (const RunStack &Each : Process.Stacks)
    P.Stacks[stackOf(Process, Each, Places)] +=
        {Each.LiveBytes, Each.LiveBlocks, static_cast<std::int64_t>(Each.TotalBytes),
         static_cast<std::int64_t>(Each.Allocations), static_cast<std::int64_t>(Each.Reallocations)};
  P.complete({Process.Peak, 0, static_cast<std::int64_t>(Process.Total), static_cast<std::int64_t>(Process.Allocations),
              static_cast<std::int64_t>(Process.Reallocations)},
             {std::filesystem::path(Process.Program).filename().string(), "", 0});
  return P;
}

const RunRecord *profiledProcess(const Run &R) {
  if (const RunRecord *Own = ownProcess(R); Own && Own->CountsStacks)
    return Own;
  const RunRecord *Highest = nullptr;
  for (const RunRecord &Each : R.Processes)
    if (Each.CountsStacks && (!Highest || Each.Peak > Highest->Peak))
      Highest = &Each;
  return Highest;
}

} // namespace memshape
