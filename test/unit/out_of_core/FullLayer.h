// A disk that may be full.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "SpillFiles.h"

#include <atomic>
#include <cerrno>

/// Writes nothing while Full is set.
class FullLayer final : public memshape::out_of_core::FileLayer {
public:
  explicit FullLayer(const std::atomic<bool> &Full) : Full(Full) {}
  ssize_t write(int File, const void *Data, size_t Bytes, off_t At) override {
    if (!Full)
      return FileLayer::write(File, Data, Bytes, At);
    errno = ENOSPC;
    return -1;
  }

private:
  const std::atomic<bool> &Full;
};
