// How well operators are predicted that were left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   accuracy_evaluate bench/accuracy/records.jsonl bench/accuracy/courses.jsonl
//   accuracy_evaluate --scores bench/accuracy/records.jsonl bench/accuracy/courses.jsonl >
//   model/residency/generic.course
//
// Every operator in turn is left out of the training; what is then predicted of it, with none and with a few of its own
// runs, is compared with what was measured. No seed but the corpus' order: the tables are the same each time.

#include "bench/accuracy/Courses.h"
#include "bench/accuracy/Tables.h"

#include <iostream>

using namespace memshape;

namespace {

int refuse() {
  std::cerr << "usage: accuracy_evaluate RECORDS.jsonl [COURSES.jsonl]\n"
               "       accuracy_evaluate --scores RECORDS.jsonl COURSES.jsonl\n";
  return 2;
}

} // namespace

int main(int Count, char **Arguments) {
  std::vector<std::string> Files(Arguments + 1, Arguments + Count);
  std::string Mode;
  if (!Files.empty() && Files.front().starts_with("--")) {
    Mode = Files.front();
    Files.erase(Files.begin());
  }
  bool Known = Mode.empty() ? Files.size() == 1 || Files.size() == 2 : Mode == "--scores" && Files.size() == 2;
  if (!Known)
    return refuse();
  std::vector<MeasuredOperator> Corpus = readCorpus(Files[0]);
  if (Mode == "--scores") {
    std::vector<std::vector<Course>> Courses = readCourses(Files[1], Corpus);
    ScorePool Pool = courseScoresOf(Courses, Courses.size(), trainPrior(without(Corpus, Corpus.size())));
    std::cout << courseScoresText(Pool, "courses of " + std::to_string(Pool.operators()) +
                                            " operators, bench/accuracy/courses.jsonl; Apache-2.0 WITH LLVM-exception");
    return 0;
  }
  std::vector<Prior> Priors; // each without the operator of the same place
  for (std::size_t O = 0; O < Corpus.size(); ++O)
    Priors.push_back(trainPrior(without(Corpus, O)));
  printZeroRuns(Corpus, Priors);
  printFewRuns(Corpus, Priors);
  printBounds(Corpus, Priors);
  if (Files.size() == 2)
    printPartialRuns(Corpus, Priors, readCourses(Files[1], Corpus));
  printOperators(Corpus, Priors);
  return 0;
}
