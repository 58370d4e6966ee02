// What libraries that are called make resident.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// /proc/self/pagemap has one word for each page, whose highest bit says that the page is in memory (Linux,
// Documentation/admin-guide/mm/pagemap.rst).

#include "runner/evaluation/LibraryPages.h"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

namespace memshape {

namespace {

/// Room for more objects than the runner is linked with.
std::array<std::uintptr_t, 64> Own;
std::size_t OwnCount = 0;

struct Count {
  int PageMap;
  std::uint64_t PageBytes;
  std::int64_t Pages = 0;
  bool Failed = false;
};

int rememberOne(dl_phdr_info *Object, std::size_t, void *) {
  if (OwnCount < Own.size())
    Own[OwnCount++] = Object->dlpi_addr;
  return 0;
}

int countOne(dl_phdr_info *Object, std::size_t, void *Into) {
  Count &Found = *static_cast<Count *>(Into);
  if (std::find(Own.begin(), Own.begin() + std::ptrdiff_t(OwnCount), Object->dlpi_addr) !=
      Own.begin() + std::ptrdiff_t(OwnCount))
    return 0;
  for (unsigned I = 0; I < Object->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Segment = Object->dlpi_phdr[I];
    if (Segment.p_type != PT_LOAD)
      continue;
    std::uint64_t Page = (Object->dlpi_addr + Segment.p_vaddr) / Found.PageBytes;
    const std::uint64_t End =
        (Object->dlpi_addr + Segment.p_vaddr + Segment.p_memsz + Found.PageBytes - 1) / Found.PageBytes;
    std::array<std::uint64_t, 512> Words;
    while (Page < End) {
      const std::size_t Wanted = std::min<std::uint64_t>(Words.size(), End - Page) * sizeof(Words[0]);
      const ssize_t Read = pread(Found.PageMap, Words.data(), Wanted, off_t(Page * sizeof(Words[0])));
      if (Read != ssize_t(Wanted)) {
        Found.Failed = true;
        return 1;
      }
      const auto Last = Words.begin() + std::ptrdiff_t(Wanted / sizeof(Words[0]));
      Found.Pages += std::count_if(Words.begin(), Last, [](std::uint64_t Word) { return Word >> 63; });
      Page += Wanted / sizeof(Words[0]);
    }
  }
  return 0;
}

} // namespace

void rememberOwnLibraries() { dl_iterate_phdr(rememberOne, nullptr); }

std::optional<std::int64_t> residentLibraryBytes() {
  Count Found = {open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC), std::uint64_t(sysconf(_SC_PAGESIZE))};
  if (Found.PageMap < 0)
    return std::nullopt;
  dl_iterate_phdr(countOne, &Found);
  close(Found.PageMap);
  if (Found.Failed)
    return std::nullopt;
  return Found.Pages * std::int64_t(Found.PageBytes);
}

} // namespace memshape
