// What this build of memshape is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/version/Version.h"

#include "libmemshape/text/Split.h"

#include "Revision.h"

namespace memshape {

const BuildFacts &thisBuild() {
  static const BuildFacts Facts = {
      MEMSHAPE_VERSION,
      MEMSHAPE_COMMIT,
      MEMSHAPE_MODIFIED,
      split(MEMSHAPE_LLVM_RELEASES, ','),
      MEMSHAPE_TOOLS_LLVM_RELEASE,
      // docs/formats.md and docs/commands.md describe them. A house test holds this list to the code.
      {"memshape.advice/1",     "memshape.build/1",      "memshape.chain/1",      "memshape.check/1",
       "memshape.checkpoint/1", "memshape.comparison/1", "memshape.features/1",   "memshape.formulas/5",
       "memshape.graph/1",      "memshape.libraries/1",  "memshape.lock/1",       "memshape.module/1",
       "memshape.page/1",       "memshape.plan/1",       "memshape.prediction/1", "memshape.run/1",
       "memshape.schedule/1",   "memshape.skeleton/2",   "memshape.solve/1",      "memshape.source/1",
       "memshape.summaries/1",  "memshape.timeline/1",   "memshape.watch/1"}};
  return Facts;
}

std::string versionText() {
  const BuildFacts &Facts = thisBuild();
  return "memshape " + Facts.Version + "\ncommit   " + Facts.Commit + (Facts.Modified ? ", with changes" : "") +
         "\nclang    modules for " + joined(Facts.Llvm) + "; skeletons are sliced and compiled with LLVM " +
         Facts.ToolsLlvm + "\nformats  " + joined(Facts.Formats);
}

} // namespace memshape
