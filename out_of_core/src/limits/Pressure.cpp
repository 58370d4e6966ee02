// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Pressure.h"

#include "memshape/checkpoint/memory.h"

#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace memshape::out_of_core {

using namespace std::chrono_literals;

static bool isWritten(int To, const std::string &Text) {
  return ::write(To, Text.c_str(), Text.size() + 1) == static_cast<ssize_t>(Text.size() + 1);
}

/// "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234" in a file of the kernel.
static std::optional<std::uint64_t> totalOfSome(const std::string &Path) {
  std::ifstream File(Path);
  for (std::string Word, Line; std::getline(File, Line);) {
    std::istringstream Words(Line);
    if (!(Words >> Word) || Word != "some")
      continue;
    while (Words >> Word)
      if (std::uint64_t Value = 0; Word.compare(0, 6, "total=") == 0 && std::istringstream(Word.substr(6)) >> Value)
        return Value;
  }
  return std::nullopt;
}

Pressure::Pressure(std::string TheRoot) : Root(std::move(TheRoot)) {
  const checkpoint::KernelFiles Files(Root);
  // The outermost group of the machine has no limit, and its pressure is that of the machine.
  if (const auto Group = Files.group(true); Group && Files.number(Group->folder + "/memory.current")) {
    if (::access((Root + Group->folder + "/memory.pressure").c_str(), R_OK) == 0)
      watch(Group->folder + "/memory.pressure", false);
    else
      Events = Group->folder + "/memory.events";
  }
  if (const auto Group = Files.group(false))
    for (const std::string &Each : Group->and_around())
      watchLevel(Each);
  watch("/proc/pressure/memory", true);
}

void Pressure::watch(const std::string &Path, bool IsOfMachine) {
  Counted.push_back({Root + Path, IsOfMachine, {}, {}});
  // Windows of 2 s are open to everybody, shorter ones to those who may.
  for (const char *Wanted : {"some 100000 1000000", "some 200000 2000000"})
    if (Descriptor File(::open((Root + Path).c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC));
        File >= 0 && isWritten(File, Wanted)) {
      Triggers.push_back({std::move(File), Descriptor(), IsOfMachine, false});
      return;
    }
}

void Pressure::watchLevel(const std::string &Folder) {
  Descriptor Level(::open((Root + Folder + "/memory.pressure_level").c_str(), O_RDONLY | O_CLOEXEC));
  const Descriptor Control(::open((Root + Folder + "/cgroup.event_control").c_str(), O_WRONLY | O_CLOEXEC));
  Descriptor Told(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (Level >= 0 && Control >= 0 && Told >= 0 &&
      isWritten(Control, std::to_string(Told) + " " + std::to_string(Level) + " medium"))
    Triggers.push_back({std::move(Told), std::move(Level), false, true});
}

void Pressure::wait(std::chrono::milliseconds AtMost, int Other) {
  std::vector<pollfd> Files{{Other, POLLIN, 0}};
  for (const Trigger &Each : Triggers)
    Files.push_back({Each.Told, static_cast<short>(Each.IsCounter ? POLLIN : POLLPRI), 0});
  if (::poll(Files.data(), Files.size(), static_cast<int>(AtMost.count())) <= 0)
    return;
  for (std::size_t Each = Triggers.size(); Each-- > 0;) {
    const short Found = Files[Each + 1].revents;
    if (Found & (POLLERR | POLLNVAL)) { // the group is gone
      Triggers.erase(Triggers.begin() + static_cast<std::ptrdiff_t>(Each));
      continue;
    }
    std::uint64_t Times = 0;
    if (Triggers[Each].IsCounter ? ::read(Triggers[Each].Told, &Times, sizeof Times) == sizeof Times
                                 : (Found & POLLPRI) != 0)
      (Triggers[Each].IsOfMachine ? MachineWasTold : WasTold) = true;
  }
}

bool Pressure::isMachineShort() const {
  const checkpoint::KernelFiles Files(Root);
  const auto All = Files.bytes_behind("/proc/meminfo", "MemTotal:");
  const auto Free = Files.bytes_behind("/proc/meminfo", "MemAvailable:");
  return All && Free && *Free < *All / 10;
}

bool Pressure::hasStalled(Stalls &Of, Time Now) const {
  const std::optional<std::uint64_t> Total = totalOfSome(Of.Path);
  const bool IsNew = !Of.Total || !Total || *Total < *Of.Total;
  if (!IsNew && Now - Of.Since < 1s)
    return false;
  const auto Passed = std::chrono::duration_cast<std::chrono::microseconds>(Now - Of.Since).count();
  const bool Has = !IsNew && *Total - *Of.Total >= static_cast<std::uint64_t>(Passed) / 10;
  Of.Total = Total;
  Of.Since = Now;
  return Has;
}

bool Pressure::look(Time Now) {
  bool Has = std::exchange(WasTold, false), MachineHas = std::exchange(MachineWasTold, false);
  for (Stalls &Each : Counted)
    if (hasStalled(Each, Now))
      (Each.IsOfMachine ? MachineHas : Has) = true;
  if (!Events.empty()) {
    const auto Found = checkpoint::KernelFiles(Root).behind(Events, "max");
    Has |= Found && Hits && *Found > *Hits;
    Hits = Found;
  }
  return Has || (MachineHas && isMachineShort());
}

} // namespace memshape::out_of_core
