//===- MappedFile.h - A file as read-only memory --------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_SECTION_MAPPEDFILE_H
#define MEMSHAPE_TOOLS_SECTION_MAPPEDFILE_H

#include "libmemshape/files/Bytes.h"
#include "libmemshape/text/Result.h"

namespace memshape {

/// Owns the mapping. Movable; views of it end with it.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string &Path);
  MappedFile(MappedFile &&Other) noexcept : View(std::exchange(Other.View, {})) {}
  MappedFile &operator=(MappedFile &&Other) noexcept {
    std::swap(View, Other.View);
    return *this;
  }
  ~MappedFile();

  Bytes bytes() const { return View; }

private:
  explicit MappedFile(Bytes View) : View(View) {}
  Bytes View;
};

} // namespace memshape

#endif // MEMSHAPE_TOOLS_SECTION_MAPPEDFILE_H
