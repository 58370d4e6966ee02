//===- Sandbox.cpp - What analysed code may not do -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resource limits, and a seccomp filter written out by hand: a list of refused calls, which answer EPERM.
//
//===----------------------------------------------------------------------===//

#include "Sandbox.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

using namespace memshape;

DialogueDescriptors memshape::takeStandardStreams() {
  DialogueDescriptors Result;
  Result.In = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  Result.Out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
  const int Null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (Null >= 0) {
    for (int Standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      dup2(Null, Standard);
    if (Null > STDERR_FILENO)
      close(Null);
  }
  return Result;
}

static void setLimit(__rlimit_resource Which, std::uint64_t Value) {
  rlimit Limit;
  if (getrlimit(Which, &Limit) != 0)
    return;
  Limit.rlim_cur = std::min<rlim_t>(Value, Limit.rlim_max);
  setrlimit(Which, &Limit);
}

void memshape::limitProcess(std::uint64_t AddressSpaceBytes, int AnswerDescriptor) {
  setLimit(RLIMIT_CORE, 0);
  struct stat Answers;
  if (fstat(AnswerDescriptor, &Answers) != 0 || !S_ISREG(Answers.st_mode))
    setLimit(RLIMIT_FSIZE, 0);
  // Code compiled for a quick start has larger frames than the program; recursion shall reach as deep.
  rlimit Stack;
  constexpr rlim_t Wanted = 64 << 20;
  if (getrlimit(RLIMIT_STACK, &Stack) == 0 && Stack.rlim_cur != RLIM_INFINITY && Stack.rlim_cur < Wanted)
    setLimit(RLIMIT_STACK, Wanted);
  if (AddressSpaceBytes)
    setLimit(RLIMIT_AS, AddressSpaceBytes);
}

void memshape::limitProcessorTime(double Seconds) {
  rusage Used;
  if (getrusage(RUSAGE_SELF, &Used) != 0)
    return;
  const double Spent = double(Used.ru_utime.tv_sec + Used.ru_stime.tv_sec) + 1;
  // Threads of a library may use all processors during the time that the timer allows.
  // The C library reads a file for that, and an evaluation may take less than a system call.
  static const double Processors = double(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  static std::uint64_t Given = 0; // a child has the limit of its parent
  if (const std::uint64_t Wanted = std::uint64_t(Spent + Seconds * Processors) + 2; Wanted != Given)
    setLimit(RLIMIT_CPU, Given = Wanted);
}

#if defined(__x86_64__)
static constexpr std::uint32_t NativeArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
static constexpr std::uint32_t NativeArchitecture = AUDIT_ARCH_AARCH64;
#else
static constexpr std::uint32_t NativeArchitecture = 0;
#endif

static constexpr int Refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_ptrace,
    SYS_kill,
    SYS_tkill,
    SYS_unlinkat,
    SYS_mkdirat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_renameat2,
    SYS_mknodat,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_truncate,
    SYS_mount,
    SYS_umount2,
    SYS_setxattr,
    SYS_process_vm_writev,
    SYS_io_uring_setup,
    SYS_utimensat,
    SYS_bpf,
#if defined(__x86_64__)
    SYS_fork,
    SYS_vfork,
    SYS_creat,
    SYS_unlink,
    SYS_rmdir,
    SYS_mkdir,
    SYS_link,
    SYS_symlink,
    SYS_rename,
    SYS_renameat,
    SYS_mknod,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
#endif
};

void memshape::forbidSystemCalls(Files Opening) {
  setLimit(RLIMIT_NOFILE, 64);
  if (!NativeArchitecture)
    return;
  std::vector<sock_filter> Program;
  const auto Load = [&](std::size_t Offset) {
    Program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, std::uint32_t(Offset)));
  };
  const auto Return = [&](std::uint32_t What) { Program.push_back(BPF_STMT(BPF_RET | BPF_K, What)); };
  const std::uint32_t Deny = SECCOMP_RET_ERRNO | EPERM;
  /// For one call, looks at some bits of an argument's lower half and refuses where they match.
  const auto RefuseBits = [&](int Call, unsigned Argument, std::uint32_t Bits, bool RefuseWhenSet) {
    Program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(Call), 0, 4));
    Load(offsetof(seccomp_data, args) + 8 * Argument);
    Program.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, Bits, std::uint8_t(RefuseWhenSet ? 0 : 1),
                               std::uint8_t(RefuseWhenSet ? 1 : 0)));
    Return(Deny);
    Return(SECCOMP_RET_ALLOW);
  };

  Load(offsetof(seccomp_data, arch));
  Program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NativeArchitecture, 1, 0));
  Return(SECCOMP_RET_KILL_PROCESS);
  Load(offsetof(seccomp_data, nr));
  for (int Call : Refused) {
    Program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(Call), 0, 1));
    Return(Deny);
  }
  if (Opening == Files::None)
    for (int Call : {
             SYS_openat,
#if defined(__x86_64__)
             SYS_open,
#endif
         }) {
      Program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(Call), 0, 1));
      Return(Deny);
    }
  constexpr std::uint32_t Writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  RefuseBits(SYS_openat, 2, Writing, true);
#if defined(__x86_64__)
  RefuseBits(SYS_open, 1, Writing, true);
#endif
  // Threads yes, processes no. clone3 hides its flags behind a pointer; without it the C library takes clone.
  constexpr std::uint32_t CloneThread = 0x00010000;
  RefuseBits(SYS_clone, 0, CloneThread, false);
  for (int Call : {SYS_clone3, SYS_openat2}) {
    Program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, std::uint32_t(Call), 0, 1));
    Return(SECCOMP_RET_ERRNO | ENOSYS);
  }
  Return(SECCOMP_RET_ALLOW);

  const sock_fprog Filter = {static_cast<unsigned short>(Program.size()), Program.data()};
  // Where the kernel does not filter, the limits alone must do.
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Filter);
}
