// A file as read-only memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/MappedFile.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/text/Try.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace memshape {

/// A mapping that is watched; free where Begin is 0. A signal handler reads it.
struct Watched {
  std::atomic<std::uintptr_t> Begin = 0, End = 0;
  std::atomic<bool> IsCut = false;
};

namespace {

std::array<Watched, 64> Mappings; // further ones are not watched
struct sigaction Before;
std::uintptr_t PageBytes;

/// The kernel sends SIGBUS for a page that has left its file, and that would end the process. From there on everything is
/// gone. A signal that has another cause is sent again when the handler of before is back.
void replaceByZeros(int, siginfo_t *Info, void *) {
  const int Saved = errno;
  const auto At = reinterpret_cast<std::uintptr_t>(Info->si_addr) & ~(PageBytes - 1);
  for (Watched &Each : Mappings) {
    if (At < Each.Begin || At >= Each.End ||
        ::mmap(reinterpret_cast<void *>(At), Each.End - At, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
               0) == MAP_FAILED)
      continue;
    Each.IsCut = true;
    errno = Saved;
    return;
  }
  ::sigaction(SIGBUS, &Before, nullptr);
  errno = Saved;
}

/// Null where all are taken.
Watched *watch(Bytes View) {
  static std::once_flag Once;
  std::call_once(Once, [] {
    PageBytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction Action = {};
    Action.sa_sigaction = replaceByZeros;
    Action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGBUS, &Action, &Before);
  });
  const auto Begin = reinterpret_cast<std::uintptr_t>(View.data());
  for (Watched &Each : Mappings)
    if (std::uintptr_t Free = 0; Each.Begin.compare_exchange_strong(Free, Begin)) {
      Each.IsCut = false;
      Each.End = Begin + View.size();
      return &Each;
    }
  return nullptr;
}

} // namespace

MappedFile::MappedFile(std::string Path, Bytes View)
    : Path(std::move(Path)), View(View), Watch(View.size() ? watch(View) : nullptr) {}

MappedFile::MappedFile(MappedFile &&Other) noexcept
    : Path(std::move(Other.Path)), View(std::exchange(Other.View, {})), Watch(std::exchange(Other.Watch, nullptr)) {}

Result<MappedFile> MappedFile::open(const std::string &Path) {
  MEMSHAPE_TRY(InputFile File, InputFile::open(Path));
  const std::uint64_t Size = File.size();
  if (Size == 0)
    return MappedFile(Path, Bytes());
  void *Memory = ::mmap(nullptr, Size, PROT_READ, MAP_PRIVATE, File.descriptor(), 0);
  if (Memory == MAP_FAILED)
    return Failure{"cannot read '" + Path + "': " + std::strerror(errno)};
  return MappedFile(Path, Bytes(static_cast<const std::uint8_t *>(Memory), Size));
}

MappedFile::~MappedFile() {
  if (Watch) {
    Watch->End = 0;
    Watch->Begin = 0;
  }
  if (View.size())
    ::munmap(const_cast<std::uint8_t *>(View.data()), View.size());
}

std::optional<Failure> MappedFile::cut() const {
  if (!Watch || !Watch->IsCut)
    return std::nullopt;
  return Failure{"cannot read '" + Path +
                 "': it was cut short while it was read; wait until whoever writes it is done, and try again"};
}

} // namespace memshape
