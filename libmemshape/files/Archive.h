// The members of an ar archive.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/files/Bytes.h"
#include "libmemshape/text/Result.h"

#include <vector>

namespace memshape {

bool isArchive(Bytes File);

/// Contents of all members but the symbol and name tables, in order. Thin archives are refused: their members are other
/// files. Messages continue a sentence that starts with the file's name.
Result<std::vector<Bytes>> readArchive(Bytes File);

} // namespace memshape
