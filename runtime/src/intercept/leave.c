/* Functions that end a program without its destructors.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Each function writes into the record how the process ends, then calls the real one. Only a parent process learns a
   child's exit status, so for children of the program the record is the only source. Calls inside the C library (the
   end of exit, system, posix_spawn) are not intercepted. */

#include "count/ending.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* Looked up when the program starts: in a child of a program with threads, calling the loader after fork is not
   safe. */
static struct {
  void (*exit_now)(int);
  void (*quick_exit)(int);
  void (*abort)(void);
  int (*execve)(const char *, char *const[], char *const[]);
  int (*execvpe)(const char *, char *const[], char *const[]);
  int (*fexecve)(int, char *const[], char *const[]);
  int (*execveat)(int, const char *, char *const[], char *const[], int);
} Below;

__attribute__((constructor)) static void findBelow(void) {
  if (Below.exit_now)
    return;
  *(void **)&Below.quick_exit = dlsym(RTLD_NEXT, "quick_exit");
  *(void **)&Below.abort = dlsym(RTLD_NEXT, "abort");
  *(void **)&Below.execve = dlsym(RTLD_NEXT, "execve");
  *(void **)&Below.execvpe = dlsym(RTLD_NEXT, "execvpe");
  *(void **)&Below.fexecve = dlsym(RTLD_NEXT, "fexecve");
  *(void **)&Below.execveat = dlsym(RTLD_NEXT, "execveat");
  *(void **)&Below.exit_now = dlsym(RTLD_NEXT, "_exit");
}

/* AddressSanitizer as a shared library refuses to run when another library is preloaded. It works below memshape, so
   this option allows it. Options of the program take precedence. */
EXPORT const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "verify_asan_link_order=0"; }

EXPORT __attribute__((noreturn)) void _exit(int status) {
  memshape_ending(MEMSHAPE_RECORD_LEFT);
  findBelow();
  if (Below.exit_now)
    Below.exit_now(status);
  for (;;)
    syscall(SYS_exit_group, status);
}

EXPORT __attribute__((noreturn)) void _Exit(int status) { _exit(status); }

EXPORT __attribute__((noreturn)) void quick_exit(int status) {
  memshape_ending(MEMSHAPE_RECORD_LEFT);
  findBelow();
  if (Below.quick_exit)
    Below.quick_exit(status);
  _exit(status);
}

EXPORT __attribute__((noreturn)) void abort(void) {
  memshape_ending(MEMSHAPE_RECORD_ABORTED);
  findBelow();
  if (Below.abort)
    Below.abort();
  for (;;)
    __builtin_trap();
}

/* STATUS is what the function below returns, which is always a failure. */
#define ANNOUNCED(FUNCTION, ...)                                                                                       \
  findBelow();                                                                                                         \
  if (!Below.FUNCTION) {                                                                                               \
    errno = ENOSYS;                                                                                                    \
    return -1;                                                                                                         \
  }                                                                                                                    \
  int announced = memshape_ending(MEMSHAPE_RECORD_REPLACED);                                                           \
  int status = Below.FUNCTION(__VA_ARGS__);                                                                            \
  if (announced)                                                                                                       \
    memshape_ending_withdrawn();                                                                                       \
  return status

EXPORT int execve(const char *path, char *const arguments[], char *const environment[]) {
  ANNOUNCED(execve, path, arguments, environment);
}

EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  ANNOUNCED(execvpe, file, arguments, environment);
}

EXPORT int fexecve(int descriptor, char *const arguments[], char *const environment[]) {
  ANNOUNCED(fexecve, descriptor, arguments, environment);
}

EXPORT int execveat(int folder, const char *path, char *const arguments[], char *const environment[], int flags) {
  ANNOUNCED(execveat, folder, path, arguments, environment, flags);
}

EXPORT int execv(const char *path, char *const arguments[]) { return execve(path, arguments, environ); }

EXPORT int execvp(const char *file, char *const arguments[]) { return execvpe(file, arguments, environ); }

/* The arguments of execl and its like as an array `list` on this function's stack; ENVIRONMENT, a statement, may take
   the argument that follows them. */
#define LISTED(ENVIRONMENT)                                                                                            \
  va_list rest;                                                                                                        \
  size_t count = 1;                                                                                                    \
  va_start(rest, first);                                                                                               \
  for (const char *one = first; one; one = va_arg(rest, const char *))                                                 \
    ++count;                                                                                                           \
  va_end(rest);                                                                                                        \
  char **list = alloca(count * sizeof *list);                                                                          \
  va_start(rest, first);                                                                                               \
  list[0] = (char *)(uintptr_t)first;                                                                                  \
  for (size_t i = 1; i < count; ++i)                                                                                   \
    list[i] = va_arg(rest, char *);                                                                                    \
  ENVIRONMENT;                                                                                                         \
  va_end(rest)

EXPORT int execl(const char *path, const char *first, ...) {
  LISTED();
  return execve(path, list, environ);
}

EXPORT int execlp(const char *file, const char *first, ...) {
  LISTED();
  return execvpe(file, list, environ);
}

EXPORT int execle(const char *path, const char *first, ...) {
  LISTED(char *const *environment = va_arg(rest, char *const *));
  return execve(path, list, environment);
}
