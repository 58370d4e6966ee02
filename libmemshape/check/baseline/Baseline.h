// What a baseline says of operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A baseline is made for reviewing: one fact per line, in a fixed order, the same bytes on every machine. It contains
// no paths and no lines, so that moving code does not change it. docs/check.md describes it.

#pragma once

#include "libmemshape/text/Result.h"
#include "model/formula/Formula.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

inline constexpr const char BaselineSchema[] = "memshape.lock/1";

/// The figures that have formulas, in the order of the file.
inline constexpr const char *FigureNames[] = {"peak", "total", "output", "allocations"};
inline constexpr std::size_t FigureCount = 4;
enum FigureIndex : std::size_t { PeakIndex, TotalIndex, OutputIndex, AllocationsIndex };

/// An operator at one reference shape.
struct BaselineRow {
  std::vector<std::int64_t> Shape;
  std::uint64_t Figures[FigureCount] = {}; ///< bytes; the last one is a count
  bool Exact = true;
  std::uint64_t Lower = 0;                     ///< bound of the peak where it is not exact
  std::optional<std::uint64_t> Upper;          ///< the upper bound; nothing if there is none
  std::map<std::string, std::uint64_t> Spaces; ///< peaks of spaces other than the host's
};

/// A line of the source; known for the current build only.
struct CodePlace {
  std::string File, Function, Code;
  std::uint32_t Line = 0, Column = 0;
};

struct BaselineSite {
  std::string Function, Code, Allocator, Space;
  std::vector<std::string> From;        ///< code of the calls that lead there, innermost first
  std::optional<std::string> Formula;   ///< of the bytes at the operator's peak
  std::vector<std::uint64_t> Held;      ///< bytes at the peak, by row
  std::vector<std::uint64_t> Requested; ///< bytes in all, by row
  std::vector<std::uint64_t> Times;     ///< by row
  std::vector<std::uint64_t> Kept;      ///< bytes live at return, by row; empty if there are none
  std::vector<CodePlace> Places;        ///< current build only: its place, then the calls that lead there

  /// Whether both request the same blocks, however long these live.
  bool sameRequests(const BaselineSite &Other) const {
    return Requested == Other.Requested && Times == Other.Times && Space == Other.Space;
  }
};

struct BaselineDecision {
  std::string Function, Condition;
  bool IsValue = false;
  CodePlace Place; ///< current build only
};

struct BaselineOperator {
  std::string Name;                 ///< with its parameters if several have this name
  std::vector<std::string> Symbols; ///< shape symbols
  std::vector<std::string> Sizes;   ///< sizes from data that formulas contain
  std::vector<std::pair<std::string, double>> Settings;
  std::optional<std::string> Tolerance; ///< "5%"
  std::optional<std::string> Formulas[FigureCount];
  std::map<std::string, Range> Where; ///< shapes for which the formulas hold, if not all up to LargestProbed
  std::vector<BaselineRow> Rows;
  std::vector<BaselineSite> Sites;
  std::vector<BaselineDecision> Decisions;
  std::vector<std::string> DependsOn; ///< facts about the machine, environment variables, functions called for real
  std::string Method;                 ///< "" if it was sliced
  std::string Trouble;                ///< why there are no figures
  CodePlace Place;                    ///< current build only

  /// Shape symbols, then sizes: the symbols of formulas.
  std::vector<std::string> formulaSymbols() const;
};

struct BaselineFile {
  std::string Compiler; ///< "clang 22 -O2"; several if units differ
  std::map<std::string, std::int64_t> Machine;
  std::string Tolerance = "0%";
  std::vector<BaselineOperator> Operators; ///< by name

  const BaselineOperator *find(std::string_view Name) const;
};

/// The simulated machine for which baselines are made, on any machine.
const std::map<std::string, std::int64_t> &referenceMachine();

/// Messages continue a sentence that starts with the file's name.
Result<BaselineFile> parseBaseline(std::string_view Text);
std::string baselineText(const BaselineFile &L);

/// "5%" or "0.5%" as a fraction.
Result<double> readTolerance(std::string_view Text);

/// Formula Text, with each symbol of Then replaced by the symbol of Now at the same position.
std::string renamed(const std::string &Text, const std::vector<std::string> &Then, const std::vector<std::string> &Now);

/// The value of a formula if it is a natural number; nothing otherwise.
std::optional<double> valueOf(const std::string &Text, const std::vector<std::string> &Symbols,
                              const std::vector<double> &Values);

} // namespace memshape
