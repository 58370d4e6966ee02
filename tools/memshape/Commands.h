// The commands, and what they share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each command is a file, XCommand.cpp: describeX() says which options it has and gives back what runs it once they are
// parsed. The table below lists them.

#pragma once

#include "libmemshape/text/Try.h"
#include "tools/memshape/Options.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

class Installation;

struct Context {
  const Installation &Installed;
  std::vector<std::string> Program; ///< and its arguments, as they stand after --
};

/// Returns the exit status: 0 well, 1 the answer is no, 2 the request was wrong.
using Run = std::function<int(const Context &)>;

struct Command {
  const char *Name, *Summary;
  Run (*Describe)(Options &On);
  bool StartsProgram = false; ///< that its arguments name
  bool Compiles = false;      ///< starts compilers

  /// What it starts would inherit a limit of memory.
  bool limitsItself() const { return !StartsProgram && !Compiles; }
};

Run describeBuild(Options &On);
Run describePredict(Options &On);
Run describeAdvise(Options &On);
Run describeEmit(Options &On);
Run describeSolve(Options &On);
Run describePlan(Options &On);
Run describeSchedule(Options &On);
Run describeCheckpoint(Options &On);
Run describeReport(Options &On);
Run describeRun(Options &On);
Run describeWatch(Options &On);
Run describeCompare(Options &On);
Run describeCheck(Options &On);
Run describeConfig(Options &On);
Run describeExtract(Options &On);
Run describeHistory(Options &On);
Run describeTrain(Options &On);

inline constexpr Command Commands[] = {
    {"build", "the skeletons of a project that another compiler builds, in one archive", describeBuild, false, true},
    {"predict", "predict the memory of one call at a shape", describePredict},
    {"advise", "what a change of one line would bring, ranked", describeAdvise},
    {"emit", "write the memory of an operator as a header in C, or in Python", describeEmit},
    {"solve", "the greatest extent with which an operator fits a memory", describeSolve},
    {"plan", "split an array so that no worker goes beyond its memory", describePlan},
    {"schedule", "order the tasks of a graph so that they hold little", describeSchedule},
    {"checkpoint", "which states of a chain to store for its reversal", describeCheckpoint},
    {"report", "where the memory of operators goes, as formulas", describeReport},
    {"run", "run a program and measure its operators", describeRun, true},
    {"watch", "what a program under memshape run holds now, and what stores do", describeWatch},
    {"compare", "which call stacks hold more in the second of two predictions, runs or files", describeCompare},
    {"check", "compare the memory of operators with a baseline; for continuous integration", describeCheck},
    {"config", "flags for build systems", describeConfig},
    {"extract", "make an instrumented object file of LLVM bitcode, of Rust, say", describeExtract},
    {"history", "past runs: import, export, list", describeHistory},
    {"train", "make the generic prior from records of many operators", describeTrain}};

/// The answer of plan, schedule or checkpoint.
struct TextOrRefusal {
  std::string Text;
  std::string Refusal; ///< one line where the answer is no; empty otherwise
};

/// One line on standard error, and status 2.
int refuse(const std::string &Message);
/// The text of a command to standard output or to the file Path.
int deliver(const Result<std::string> &Text, const std::string &Path = "");
/// Status 1 where the answer is no.
int deliver(Result<TextOrRefusal> Found, const std::string &Path = "");

/// Code of other people's files is not executed in the open, but by the user's word. Needed: there is such code.
std::optional<Failure> checkSandbox(bool Trust, bool Needed = true);

/// What Work gives, where there is a sandbox or none is needed.
template <class Work> auto inSandbox(bool Trust, Work Do) -> decltype(Do()) {
  MEMSHAPE_CHECK(checkSandbox(Trust));
  return Do();
}

/// The shape symbols of all operators of a file, each in a line.
Result<std::string> shapeSymbolsText(const std::string &File);

} // namespace memshape
