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
#include "llvm/IR/Module.h"

namespace memshape {

/// Appends one record of docs/formats.md, section 1, to the section that M's object file will carry.
void appendRecord(llvm::Module &M, RecordKind Kind, llvm::ArrayRef<char> Payload);

} // namespace memshape

#endif // MEMSHAPE_SECTIONWRITER_H
