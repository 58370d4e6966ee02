// Chunks for an operator whose bytes are predicted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/include/memshape/memshape.h"
#include "model/formula/Formula.h"
#include "model/planning/Planner.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// What one call is predicted to take. Bytes.
struct CallBytes {
  std::uint64_t Peak = 0;               ///< requested, expected
  std::optional<std::uint64_t> Upper;   ///< requested; nothing where no bound exists
  std::optional<std::uint64_t> Touched; ///< of Peak, written
  std::uint64_t Output = 0;             ///< left at the return, a part of Peak
  std::uint64_t OneTime = 0;            ///< that the first call in a process adds
  std::uint64_t Written = 0;            ///< of Arguments, those that the call may change: they are results, too
  std::uint64_t Lower = 0;              ///< of the peak
  /// Of what the caller hands in, and of what the call fills behind pointers: a result that the caller makes. Each in
  /// parts, which always stand in one order.
  std::vector<std::uint64_t> Arguments = {}, Handed = {};
};

/// Values of all symbols, in order.
using AskCall = std::function<v1::Expected<CallBytes>(const std::vector<std::int64_t> &)>;

struct PlannedSymbol {
  v1::Axis Axis;
  bool IsExtent = true; ///< of the array; others have the same value in each task
};

/// A plan that is asked for, with all that is known of the operator.
struct PlanQuestion {
  std::string Operator;
  std::vector<PlannedSymbol> Symbols;
  /// Of what the caller hands in and takes back beside arguments that come built, bytes per element of the array.
  double ElementIn = 0, ElementOut = 0;
  bool ElementsGiven = false; ///< by the user: then what comes built and what is returned is no more
  v1::ChunkRequest Job;       ///< its axes are the symbols that are extents; what tasks take is for the search to say
  AskCall Ask;
  const Formula *Peak = nullptr; ///< in the symbols; null where there is none
  /// Of the parts of CallBytes::Arguments and Handed, in the symbols; missing, or nothing, where there is none.
  std::vector<std::optional<Formula>> Arguments = {}, Handed = {};
};

/// Errors: arguments, and those of Ask. Every task of a plan was predicted to keep the limit.
v1::Expected<v1::Plan> planChunks(const PlanQuestion &Request);

/// memshape.plan/1, on one line for each member; with a newline at the end.
std::string planJson(const v1::Plan &Of);

/// The text page.
std::string planPage(const v1::Plan &Of);

/// "217", "217, 217, 216", "(217,)*100 + (216,)*3": what Python takes for the chunks of an axis.
std::string chunksInPython(const std::vector<v1::ChunkRun> &Chunks);

/// The systems that inWordsOf() knows: "slurm, htcondor and ray".
std::string jobSystems(std::string_view Between, std::string_view Last);

/// What a worker asks for in the words of one of them. Errors: arguments, for others.
v1::Expected<std::string> inWordsOf(const std::string &System, const v1::Plan &Of);

} // namespace memshape
