// Codes of a skeleton in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/skeletons/ArgumentValues.h"

#include <nlohmann/json.hpp>

namespace memshape {

std::string shortPlace(const SourcePlace &Place) {
  if (Place.File.empty())
    return "";
  // Headers that come with the machine are known by what one includes: Eigen/src/Cholesky/LLT.h.
  constexpr std::string_view Headers = "/include/";
  std::string File = Place.File;
  if (std::size_t Start = File.rfind(Headers); Start != std::string::npos && File.front() == '/')
    File = File.substr(Start + Headers.size());
  return File + (Place.Line ? ":" + std::to_string(Place.Line) : "");
}

std::string sentence(const UnknownCall &Call) {
  switch (Call.Reason) {
  case CallReason::NoBody:
    return "no body and no summary";
  case CallReason::NoTarget:
    return "its target is not known";
  case CallReason::CallersFunction:
    return "a function that the caller passes: what it allocates is not counted";
  case CallReason::ReachesOut:
    return "reaches out of the process, which a prediction never does";
  case CallReason::FindsNothing:
    return "reaches out of the process, where it finds nothing";
  case CallReason::NoLibrary:
    return "no library here defines it";
  case CallReason::Executed:
    return "executed for the prediction; its allocations are counted";
  case CallReason::AsksForSize:
    return "asked for the size of its workspace";
  case CallReason::OnZeros:
    return "executed on zeros for the prediction; other data may make it allocate differently";
  case CallReason::ExtentsAreData:
    return "its extents lie in memory that data fills: executed with zeros in their place";
  case CallReason::Conditional:
    break;
  }
  return Call.Text;
}

static std::string sentence(DecisionEffect Effect) {
  switch (Effect) {
  case DecisionEffect::Size:
    return "a size or a count that comes from data";
  case DecisionEffect::Case:
    return "chooses among the cases of a switch";
  case DecisionEffect::ConditionInSize:
    return "enters a size or a count";
  case DecisionEffect::MayEndLoop:
    return "may end a loop early";
  case DecisionEffect::EndsLoop:
    return "ends a loop";
  case DecisionEffect::ChoosesAllocations:
    break;
  }
  return "chooses which allocations happen";
}

std::string sentence(const SkeletonDecision &Decision) {
  return sentence(Decision.Effect) + (Decision.Succeeds ? "; the library call before it is taken to succeed" : "");
}

std::string sentence(const TensorPresence &Presence) {
  const std::string Where = shortPlace(Presence.Place);
  return "'" + Presence.Name + "' is taken to be there, not null" +
         (Where.empty() ? "" : ", which " + Where + " asks") + ": --set " + presenceName(Presence.Name) +
         "=0 predicts a call without it";
}

nlohmann::ordered_json reasonJson(std::string_view Code, const std::string &Text) {
  return {{"code", Code}, {"text", Text}};
}

nlohmann::ordered_json reasonsJson(const std::vector<Note> &Notes) {
  nlohmann::ordered_json Reasons = nlohmann::ordered_json::array();
  for (const Note &Each : Notes)
    Reasons.push_back(reasonJson(codeOf(Each.Code), Each.Text));
  return Reasons;
}

} // namespace memshape
