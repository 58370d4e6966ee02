// The page about one plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

namespace {

/// Beyond, Python repeats a chunk.
constexpr std::int64_t MostSpelled = 6;

std::string numberOf(std::int64_t Count, const std::string &What) {
  return grouped(static_cast<std::uint64_t>(Count)) + " " + What + (Count == 1 ? "" : "s");
}

std::string shapeOf(const ChunkRequest &Request, const std::vector<std::int64_t> &Values) {
  std::string Text;
  for (std::size_t I = 0; I < Values.size(); ++I)
    Text += (I ? ", " : "") + Request.Symbols[I].Name + "=" + std::to_string(Values[I]);
  return Text;
}

std::vector<std::string> bytesRow(const std::string &What, std::uint64_t Bytes, const std::string &Remark = "") {
  return {What, inUnits(Bytes), grouped(Bytes) + " bytes", Remark};
}

std::string chunksTable(const ChunkRequest &Request, const ChunkPlan &Plan) {
  std::vector<std::vector<std::string>> Rows;
  for (std::size_t I = 0; I < Request.Symbols.size(); ++I) {
    if (!Request.Symbols[I].IsExtent)
      continue;
    std::int64_t Count = 0;
    std::string Lengths;
    for (const planning::ChunkRun &Run : Plan.Chunks[I]) {
      Count += Run.Times;
      Lengths += (Lengths.empty() ? "" : ", ") + std::to_string(Run.Times) + " of " + std::to_string(Run.Length);
    }
    Rows.push_back({Request.Symbols[I].Name, numberOf(Count, "chunk"), Lengths});
  }
  return aligned(Rows, {}, 4);
}

std::string workerTable(const ChunkRequest &Request, const ChunkPlan &Plan) {
  const planning::WorkerBytes &Most = Plan.Chosen.Upper;
  std::vector<std::vector<std::string>> Rows;
  Rows.push_back(bytesRow("expected", Plan.expectedBytes()));
  if (Plan.Bounded)
    Rows.push_back(bytesRow("at most", Plan.upperBytes(), share(Plan.upperBytes(), Request.Limit) + " of its memory"));
  else
    Rows.push_back({"at most", "no bound", "", ""});
  if (Most.atEnd() > Most.during())
    Rows.push_back(bytesRow("  the gathered result", Most.Gathered));
  else {
    Rows.push_back(bytesRow("  calls, results included", Most.Operators));
    for (const auto &[What, Bytes] :
         {std::pair("  their inputs", planning::add(Most.Inputs, Most.Copies)),
          std::pair("  input kept for neighbours", Most.Blocks), std::pair("  results that wait", Most.Results)})
      if (Bytes)
        Rows.push_back(bytesRow(What, Bytes));
  }
  if (Most.Held)
    Rows.push_back(bytesRow("  held before", Most.Held));
  return aligned(Rows, {1, 2}, 4);
}

std::string whyThese(const ChunkRequest &Request, const ChunkPlan &Plan) {
  const auto Larger = [&](const std::string &After) -> std::string {
    if (!Plan.Chosen.Next)
      return "";
    const planning::Larger &Next = *Plan.Chosen.Next;
    return "The next larger chunks, in " + numberOf(Next.Tasks, "task") + ", would take " + inUnits(Next.WorkerUpper) +
           After + ".";
  };
  const std::string Memory = "Memory keeps chunks from being larger; most of it is ";
  switch (Plan.Chosen.Why) {
  case planning::Binding::Nothing:
    return "The array fits whole.";
  case planning::Binding::Parallelism:
    return "Fewer tasks would fit, but leave " + std::string(Request.On.Count > 1 ? "workers" : "threads") + " idle. " +
           Larger(" a worker");
  case planning::Binding::Operators:
    return Memory + "the calls' own. " + Larger(" a worker");
  case planning::Binding::Inputs:
    return Memory + "the tasks' inputs. " + Larger(" a worker");
  case planning::Binding::Blocks:
    return Memory + "input that is kept for neighbours. " + Larger(" a worker");
  case planning::Binding::Results:
    return Memory + "results that wait. " + Larger(" a worker");
  case planning::Binding::Gathered:
    return "The result is gathered by one worker, which takes most; no chunks change that.";
  case planning::Binding::Held:
    return Memory + "held before the first task. " + Larger(" a worker");
  }
  return "";
}

/// What is pasted into Dask and xarray.
std::string pasted(const ChunkRequest &Request, const ChunkPlan &Plan) {
  std::string Dask, Xarray;
  unsigned Axes = 0;
  for (std::size_t I = 0; I < Request.Symbols.size(); ++I)
    if (Request.Symbols[I].IsExtent) {
      ++Axes;
      const std::string Chunks = chunksInPython(Plan.Chunks[I]);
      Dask += (Dask.empty() ? "" : ", ") + Chunks;
      Xarray += (Xarray.empty() ? "\"" : ", \"") + Request.Symbols[I].Name + "\": " + Chunks;
    }
  return "  Dask     chunks=(" + Dask + (Axes == 1 ? ",)" : ")") + "\n  xarray   chunks={" + Xarray + "}\n";
}

} // namespace

