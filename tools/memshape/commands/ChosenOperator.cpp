// The operator and the call that a command line names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/commands/ChosenOperator.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/Try.h"

namespace memshape {

void addOperator(Options &On, CallOptions &Into, const std::string &What) {
  On.file("FILE", Into.Files,
          "executable, shared library, object file or archive; further ones hold functions that the first calls", true);
  On.add("--operator", Into.Operator, "operator " + What + "; may be left out when FILE has one");
}

void addCall(Options &On, CallOptions &Into, const std::string &ShapeHelp) {
  On.add("--shape", Into.Shapes, ShapeHelp);
  On.file("--shape-from", Into.ShapeFrom,
          "SEG-Y cube that gives the shape: CUBE.segy or CUBE.segy:ni=inlines,nx=crosslines,ns=samples");
  addCircumstances(On, Into);
}

void addCircumstances(Options &On, CallOptions &Into) {
  On.add("--set", Into.Settings, "settings, as in sigma=1.5");
  On.add("--assume", Into.Assumed, "answers to decisions by number, name or place, as in 0=1,k=1000,fit.c:31=0");
  On.add("--machine", Into.Machine, "another machine, as in l1d=49152,l2=1048576,l3=33554432,processors=8");
  On.add("--library", Into.Libraries, "library that the operator calls, beside those that FILE names");
  On.file("--summaries", Into.Summaries, "file that says what functions without a body do to memory");
}

Result<v1::Operator> chosenOperator(const CallOptions &Given) {
  v1::OpenOptions Opening;
  Opening.with.assign(Given.Files.begin() + 1, Given.Files.end());
  Opening.libraries = Given.Libraries;
  Opening.summaries = Given.Summaries;
  Opening.trust = Given.Trust;
  MEMSHAPE_CHECK(readMachine(Given.Machine, Opening.machine));
  MEMSHAPE_TRY(const v1::Program Opened, resultOf(v1::open(Given.Files.front(), Opening)));
  MEMSHAPE_TRY(const v1::Operator Chosen, resultOf(Opened.find(Given.Operator)));
  return Chosen;
}

Result<v1::Call> chosenCall(const v1::Operator &Of, const CallOptions &Given) {
  MEMSHAPE_TRY(v1::Call Call, resultOf(Of.read({Given.Shapes, Given.Settings, Given.Assumed, Given.ShapeFrom})));
  return std::move(Call);
}

} // namespace memshape
