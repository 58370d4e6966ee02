//===- TrainCommand.cpp - memshape train ---------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/history/RunLine.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Progress.h"
#include "model/residency/Importance.h"
#include "tools/memshape/Commands.h"
#include "tools/memshape/ImportancePage.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <zlib.h>

namespace memshape {

namespace {

/// memshape.source/1: counts and shares that describe an operator's source.
Result<std::map<std::string, double>> readSource(const nlohmann::json &Line) {
  std::map<std::string, double> Found;
  auto Features = Line.find("source");
  if (Features == Line.end() || !Features->is_object())
    return Failure{"'source' is missing"};
  for (const auto &[Name, Value] : Features->items()) {
    if (!Value.is_number() || !std::isfinite(Value.get<double>()))
      return Failure{"'" + oneLine(Name) + "' is not a number"};
    Found[Name] = Value.get<double>();
  }
  return Found;
}

/// What files say together: runs of operators, in alphabetical order, each operator's smallest first.
class CorpusReader {
public:
  std::optional<Failure> read(const std::string &Path) {
    std::ifstream File(Path, std::ios::binary);
    if (!File)
      return Failure{Path + ": cannot be read"};
    std::string Line;
    for (std::size_t Number = 1; std::getline(File, Line); ++Number)
      if (!Line.empty())
        if (std::optional<Failure> Wrong = take(Line))
          return Failure{Path + ", line " + std::to_string(Number) + ": " + Wrong->Message};
    if (File.bad())
      return Failure{Path + ": cannot be read to its end"};
    return std::nullopt;
  }

  std::vector<StudiedOperator> corpus() const {
    std::vector<StudiedOperator> Found;
    for (auto [Name, Operator] : ByName) {
      if (Operator.Runs.empty())
        continue;
      std::stable_sort(Operator.Runs.begin(), Operator.Runs.end(),
                       [](const ResidentRun &A, const ResidentRun &B) { return A.Peak < B.Peak; });
      Found.push_back(std::move(Operator));
    }
    return Found;
  }

  uLong Checksum = crc32(0, nullptr, 0); ///< of the lines about runs
  std::size_t Count = 0;                 ///< of runs

private:
  std::optional<Failure> take(const std::string &Line) {
    if (Line.find("\"memshape.source/1\"") != std::string::npos) {
      Result<nlohmann::json> Parsed = parseJson(Line);
      if (!Parsed)
        return Parsed.failure();
      JsonFields Fields(*Parsed);
      if (Fields.string("schema") == "memshape.source/1") {
        Result<std::map<std::string, double>> Source = readSource(*Parsed);
        if (!Source)
          return Source.failure();
        ByName[Fields.string("operator")].Source = std::move(*Source);
        return Fields.failed() ? std::optional<Failure>(Failure{*Fields.failed()}) : std::nullopt;
      }
    }
    Checksum = crc32(Checksum, reinterpret_cast<const Bytef *>(Line.data()), static_cast<uInt>(Line.size()));
    Result<std::vector<RunEntry>> Entries = parseRunLine(Line, std::numeric_limits<double>::infinity());
    if (!Entries)
      return Entries.failure();
    for (const RunEntry &Entry : *Entries)
      if (std::optional<ResidentRun> Run = residentRun(Entry)) {
        ByName[Entry.Operator].Runs.push_back(*Run);
        ++Count;
      }
    return std::nullopt;
  }

  std::map<std::string, StudiedOperator> ByName;
};

} // namespace

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
                "%zu runs of %zu operators, CRC-32 of the records %08lx; Apache-2.0 WITH LLVM-exception", Reader.Count,
                Corpus.size(), Reader.Checksum);
  Trained.Provenance = Text;
  if (Options.Explain)
    Explanation = importancePage(importanceOf(Corpus), Trained);
  return Trained.text();
}

} // namespace memshape
