// What schedules hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/makespan/ListSchedule.h"
#include "test/unit/model/RandomGraphs.h"

#include <gtest/gtest.h>

#include <set>

namespace memshape::scheduling {

/// Nodes are in the order of their starts, and start when all their inputs have ended.
inline void expectInTime(const Graph &G, const TimedSchedule &Found) {
  for (std::size_t At = 1; At < Found.Order.size(); ++At)
    ASSERT_LE(Found.Start[Found.Order[At - 1]], Found.Start[Found.Order[At]]);
  for (Node Each = 0; Each < G.size(); ++Each)
    for (Node Input : G.inputs(Each))
      ASSERT_LE(Found.Start[Input] + G[Input].Time, Found.Start[Each]);
}

/// What is held at the greatest moment, from the starts alone: at one instant ends come before starts. Nodes take time.
inline Bytes heldAtMost(const Graph &G, const TimedSchedule &Found, std::uint32_t Processors) {
  const auto End = [&](Node Each) { return Found.Start[Each] + G[Each].Time; };
  Bytes Most = 0;
  for (Node Moment = 0; Moment < G.size(); ++Moment) {
    const double Now = Found.Start[Moment];
    Bytes Held = 0;
    std::set<std::uint32_t> Busy;
    for (Node Each = 0; Each < G.size(); ++Each) {
      if (Found.Start[Each] > Now)
        continue;
      const bool Runs = End(Each) > Now;
      if (Runs) {
        EXPECT_TRUE(Busy.insert(Found.Processor[Each]).second);
        EXPECT_LT(Found.Processor[Each], Processors);
      }
      bool Live = Runs || G.consumers(Each).empty();
      for (Node Consumer : G.consumers(Each))
        Live |= Found.Start[Consumer] > Now || End(Consumer) > Now;
      Held += (Live ? G[Each].Output : 0) + Bytes(Runs ? G[Each].Work : 0);
    }
    Most = std::max(Most, Held);
  }
  return Most;
}

} // namespace memshape::scheduling
