// A file as read-only memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Not read into memory: objects and cubes may be larger than that, and little of them is looked at.

#pragma once

#include "libmemshape/files/Bytes.h"
#include "libmemshape/text/Result.h"

namespace memshape {

struct Watched;

/// Owns the mapping. Movable; views of it end with it. Where another program cuts the file meanwhile, what is gone reads
/// as zeros: ask cut() after reading.
class MappedFile {
public:
  static Result<MappedFile> open(const std::string &Path);
  MappedFile(MappedFile &&Other) noexcept;
  MappedFile &operator=(MappedFile &&) = delete;
  ~MappedFile();

  Bytes bytes() const { return View; }
  /// The failure to read a file that was cut.
  std::optional<Failure> cut() const;

private:
  MappedFile(std::string Path, Bytes View);
  std::string Path;
  Bytes View;
  Watched *Watch;
};

} // namespace memshape
