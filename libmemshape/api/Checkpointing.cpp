// Reversals of chains.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/checkpointing.h"
#include "libmemshape/text/Try.h"
#include "model/checkpointing/Reversal.h"

#include <algorithm>
#include <optional>

namespace memshape::v1 {

static bool isCost(double Value) { return Value >= 0 && Value < 0x1p50; }

static std::optional<Error> wrongIn(const ChainRequest &Request) {
  constexpr std::int64_t MostSteps = 100'000'000;
  const auto Wrong = [](std::string What) { return Error{ErrorCode::arguments, std::move(What)}; };
  if (Request.steps < 1 || Request.steps > MostSteps)
    return Wrong("steps is a whole number from 1 to " + std::to_string(MostSteps));
  if (!isCost(Request.forward) || !isCost(Request.backward))
    return Wrong("forward and backward are costs from 0");
  constexpr std::int64_t MostSize = 1'000'000'000;
  if (Request.state_slots < 1 || Request.state_slots > MostSize || Request.tape_slots < 0 ||
      Request.tape_slots > MostSize)
    return Wrong(
        "a state takes 1 slot or more (--state-slots), a tape 0 or more (--tape-slots), and both at most 10^9");
  const bool IsInBytes = Request.tape_bytes > 0;
  if (IsInBytes != (Request.memory_bytes > 0) || IsInBytes != (Request.state_bytes > 0))
    return Wrong("bytes are those of memory, of a state and of a tape, all three from 1");
  for (const ChainLevel &Each : Request.levels) {
    if (Each.name.empty() || Each.slots < 0 || !isCost(Each.write) || !isCost(Each.read))
      return Wrong("level '" + Each.name + "': a level has a name, slots from 0, and costs from 0");
    if (std::count_if(Request.levels.begin(), Request.levels.end(),
                      [&](const ChainLevel &Other) { return Other.name == Each.name; }) > 1)
      return Wrong("level '" + Each.name + "' is given twice");
  }
  return std::nullopt;
}

Expected<ChainReversal> reverse_chain(const ChainRequest &request) {
  MEMSHAPE_CHECK(wrongIn(request));
  ChainReversal Found;
  const auto Asked = request.tape_bytes > 0 ? checkpointing::inUnits(request) : checkpointing::ChainInUnits{request};
  switch (checkpointing::reverse(Asked.Of, Found)) {
  case checkpointing::Outcome::Solved:
    if (request.tape_bytes > 0)
      Found.optimal = Asked.IsExact;
    break;
  case checkpointing::Outcome::NoSlot:
    return Error{ErrorCode::no_answer,
                 "more than one step needs a slot for the initial state at least, and there is none"};
  case checkpointing::Outcome::TooLarge:
    return Error{ErrorCode::too_large,
                 "the least cost of so many steps on these levels takes too long to find: give fewer steps or fewer "
                 "slots, or levels that are never full, with as many slots as steps"};
  }
  return Found;
}

} // namespace memshape::v1
