// Source lines of calls into libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/CallSites.h"
#include "libmemshape/measurement/symbols/SymbolPlaces.h"

#include "record/record.h"

#include <cstdlib>

namespace memshape {
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
