// Bytes and counts by call stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/Escapes.h"
#include "memshape/OperatorName.h"

#include <filesystem>

namespace memshape {

StackFigures &StackFigures::operator+=(const StackFigures &More) {
  LiveBytes += More.LiveBytes;
  LiveBlocks += More.LiveBlocks;
  TotalBytes += More.TotalBytes;
  Allocations += More.Allocations;
  Reallocations += More.Reallocations;
  return *this;
}

std::int64_t StackFigures::of(v1::Sample What) const {
  return What == v1::Sample::peak ? LiveBytes : What == v1::Sample::total ? TotalBytes : Allocations;
}

StackFigures Profile::sum() const {
  StackFigures Sum;
  for (const auto &[Where, Figures] : Stacks)
    Sum += Figures;
  return Sum;
}

void Profile::complete(const StackFigures &Whole, const StackFrame &Root) {
  const StackFigures Known = sum();
  const StackFigures Rest = {Whole.LiveBytes - Known.LiveBytes, 0, Whole.TotalBytes - Known.TotalBytes,
                             Whole.Allocations - Known.Allocations, Whole.Reallocations - Known.Reallocations};
  if (Rest != StackFigures())
    Stacks[{Root, {"(not by site)", "", 0}}] += Rest;
}

/// Whether a function of the source, perhaps without its scopes, is the operator.
static bool isSame(const std::string &Operator, const std::string &Function) {
  return Operator == Function || operator_name::isLast(Operator, Function) || operator_name::isLast(Function, Operator);
}

Stack stackBelow(const StackFrame &Root, Stack Calls, const StackFrame &Site) {
  if (Calls.empty() && Site != StackFrame())
    Calls.push_back(Site);
  if (!Calls.empty() && isSame(Root.Function, Calls.front().Function))
    Calls.front().Function = Root.Function;
  else
    Calls.insert(Calls.begin(), Root);
  return Calls;
}

std::string frameName(const StackFrame &Frame) {
  if (!Frame.Function.empty())
    return oneLine(Frame.Function);
  if (Frame.File.empty())
    return "(unknown)";
  return oneLine(std::filesystem::path(Frame.File).filename().string() + ":" + std::to_string(Frame.Line));
}

std::string profileText(const Profile &P, v1::ProfileFormat Format, v1::Sample What) {
  switch (Format) {
  case v1::ProfileFormat::folded:
    return foldedStacks(P, What);
  case v1::ProfileFormat::pprof:
    return pprofProfile(P, What);
  case v1::ProfileFormat::perfetto:
    return perfettoTrace(P);
  }
  return "";
}

} // namespace memshape
