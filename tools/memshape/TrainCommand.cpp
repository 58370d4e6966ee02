// memshape train.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Progress.h"
#include "libmemshape/training/Corpus.h"
#include "libmemshape/training/ImportancePage.h"
#include "tools/memshape/Commands.h"

#include <cstdio>

namespace memshape {

Result<std::string> trainText(const TrainOptions &Options, std::string &Explanation) {
  CorpusReader Reader;
  Progress Shown("train");
  for (const std::string &Path : Options.Files) {
    Shown.at(Path);
    if (std::optional<Failure> Wrong = Reader.read(Path))
      return *Wrong;
  }
  std::vector<StudiedOperator> Corpus = Reader.corpus();
  if (Corpus.size() < (Options.Explain ? 3 : 2))
    return Failure{std::string("training wants runs of ") + (Options.Explain ? "three" : "two") +
                   " operators at least, with 'rss_peak_bytes' and features"};
  std::vector<OperatorRuns> Runs;
  for (const StudiedOperator &Operator : Corpus)
    Runs.push_back(Operator.Runs);
  Shown.at(std::to_string(Corpus.size()) + " operators");
  Prior Trained = trainPrior(Runs);
  char Text[200];
  std::snprintf(Text, sizeof Text,
                "%zu runs of %zu operators, CRC-32 of the records %08lx; Apache-2.0 WITH LLVM-exception",
                Reader.count(), Corpus.size(), Reader.checksum());
  Trained.Provenance = Text;
  if (Options.Explain)
    Explanation = importancePage(importanceOf(Corpus), Trained);
  return Trained.text();
}

} // namespace memshape
