// Trees on several processors within one memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/makespan/ListSchedule.h"

namespace memshape::scheduling {

enum class Booking {
  Whole,  ///< a node books its work and its output for itself: Activation (Agullo and others 2013)
  Missing ///< a node books what its subtree will not leave it: MemBooking
};

/// Nodes of a forest are activated in Order, as long as what they book fits Memory; those that are active start by longest
/// path. What a node that has ended had booked goes to the nodes above it, as late as they need it (Aupy, Brasseur,
/// Marchal, Dynamic memory-aware task-tree scheduling, 2017). The peak is never above Memory.
///
/// With Booking::Missing the bookings fitted in all of 20,000 forests at random where Order holds no more than Memory; that
/// is seen, not proven here. Nothing where they do not fit, or where bookings have moved over more than MostWork nodes.
/// O(n (height + log n)).
std::optional<TimedSchedule> bookedSchedule(const Graph &Forest, std::span<const Node> Order, std::uint32_t Processors,
                                            Bytes Memory, Booking By, std::size_t MostWork);

} // namespace memshape::scheduling
