//===- TrainCommand.cpp - memshape train --------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/Training.h"
#include "tools/JsonFields.h"
#include "tools/history/RunLine.h"
#include "tools/memshape/Commands.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <zlib.h>

namespace memshape {

namespace {

/// Operators in alphabetical order; an operator's runs smallest first.
Result<std::vector<OperatorRuns>> readCorpus(const std::vector<std::string> &Files, uLong &Checksum,
                                             std::size_t &Count) {
  std::map<std::string, OperatorRuns> ByName;
  for (const std::string &Path : Files) {
    std::ifstream File(Path, std::ios::binary);
    if (!File)
      return Failure{Path + ": cannot be read"};
    std::string Line;
    for (std::size_t Number = 1; std::getline(File, Line); ++Number) {
      if (Line.empty())
        continue;
      Checksum = crc32(Checksum, reinterpret_cast<const Bytef *>(Line.data()), static_cast<uInt>(Line.size()));
      Result<std::vector<RunEntry>> Entries = parseRunLine(Line, std::numeric_limits<double>::infinity());
      if (!Entries)
        return Failure{Path + ", line " + std::to_string(Number) + ": " + Entries.failure().Message};
      for (const RunEntry &Entry : *Entries)
        if (Entry.Resident && known(Entry.At.Heap) && !Entry.Killed) {
          ByName[Entry.Operator].push_back({Entry.At, *Entry.Resident});
          ++Count;
        }
    }
  }
  std::vector<OperatorRuns> Corpus;
  for (auto &[Name, Runs] : ByName) {
    std::stable_sort(Runs.begin(), Runs.end(),
                     [](const ResidentRun &A, const ResidentRun &B) { return A.Peak < B.Peak; });
    Corpus.push_back(std::move(Runs));
  }
  return Corpus;
}

/// Median and 95th percentile of the absolute relative errors of operators left out, with some terms taken away.
std::pair<double, double> errorsWithout(const std::vector<OperatorRuns> &Corpus, unsigned Without) {
  std::vector<double> Errors;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    Row Fitted = fitCoefficients(Corpus, O, Without);
    for (const ResidentRun &Run : Corpus[O])
      Errors.push_back(std::abs(priorTerms(Run.At).dot(Fitted) - Run.Peak) / Run.Peak);
  }
  std::sort(Errors.begin(), Errors.end());
  return {Errors[Errors.size() / 2], Errors[Errors.size() * 95 / 100]};
}

/// What each term is worth: the error on operators left out without it, most important first.
std::string importance(const std::vector<OperatorRuns> &Corpus, const Prior &Trained) {
  std::vector<std::pair<std::pair<double, double>, int>> Ranked;
  for (int Term = 0; Term < PriorTerms; ++Term)
    Ranked.push_back({errorsWithout(Corpus, 1u << Term), Term});
  std::stable_sort(Ranked.begin(), Ranked.end(),
                   [](const auto &A, const auto &B) { return A.first.second > B.first.second; });
  std::pair<double, double> Whole = errorsWithout(Corpus, 0);
  char Line[200];
  std::snprintf(Line, sizeof Line,
                "error of the resident peak on operators left out: median %.2f %%, 95th percentile %.2f %%\n",
                100 * Whole.first, 100 * Whole.second);
  std::string Page = Line;
  for (const auto &[Errors, Term] : Ranked) {
    std::snprintf(Line, sizeof Line, "  without %-30s median %7.2f %%   95th percentile %7.2f %%   coefficient %.4g\n",
                  priorTermName(Term), 100 * Errors.first, 100 * Errors.second, Trained.Coefficients[Term]);
    Page += Line;
  }
  return Page;
}

} // namespace

Result<std::string> trainText(const TrainOptions &Options, std::string &Explanation) {
  uLong Checksum = crc32(0, nullptr, 0);
  std::size_t Count = 0;
  Result<std::vector<OperatorRuns>> Corpus = readCorpus(Options.Files, Checksum, Count);
  if (!Corpus)
    return Corpus.failure();
  if (Corpus->size() < 2)
    return Failure{"training wants runs of two operators at least, with 'rss_peak_bytes' and features"};
  Prior Trained = trainPrior(*Corpus);
  char Text[200];
  std::snprintf(Text, sizeof Text,
                "%zu runs of %zu operators, CRC-32 of the records %08lx; Apache-2.0 WITH LLVM-exception", Count,
                Corpus->size(), Checksum);
  Trained.Provenance = Text;
  if (Options.Explain)
    Explanation = importance(*Corpus, Trained);
  return Trained.text();
}

} // namespace memshape
