//===- SectionWriter.h - Puts records into the section .memshape ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SECTIONWRITER_H
#define MEMSHAPE_SECTIONWRITER_H

#include "memshape/Section.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace memshape {

/// One record of docs/formats.md, section 1, as module-level assembly: the module's object file will carry it.
std::string recordText(RecordKind Kind, llvm::ArrayRef<char> Payload);

} // namespace memshape

#endif // MEMSHAPE_SECTIONWRITER_H
