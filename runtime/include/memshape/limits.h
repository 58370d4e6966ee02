/* How much memory a process may still take.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For C99 and C++11, on Linux; nothing has to be linked. What is free is found
   where Linux writes it: the limits of the process's control group and of all
   groups around it (versions 2 and 1; where version 2 throttles is a limit as
   well), the limits of its resources (ulimit -v, ulimit -d), and MemAvailable
   of the machine. <memshape/guard.h> and <memshape/checkpoint.h> read it here.

   Paths begin with a root that tests may set; "" is the machine's own. */

#pragma once

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Longer lines of /proc are cut. */
#define MEMSHAPE_LINE 4096

/* 1, and the number that begins a file; 0 for a word such as "max". Version 1 writes a huge number for no limit. */
static inline int memshape_kernel_number(const char *path, uint64_t *value) {
  FILE *file = fopen(path, "re");
  unsigned long long read = 0;
  int found;
  if (!file)
    return 0;
  found = fscanf(file, "%llu", &read) == 1 && read < 1ULL << 62;
  (void)fclose(file);
  *value = read;
  return found;
}

/* 1, and the number behind a word at the beginning of a line; 0 where there is none. */
static inline int memshape_kernel_behind(const char *path, const char *word, uint64_t *value) {
  FILE *file = fopen(path, "re");
  char line[MEMSHAPE_LINE];
  unsigned long long read = 0;
  int found = 0;
  if (!file)
    return 0;
  while (!found && fgets(line, sizeof line, file))
    found = strncmp(line, word, strlen(word)) == 0 && strchr(" \t", line[strlen(word)]) &&
            sscanf(line + strlen(word), "%llu", &read) == 1;
  (void)fclose(file);
  *value = read;
  return found;
}

/* The same, of a line that counts in kB: in bytes. */
static inline int memshape_kernel_bytes_behind(const char *path, const char *word, uint64_t *value) {
  if (!memshape_kernel_behind(path, word, value))
    return 0;
  *value = *value > UINT64_MAX >> 10 ? UINT64_MAX << 10 : *value << 10;
  return 1;
}

/* A word of a list with commas between them. */
static inline int memshape_list_has(const char *list, const char *word) {
  const size_t length = strlen(word);
  for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
    if (strncmp(list, word, length) == 0 && (list[length] == ',' || list[length] == '\0'))
      return 1;
  return 0;
}

/* The folder of the process's control group, and that of the outermost group that can be seen. */
struct memshape_group {
  char folder[2 * MEMSHAPE_LINE], outermost[MEMSHAPE_LINE], top[MEMSHAPE_LINE];
};

/* Where the hierarchy of version 2, or of version 1's memory controller, is mounted. */
static inline int memshape_kernel_mount(const char *root, int is_second, struct memshape_group *group) {
  char path[MEMSHAPE_LINE], line[MEMSHAPE_LINE], type[64], options[1024];
  FILE *file;
  int found = 0;
  (void)snprintf(path, sizeof path, "%s/proc/self/mountinfo", root);
  file = fopen(path, "re");
  if (!file)
    return 0;
  while (!found && fgets(line, sizeof line, file)) {
    const char *dash = strstr(line, " - ");
    options[0] = '\0';
    if (!dash || sscanf(line, "%*s %*s %*s %4095s %4095s", group->top, group->outermost) != 2 ||
        sscanf(dash + 3, "%63s %*s %1023s", type, options) < 1)
      continue;
    found =
        is_second ? strcmp(type, "cgroup2") == 0 : strcmp(type, "cgroup") == 0 && memshape_list_has(options, "memory");
  }
  (void)fclose(file);
  if (strcmp(group->top, "/") == 0)
    group->top[0] = '\0';
  return found;
}

static inline int memshape_kernel_group(const char *root, int is_second, struct memshape_group *group) {
  char path[MEMSHAPE_LINE], line[MEMSHAPE_LINE];
  FILE *file;
  int found = 0;
  if (!memshape_kernel_mount(root, is_second, group))
    return 0;
  (void)snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
  file = fopen(path, "re");
  if (!file)
    return 0;
  while (!found && fgets(line, sizeof line, file)) {
    char *controllers = strchr(line, ':'), *below = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!below)
      continue;
    *below++ = '\0';
    below[strcspn(below, "\n")] = '\0';
    ++controllers;
    found = is_second ? *controllers == '\0' : memshape_list_has(controllers, "memory");
    if (!found)
      continue;
    /* In a container the path may be the host's, while the group itself is mounted. */
    below = strncmp(below, group->top, strlen(group->top)) == 0 ? below + strlen(group->top) : below + strlen(below);
    (void)snprintf(group->folder, sizeof group->folder, "%s%s", group->outermost, strcmp(below, "/") == 0 ? "" : below);
  }
  (void)fclose(file);
  return found;
}

