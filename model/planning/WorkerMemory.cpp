//===- WorkerMemory.cpp - What a worker holds while it works off its tasks ---===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/planning/WorkerMemory.h"

#include <algorithm>

namespace memshape::planning {

namespace {

__extension__ typedef unsigned __int128 Wide;

/// Calls took up to 1.5 % more than they request, where nothing else was going on.
constexpr std::uint64_t SlackPart = 64;

std::uint64_t clamped(Wide Value) { return Value > MostBytes ? MostBytes : static_cast<std::uint64_t>(Value); }

} // namespace

std::uint64_t add(std::uint64_t A, std::uint64_t B) { return clamped(Wide(A) + B); }
std::uint64_t multiply(std::uint64_t A, std::uint64_t B) { return clamped(Wide(A) * B); }
std::uint64_t share(std::uint64_t A, std::uint64_t Part, std::uint64_t Whole) {
  return clamped((Wide(A) * Part + (Whole - 1)) / Whole);
}

std::uint64_t WorkerBytes::during() const {
  return add(add(add(Held, Operators), add(Inputs, Blocks)), add(add(Results, Copies), Slack));
}

std::uint64_t WorkerBytes::total() const { return std::max(during(), atEnd()); }

std::uint64_t slackOf(const WorkerBytes &Worker) { return share(Worker.during() - Worker.Held, 1, SlackPart); }

WorkerBytes workerBytes(const Workers &W, const Job &J, const TaskBytes &Largest, bool Upper) {
  WorkerBytes Out;
  const std::uint64_t Together = static_cast<std::uint64_t>(std::min(W.Threads, J.Tasks));
  const std::uint64_t Tasks = static_cast<std::uint64_t>(J.Tasks);
  // That one worker works off, at most.
  const std::uint64_t Share = (Tasks - 1) / static_cast<std::uint64_t>(W.Count) + 1;
  const bool Neighbours = J.Halo && J.Tasks > 1 && W.From == Source::Blocks;
  Out.Held = add(W.Held, W.OneTime);
  Out.Operators = multiply(Together, Upper ? Largest.Upper : Largest.Expected);
  Out.Inputs = multiply(Together, Largest.In);
  if (Neighbours) {
    Out.Blocks = share(J.In, Share, Tasks);
    Out.Copies = Largest.In;
  }
  if (W.Into != Sink::Store)
    // Of a worker's share, one result is still the operator's own.
    Out.Results = share(J.Out, Neighbours ? Share : Share - 1, Tasks);
  else if (W.From == Source::Blocks && J.Tasks > W.Threads)
    Out.Results = Largest.Out;
  if (Upper)
    Out.Slack = slackOf(Out);
  // Measured: 2.007 to 2.013 without a halo, 2.02 to 2.35 with one.
  if (W.Into == Sink::Gather && J.Tasks > 1)
    Out.Gathered = !Upper ? multiply(2, J.Out) : Neighbours ? share(J.Out, 47, 20) : share(J.Out, 41, 20);
  return Out;
}

} // namespace memshape::planning
