// Orders of a graph of tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/scheduling.h"
#include "libmemshape/api/OperatorNodes.h"
#include "libmemshape/graph/Schedule.h"

namespace memshape::v1 {

static Error errorOf(const Failure &Why) {
  return {Why.Code == FailureCode::TooLarge ? ErrorCode::too_large : ErrorCode::arguments, Why.Message};
}

Expected<Schedule> schedule_graph(const std::string &document, const ScheduleRequest &request) {
  if (const std::optional<Failure> Wrong = checkRequest(request))
    return errorOf(*Wrong);
  Result<GraphDocument> Document = readGraph(document);
  if (!Document)
    return errorOf(Document.failure());
  const Result<std::vector<std::string>> Notes = predictNodes(*Document, request.folder, request.trust);
  if (!Notes)
    return errorOf(Notes.failure());
  const std::optional<graph::Graph> Graph = takeGraph(*Document);
  if (!Graph)
    return Error{ErrorCode::arguments, "the nodes wait for each other in a circle"};
  Result<ScheduleAnswer> Answer = memshape::schedule(*Graph, request, Document->Processors);
  if (!Answer)
    return errorOf(Answer.failure());
  Answer->Notes = *Notes;
  return scheduleOf(*Graph, *Answer, Document->Ids);
}

} // namespace memshape::v1