/* The group around that of group->folder; 0 where that is the outermost. */
static inline int memshape_group_around(struct memshape_group *group) {
  char *end = strrchr(group->folder, '/');
  if (!end || strlen(group->folder) <= strlen(group->outermost))
    return 0;
  *end = '\0';
  return group->folder[0] != '\0' && strlen(group->folder) >= strlen(group->outermost);
}

/* What the group of group->folder leaves, if that is less than *least. */
static inline void memshape_group_leaves(const char *root, const struct memshape_group *group, int is_second,
                                         uint64_t *least) {
  char path[3 * MEMSHAPE_LINE];
  uint64_t limit = UINT64_MAX, throttled = UINT64_MAX, used = 0, cache = 0;
  int limited;
  (void)snprintf(path, sizeof path, "%s%s/memory.%s", root, group->folder, is_second ? "max" : "limit_in_bytes");
  limited = memshape_kernel_number(path, &limit);
  (void)snprintf(path, sizeof path, "%s%s/memory.high", root, group->folder);
  if (is_second && memshape_kernel_number(path, &throttled)) {
    limit = limited && limit < throttled ? limit : throttled;
    limited = 1;
  }
  (void)snprintf(path, sizeof path, "%s%s/memory.%s", root, group->folder, is_second ? "current" : "usage_in_bytes");
  if (!limited || !memshape_kernel_number(path, &used))
    return;
  (void)snprintf(path, sizeof path, "%s%s/memory.stat", root, group->folder);
  if (!memshape_kernel_behind(path, is_second ? "inactive_file" : "total_inactive_file", &cache))
    cache = 0;
  used -= used < cache ? used : cache;
  limit -= limit < used ? limit : used;
  *least = limit < *least ? limit : *least;
}

/* What a limit of the process's resources leaves, if that is less than *least; word says what of it is used. */
static inline void memshape_resource_leaves(const char *status, rlim_t limit, const char *word, uint64_t *least) {
  uint64_t used = 0, left;
  if (limit == RLIM_INFINITY || !memshape_kernel_bytes_behind(status, word, &used))
    return;
  left = (uint64_t)limit - ((uint64_t)limit < used ? (uint64_t)limit : used);
  *least = left < *least ? left : *least;
}

/* Bytes that may still lie in memory before the process's control group or the machine runs out; cache of files that can
   be dropped counts as free. UINT64_MAX where the kernel does not say. Swap space is left out. */
static inline uint64_t memshape_resident_bytes_left(const char *root) {
  char path[MEMSHAPE_LINE];
  uint64_t least;
  int is_second;
  (void)snprintf(path, sizeof path, "%s/proc/meminfo", root);
  if (!memshape_kernel_bytes_behind(path, "MemAvailable:", &least))
    least = UINT64_MAX;
  for (is_second = 1; is_second >= 0; --is_second) {
    struct memshape_group group;
    if (memshape_kernel_group(root, is_second, &group))
      do
        memshape_group_leaves(root, &group, is_second, &least);
      while (memshape_group_around(&group));
  }
  return least;
}

/* Bytes that the process may still take: those, or what the limits of its resources leave where that is less. */
static inline uint64_t memshape_available_bytes(const char *root) {
  char path[MEMSHAPE_LINE];
  uint64_t least = memshape_resident_bytes_left(root);
  struct rlimit limit;
  (void)snprintf(path, sizeof path, "%s/proc/self/status", root);
  if (getrlimit(RLIMIT_AS, &limit) == 0)
    memshape_resource_leaves(path, limit.rlim_cur, "VmSize:", &least);
  if (getrlimit(RLIMIT_DATA, &limit) == 0)
    memshape_resource_leaves(path, limit.rlim_cur, "VmData:", &least);
  return least;
}
