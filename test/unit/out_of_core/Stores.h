// What tests of stores share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <memshape/out_of_core.h>

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// The code of the error that a call throws. What it says is one line, in which Says stands.
template <class Call> std::optional<memshape::out_of_core::ErrorCode> refusal(Call What, const std::string &Says = "") {
  try {
    What();
  } catch (const memshape::out_of_core::Error &Thrown) {
    const std::string Message = Thrown.what();
    EXPECT_EQ(Message.find('\n'), std::string::npos) << Message;
    EXPECT_NE(Message.find(Says), std::string::npos) << Message;
    return Thrown.code();
  }
  return std::nullopt;
}

using Blocks = std::vector<memshape::out_of_core::Executor<std::uint64_t[]>>;

/// Blocks that are full of their number; of two pages each, unless a Length is given.
inline Blocks filled(memshape::out_of_core::Store &In, std::uint64_t Count, std::uint64_t Length = 2 * 4096 / 8) {
  Blocks Made;
  for (std::uint64_t Each = 0; Each < Count; ++Each)
    In.submit([Each](std::span<std::uint64_t> Block) { std::fill(Block.begin(), Block.end(), Each); },
              memshape::out_of_core::update(Made.emplace_back(In.add<std::uint64_t[]>(Length))));
  return Made;
}
