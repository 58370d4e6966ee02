// How processes ended, and what they held.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/report/RunReport.h"

namespace memshape {

/// One word: exit, _exit, abort, exec, signal, running, or unknown (only the parent learns an exit status).
std::string endingWord(const Run &R, const RunRecord &Process);

/// The rest of the page's first line, as in "killed by signal 9, Killed: the machine ran out of memory".
std::string endingText(const Run &R);

/// What the process held at its end, and which calls were in flight; "" if it ended by itself with no call in flight.
std::string lastMoment(const Run &R, const RunRecord &Process);

/// The member in_flight of a process in memshape.run/1.
nlohmann::ordered_json inFlightJson(const RunRecord &Process);

} // namespace memshape
