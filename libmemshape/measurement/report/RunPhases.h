// Phases and pools that a program declared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Phases and pools of <memshape/annotate.h>.

#pragma once

#include "libmemshape/measurement/report/RunReport.h"

namespace memshape {

inline bool isPhase(const RunRecord &Process, const RunGroup &Group) {
  return Process.Operators[Group.Operator].IsPhase;
}

/// The sections of the page; "" if nothing was declared.
std::string phasesSection(const RunRecord &Process);
std::string poolsSection(const RunRecord &Process);

/// The members phases and pools of a process in memshape.run/1.
nlohmann::ordered_json phasesJson(const RunRecord &Process);
nlohmann::ordered_json poolsJson(const RunRecord &Process);

} // namespace memshape
