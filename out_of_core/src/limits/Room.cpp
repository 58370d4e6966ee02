// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Room.h"

#include "memshape/checkpoint/memory.h"

#include <algorithm>
#include <sys/resource.h>

namespace memshape::out_of_core {

static std::uint64_t softLimit(decltype(RLIMIT_DATA) Of) {
  rlimit Found{};
  return ::getrlimit(Of, &Found) == 0 ? Found.rlim_cur : RLIM_INFINITY;
}

ProcessLimits processLimits() { return {softLimit(RLIMIT_DATA), softLimit(RLIMIT_AS)}; }

Room roomLeft(const std::string &Root, const ProcessLimits &Limits) {
  const checkpoint::KernelFiles Files(Root);
  Room Left;
  if (const std::uint64_t Bytes = memshape_resident_bytes_left(Root.c_str()); Bytes != UINT64_MAX)
    Left.Resident = Bytes;
  const auto Consider = [&](std::uint64_t Limit, const char *Word) {
    const std::optional<std::uint64_t> Used = Files.bytes_behind("/proc/self/status", Word);
    if (Limit == RLIM_INFINITY || !Used)
      return;
    const std::uint64_t Free = Limit - std::min(Limit, *Used);
    Left.Mapped = std::min(Left.Mapped.value_or(Free), Free);
  };
  Consider(Limits.Data, "VmData:");
  Consider(Limits.AddressSpace, "VmSize:");
  return Left;
}

} // namespace memshape::out_of_core
