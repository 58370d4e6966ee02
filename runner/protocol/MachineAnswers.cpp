// What a skeleton is told about the machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache descriptions: Intel SDM 2A, CPUID, leaf 4; AMD APM 3, functions 8000_0005, 8000_0006 and 8000_001D.

#include "runner/protocol/MachineAnswers.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace memshape;

constexpr std::uint32_t CacheLeaf = 4, AmdCacheLeaf = 0x8000001D, AmdFirstLevel = 0x80000005,
                        AmdOtherLevels = 0x80000006;
/// Line size of all simulated caches.
constexpr std::uint32_t LineBytes = 64;
/// What is presumed of a device: an H100 (SXM). Its pitches are multiples of 512 bytes, as on every recent one.
constexpr std::int64_t UsualMultiprocessors = 132, UsualCapability = 90, UsualPitch = 512;

void MachineAnswers::begin() {
  std::fill(std::begin(Asked), std::end(Asked), false);
  VariableCount = 0;
}

bool MachineAnswers::note(MachineFact Which) {
  Asked[unsigned(Which)] = true;
  return Given[unsigned(Which)] != 0;
}

const MachineAnswers::Registers &MachineAnswers::native(std::uint32_t Leaf, std::uint32_t Subleaf) {
  for (std::size_t I = 0; I < KnownCount; ++I)
    if (Known[I].Leaf == Leaf && Known[I].Subleaf == Subleaf)
      return Known[I];
  Registers &New = Known[std::min(KnownCount, Known.size() - 1)];
  KnownCount = std::min(KnownCount + 1, Known.size());
  New = {Leaf, Subleaf, {}};
#if defined(__x86_64__)
  __cpuid_count(Leaf, Subleaf, New.Values[0], New.Values[1], New.Values[2], New.Values[3]);
#endif
  return New;
}

std::int64_t MachineAnswers::cacheBytes(unsigned Level) {
  if (const std::int64_t Bytes = Given[Level - 1])
    return Bytes;
  for (const std::uint32_t Leaf : {CacheLeaf, AmdCacheLeaf}) {
    if (native(Leaf & 0x80000000, 0).Values[0] < Leaf)
      continue;
    for (std::uint32_t I = 0; I < 8; ++I) {
      const std::uint32_t *R = native(Leaf, I).Values;
      const std::uint32_t Type = R[0] & 31; // 1 data, 2 instructions, 3 unified
      if (!Type)
        break;
      if ((Type == 1 || Type == 3) && (R[0] >> 5 & 7) == Level)
        return std::int64_t((R[1] >> 22) + 1) * ((R[1] >> 12 & 1023) + 1) * ((R[1] & 4095) + 1) *
               (std::int64_t(R[2]) + 1);
    }
  }
  return 0;
}

std::uint32_t MachineAnswers::cpuid(std::uint32_t Leaf, std::uint32_t Subleaf, std::uint32_t Register) {
  Register &= 3;
  const bool AboutCaches =
      Leaf == 2 || Leaf == CacheLeaf || Leaf == AmdCacheLeaf || Leaf == AmdFirstLevel || Leaf == AmdOtherLevels;
  if (AboutCaches)
    for (const MachineFact Level : {MachineFact::L1d, MachineFact::L2, MachineFact::L3})
      note(Level);
  if (!AboutCaches || !anyCacheGiven())
    return native(Leaf, Subleaf).Values[Register];
  std::uint32_t Answer[4] = {};
  switch (Leaf) {
  case AmdFirstLevel: Answer[2] = std::uint32_t(cacheBytes(1) >> 10) << 24 | LineBytes; break;
  case AmdOtherLevels:
    Answer[2] = std::uint32_t(cacheBytes(2) >> 10) << 16 | LineBytes;
    Answer[3] = std::uint32_t(cacheBytes(3) >> 19) << 18 | LineBytes;
    break;
  case CacheLeaf:
  case AmdCacheLeaf:
    // One way, one partition: as many sets as there are lines.
    if (Subleaf < 3 && cacheBytes(Subleaf + 1)) {
      Answer[0] = (Subleaf == 0 ? 1u : 3u) | (Subleaf + 1) << 5;
      Answer[1] = LineBytes - 1;
      Answer[2] = std::uint32_t(cacheBytes(Subleaf + 1) / LineBytes - 1);
    }
    break;
  default: // descriptors of single bytes: "see leaf 4"
    Answer[0] = 1 | 0xFF << 8;
    break;
  }
  return Answer[Register];
}

