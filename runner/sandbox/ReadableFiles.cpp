// Restricts files with Landlock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Landlock (Documentation/userspace-api/landlock.rst of Linux): a set of rights that are taken away, and rules that
// give some of them back below a path. Constants that this system's header may lack are defined here. The kernel
// reports which version it implements.

#include "runner/sandbox/BoxParts.h"

#include <cstdint>
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <linux/landlock.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

using namespace memshape;

namespace {

/// struct landlock_ruleset_attr as it has grown: files in version 1, ports in 4, scopes in 6.
struct Rights {
  std::uint64_t Files = 0, Ports = 0, Scopes = 0;
};

constexpr std::uint64_t Reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr std::uint64_t FilesOfVersion1 = (1U << 13) - 1; // LANDLOCK_ACCESS_FS_EXECUTE to _MAKE_SYM
constexpr std::uint64_t Refer = 1U << 13, Truncate = 1U << 14, DeviceControl = 1U << 15;
constexpr std::uint64_t BindingAndConnecting = 3, SocketsAndSignals = 3;

Rights rightsOf(long Version) {
  Rights All;
  All.Files = FilesOfVersion1;
  if (Version >= 2)
    All.Files |= Refer;
  if (Version >= 3)
    All.Files |= Truncate;
  if (Version >= 4)
    All.Ports = BindingAndConnecting;
  if (Version >= 5)
    All.Files |= DeviceControl;
  if (Version >= 6)
    All.Scopes = SocketsAndSignals;
  return All;
}

std::size_t bytesOf(long Version) { return (Version >= 6 ? 3 : Version >= 4 ? 2 : 1) * sizeof(std::uint64_t); }

/// Paths that do not exist are skipped.
void show(int Rules, const char *Path) {
  const int Where = open(Path, O_PATH | O_CLOEXEC);
  if (Where < 0)
    return;
  landlock_path_beneath_attr Rule = {};
  Rule.allowed_access = Reading;
  Rule.parent_fd = Where;
  // A right to read folders is refused for a path that is no folder.
  if (syscall(SYS_landlock_add_rule, Rules, LANDLOCK_RULE_PATH_BENEATH, &Rule, 0) != 0) {
    Rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE;
    syscall(SYS_landlock_add_rule, Rules, LANDLOCK_RULE_PATH_BENEATH, &Rule, 0);
  }
  close(Where);
}

/// What the kernel reports about the machine, and devices without hardware.
constexpr const char *OfTheKernel[] = {
    "/proc",       "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
    "/dev/null",   "/dev/zero",           "/dev/full",      "/dev/random",
    "/dev/urandom"};

/// Libraries may lie anywhere except among devices, where opening or reading has effects.
void showAllButDevices(int Rules) {
  DIR *Root = opendir("/");
  for (const dirent *Entry; Root && (Entry = readdir(Root));) {
    const std::string Name = Entry->d_name;
    if (Name != "." && Name != ".." && Name != "dev" && Name != "proc" && Name != "sys" && Name != "run")
      show(Rules, ("/" + Name).c_str());
  }
  if (Root)
    closedir(Root);
  for (const char *Path : {"/dev/shm", "/run/user"})
    show(Rules, Path);
}

constexpr const char *OfTheSystem[] = {"/usr", "/lib", "/lib32",     "/lib64",    "/libx32",
                                       "/etc", "/opt", "/nix/store", "/gnu/store"};

/// Allows the folder of a loaded library, which may open other files beside it.
int showFolder(dl_phdr_info *Object, std::size_t, void *Rules) {
  const std::string Path = Object->dlpi_name;
  if (const std::size_t Slash = Path.rfind('/'); Slash != std::string::npos && Slash > 0)
    show(*static_cast<int *>(Rules), Path.substr(0, Slash).c_str());
  return 0;
}

} // namespace

int memshape::makeFileRules(Box Which) {
  const long Version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (Version < 1)
    return -1;
  const Rights Taken = rightsOf(Version);
  int Rules = int(syscall(SYS_landlock_create_ruleset, &Taken, bytesOf(Version), 0));
  if (Rules < 0)
    return -1;
  if (Which == Box::Loading || Which == Box::Evaluating)
    for (const char *Path : OfTheKernel)
      show(Rules, Path);
  if (Which == Box::Loading)
    showAllButDevices(Rules);
  if (Which == Box::Evaluating) {
    for (const char *Path : OfTheSystem)
      show(Rules, Path);
    dl_iterate_phdr(showFolder, &Rules);
  }
  return Rules;
}

bool memshape::restrictFiles(int Rules) { return syscall(SYS_landlock_restrict_self, Rules, 0) == 0; }
