// Chunks for an operator whose bytes are predicted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
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
  std::uint64_t Arguments = 0;          ///< of arguments that come built
  std::uint64_t Written = 0;            ///< of Arguments, those that the call may change: they are results, too
  std::vector<std::uint64_t> Each = {}; ///< the parts of Arguments, always in one order; empty: it is one
};

/// Values of all symbols, in order.
using AskCall = std::function<Result<CallBytes>(const std::vector<std::int64_t> &)>;

struct PlannedSymbol {
  std::string Name;
  std::int64_t Value = 0;
  bool IsExtent = true; ///< of the array; others have the same value in each task
  bool Split = false;
  std::int64_t Halo = 0, Align = 1; ///< elements
};

struct ChunkRequest {
  std::string Operator;
  std::vector<PlannedSymbol> Symbols;
  /// Of what the caller hands in and takes back beside arguments that come built, bytes per element of the array.
  double ElementIn = 0, ElementOut = 0;
  bool ElementsGiven = false; ///< by the user: then what comes built and what is returned is no more
  planning::Workers On;
  /// On.From is to be kept; otherwise it is blocks, or storage where blocks leave no room.
  bool SourceGiven = false;
  std::uint64_t Limit = 0; ///< bytes of one worker
  std::int64_t MostTasks = INT64_MAX;
  AskCall Ask;
  const Formula *Peak = nullptr; ///< in the symbols; null where there is none
};

struct ChunkPlan {
  planning::Plan Chosen;
  /// Of each symbol: its chunks; empty where it is no extent.
  std::vector<std::vector<planning::ChunkRun>> Chunks;
  std::vector<std::int64_t> LargestTask; ///< values of all symbols, halo included
  CallBytes Call;                        ///< of it
  bool Bounded = true;                   ///< by a bound; otherwise by what is expected
  bool FewestProven = false;             ///< no grid with fewer tasks fits
  std::uint64_t Gathered = 0;            ///< that one worker holds at most where it gathers all results at the end
  std::vector<std::string> Notes;

  std::uint64_t expectedBytes() const { return Chosen.Expected.total(); }
  std::uint64_t upperBytes() const { return Chosen.Upper.total(); } ///< what the plan rests on
};

/// A plan, or the least memory of a worker with which there is one; nothing where there is none with any memory.
struct PlanAnswer {
  std::optional<ChunkPlan> Found;
  std::optional<std::uint64_t> LeastBytes;
};

/// Fails where the request is wrong or a prediction fails. Every task of a plan was predicted to keep the limit.
Result<PlanAnswer> planChunks(const ChunkRequest &Request);

/// What keeps chunks from being larger, as memshape.plan/1 names it: "operators".
const char *limitName(planning::Binding Why);

/// memshape.plan/1, on one line for each member; with a newline at the end.
std::string planJson(const ChunkRequest &Request, const PlanAnswer &Answer);

/// The text page.
std::string planPage(const ChunkRequest &Request, const ChunkPlan &Plan);

/// "217", "217, 217, 216", "(217,)*100 + (216,)*3": what Python takes for the chunks of an axis.
std::string chunksInPython(const std::vector<planning::ChunkRun> &Chunks);

/// What a worker asks for in the words of System: slurm, snakemake or kubernetes. Fails for others.
Result<std::string> inWordsOf(const std::string &System, const ChunkRequest &Request, const ChunkPlan &Plan);

} // namespace memshape
