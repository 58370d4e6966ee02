// What memshape and its processes may take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/processes/WorkLimits.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace memshape {

/// What the C library, the loader, OpenMP and numerical libraries read: names, or what they begin or end with.
constexpr std::string_view Names[] = {"PATH", "HOME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH"};
constexpr std::string_view Beginnings[] = {"LC_", "OMP_"}, Ending = "_NUM_THREADS";

static bool isSeen(std::string_view Name) {
  const std::vector<std::string> &Named = workLimits().Variables;
  const auto Begins = [&](std::string_view With) { return Name.starts_with(With); };
  return std::find(std::begin(Names), std::end(Names), Name) != std::end(Names) ||
         std::any_of(std::begin(Beginnings), std::end(Beginnings), Begins) || Name.ends_with(Ending) ||
         std::find(Named.begin(), Named.end(), Name) != Named.end();
}

std::uint64_t WorkLimits::usualBytes() {
  constexpr std::uint64_t Most = std::uint64_t(4) << 30;
  const long Pages = ::sysconf(_SC_PHYS_PAGES), PageBytes = ::sysconf(_SC_PAGESIZE);
  return Pages > 0 && PageBytes > 0 ? std::min(Most, std::uint64_t(Pages) * std::uint64_t(PageBytes) / 4) : Most;
}

WorkLimits &workLimits() {
  static WorkLimits OfThisProgram;
  return OfThisProgram;
}

/// Bytes that this process could write, resident or not: statm of proc(5).
static std::uint64_t ownData() {
  std::ifstream File("/proc/self/statm");
  std::uint64_t Pages = 0;
  for (int Field = 0; Field < 6; ++Field)
    File >> Pages;
  return Pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limitOwnMemory() {
  rlimit Limit;
  // A sanitizer has reserved terabytes before main(), and could have no page more.
  if (::getrlimit(RLIMIT_DATA, &Limit) != 0 || ownData() > (std::uint64_t(1) << 40))
    return;
  Limit.rlim_cur = std::min<rlim_t>(workLimits().Bytes, Limit.rlim_max);
  ::setrlimit(RLIMIT_DATA, &Limit);
}

std::vector<std::string> childEnvironment() {
  std::vector<std::string> Seen;
  for (char **Entry = environ; Entry && *Entry; ++Entry)
    if (const std::string_view Text = *Entry; isSeen(Text.substr(0, Text.find('='))))
      Seen.emplace_back(Text);
  return Seen;
}

bool isWithheld(const std::string &Variable) { return std::getenv(Variable.c_str()) && !isSeen(Variable); }

} // namespace memshape
