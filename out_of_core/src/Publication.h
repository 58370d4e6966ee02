// A store's figures for other processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record is written with pwrite() and not through a mapping: on a full disk
// a write fails, and a mapping ends the process. The file is open only while it
// is written: no forked process holds it, and the file system can be remounted.
// What fails is left out: no program ends because nobody can watch it.

#pragma once

#include "Folder.h"

#include <memshape/out_of_core.h>
#include <memshape/out_of_core/record.h>

#include <chrono>
#include <mutex>
#include <string>

namespace memshape::out_of_core {

class Publication {
public:
  /// Where MEMSHAPE_RUNTIME_RECORD names the record of a run, beside it.
  Publication();
  Publication(const Publication &) = delete;

  /// From now on in the store's own folder too, which has to live as long as this.
  void addTo(const Folder &Of);

  /// Whether there is somebody to tell, and the last time is 100 ms ago.
  bool isDue() const { return isOpen() && std::chrono::steady_clock::now() >= Next; }
  bool isOpen() const { return Own || !OfRun.empty(); }

  /// Numbers the figures, and says when the next ones are due. By one thread at a time.
  StoreRecord record(const Statistics &Now, std::uint64_t Budget, bool Ended);

  /// By any thread. What is older than what was written is left out.
  void write(const StoreRecord &What);

private:
  static void writeTo(int Parent, const char *Name, const StoreRecord &What);

  std::uint64_t Started;
  const Folder *Own = nullptr;
  std::string OfRun;                          ///< the path of the other file; empty where there is none
  std::chrono::steady_clock::time_point Next; ///< when figures are due
  std::uint64_t Made = 0;                     ///< Unix time of the latest record, ns
  std::mutex Writing;
  std::uint64_t Written = 0; ///< likewise, of the one in the files
};

} // namespace memshape::out_of_core
