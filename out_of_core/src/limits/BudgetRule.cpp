// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BudgetRule.h"
#include "memshape/checkpoint/memory.h"

#include <algorithm>
#include <limits>
#include <sys/resource.h>

namespace memshape::out_of_core {

using namespace std::chrono_literals;

constexpr std::uint64_t None = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t LeastHeadRoom = 16 << 20, MostHeadRoom = 1 << 30;

static std::uint64_t headRoom(std::uint64_t Most) {
  return std::min(std::clamp(Most / 16, LeastHeadRoom, MostHeadRoom), Most / 2);
}

static std::uint64_t sum(std::uint64_t Bytes, std::optional<std::uint64_t> Left) {
  return Left && *Left < None - Bytes ? Bytes + *Left : None;
}

bool BudgetRule::press(bool IsPressed, Time Now) {
  const std::uint64_t Old = Withheld;
  if (IsPressed) {
    LastSign = Now;
    if (Withheld == 0 || Now - LastStep >= 500ms) {
      Withheld = std::max(2 * Withheld, Most / 16);
      LastStep = Now;
    }
  } else if (Withheld != 0 && Now - LastSign >= 2s && Now - LastStep >= 1s) {
    Withheld = Withheld / 2 < Most / 64 ? 0 : Withheld / 2;
    LastStep = Now;
  }
  Withheld = std::min(Withheld, Most / 2);
  return Withheld < Old;
}

std::uint64_t BudgetRule::next(const Room &Left, const Holding &Before, const Holding &After, bool IsPressed,
                               Time Now) {
  const std::uint64_t All = std::max(Before.All, After.All);
  std::uint64_t Least = std::min(sum(std::min(Before.Touched, After.Touched), Left.Resident),
                                 sum(std::min(Before.All, After.All), Left.Mapped));
  Most = std::min(sum(All, Left.Resident), sum(All, Left.Mapped));
  if (Most == None) {
    if (!IsPressed && Withheld == 0)
      return *(Budget = None);
    Most = Least = All; // all that is known is that this is too much
  }
  const bool Returns = press(IsPressed, Now);
  const auto Rest = [&](std::uint64_t Of) { return Of - std::min(Of, headRoom(Of) + Withheld); };
  const std::uint64_t Lower = Rest(Least), Upper = Rest(Most), Slack = headRoom(Most) / 8;
  if (!Budget || *Budget > Upper + Slack || (*Budget > Upper && IsPressed))
    Budget = Upper;
  else if (Lower > *Budget + 2 * Slack || (Lower > *Budget && Returns))
    Budget = Lower;
  return *Budget;
}

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
