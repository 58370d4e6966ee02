//===- evaluate.cpp - How well operators are predicted that were left out ===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   evaluate bench/accuracy/records.jsonl
//
// Every operator in turn is left out of the training; what is then predicted of it, with none and with a few of its own
// runs, is compared with what was measured. No seed but the corpus' order: the tables are the same each time.
//
//===----------------------------------------------------------------------===//

#include "bench/accuracy/Corpus.h"
#include "bench/accuracy/Streams.h"
#include "bench/accuracy/Tables.h"

#include <iostream>

using namespace memshape;

int main(int Count, char **Arguments) {
  if (Count != 2) {
    std::cerr << "usage: evaluate RECORDS.jsonl\n";
    return 2;
  }
  std::vector<MeasuredOperator> Corpus = readCorpus(Arguments[1]);
  std::vector<Prior> Priors; // each without the operator of the same place
  for (std::size_t O = 0; O < Corpus.size(); ++O)
    Priors.push_back(trainPrior(without(Corpus, O)));
  printZeroRuns(Corpus, Priors);
  printFewRuns(Corpus, Priors);
  printBounds(Corpus, Priors);
  printChoices(Corpus, Priors);
  printPartialRuns(Corpus, Priors);
  printOperators(Corpus, Priors);
  return 0;
}
