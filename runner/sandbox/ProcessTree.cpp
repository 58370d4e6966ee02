// What a process and its descendants take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// proc(5): statm, stat, task/TID/children and task/TID/schedstat. A kernel without one of the latter two shows less.

#include "runner/sandbox/ProcessTree.h"

#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

using namespace memshape;

/// A tree that grows while it is read, as that of a fork bomb, comes to an end here.
constexpr std::size_t MostProcesses = 4096;

static std::string contentsOf(const std::string &Path) {
  std::string Text;
  const int File = open(Path.c_str(), O_RDONLY | O_CLOEXEC);
  if (File < 0)
    return Text;
  char Buffer[1024];
  for (ssize_t Count; (Count = read(File, Buffer, sizeof Buffer)) > 0;)
    Text.append(Buffer, std::size_t(Count));
  close(File);
  return Text;
}

static std::string folderOf(pid_t Process) { return "/proc/" + std::to_string(Process); }

/// Calls See with the folder of each thread.
template <class Function> static void eachThread(pid_t Process, Function See) {
  const std::string Tasks = folderOf(Process) + "/task/";
  DIR *Listed = opendir(Tasks.c_str());
  for (const dirent *Entry; Listed && (Entry = readdir(Listed));)
    if (Entry->d_name[0] != '.')
      See(Tasks + Entry->d_name);
  if (Listed)
    closedir(Listed);
}

/// Calls Process with each process of the tree, parents first, and Thread with the folder of each of its threads.
template <class OnProcess, class OnThread> static void walk(pid_t Root, OnProcess Process, OnThread Thread) {
  std::vector<pid_t> Found = {Root};
  for (std::size_t At = 0; At < Found.size() && At < MostProcesses; ++At) {
    Process(Found[At]);
    eachThread(Found[At], [&](const std::string &Folder) {
      Thread(Folder);
      const std::string Children = contentsOf(Folder + "/children");
      char *End;
      for (const char *Next = Children.c_str(); const long Id = std::strtol(Next, &End, 10); Next = End)
        Found.push_back(pid_t(Id));
    });
  }
}

std::uint64_t memshape::privateBytes(pid_t Process) {
  static const std::uint64_t PageBytes = std::uint64_t(sysconf(_SC_PAGESIZE));
  unsigned long Size = 0, Resident = 0, Shared = 0;
  const std::string Text = contentsOf(folderOf(Process) + "/statm");
  const int Read = std::sscanf(Text.c_str(), "%lu %lu %lu", &Size, &Resident, &Shared);
  return Read == 3 && Resident > Shared ? (Resident - Shared) * PageBytes : 0;
}

TreeUse memshape::useOf(pid_t Root) {
  TreeUse All;
  walk(
      Root,
      [&](pid_t Process) {
        ++All.Processes;
        All.Bytes += privateBytes(Process);
      },
      [&](const std::string &) { ++All.Threads; });
  return All;
}

/// Root is a guard, which waits more than anybody where a machine is busy: it does not count.
TreeTime memshape::timeOf(pid_t Root) {
  TreeTime All;
  static const std::int64_t Tick = 1'000'000'000 / sysconf(_SC_CLK_TCK);
  walk(
      Root,
      [&](pid_t Process) {
        if (Process == Root)
          return;
        // The name, in parentheses, may hold anything.
        const std::string Text = contentsOf(folderOf(Process) + "/stat");
        const std::size_t Behind = Text.rfind(')');
        long User = 0, System = 0, OfChildren = 0, SystemOfChildren = 0;
        if (Behind != std::string::npos &&
            std::sscanf(Text.c_str() + Behind + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld %ld %ld",
                        &User, &System, &OfChildren, &SystemOfChildren) == 4)
          All.Running += (User + System + OfChildren + SystemOfChildren) * Tick;
      },
      [&](const std::string &Thread) {
        if (Thread.starts_with(folderOf(Root) + "/"))
          return;
        long long Ran = 0, Waited = 0;
        if (std::sscanf(contentsOf(Thread + "/schedstat").c_str(), "%lld %lld", &Ran, &Waited) == 2)
          All.Waiting += Waited;
      });
  return All;
}

std::vector<pid_t> memshape::descendantsOf(pid_t Root) {
  std::vector<pid_t> Found;
  walk(Root, [&](pid_t Process) { Found.push_back(Process); }, [](const std::string &) {});
  Found.erase(Found.begin());
  return Found;
}
