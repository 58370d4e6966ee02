//===- evaluate.cpp - How well operators are predicted that were left out ===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   accuracy_evaluate bench/accuracy/records.jsonl bench/accuracy/courses.jsonl
//   accuracy_evaluate --scores bench/accuracy/records.jsonl bench/accuracy/courses.jsonl > model/generic.course
//
// Every operator in turn is left out of the training; what is then predicted of it, with none and with a few of its own
// runs, is compared with what was measured. No seed but the corpus' order: the tables are the same each time.
//
//===----------------------------------------------------------------------===//

#include "bench/accuracy/Courses.h"
#include "bench/accuracy/Streams.h"
#include "bench/accuracy/Tables.h"

#include <iostream>

using namespace memshape;

int main(int Count, char **Arguments) {
  const bool Scores = Count == 4 && std::string(Arguments[1]) == "--scores";
  if (!Scores && (Count < 2 || Count > 3)) {
    std::cerr << "usage: accuracy_evaluate [--scores] RECORDS.jsonl [COURSES.jsonl]\n";
    return 2;
  }
  if (Scores) {
    std::vector<MeasuredOperator> Corpus = readCorpus(Arguments[2]);
    std::vector<std::vector<Course>> Courses = readCourses(Arguments[3], Corpus);
    ScorePool Pool = courseScoresOf(Courses, Courses.size());
    std::cout << courseScoresText(Pool, "courses of " + std::to_string(Pool.operators()) +
                                            " operators, bench/accuracy/courses.jsonl; Apache-2.0 WITH LLVM-exception");
    return 0;
  }
  std::vector<MeasuredOperator> Corpus = readCorpus(Arguments[1]);
  std::vector<Prior> Priors; // each without the operator of the same place
  for (std::size_t O = 0; O < Corpus.size(); ++O)
    Priors.push_back(trainPrior(without(Corpus, O)));
  printZeroRuns(Corpus, Priors);
  printFewRuns(Corpus, Priors);
  printBounds(Corpus, Priors);
  printChoices(Corpus, Priors);
  if (Count == 3)
    printPartialRuns(Corpus, Priors, readCourses(Arguments[2], Corpus));
  printOperators(Corpus, Priors);
  return 0;
}
