// The system's calls for files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each as the system has it, errno included; tests put faults in between.

#pragma once

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace memshape::out_of_core {

class FileLayer {
public:
  virtual ~FileLayer() = default;
  virtual int open(int Folder, const char *Name, int Flags, mode_t Mode) { return ::openat(Folder, Name, Flags, Mode); }
  virtual ssize_t write(int File, const void *Data, size_t Bytes, off_t At) { return ::pwrite(File, Data, Bytes, At); }
  virtual ssize_t read(int File, void *Data, size_t Bytes, off_t At) { return ::pread(File, Data, Bytes, At); }
};

} // namespace memshape::out_of_core
