// Chunks that fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/planning.h"
#include "libmemshape/text/Try.h"
#include "model/planning/Planner.h"

namespace memshape::v1 {

static std::optional<Error> wrongIn(const ChunkRequest &Request) {
  return Request.task ? planning::wrongWith(Request)
                      : Error{ErrorCode::arguments, "there is no function for the bytes of a task"};
}

Expected<ChunkPlan> plan_chunks(const ChunkRequest &request) {
  MEMSHAPE_CHECK(wrongIn(request));
  if (std::optional<ChunkPlan> Found = planning::plan(request))
    return *std::move(Found);
  return Error{ErrorCode::no_answer, "no chunks fit " + std::to_string(request.limit_bytes) + " bytes a worker"};
}

Expected<std::uint64_t> least_limit(const ChunkRequest &request) {
  MEMSHAPE_CHECK(wrongIn(request));
  if (const std::optional<std::uint64_t> Least = planning::leastLimit(request))
    return *Least;
  return Error{ErrorCode::no_answer, "no chunks fit any memory"};
}

} // namespace memshape::v1
