// Codes of a skeleton in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Note.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <nlohmann/json_fwd.hpp>

namespace memshape {

/// Why the call is not known: "no body and no summary".
std::string sentence(const UnknownCall &Call);

/// What the decision decides: "chooses which allocations happen".
std::string sentence(const SkeletonDecision &Decision);

/// That the tensor is taken to be there, who asks, and the setting that says otherwise.
std::string sentence(const TensorPresence &Presence);

/// Says which functions are taken to request nothing, if any are.
void noteSilent(const std::set<std::string> &Functions, std::vector<Note> &Notes);

/// Adds to Notes which functions variables of S are taken to hold, where Notes do not tell that yet.
void noteInitialFunctions(const Skeleton &S, std::vector<Note> &Notes);

/// Setting, of an object that need not be there, says that it is not.
std::string absence(const Parameter &Setting);

/// What limits bounds, in a sentence that names Arguments.
Note note(NoteCode Code, const std::vector<std::string> &Arguments = {});

/// That a size wraps, where, and what the program asks for in its place.
Note wrapNote(const SizeWrap &Wrap);

/// {"code": "no_body", "text": "no body and no summary"}
nlohmann::ordered_json reasonJson(std::string_view Code, const std::string &Text);
/// The member `reasons` of memshape.prediction/1: notes, each with its code.
nlohmann::ordered_json reasonsJson(const std::vector<Note> &Notes);

} // namespace memshape