std::string chunksInPython(const std::vector<planning::ChunkRun> &Chunks) {
  std::int64_t Count = 0;
  for (const planning::ChunkRun &Run : Chunks)
    Count += Run.Times;
  std::string Text;
  if (Count > MostSpelled) {
    for (const planning::ChunkRun &Run : Chunks)
      Text += (Text.empty() ? "(" : " + (") + std::to_string(Run.Length) + ",)*" + std::to_string(Run.Times);
    return Text;
  }
  for (const planning::ChunkRun &Run : Chunks)
    for (std::int64_t I = 0; I < Run.Times; ++I)
      Text += (Text.empty() ? "" : ", ") + std::to_string(Run.Length);
  return "(" + Text + (Count == 1 ? ",)" : ")");
}

std::string planPage(const ChunkRequest &Request, const ChunkPlan &Plan) {
  std::vector<std::int64_t> Whole;
  for (const PlannedSymbol &S : Request.Symbols)
    Whole.push_back(S.Value);
  std::string Text = Request.Operator + " over " + shapeOf(Request, Whole) + "\n\n  " +
                     numberOf(Plan.Chosen.Tasks, "task") + " on " + numberOf(Request.On.Count, "worker") + " of " +
                     numberOf(Request.On.Threads, "thread") + ", " + inUnits(Request.Limit) + " each\n" +
                     chunksTable(Request, Plan) + "\n  A task has at most " + shapeOf(Request, Plan.LargestTask) +
                     "; its call requests " + inUnits(Plan.Call.Peak) +
                     (Plan.Call.Upper && *Plan.Call.Upper != Plan.Call.Peak ? ", at most " + inUnits(*Plan.Call.Upper)
                                                                            : std::string()) +
                     "\n\n  A worker holds\n" + workerTable(Request, Plan) + "\n  " + whyThese(Request, Plan) + "\n";
  if (!Plan.FewestProven && Plan.Chosen.Complete && Plan.Chosen.Tasks > 1)
    Text += "  Fewer tasks do not fit, as far as predictions near these tell: there is no formula.\n";
  else if (!Plan.FewestProven && Plan.Chosen.Tasks > 1)
    Text += Plan.Chosen.LowerBound > 2 ? "  Fewer than " + numberOf(Plan.Chosen.LowerBound, "task") + " do not fit; " +
                                             "whether fewer than these do was not searched to the end.\n"
                                       : "  Whether fewer tasks fit was not searched to the end.\n";
  Text += "\n" + pasted(Request, Plan);
  if (!Plan.Notes.empty())
    Text += "\n";
  for (const std::string &Note : Plan.Notes)
    Text += "  - " + Note + "\n";
  return Text;
}

} // namespace memshape
