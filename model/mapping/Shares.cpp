// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/mapping/PlacedTasks.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>

namespace memshape::scheduling {

/// How many each part gets. There are no more parts than processors.
static std::vector<std::uint32_t> countsOf(std::span<const double> Work, std::uint32_t Processors) {
  const double Whole = std::accumulate(Work.begin(), Work.end(), 0.0);
  const auto Weight = [&](std::size_t Part) { return Whole > 0 ? Work[Part] : 1; };
  // Adams' rule gives part I at least ceil(Work[I] / Whole * (Processors - Parts)): these need no steps.
  const double Sure = double(Processors - Work.size()) / (Whole > 0 ? Whole : double(Work.size()));
  std::vector<std::uint32_t> Counts;
  for (std::size_t Part = 0; Part < Work.size(); ++Part)
    Counts.push_back(std::max(1u, static_cast<std::uint32_t>(Weight(Part) * Sure)));
  using Entry = std::tuple<double, std::int64_t, std::size_t>; // work for each processor, less processors, part
  std::priority_queue<Entry> Next;
  const auto Push = [&](std::size_t Part) {
    Next.push({Weight(Part) / Counts[Part], -std::int64_t(Counts[Part]), Part});
  };
  for (std::size_t Part = 0; Part < Work.size(); ++Part)
    Push(Part);
  for (auto Given = std::accumulate(Counts.begin(), Counts.end(), std::uint32_t(0)); Given < Processors; ++Given) {
    const std::size_t Part = std::get<2>(Next.top());
    Next.pop();
    ++Counts[Part];
    Push(Part);
  }
  return Counts;
}

/// The processor of each of some parts of the work, one after the other on each.
static void shareOut(std::vector<std::size_t> Parts, std::span<const double> Work, ProcessorRange Among,
                     std::vector<ProcessorRange> &Into) {
  std::sort(Parts.begin(), Parts.end(),
            [&](std::size_t A, std::size_t B) { return Work[A] != Work[B] ? Work[A] > Work[B] : A < B; });
  using Load = std::tuple<double, std::size_t, std::uint32_t>; // work, parts, processor
  std::priority_queue<Load, std::vector<Load>, std::greater<>> Least;
  for (std::uint32_t Each = 0; Each < Among.Count; ++Each)
    Least.push({0, 0, Among.First + Each});
  for (std::size_t Part : Parts) {
    const auto [Before, Count, Processor] = Least.top();
    Least.pop();
    Into[Part] = {Processor, 1};
    Least.push({Before + Work[Part], Count + 1, Processor});
  }
}

std::vector<ProcessorRange> sharesOf(std::span<const double> Work, ProcessorRange Among) {
  std::vector<ProcessorRange> Found(Work.size());
  const double Average = std::accumulate(Work.begin(), Work.end(), 0.0) / Among.Count;
  std::vector<std::size_t> Own, Sharing;
  for (std::size_t Part = 0; Part < Work.size(); ++Part) // the average may be rounded down: one is left for the others
    (Work.size() <= Among.Count || (Work[Part] > Average && Own.size() + 1 < Among.Count) ? Own : Sharing)
        .push_back(Part);
  std::vector<double> Weights;
  for (std::size_t Part : Own)
    Weights.push_back(Work[Part]);
  if (!Sharing.empty())
    Weights.push_back(std::accumulate(Sharing.begin(), Sharing.end(), 0.0,
                                      [&](double Sum, std::size_t Part) { return Sum + Work[Part]; }));
  const std::vector<std::uint32_t> Counts = countsOf(Weights, Among.Count);
  std::uint32_t First = Among.First;
  for (std::size_t At = 0; At < Own.size(); ++At) {
    Found[Own[At]] = {First, Counts[At]};
    First += Counts[At];
  }
  if (!Sharing.empty())
    shareOut(std::move(Sharing), Work, {First, Counts.back()}, Found);
  return Found;
}

} // namespace memshape::scheduling
