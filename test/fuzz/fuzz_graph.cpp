// Graphs of foreign origin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/Course.h"
#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/Schedule.h"
#include "libmemshape/graph/SchedulePictures.h"
#include "model/graph/Graph.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace memshape;

/// What is drawn holds no more than what is answered; one node after the other, it is the same.
static void draw(const graph::Graph &G, const v1::ScheduleRequest &Asked, const ScheduleAnswer &Answer,
                 const std::vector<std::string> &Ids) {
  (void)scheduleHtml(G, Answer, Asked.memory_bytes, Ids);
  (void)scheduleSvg(G, Answer, Asked.memory_bytes, Ids);
  (void)scheduleDot(G, Answer, Ids);
  const Course In = courseOf(G, Answer);
  const std::uint64_t Most = In.Steps.empty() ? 0 : In.Steps[In.Peak].Held;
  if (Most > Answer.Peak || (!In.InTime && Most != Answer.Peak))
    std::abort();
}

/// What is answered is JSON, has each node once, and holds what it says.
static void check(const graph::Graph &G, const v1::ScheduleRequest &Asked, const std::vector<std::string> &Ids) {
  const Result<ScheduleAnswer> Answer = schedule(G, Asked);
  if (!Answer)
    return;
  (void)schedulePage(*Answer, Ids);
  const nlohmann::json Text = nlohmann::json::parse(scheduleJson(scheduleOf(G, *Answer, Ids)));
  if (!Answer->Feasible)
    return;
  if (Answer->Order.size() != G.size() || Text["order"].size() != G.size())
    std::abort();
  if (Asked.memory_bytes && Answer->PeakOfOne.value_or(Answer->Peak) > *Asked.memory_bytes)
    std::abort();
  if (Answer->Wanted == Objective::peak && peakOf(G, Answer->Order) != graph::Bytes(Answer->Peak))
    std::abort();
  draw(G, Asked, *Answer, Ids);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  Result<GraphDocument> Read = readGraph({reinterpret_cast<const char *>(Data), Size});
  if (!Read || Read->Ids.size() > 20)
    return 0;
  const std::optional<graph::Graph> G = takeGraph(*Read);
  if (!G)
    std::abort(); // the reader refuses cycles
  for (std::optional<std::uint64_t> Memory : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(100)}) {
    check(*G, {.memory_bytes = Memory}, Read->Ids);
    check(*G, {.memory_bytes = Memory, .processors = 3}, Read->Ids);
    check(*G, {.memory_bytes = Memory, .objective = v1::Objective::io}, Read->Ids);
    for (const v1::Mapping By : {v1::Mapping::all_to_all, v1::Mapping::proportional, v1::Mapping::memory_aware})
      check(*G, {.memory_bytes = Memory, .processors = 3, .mapping = By}, Read->Ids);
    if (!Read->Processors.empty())
      (void)schedule(*G, {}, Read->Processors);
  }
  return 0;
}
