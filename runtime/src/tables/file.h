/* Files of the runtime's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The C library's open, read, write and close are points where a thread that was cancelled ends. Ours are reached from
   malloc, which is none, and under our lock. So the kernel is asked itself. */

#pragma once

#include <fcntl.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* A file that is made is private. -1 and errno where it cannot be opened. */
static inline int memshape_file_open(const char *path, int flags) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600);
}

static inline ssize_t memshape_file_read(int descriptor, void *to, size_t bytes) {
  return (ssize_t)syscall(SYS_read, descriptor, to, bytes);
}

static inline ssize_t memshape_file_write(int descriptor, const void *from, size_t bytes) {
  return (ssize_t)syscall(SYS_write, descriptor, from, bytes);
}

static inline void memshape_file_close(int descriptor) { syscall(SYS_close, descriptor); }
