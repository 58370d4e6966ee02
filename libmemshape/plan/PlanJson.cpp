// memshape.plan/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/text/Escapes.h"

#include <nlohmann/json.hpp>

namespace memshape {

namespace {

using Json = nlohmann::ordered_json;

/// An axis may have 10^7 chunks: they are written without a value for each.
void appendChunks(std::string &Text, const std::vector<planning::ChunkRun> &Chunks) {
  std::size_t Needed = Text.size() + 2;
  for (const planning::ChunkRun &Run : Chunks)
    Needed += (std::to_string(Run.Length).size() + 2) * static_cast<std::size_t>(Run.Times);
  Text.reserve(Needed + 4096); // the rest is about so long
  Text += '[';
  for (const planning::ChunkRun &Run : Chunks) {
    const std::string Length = std::to_string(Run.Length);
    for (std::int64_t I = 0; I < Run.Times; ++I) {
      if (Text.back() != '[')
        Text += ", ";
      Text += Length;
    }
  }
  Text += ']';
}

const char *nameOf(planning::Sink Into) {
  return Into == planning::Sink::Store ? "store" : Into == planning::Sink::Persist ? "persist" : "gather";
}

Json valuesJson(const ChunkRequest &Request, const std::vector<std::int64_t> &Values) {
  Json Out = Json::object();
  for (std::size_t I = 0; I < Request.Symbols.size(); ++I)
    Out[Request.Symbols[I].Name] = Values[I];
  return Out;
}

Json workerJson(const ChunkRequest &Request, const ChunkPlan &Plan) {
  const planning::WorkerBytes &Upper = Plan.Chosen.Upper;
  Json Out;
  Out["limit_bytes"] = Request.Limit;
  Out["expected_bytes"] = Plan.expectedBytes();
  Out["upper_bytes"] = Plan.Bounded ? Json(Plan.upperBytes()) : Json();
  Out["threads"] = Request.On.Threads;
  Out["held_bytes"] = Upper.Held;
  Out["operators_bytes"] = Upper.Operators;
  Out["inputs_bytes"] = planning::add(Upper.Inputs, Upper.Copies);
  Out["blocks_bytes"] = Upper.Blocks;
  Out["results_bytes"] = Upper.Results;
  Out["gathered_bytes"] = Upper.Gathered;
  return Out;
}

Json nextJson(const ChunkRequest &Request, const ChunkPlan &Plan) {
  if (!Plan.Chosen.Next)
    return Json();
  const planning::Larger &Next = *Plan.Chosen.Next;
  Json Grid = Json::object();
  for (std::size_t I = 0, Axis = 0; I < Request.Symbols.size(); ++I)
    if (Request.Symbols[I].IsExtent)
      Grid[Request.Symbols[I].Name] = Next.Chunks[Axis++];
  return {{"grid", Grid}, {"tasks", Next.Tasks}, {"worker_bytes", Next.WorkerUpper}};
}

/// "  "NAME": VALUE,\n"
void appendMember(std::string &Text, const char *Name, const Json &Value) {
  Text += "  \"" + std::string(Name) + "\": " + jsonText(Value) + ",\n";
}

} // namespace

const char *limitName(planning::Binding Why) {
  switch (Why) {
  case planning::Binding::Nothing:
    return "nothing";
  case planning::Binding::Parallelism:
    return "parallelism";
  case planning::Binding::Operators:
    return "operators";
  case planning::Binding::Inputs:
    return "inputs";
  case planning::Binding::Blocks:
    return "blocks";
  case planning::Binding::Results:
    return "results";
  case planning::Binding::Gathered:
    return "gathered";
  case planning::Binding::Held:
    return "held";
  }
  return "";
}

std::string planJson(const ChunkRequest &Request, const PlanAnswer &Answer) {
  std::vector<std::int64_t> Whole;
  for (const PlannedSymbol &S : Request.Symbols)
    Whole.push_back(S.Value);
  std::string Text = "{\n";
  appendMember(Text, "schema", "memshape.plan/1");
  appendMember(Text, "operator", Request.Operator);
  appendMember(Text, "shape", valuesJson(Request, Whole));
  if (!Answer.Found) {
    appendMember(Text, "feasible", false);
    Text += "  \"least_memory_bytes\": " + Json(Answer.LeastBytes ? Json(*Answer.LeastBytes) : Json()).dump() + "\n}\n";
    return Text;
  }
  const ChunkPlan &Plan = *Answer.Found;
  Text += "  \"chunks\": {";
  for (std::size_t I = 0; I < Request.Symbols.size(); ++I)
    if (Request.Symbols[I].IsExtent) {
      Text += (Text.back() == '{' ? "" : ", ") + jsonText(Json(Request.Symbols[I].Name)) + ": ";
      appendChunks(Text, Plan.Chunks[I]);
    }
  Text += "},\n";
  appendMember(Text, "tasks", Plan.Chosen.Tasks);
  appendMember(Text, "largest_task",
               {{"shape", valuesJson(Request, Plan.LargestTask)},
                {"peak_bytes", Plan.Call.Peak},
                {"upper_bytes", Plan.Call.Upper ? Json(*Plan.Call.Upper) : Json()},
                {"input_bytes", Plan.Chosen.Largest.Bytes.In},
                {"output_bytes", Plan.Chosen.Largest.Bytes.Out}});
  appendMember(Text, "worker", workerJson(Request, Plan));
  appendMember(Text, "workers", Request.On.Count);
  appendMember(Text, "sink", nameOf(Request.On.Into));
  appendMember(Text, "source", Plan.Chosen.On.From == planning::Source::Blocks ? "blocks" : "storage");
  appendMember(Text, "limited_by", limitName(Plan.Chosen.Why));
  appendMember(Text, "next_larger", nextJson(Request, Plan));
  appendMember(
      Text, "fewest_tasks",
      {{"tasks", Plan.Chosen.FewestTasks}, {"lower_bound", Plan.Chosen.LowerBound}, {"proven", Plan.FewestProven}});
  const double Used = static_cast<double>(Plan.Bounded ? Plan.upperBytes() : Plan.expectedBytes());
  appendMember(Text, "utilisation", Used / static_cast<double>(Request.Limit));
  appendMember(Text, "evidence", "skeleton");
  Text += "  \"notes\": " + jsonText(Json(Plan.Notes)) + "\n}\n";
  return Text;
}

} // namespace memshape
