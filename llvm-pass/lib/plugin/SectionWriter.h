// Puts records into the section .memshape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/Section.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace memshape {

/// One record of docs/formats.md, section 1, as module-level assembly: the module's object file will carry it.
std::string recordText(RecordKind Kind, llvm::ArrayRef<char> Payload);

} // namespace memshape
