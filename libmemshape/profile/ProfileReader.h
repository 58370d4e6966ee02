// Profiles that were written as documents.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/Result.h"

#include <optional>
#include <string_view>

namespace memshape {

/// Of memshape.prediction/1, memshape.run/1 (of each operator the call that held most), or folded stacks. What: that is
/// wanted; the first two tell bytes at the peak alone, and folded stacks what they were made for. Nothing where Text is
/// neither JSON nor stacks. Messages continue a sentence that begins with the file's name.
std::optional<Result<Profile>> readProfile(std::string_view Text, v1::Sample What);

} // namespace memshape
