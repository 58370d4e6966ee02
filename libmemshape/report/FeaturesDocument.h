// Features as a file carries them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "libmemshape/text/Terminal.h"

#include <nlohmann/json.hpp>

namespace memshape {

/// Parses one features document. Messages continue a sentence that starts with the file's name.
Result<nlohmann::ordered_json> parseFeatures(std::string_view Payload);

/// The part of an operator's page that comes from the source: allocations, intermediates, control statements, pattern.
/// Operator is an element of a features document's "operators".
std::string featuresPage(const nlohmann::ordered_json &Operator, const Terminal &Screen = {});

} // namespace memshape
