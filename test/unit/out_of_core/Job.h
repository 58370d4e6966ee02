// Work whose result is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <memshape/out_of_core.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

/// An object whose file is its numbers.
struct Numbers {
  std::vector<std::uint64_t> All;
  std::uint64_t bytes() const { return All.size() * sizeof(std::uint64_t); }
  void save(memshape::out_of_core::Writer &To) const { To.vector(All); }
  static Numbers load(memshape::out_of_core::Reader &From) { return {From.vector<std::uint64_t>()}; }
};

/// Blocks and objects, of which a fourth fits into the budget. Each is full of one number, which each round changes.
class Job {
public:
  static constexpr std::uint64_t Each = 8, Length = 3 * 4096 / sizeof(std::uint64_t);
  static constexpr std::uint64_t Budget = Each / 2 * Length * sizeof(std::uint64_t);

  explicit Job(memshape::out_of_core::Store &In) : In(In) {
    for (std::uint64_t At = 0; At < Each; ++At) {
      Blocks.push_back(In.add<std::uint64_t[]>(Length));
      Objects.push_back(In.add<Numbers>(Length * sizeof(std::uint64_t),
                                        [] { return Numbers{std::vector(Length, std::uint64_t(7))}; }));
      BlocksHold.push_back(0);
      ObjectsHold.push_back(7);
    }
  }

  /// Elements that were not what they should be. Lives until all tasks have ended, also where this throws.
  std::uint64_t wrong(int Rounds) {
    namespace ooc = memshape::out_of_core;
    const auto Change = [this](std::span<std::uint64_t> To, std::uint64_t Old, std::span<const std::uint64_t> Other,
                               std::uint64_t Others) {
      for (std::size_t At = 0; At < To.size(); ++At) {
        Wrong += (To[At] != Old) + (Other[At] != Others);
        To[At] = To[At] * 3 + Other[At] + 1;
      }
      Wrong += (To.size() != Length) + (Other.size() != Length);
    };
    for (int Round = 0; Round < Rounds; ++Round)
      for (std::uint64_t At = 0; At < Each; ++At) {
        const std::uint64_t Other = (At * 5 + std::uint64_t(Round)) % Each;
        std::uint64_t &Block = BlocksHold[At], &Object = ObjectsHold[Other];
        In.submit([=](std::span<std::uint64_t> To, const Numbers &From) { Change(To, Block, From.All, Object); },
                  ooc::update(Blocks[At]), ooc::read(Objects[Other]));
        Block = Block * 3 + Object + 1;
        In.submit([=](Numbers &To, std::span<const std::uint64_t> From) { Change(To.All, Object, From, Block); },
                  ooc::update(Objects[Other]), ooc::read(Blocks[At]));
        Object = Object * 3 + Block + 1;
      }
    In.run();
    return Wrong;
  }

  std::atomic<std::uint64_t> Wrong = 0;

private:
  memshape::out_of_core::Store &In;
  std::vector<memshape::out_of_core::Executor<std::uint64_t[]>> Blocks;
  std::vector<memshape::out_of_core::Executor<Numbers>> Objects;
  std::vector<std::uint64_t> BlocksHold, ObjectsHold;
};
