// Bytes and counts by call stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/Escapes.h"
#include "libmemshape/text/Spelling.h"
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

/// Whether what stands between the parentheses from Open is followed by the name of something inside: a lambda.
static bool leadsOn(const std::string &Function, std::size_t Open) {
  int Depth = 0;
  for (std::size_t At = Open; At < Function.size(); ++At) {
    Depth += Function[At] == '(' ? 1 : Function[At] == ')' ? -1 : 0;
    if (!Depth)
      return Function.compare(At + 1, 2, "::") == 0;
  }
  return false;
}

std::string functionName(std::string Function) {
  if (const std::string Symbol = Function.substr(0, Function.find('.')); Symbol.starts_with("_Z"))
    if (const std::string Demangled = demangled(Symbol); Demangled != Symbol)
      Function = Demangled;
  constexpr std::string_view Unnamed = "(anonymous namespace)::";
  for (std::size_t At; (At = Function.find(Unnamed)) != std::string::npos;)
    Function.erase(At, Unnamed.size());
  constexpr std::string_view Operator = "operator";
  std::size_t Begin = 0;
  int Depth = 0;
  bool IsOperator = false; // what follows is its name: "operator<", "operator()", "operator bool"
  for (std::size_t At = 0; At < Function.size(); ++At) {
    if (!Depth && (At == Begin || Function[At - 1] == ':') &&
        std::string_view(Function).substr(At).starts_with(Operator)) {
      IsOperator = true;
      At = std::min(Function.find_first_not_of("<>=-+*/&|^!~%,[]", At + Operator.size()), Function.size());
      At += std::string_view(Function).substr(At).starts_with("()") ? 2 : 0;
    }
    const char Sign = At < Function.size() ? Function[At] : '(';
    if (!Depth && Sign == '(' && !leadsOn(Function, At))
      return Function.substr(Begin, At - Begin);
    if (!Depth && Sign == ' ' && !IsOperator)
      Begin = At + 1;
    Depth += Sign == '<' || Sign == '{' || Sign == '(' ? 1 : Sign == '>' || Sign == '}' || Sign == ')' ? -1 : 0;
  }
  return Function;
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
  case v1::ProfileFormat::folded: return foldedStacks(P, What);
  case v1::ProfileFormat::pprof: return pprofProfile(P, What);
  case v1::ProfileFormat::perfetto: return perfettoTrace(P);
  }
  return "";
}

} // namespace memshape
