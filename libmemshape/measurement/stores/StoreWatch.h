// The stores of one process, again and again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/stores/StoreFile.h"

#include <nlohmann/json.hpp>
#include <optional>

namespace memshape {

/// Per second, between two looks.
struct StoreRates {
  double Reads = 0, ReadBytes = 0;
  double Writes = 0, WrittenBytes = 0;
};

/// What a store has done when it was looked at.
struct StoreLook {
  std::string Folder;
  StoreRecord Now;
  bool Alive = false;              ///< its process is
  std::optional<StoreRates> Rates; ///< none at the first look
};

class StoreWatch {
public:
  /// Of a process that may have none yet.
  explicit StoreWatch(int Pid) : Pid(Pid) {}
  /// Of the process or, if it has none, of one that it started. Absent: none has any.
  static Result<std::optional<StoreWatch>> ofProcess(int Pid);
  /// Of the process whose store has this folder, or its own in this one. The process may be gone.
  static Result<StoreWatch> ofFolder(const std::string &Folder);

  int pid() const { return Pid; }

  /// At a time in seconds. Alive: the process is, and may have made more stores. A store that is gone is shown once,
  /// and for as long as there is no other.
  std::vector<StoreLook> look(double Seconds, bool Alive);

private:
  struct Watched {
    StoreFile File;
    std::optional<StoreRecord> Last;
    double Seconds = 0; ///< when it was looked at last
  };
  void add(std::vector<StoreFile> Found);
  void forgetShown();

  int Pid;
  std::vector<Watched> All;
};

/// "130 in memory, 370 away, 570.31 MiB of 572.20 MiB"
std::string storePlaces(const StoreRecord &Of);

/// "reads 41.0/s (176.20 MiB/s)  writes 0.0/s (0 B/s)  hits 62.3 %", or in all where there are no rates.
std::string storeTraffic(const StoreLook &Of);

/// All that it has done, for a page.
std::string storeLine(const StoreRecord &Of);

/// An entry of `stores` in memshape.run/1; a look adds what memshape.watch/1 has besides.
nlohmann::ordered_json storeJson(const StoreRecord &Of);
nlohmann::ordered_json storeJson(const StoreLook &Of);

} // namespace memshape
