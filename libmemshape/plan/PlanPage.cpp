// The page about one plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"

#include <functional>
#include <numeric>

namespace memshape {

/// Beyond, Python repeats a chunk.
constexpr std::int64_t MostSpelled = 6;

static std::int64_t countOf(const std::vector<v1::ChunkRun> &Chunks) {
  return std::transform_reduce(Chunks.begin(), Chunks.end(), std::int64_t(0), std::plus(),
                               [](const v1::ChunkRun &Run) { return Run.times; });
}

static std::string shapeOf(const v1::Plan &Of, const v1::Shape &Values) {
  return joined(Of.symbols, ", ",
                [&](const std::string &Name) { return Name + "=" + std::to_string(Values.at(Name)); });
}

static std::string chunksTable(const v1::Plan &Of) {
  std::vector<std::vector<std::string>> Rows;
  v1::ChunkLists{Of}.members([&](const std::string &Name, const std::vector<v1::ChunkRun> &Chunks) {
    Rows.push_back({Name, several(countOf(Chunks), "chunk"), joined(Chunks, ", ", [](const v1::ChunkRun &Run) {
                      return std::to_string(Run.times) + " of " + std::to_string(Run.length);
                    })});
  });
  return aligned(Rows, {}, 4);
}

static std::string workerTable(const v1::Plan &Of) {
  const v1::WorkerParts &Most = Of.worker;
  std::vector<std::vector<std::string>> Rows;
  Rows.push_back(bytesRow("expected", Of.worker_expected_bytes));
  if (Of.worker_upper_bytes)
    Rows.push_back(
        bytesRow("at most", *Of.worker_upper_bytes, share(*Of.worker_upper_bytes, Of.memory_bytes) + " of its memory"));
  else
    Rows.push_back({"at most", "no bound", "", ""});
  if (Most.at_end() > Most.during())
    Rows.push_back(bytesRow("  the gathered result", Most.gathered));
  else {
    Rows.push_back(bytesRow("  calls, results included", Most.operators));
    for (const auto &[What, Bytes] :
         {std::pair("  their inputs", Most.inputs + Most.copies), std::pair("  input kept for neighbours", Most.blocks),
          std::pair("  results that wait", Most.results)})
      if (Bytes)
        Rows.push_back(bytesRow(What, Bytes));
  }
  if (Most.held)
    Rows.push_back(bytesRow("  held before", Most.held));
  return aligned(Rows, {1, 2}, 4);
}

static std::string whyThese(const v1::Plan &Of) {
  const auto Larger = [&](const std::string &After) -> std::string {
    if (!Of.next_larger)
      return "";
    const v1::LargerChunks &Next = *Of.next_larger;
    return "The next larger chunks, in " + several(Next.tasks, "task") + ", would take " + inUnits(Next.worker_bytes) +
           After + ".";
  };
  const std::string Memory = "Memory keeps chunks from being larger; most of it is ";
  switch (Of.limited_by) {
  case v1::Binding::nothing: return "The array fits whole.";
  case v1::Binding::parallelism:
    return "Fewer tasks would fit, but leave " + std::string(Of.workers > 1 ? "workers" : "threads") + " idle. " +
           Larger(" a worker");
  case v1::Binding::operators: return Memory + "the calls' own. " + Larger(" a worker");
  case v1::Binding::inputs: return Memory + "the tasks' inputs. " + Larger(" a worker");
  case v1::Binding::blocks: return Memory + "input that is kept for neighbours. " + Larger(" a worker");
  case v1::Binding::results: return Memory + "results that wait. " + Larger(" a worker");
  case v1::Binding::gathered: return "The result is gathered by one worker, which takes most; no chunks change that.";
  case v1::Binding::held: return Memory + "held before the first task. " + Larger(" a worker");
  }
  return "";
}

/// What is pasted into Dask and xarray.
static std::string pasted(const v1::Plan &Of) {
  std::string Dask, Xarray;
  unsigned Axes = 0;
  v1::ChunkLists{Of}.members([&](const std::string &Name, const std::vector<v1::ChunkRun> &Runs) {
    ++Axes;
    const std::string Chunks = chunksInPython(Runs);
    Dask += (Dask.empty() ? "" : ", ") + Chunks;
    Xarray += (Xarray.empty() ? "\"" : ", \"") + Name + "\": " + Chunks;
  });
  return "  Dask     chunks=(" + Dask + (Axes == 1 ? ",)" : ")") + "\n  xarray   chunks={" + Xarray + "}\n";
}

std::string chunksInPython(const std::vector<v1::ChunkRun> &Chunks) {
  const std::int64_t Count = countOf(Chunks);
  if (Count > MostSpelled)
    return joined(Chunks, " + ", [](const v1::ChunkRun &Run) {
      return "(" + std::to_string(Run.length) + ",)*" + std::to_string(Run.times);
    });
  std::string Text;
  for (const v1::ChunkRun &Run : Chunks)
    for (std::int64_t I = 0; I < Run.times; ++I)
      Text += (Text.empty() ? "" : ", ") + std::to_string(Run.length);
  return "(" + Text + (Count == 1 ? ",)" : ")");
}

std::string planPage(const v1::Plan &Of) {
  std::string Text =
      Of.operator_name + " over " + shapeOf(Of, Of.shape) + "\n\n  " + several(Of.tasks, "task") + " on " +
      several(Of.workers, "worker") + " of " + several(Of.threads, "thread") + ", " + inUnits(Of.memory_bytes) +
      " each\n" + chunksTable(Of) + "\n  A task has at most " + shapeOf(Of, Of.largest_task) + "; its call requests " +
      inUnits(Of.peak_bytes) +
      (Of.upper_bytes && *Of.upper_bytes != Of.peak_bytes ? ", at most " + inUnits(*Of.upper_bytes) : std::string()) +
      "\n\n  A worker holds\n" + workerTable(Of) + "\n  " + whyThese(Of) + "\n";
  if (!Of.fewest_proven && Of.complete && Of.tasks > 1)
    Text += "  Fewer tasks do not fit, as far as predictions near these tell: there is no formula.\n";
  else if (!Of.fewest_proven && Of.tasks > 1)
    Text += Of.tasks_lower_bound > 2 ? "  Fewer than " + several(Of.tasks_lower_bound, "task") + " do not fit; " +
                                           "whether fewer than these do was not searched to the end.\n"
                                     : "  Whether fewer tasks fit was not searched to the end.\n";
  Text += "\n" + pasted(Of);
  if (!Of.notes.empty())
    Text += "\n";
  for (const v1::Note &Each : Of.notes)
    Text += "  - " + Each.text + "\n";
  return Text;
}

} // namespace memshape
