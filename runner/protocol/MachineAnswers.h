// What a skeleton is told about the machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache sizes, processors, environment variables: a library that adapts its blocks to them allocates differently on
// another machine. All such questions of a skeleton come here. A request may give the answers of another machine. What
// was asked is part of the prediction.
//
// Allocates nothing, because questions come while the skeleton's allocations are counted.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace memshape {

/// What can be asked, under the names of requests and answers.
enum class MachineFact : unsigned { L1d, L2, L3, Processors, Page, Multiprocessors, Capability, Ptx, Pitch, Devices };
inline constexpr std::array<const char *, 10> MachineFactNames = {"l1d", "l2", "l3",  "processors", "page",
                                                                  "sm",  "cc", "ptx", "pitch",      "gpus"};
/// From here on they are a device's, which nobody asks: without an answer from the request they are presumed.
inline constexpr unsigned FirstDeviceFact = unsigned(MachineFact::Multiprocessors);

class MachineAnswers {
public:
  using Facts = std::array<std::int64_t, MachineFactNames.size()>; ///< bytes, and a count; 0: as on this machine

  void give(const Facts &Values) { Given = Values; }
  /// Forgets what was asked.
  void begin();

  std::uint32_t cpuid(std::uint32_t Leaf, std::uint32_t Subleaf, std::uint32_t Register);
  long configuration(int Name); ///< sysconf
  long processors();
  const char *environment(const char *Name); ///< getenv

  /// A fact of the device.
  std::int64_t device(MachineFact Which);

  /// Facts of the device for which the request has no answer, by name; none where none was asked for.
  std::vector<std::string> presumed() const;
  /// Facts that were asked for, with the answers.
  std::vector<std::pair<std::string, std::int64_t>> asked();
  /// Environment variables that were asked for; those that are not set come with "".
  std::vector<std::pair<std::string, std::string>> variables() const;

private:
  struct Registers {
    std::uint32_t Leaf, Subleaf, Values[4];
  };
  const Registers &native(std::uint32_t Leaf, std::uint32_t Subleaf);
  /// The size of a cache, 1 to 3, data or unified; 0 where there is none or the processor does not say.
  std::int64_t cacheBytes(unsigned Level);
  bool anyCacheGiven() const { return Given[0] || Given[1] || Given[2]; }
  bool note(MachineFact Which);
  std::int64_t valueOf(MachineFact Which);

  Facts Given = {};
  bool Asked[MachineFactNames.size()] = {};
  std::array<Registers, 64> Known = {}; ///< cpuid traps on virtual machines, so each question is asked once
  std::size_t KnownCount = 0;
  std::array<std::array<char, 64>, 16> Variables = {};
  std::size_t VariableCount = 0;
};

} // namespace memshape
