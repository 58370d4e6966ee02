// One line of JSON about a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A record needs an operator, a shape and a measured peak; programs in any language can write one. Documents of
// `memshape run --json` are read too, each as one record per operator and shape.

#pragma once

#include "libmemshape/text/Result.h"
#include "model/residency/Training.h"

#include <optional>
#include <string_view>
#include <vector>

namespace memshape {

/// One measured run of an operator.
struct RunEntry {
  std::string Operator;
  Situation At;
  std::map<std::string, std::string> Settings; ///< as in settingText: a run with other values is of another function
  std::optional<double> Time;                  ///< when it ended, or started, seconds since 1970
  std::optional<double> HeapPeak;              ///< bytes requested
  std::optional<double> Resident;              ///< bytes, of the whole process
  double HeapLower = Unknown;                  ///< the skeleton's bounds of the heap peak, bytes
  double HeapUpper = Unknown;                  ///< infinite if it has none
  bool Killed = false;                         ///< by the kernel, for lack of memory: it needed more than its peaks
  std::string Formula;                         ///< of the heap peak in the shape symbols; empty if unknown
  std::string Environment;                     ///< compiler, allocator, host, ... as JSON; empty if not given
  std::string Document;                        ///< the record as one line of JSON, as it is exported
};

/// "n=400, m=3"
std::string shapeOf(const Situation &At);

/// Whether both are runs of one function: with the same shape symbols (otherwise one is of an earlier version of the
/// operator) and the same settings.
bool areAlike(const RunEntry &A, const RunEntry &B);

/// A setting as JSON: numbers as doubles ("1.5"), truth values as numbers, texts quoted.
std::string settingText(double Value);
std::string settingText(std::string_view Value);
/// The number in a setting's text; nothing where it is none.
std::optional<double> settingValue(const std::string &Text);

/// A sample for training; nothing if the run has no resident peak or no heap from a skeleton, or was killed.
std::optional<ResidentRun> residentRun(const RunEntry &Run);

/// Where a line comes from. Stored lines stay readable; new ones are checked more strictly.
enum class Origin { Kept, Arriving };

/// The entries of a line; several if it is the document of a run with several operators. Refused: lines that are no
/// memshape.run/1, and impossible measurements (negative, above 2^53 bytes, a process of less than a page, an end
/// before the start, a time after Now, in seconds since 1970). In new lines, unusable members are refused too.
Result<std::vector<RunEntry>> parseRunLine(std::string_view Line, double Now, Origin From = Origin::Kept);

} // namespace memshape
