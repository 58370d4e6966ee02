// Signs that memory runs short.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the kernel tells of it:
//
//   memory.pressure of the control group   version 2: tasks wait for memory for
//                                          a tenth of the time
//   memory.pressure_level                  version 1: to find memory takes more
//                                          and more work ("medium"), in the
//                                          group and in those around it
//   memory.events                          version 2 without memory.pressure:
//                                          its limit stood in the way
//   /proc/pressure/memory                  as the first, of the machine; counts
//                                          while less than a tenth of its memory
//                                          is available. Before, others wait at
//                                          limits of their own.
//
// Triggers wake up who waits. Where none may be set, the numbers are compared.

#pragma once

#include <chrono>
#include <cstdint>
#include <memshape/checkpoint/descriptor.h>
#include <optional>
#include <string>
#include <vector>

namespace memshape::out_of_core {

using checkpoint::Descriptor;

class Pressure {
public:
  using Time = std::chrono::steady_clock::time_point;

  /// Looks below Root, which tests may set.
  explicit Pressure(std::string Root = "");

  /// Returns when there is pressure, when Other can be read, or when the time is over.
  void wait(std::chrono::milliseconds AtMost, int Other);

  /// Whether there has been pressure since the last call.
  bool look(Time Now);

private:
  /// Microseconds that tasks have waited so far, and when that was read first.
  struct Stalls {
    std::string Path;
    bool IsOfMachine = false;
    std::optional<std::uint64_t> Total;
    Time Since;
  };
  struct Trigger {
    Descriptor Told, Level; ///< Level: what version 1 watches
    bool IsOfMachine = false, IsCounter = false;
  };

  void watch(const std::string &Path, bool IsOfMachine);
  void watchLevel(const std::string &Folder);
  bool isMachineShort() const;
  bool hasStalled(Stalls &Of, Time Now) const;

  std::string Root;
  std::vector<Trigger> Triggers;
  std::vector<Stalls> Counted;
  std::string Events; ///< empty: none
  std::optional<std::uint64_t> Hits;
  bool WasTold = false, MachineWasTold = false;
};

} // namespace memshape::out_of_core