long MachineAnswers::processors() { return configuration(_SC_NPROCESSORS_ONLN); }

long MachineAnswers::configuration(int Name) {
  switch (Name) {
  case _SC_LEVEL1_DCACHE_SIZE: return note(MachineFact::L1d) ? long(Given[0]) : sysconf(Name);
  case _SC_LEVEL2_CACHE_SIZE: return note(MachineFact::L2) ? long(Given[1]) : sysconf(Name);
  case _SC_LEVEL3_CACHE_SIZE: return note(MachineFact::L3) ? long(Given[2]) : sysconf(Name);
  case _SC_NPROCESSORS_ONLN:
  case _SC_NPROCESSORS_CONF: return note(MachineFact::Processors) ? long(Given[3]) : sysconf(Name);
  case _SC_PAGESIZE: return note(MachineFact::Page) ? long(Given[4]) : sysconf(Name);
  default: return sysconf(Name);
  }
}

const char *MachineAnswers::environment(const char *Name) {
  const std::size_t Length = std::strlen(Name);
  bool Listed = Length >= Variables[0].size() || VariableCount == Variables.size();
  for (std::size_t I = 0; I < VariableCount; ++I)
    Listed |= std::strcmp(Variables[I].data(), Name) == 0;
  if (!Listed)
    std::memcpy(Variables[VariableCount++].data(), Name, Length + 1);
  return std::getenv(Name);
}

std::int64_t MachineAnswers::valueOf(MachineFact Which) {
  if (const std::int64_t Value = Given[unsigned(Which)])
    return Value;
  switch (Which) {
  case MachineFact::Processors: return sysconf(_SC_NPROCESSORS_ONLN);
  case MachineFact::Page: return sysconf(_SC_PAGESIZE);
  case MachineFact::Multiprocessors: return UsualMultiprocessors;
  case MachineFact::Capability: return UsualCapability;
  case MachineFact::Ptx: return valueOf(MachineFact::Capability);
  case MachineFact::Pitch: return UsualPitch;
  case MachineFact::Devices: return 1;
  default: return cacheBytes(unsigned(Which) + 1);
  }
}

std::int64_t MachineAnswers::device(MachineFact Which) {
  note(Which);
  return valueOf(Which);
}

std::vector<std::string> MachineAnswers::presumed() const {
  std::vector<std::string> Names;
  if (std::find(std::begin(Asked) + FirstDeviceFact, std::end(Asked), true) == std::end(Asked))
    return Names;
  for (unsigned I = FirstDeviceFact; I < MachineFactNames.size(); ++I)
    if (!Given[I])
      Names.emplace_back(MachineFactNames[I]);
  return Names;
}

std::vector<std::pair<std::string, std::int64_t>> MachineAnswers::asked() {
  std::vector<std::pair<std::string, std::int64_t>> Answers;
  for (unsigned I = 0; I < MachineFactNames.size(); ++I)
    if (Asked[I])
      Answers.emplace_back(MachineFactNames[I], valueOf(MachineFact(I)));
  return Answers;
}

std::vector<std::pair<std::string, std::string>> MachineAnswers::variables() const {
  std::vector<std::pair<std::string, std::string>> Found;
  for (std::size_t I = 0; I < VariableCount; ++I) {
    const char *Value = std::getenv(Variables[I].data());
    Found.emplace_back(Variables[I].data(), Value ? Value : "");
  }
  return Found;
}
