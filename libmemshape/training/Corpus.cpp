// Runs and sources of many operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/training/Corpus.h"

#include "libmemshape/files/InputFile.h"
#include "libmemshape/history/RunLine.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Try.h"
#include "model/formula/Expression.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <zlib.h>

namespace memshape {

/// memshape.source/1: counts and shares that describe an operator's source.
static Result<std::map<std::string, double>> readSource(const nlohmann::json &Line) {
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

std::optional<Failure> CorpusReader::read(const std::string &Path) {
  MEMSHAPE_CHECK(checkInput(Path));
  std::ifstream File(Path, std::ios::binary);
  std::string Line;
  for (std::size_t Number = 1; nextLine(File, Line); ++Number)
    if (!Line.empty())
      if (std::optional<Failure> Wrong = take(Line))
        return Failure{Path + ", line " + std::to_string(Number) + ": " + Wrong->Message};
  if (File.bad())
    return Failure{Path + ": cannot be read to its end"};
  return std::nullopt;
}

std::vector<StudiedOperator> CorpusReader::corpus() const {
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

std::optional<Failure> CorpusReader::take(const std::string &Line) {
  if (Line.find("\"memshape.source/1\"") != std::string::npos) {
    MEMSHAPE_TRY(nlohmann::json Parsed, parseJson(Line));
    JsonFields Fields(Parsed);
    if (Fields.string("schema") == "memshape.source/1") {
      MEMSHAPE_TRY(auto Source, readSource(Parsed));
      ByName[Fields.string("operator")].Source = std::move(Source);
      return Fields.failed() ? std::optional<Failure>(Failure{*Fields.failed()}) : std::nullopt;
    }
  }
  Checksum = crc32(Checksum, reinterpret_cast<const Bytef *>(Line.data()), static_cast<uInt>(Line.size()));
  MEMSHAPE_TRY(std::vector<RunEntry> Entries, parseRunLine(Line, std::numeric_limits<double>::infinity()));
  for (RunEntry &Entry : Entries) {
    // Of an interpreter, a footprint is all that is known.
    if (!known(Entry.At.Heap) && !known(Entry.At.Held) && !Entry.Formula.empty())
      if (std::optional<Expression> Footprint = Expression::parse(Entry.Formula))
        Entry.At.Heap = Footprint->evaluate(Entry.At.Shape).value_or(Unknown);
    if (std::optional<ResidentRun> Run = residentRun(Entry)) {
      ByName[Entry.Operator].Runs.push_back(*Run);
      ++Count;
    }
  }
  return std::nullopt;
}

} // namespace memshape
