// memshape train.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Progress.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "libmemshape/training/Corpus.h"
#include "tools/memshape/Commands.h"

#include <cstdio>
#include <iostream>
#include <memory>

namespace memshape {

namespace {

struct TrainOptions {
  std::vector<std::string> Files; ///< JSON lines
  std::string Output;             ///< empty: standard output
  bool Explain = false;
};

/// The model file; Explanation is a text page, where it was asked for.
Result<std::string> trainText(const TrainOptions &Given, std::string &Explanation) {
  CorpusReader Reader;
  Progress Shown("train");
  for (const std::string &Path : Given.Files) {
    Shown.at(Path);
    MEMSHAPE_CHECK(Reader.read(Path));
  }
  std::vector<StudiedOperator> Corpus = Reader.corpus();
  if (Corpus.size() < (Given.Explain ? 3 : 2))
    return Failure{std::string("training wants runs of ") + (Given.Explain ? "three" : "two") +
                   " operators at least, with 'rss_peak_bytes' and features"};
  const std::vector<OperatorRuns> Runs = mapped(Corpus, &StudiedOperator::Runs);
  Shown.at(std::to_string(Corpus.size()) + " operators");
  Prior Trained = trainPrior(Runs);
  Trained.Provenance = format("%zu runs of %zu operators, CRC-32 of the records %08lx; Apache-2.0 WITH LLVM-exception",
                              Reader.count(), Corpus.size(), Reader.checksum());
  if (Given.Explain)
    Explanation = importancePage(importanceOf(Corpus), Trained);
  return Trained.text();
}

} // namespace

Run describeTrain(Options &On) {
  const auto Options = std::make_shared<TrainOptions>();
  On.file("FILE", Options->Files, "records of many operators: JSON lines, memshape.run/1", true);
  On.file("-o,--output", Options->Output, "model file to write instead of standard output");
  On.flag("--explain", Options->Explain, "say on standard error what each feature is worth");
  return [Options](const Context &) {
    std::string Explanation;
    const Result<std::string> Model = trainText(*Options, Explanation);
    std::cerr << Explanation;
    return deliver(Model, Options->Output);
  };
}

} // namespace memshape
