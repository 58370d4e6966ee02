// Chunks that fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/planning.h"
#include "model/planning/Planner.h"

namespace memshape::v1 {

namespace {

std::optional<Error> wrongIn(const ChunkRequest &Request) {
  const auto Wrong = [](const char *What) { return Error{ErrorCode::arguments, What}; };
  if (Request.axes.empty() || !Request.task)
    return Wrong("there is no axis, or no function for the bytes of a task");
  for (const Axis &Each : Request.axes)
    if (Each.extent < 1 || Each.halo < 0 || Each.halo > Each.extent || Each.align < 1)
      return Wrong("an axis is empty, its halo is negative or longer than the axis, or its alignment is below 1");
  if (Request.workers < 1 || Request.threads < 1 || Request.max_tasks < 1)
    return Wrong("workers, threads and max_tasks are at least 1");
  return std::nullopt;
}

planning::Problem problemOf(const ChunkRequest &Request) {
  planning::Problem Out;
  for (const Axis &Each : Request.axes)
    Out.Axes.push_back({Each.extent, Each.halo, Each.align, Each.split});
  Out.Bytes = [&Request](std::span<const std::int64_t> Extents) {
    const TaskBytes Found = Request.task({Extents.begin(), Extents.end()});
    return planning::TaskBytes{Found.upper, Found.expected, Found.input, Found.output};
  };
  Out.Monotone = Request.monotone;
  Out.On.Count = Request.workers;
  Out.On.Threads = Request.threads;
  Out.On.Held = Request.held_bytes;
  Out.On.OneTime = Request.one_time_bytes;
  Out.On.Into = Request.sink == Sink::store     ? planning::Sink::Store
                : Request.sink == Sink::persist ? planning::Sink::Persist
                                                : planning::Sink::Gather;
  Out.On.From = Request.keeps_neighbours ? planning::Source::Blocks : planning::Source::Storage;
  Out.Limit = Request.limit_bytes;
  Out.MostTasks = Request.max_tasks;
  Out.In = Request.input_bytes;
  Out.Out = Request.output_bytes;
  return Out;
}

WorkerParts partsOf(const planning::WorkerBytes &From) {
  return {From.Held,   From.Operators, From.Inputs,   From.Blocks, From.Results,
          From.Copies, From.Slack,     From.Gathered, From.total()};
}

const char *nameOf(planning::Binding Why) {
  using enum planning::Binding;
  switch (Why) {
  case Nothing:
    return "nothing";
  case Parallelism:
    return "parallelism";
  case Operators:
    return "operators";
  case Inputs:
    return "inputs";
  case Blocks:
    return "blocks";
  case Results:
    return "results";
  case Gathered:
    return "gathered";
  case Held:
    return "held";
  }
  return "nothing";
}

} // namespace

Expected<ChunkPlan> plan_chunks(const ChunkRequest &request) {
  if (std::optional<Error> Wrong = wrongIn(request))
    return *Wrong;
  const planning::Problem Asked = problemOf(request);
  const std::optional<planning::Plan> Found = planning::plan(Asked);
  if (!Found)
    return Error{ErrorCode::no_answer, "no chunks fit " + std::to_string(request.limit_bytes) + " bytes a worker"};
  ChunkPlan Out;
  for (std::size_t I = 0; I < Asked.Axes.size(); ++I) {
    std::vector<std::int64_t> &Along = Out.chunks.emplace_back();
    if (const auto Runs = planning::chunksOf(Asked.Axes[I], Found->Chunks[I]))
      for (const planning::ChunkRun &Each : *Runs)
        Along.insert(Along.end(), static_cast<std::size_t>(Each.Times), Each.Length);
  }
  Out.tasks = Found->Tasks;
  Out.fewest_tasks = Found->FewestTasks;
  Out.lower_bound = Found->LowerBound;
  Out.largest_task = Found->Largest.Extents;
  const planning::TaskBytes &Bytes = Found->Largest.Bytes;
  Out.largest_bytes = {Bytes.Upper, Bytes.Expected, Bytes.In, Bytes.Out};
  Out.expected = partsOf(Found->Expected);
  Out.upper = partsOf(Found->Upper);
  Out.binding = nameOf(Found->Why);
  if (Found->Next) {
    Out.larger_tasks = Found->Next->Tasks;
    Out.larger_bytes = Found->Next->WorkerUpper;
  }
  return Out;
}

Expected<std::uint64_t> least_limit(const ChunkRequest &request) {
  if (std::optional<Error> Wrong = wrongIn(request))
    return *Wrong;
  if (const std::optional<std::uint64_t> Least = planning::leastLimit(problemOf(request)))
    return *Least;
  return Error{ErrorCode::no_answer, "no chunks fit any memory"};
}

} // namespace memshape::v1
