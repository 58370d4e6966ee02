// Records of the operators, and figures about errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/accuracy/Corpus.h"

#include "libmemshape/text/JsonFields.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>

namespace memshape {

std::vector<MeasuredOperator> readCorpus(const std::string &Path) {
  std::ifstream File(Path);
  std::map<std::string, MeasuredOperator> ByName;
  std::string Line;
  while (std::getline(File, Line)) {
    Result<std::vector<RunEntry>> Entries = parseRunLine(Line, 1e18);
    if (!Entries) {
      std::cerr << "accuracy: " << Path << ": " << Entries.failure().Message << "\n";
      std::exit(2);
    }
    for (RunEntry &Entry : *Entries) {
      MeasuredOperator &Mine = ByName[Entry.Operator];
      Mine.Name = Entry.Operator;
      Result<nlohmann::json> Document = parseJson(Entry.Document);
      Mine.Exact =
          Mine.Exact && Document && Document->contains("features") && (*Document)["features"].value("exact", false);
      if (known(Entry.At.Heap) && Entry.Resident)
        Mine.Runs.push_back(std::move(Entry));
    }
  }
  std::vector<MeasuredOperator> Corpus;
  for (auto &[Name, Mine] : ByName) {
    std::stable_sort(Mine.Runs.begin(), Mine.Runs.end(),
                     [](const RunEntry &A, const RunEntry &B) { return *A.Resident < *B.Resident; });
    if (!Mine.Runs.empty())
      Corpus.push_back(std::move(Mine));
  }
  if (Corpus.size() < 3) {
    std::cerr << "accuracy: " << Path << " holds runs of fewer than three operators\n";
    std::exit(2);
  }
  return Corpus;
}

std::vector<OperatorRuns> without(const std::vector<MeasuredOperator> &Corpus, std::size_t LeftOut) {
  std::vector<OperatorRuns> Kept;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    if (O == LeftOut)
      continue;
    OperatorRuns Runs;
    for (const RunEntry &Run : Corpus[O].Runs)
      Runs.push_back(*residentRun(Run));
    Kept.push_back(std::move(Runs));
  }
  return Kept;
}

double quantileOf(std::vector<double> Values, double Level) {
  if (Values.empty())
    return 0;
  std::sort(Values.begin(), Values.end());
  return Values[std::min(Values.size() - 1, static_cast<std::size_t>(Level * static_cast<double>(Values.size())))];
}

double spearman(const std::vector<double> &A, const std::vector<double> &B) {
  auto Ranks = [](const std::vector<double> &Values) {
    std::vector<std::size_t> Order(Values.size());
    std::iota(Order.begin(), Order.end(), 0);
    std::stable_sort(Order.begin(), Order.end(), [&](std::size_t I, std::size_t K) { return Values[I] < Values[K]; });
    std::vector<double> Rank(Values.size());
    for (std::size_t I = 0; I < Order.size(); ++I)
      Rank[Order[I]] = static_cast<double>(I);
    return Rank;
  };
  std::vector<double> X = Ranks(A), Y = Ranks(B);
  double Mean = (static_cast<double>(X.size()) - 1) / 2, Together = 0, Alone = 0;
  for (std::size_t I = 0; I < X.size(); ++I) {
    Together += (X[I] - Mean) * (Y[I] - Mean);
    Alone += (X[I] - Mean) * (X[I] - Mean);
  }
  return Alone > 0 ? Together / Alone : 1;
}

std::vector<double> Outcomes::relative() const {
  std::vector<double> Errors;
  for (std::size_t I = 0; I < Predicted.size(); ++I)
    Errors.push_back((Predicted[I] - Measured[I]) / Measured[I]);
  return Errors;
}

std::string Outcomes::row(const std::string &Name) const {
  std::vector<double> Signed = relative(), Absolute;
  std::size_t Under = 0;
  for (double Error : Signed) {
    Absolute.push_back(std::abs(Error));
    Under += Error < -0.01;
  }
  char Text[240];
  std::snprintf(Text, sizeof Text, "| %-44s | %7.2f %% | %8.2f %% | %+8.2f %% | %5.1f %% | %.4f | %zu |\n",
                Name.c_str(), 100 * quantileOf(Absolute, 0.5), 100 * quantileOf(Absolute, 0.95),
                100 * quantileOf(Signed, 0.5),
                100.0 * static_cast<double>(Under) / static_cast<double>(std::max<std::size_t>(1, Signed.size())),
                spearman(Predicted, Measured), Signed.size());
  return Text;
}

} // namespace memshape
