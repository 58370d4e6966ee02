//===- Archive.h - The members of an ar archive ---------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_SECTION_ARCHIVE_H
#define MEMSHAPE_TOOLS_SECTION_ARCHIVE_H

#include "libmemshape/files/Bytes.h"
#include "libmemshape/text/Result.h"

#include <vector>

namespace memshape {

bool isArchive(Bytes File);

/// Contents of all members but the symbol and name tables, in order. Thin archives are refused: their members are other
/// files. Messages continue a sentence that starts with the file's name.
Result<std::vector<Bytes>> readArchive(Bytes File);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_SECTION_ARCHIVE_H
