// What a worker holds while it works off its tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measured on workers of Dask: docs/chunks.md, section "What a worker holds".

#include "model/planning/Grid.h"

#include <algorithm>

namespace memshape::v1 {

using planning::add;

std::uint64_t WorkerParts::during() const {
  return add(add(add(held, operators), add(inputs, blocks)), add(add(results, copies), slack));
}

std::uint64_t WorkerParts::at_end() const { return add(held, gathered); }

std::uint64_t WorkerParts::total() const { return std::max(during(), at_end()); }

} // namespace memshape::v1

namespace memshape::planning {

__extension__ typedef unsigned __int128 Wide;

/// Calls took up to 1.5 % more than they request, where nothing else was going on.
constexpr std::uint64_t SlackPart = 64;

static std::uint64_t clamped(Wide Value) { return Value > MostBytes ? MostBytes : static_cast<std::uint64_t>(Value); }

std::uint64_t add(std::uint64_t A, std::uint64_t B) { return clamped(Wide(A) + B); }
std::uint64_t multiply(std::uint64_t A, std::uint64_t B) { return clamped(Wide(A) * B); }
std::uint64_t share(std::uint64_t A, std::uint64_t Part, std::uint64_t Whole) {
  return clamped((Wide(A) * Part + (Whole - 1)) / Whole);
}

std::uint64_t slackOf(const WorkerParts &Worker) { return share(Worker.during() - Worker.held, 1, SlackPart); }

std::uint64_t leastGathered(std::uint64_t Out) { return share(Out, 41, 20); }

/// At the end all results are in one worker, and once more in one piece. Those that it made itself are parts of what
/// their calls returned, which stays whole.
static std::uint64_t gathered(const Job &J, const TaskBytes &Largest, std::uint64_t Share, bool Upper) {
  const std::uint64_t Each = share(J.Out, 1, static_cast<std::uint64_t>(J.Tasks));
  const std::uint64_t Around = multiply(Share, Largest.output - std::min(Each, Largest.output));
  if (!Upper)
    return add(multiply(2, J.Out), Around);
  // Measured: 2.007 to 2.013 times the results without a halo. With one, a result more was seen, but not 2.36 times.
  return add(add(leastGathered(J.Out), Around), J.Halo ? std::min(Largest.output, share(J.Out, 3, 10)) : 0);
}

WorkerParts workerBytes(const ChunkRequest &W, const Job &J, const TaskBytes &Largest, bool Upper) {
  WorkerParts Out;
  const std::uint64_t Together = static_cast<std::uint64_t>(std::min(W.threads, J.Tasks));
  const std::uint64_t Tasks = static_cast<std::uint64_t>(J.Tasks);
  // That one worker works off, and those of them that are behind it while calls run: these have their own results.
  const std::uint64_t Share = (Tasks - 1) / static_cast<std::uint64_t>(W.workers) + 1;
  const std::uint64_t Done = Share - std::min(Share, Together);
  Out.held = add(W.held_bytes, W.one_time_bytes);
  Out.operators = multiply(Together, Upper ? Largest.upper : Largest.expected);
  // Calls that run together are not at their peaks together: measured 0.8 to 1 of the peak for each further one.
  if (!Upper)
    Out.operators -= share(multiply(Together - 1, Largest.expected), 1, 8);
  Out.inputs = multiply(Together, Largest.input);
  if (W.sink != Sink::store)
    // And where they are, not all results that may be there are.
    Out.results = multiply(Done, Largest.output) / (!Upper && Together > 1 ? 2 : 1);
  else if (Upper && J.Tasks > W.threads && (W.source != Source::storage || Together > 1))
    // A task that reads its input writes its result, too; but what one of several threads frees, the C library may keep
    // when the next task begins.
    Out.results = Largest.output;
  if (J.Halo && J.Tasks > 1 && W.source != Source::storage) {
    Out.blocks = share(J.In, Share, Tasks);
    Out.copies = Largest.input;
    if (!Upper) {
      // Pieces of neighbours alone; and blocks go as results come.
      Out.copies -= std::min(share(J.In, 1, Tasks), Largest.input);
      Out.results -= std::min(Out.results, Out.blocks);
    }
  }
  if (Upper)
    Out.slack = slackOf(Out);
  if (W.sink == Sink::gather && J.Tasks > 1)
    Out.gathered = gathered(J, Largest, Share, Upper);
  return Out;
}

} // namespace memshape::planning
