// What is counted without being run again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a library that allocate alike each time, and loops whose iterations are all alike.

#include "runner/evaluation/Evaluation.h"

#include "runner/evaluation/Exploration.h"

#include <cstdlib>
#include <utility>

using namespace memshape;

/// What the call does: known from another object with the same description, or from running it.
Accounting::SpaceFigures Evaluation::callOnce(void (*Function)(void *), void *Object, char *(*Describe)(void *)) {
  std::string Text;
  if (const OwnWork Here; Describe) {
    char *Description = Describe(Object);
    Text = Description ? Description : "";
    std::free(Description);
  }
  for (const Described &Known : InRequest.DescribedCalls)
    if (Known.Function == Function && !Text.empty() && Known.Text == Text) {
      if (!Memory.Figures.repeat(Known.Did))
        endBy(Heap::Fault::Overflow, LibrarySite, 0);
      Memory.Touched.addTransient(Known.Did.Peak);
      return Known.Did;
    }
  const Accounting::SpaceFigures Before = Memory.Figures.openSpan();
  Function(Object);
  const Accounting::SpaceFigures Did = Memory.Figures.closeSpan(Before);
  const OwnWork Here;
  if (!Text.empty() && Did.Live == 0)
    InRequest.DescribedCalls.push_back({Function, std::move(Text), Did});
  return Did;
}

void Evaluation::repeat(void (*Function)(void *), void *Object, char *(*Describe)(void *)) {
  cannotExplore("a library is called for real");
  if (!Object) {
    // With sizes that were guessed, a call that cannot be made is skipped; with sizes that follow from the shape, the
    // evaluation ends.
    if (InCall.Decided || !InCall.Unknowns.empty())
      return;
    leave("it executes an object that a library could not make, a null pointer", MEMSHAPE_SK_REFUSED);
  }
  for (const Repeated &Known : InRequest.RepeatedCalls)
    if (Known.Function == Function && Known.Object == Object) {
      if (!Memory.Figures.repeat(Known.Did))
        endBy(Heap::Fault::Overflow, LibrarySite, 0);
      Memory.Touched.addTransient(Known.Did.Peak);
      return;
    }
  const Accounting::SpaceFigures Did = callOnce(Function, Object, Describe);
  // A call that keeps memory changes its object: it may do something else the next time.
  if (Did.Live != 0)
    return;
  const OwnWork Here;
  InRequest.RepeatedCalls.push_back({Function, Object, Did});
}

void Evaluation::beginIterations() {
  if (Exploring)
    return Exploring->beginIterations();
  if (InRequest.LoopDepth < Loops.size())
    Loops[InRequest.LoopDepth] = {Memory.Figures.mark(InRequest.LoopDepth), Tried ? Tried->balance() : 0, true};
  ++InRequest.LoopDepth;
}

bool Evaluation::countIterations(std::uint64_t Iterations) {
  if (Exploring)
    return Exploring->countIterations(Iterations);
  if (InRequest.LoopDepth == 0 || InRequest.LoopDepth > Loops.size() || !Loops[InRequest.LoopDepth - 1].First)
    return false;
  Loop &Innermost = Loops[InRequest.LoopDepth - 1];
  Innermost.First = false;
  if (!Iterations || !Memory.Figures.leftNothing(Innermost.AtStart) || (Tried && Tried->balance() != Innermost.Balance))
    return false;
  if (!Memory.Figures.countAgain(Innermost.AtStart, Iterations - 1))
    endBy(Heap::Fault::Overflow, LibrarySite, 0);
  return true;
}

void Evaluation::endIterations() {
  if (Exploring)
    return Exploring->endIterations();
  if (InRequest.LoopDepth)
    --InRequest.LoopDepth;
}
