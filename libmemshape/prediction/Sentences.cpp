// Codes of a skeleton in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/wraps/FirstWraps.h"

#include <algorithm>
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
  case CallReason::NoBody: return "no body and no summary";
  case CallReason::Replaceable: return "defined weakly or by a resolver, so that another function may take its place";
  case CallReason::NoTarget: return "its target is not known";
  case CallReason::CallersFunction: return "a function that the caller passes: what it allocates is not counted";
  case CallReason::AnybodysFunction: return "a function that anybody may set: what it allocates is not counted";
  case CallReason::ReachesOut: return "reaches out of the process, which a prediction never does";
  case CallReason::FindsNothing: return "reaches out of the process, where it finds nothing";
  case CallReason::NoLibrary: return "no library here defines it";
  case CallReason::Executed: return "executed for the prediction; its allocations are counted";
  case CallReason::AsksForSize: return "asked for the size of its workspace";
  case CallReason::OnZeros: return "executed on zeros for the prediction; other data may make it allocate differently";
  case CallReason::ExtentsAreData:
    return "its extents lie in memory that data fills: executed with zeros in their place";
  case CallReason::Caught: return "only a run of the operator follows it";
  case CallReason::Conditional: break;
  }
  return Call.Text;
}

static std::string sentence(DecisionEffect Effect) {
  switch (Effect) {
  case DecisionEffect::Size: return "a size or a count that comes from data";
  case DecisionEffect::Case: return "chooses among the cases of a switch";
  case DecisionEffect::ConditionInSize: return "enters a size or a count";
  case DecisionEffect::MayEndLoop: return "may end a loop early";
  case DecisionEffect::EndsLoop: return "ends a loop";
  case DecisionEffect::ChoosesAllocations: break;
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

void noteSilent(const std::set<std::string> &Functions, std::vector<Note> &Notes) {
  if (!Functions.empty())
    Notes.push_back({NoteCode::requests_nothing, "the program chooses " + joined(Functions) +
                                                     ", not executed and taken to request no memory: what is requested "
                                                     "there comes on top"});
}

void noteInitialFunctions(const Skeleton &S, std::vector<Note> &Notes) {
  for (const InitialFunction &Each : S.Initial) {
    Note Of{NoteCode::initial_function,
            "'" + Each.Variable + "' is taken to hold '" + Each.Function + "', as when the program begins" +
                (Each.Place.File.empty() ? "" : ", where " + shortPlace(Each.Place) + " calls it") +
                "; of another function that a program sets, the same bytes are asked"};
    if (std::find(Notes.begin(), Notes.end(), Of) == Notes.end())
      Notes.push_back(std::move(Of));
  }
}

std::string absence(const Parameter &Setting) {
  const std::string Object = Setting.Name.substr(0, Setting.Name.size() - presenceName("").size());
  return "'" + Object + "' is taken to be null: --set " + Setting.Name + "=1 predicts a call with it";
}

/// With a $ for each argument.
static std::string_view textOf(NoteCode Code) {
  switch (Code) {
  case NoteCode::on_zeros: return "executed on zeros; other data may make them allocate differently: $";
  case NoteCode::unproven_call: return "$: $; what was counted is one run of many";
  case NoteCode::library_threads:
    return "a library started threads of its own: what they allocate, and when, can vary from run to run";
  case NoteCode::thread_order:
    return "the peak is the most that threads can hold at the same time; how far each has come when another is at its "
           "peak, and what their run-time library requests for itself, is not certain";
  case NoteCode::left_out: return "not executed, so their memory is not counted: $";
  case NoteCode::resized_tensor:
    return "the operator frees or reallocates memory of its caller, $: how many bytes that has is not known, so it "
           "counts as none, and the peak may be lower";
  case NoteCode::size_from_data:
    return "a size at $ comes from data, which can make it anything within the bounds; --assume $=N gives it";
  case NoteCode::size_wraps:
    return "a size wraps$$ does not fit $, so that the program asks for another number of bytes than it means";
  case NoteCode::unbounded_size: return "a size $ comes from data and has no bound$";
  case NoteCode::unbounded_switch: return "the switch at $ is on data; give its value with --assume $=N";
  case NoteCode::followed_most:
    return "every run was followed in which these decisions are answered alike each time, all the same or one apart: $";
  case NoteCode::not_all_followed: return "not every run was followed: $";
  case NoteCode::combinations: return "the bounds are over $ of the combinations of $ decisions";
  case NoteCode::endless_answers:
    return "with another answer to decisions the skeleton came to no end, so there is no upper bound";
  case NoteCode::changing_answers:
    return "answers that change from iteration to iteration can lead higher than those that were tried, so there is no "
           "upper bound; the greatest peak that was found is $ bytes";
  case NoteCode::search_cut:
    return "the search for the greatest peak was cut short, so there is no upper bound; the greatest that was found is "
           "$ bytes";
  case NoteCode::repeated_decision:
    return "a decision in a loop was answered alike in every iteration, alternately, at random, and once differently; "
           "other data may lie outside these bounds";
  case NoteCode::beyond_addresses:
    return "no process has addresses for $ bytes: a request of them fails, and what the operator does then is not "
           "followed";
  case NoteCode::presumed_device:
    return "the device is presumed to be an H100, so that there are no bounds: say what it is with --machine, gpu=NAME "
           "or each of $";
  default: return {};
  }
}

Note note(NoteCode Code, const std::vector<std::string> &Arguments) {
  Note Out{Code, {}};
  auto Next = Arguments.begin();
  for (char C : textOf(Code))
    if (C != '$')
      Out.Text += C;
    else if (Next != Arguments.end())
      Out.Text += *Next++;
  return Out;
}

Note wrapNote(const SizeWrap &Wrap) {
  const std::string Where = shortPlace(Wrap.Place);
  Note Out = note(NoteCode::size_wraps, {Where.empty() ? "" : " at " + Where,
                                         Wrap.Place.Text.empty() ? ": it" : ": " + Wrap.Place.Text, typeText(Wrap)});
  Out.At = Note::Place{Wrap.Place.File, Wrap.Place.Line, Wrap.Place.Text};
  return Out;
}

nlohmann::ordered_json reasonJson(std::string_view Code, const std::string &Text) {
  return {{"code", Code}, {"text", Text}};
}

nlohmann::ordered_json reasonsJson(const std::vector<Note> &Notes) {
  nlohmann::ordered_json Reasons = nlohmann::ordered_json::array();
  for (const Note &Each : Notes) {
    Reasons.push_back(reasonJson(v1::name_of(Each.Code), Each.Text));
    if (Each.At)
      Reasons.back().update({{"file", Each.At->File}, {"line", Each.At->Line}, {"expression", Each.At->Expression}});
  }
  return Reasons;
}

} // namespace memshape
