/* What the kernel says of this process's memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/kernel.h"
#include "count/calls.h"
#include "count/count.h"
#include "record/recordfile.h"
#include "tables/file.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct memshape_kernel memshape_kernel;

/*===-- Lines of a file in /proc ------------------------------------------===*/

/* Plain system calls: stdio allocates. */
struct lines {
  int descriptor;
  size_t at, end;
  char buffer[4096];
};

static int openLines(struct lines *lines, const char *path) {
  lines->at = lines->end = 0;
  lines->descriptor = memshape_file_open(path, O_RDONLY);
  return lines->descriptor >= 0;
}

/* The next line without its end, cut where it is longer than the place; 0 after the last one. */
static int nextLine(struct lines *lines, char *line, size_t room) {
  for (size_t length = 0;;) {
    if (lines->at == lines->end) {
      ssize_t count = memshape_file_read(lines->descriptor, lines->buffer, sizeof lines->buffer);
      if (count <= 0)
        return 0;
      lines->at = 0;
      lines->end = (size_t)count;
    }
    char c = lines->buffer[lines->at++];
    if (c == '\n') {
      line[length] = 0;
      return 1;
    }
    if (length + 1 < room)
      line[length++] = c;
  }
}

/* Bytes of a line such as "VmHWM:   1234 kB" when it is the one called `name`. */
static int figure(const char *line, const char *name, uint64_t *bytes) {
  size_t length = strlen(name);
  if (strncmp(line, name, length) != 0 || line[length] != ':')
    return 0;
  uint64_t kibibytes = 0;
  for (const char *at = line + length + 1; *at; ++at)
    if (*at >= '0' && *at <= '9')
      kibibytes = 10 * kibibytes + (uint64_t)(*at - '0');
  *bytes = 1024 * kibibytes;
  return 1;
}

static void readStatus(uint64_t *peak, uint64_t *now) {
  struct lines lines;
  char line[128];
  *peak = *now = 0;
  if (!openLines(&lines, "/proc/self/status"))
    return;
  while ((!*peak || !*now) && nextLine(&lines, line, sizeof line))
    if (!figure(line, "VmHWM", peak))
      figure(line, "VmRSS", now);
  memshape_file_close(lines.descriptor);
}

uint64_t memshape_resident_peak(void) {
  uint64_t peak, now;
  readStatus(&peak, &now);
  return peak > memshape_kernel.most_seen ? peak : memshape_kernel.most_seen;
}

/*===-- Snapshots ---------------------------------------------------------===*/

/* "55d0-55e0 rw-p ..." */
static const char *hexadecimal(const char *at, uint64_t *number) {
  for (*number = 0;; ++at) {
    unsigned digit = (unsigned)(*at >= 'a' ? *at - 'a' + 10 : *at - '0');
    if (digit > 15)
      return at;
    *number = *number * 16 + digit;
  }
}

enum owner { Heap, Files, Stack, Own, Other };

/* The mapping that a paragraph is about. */
struct mapping {
  enum owner owner;
  uint64_t resident;
  uint64_t file_end; /* where writable data of a file ends; 0 for other mappings */
};

/* What a mapping is, from the line that opens its paragraph: addresses, rights, offset, device, inode and perhaps a
   name. Anonymous memory right behind writable data of a file is that file's zeroed data. */
static struct mapping begin(const char *line, const struct mapping *before) {
  struct mapping mapping = {Other, 0, 0};
  uint64_t from, to;
  const char *rights = hexadecimal(hexadecimal(line, &from) + 1, &to) + 1, *name = rights;
  for (int blanks = 0; *name && blanks < 4; ++name)
    blanks += *name == ' ';
  while (*name == ' ')
    ++name;
  if (*name == '/') {
    int isOwn = strstr(name, "libmemshape_rt") || from == (uint64_t)memshape_runtime.header;
    mapping.owner = isOwn ? Own : Files;
    mapping.file_end = rights[1] == 'w' ? to : 0;
  } else if (*name == 0) {
    mapping.owner = before->file_end == from ? before->owner : Heap;
  } else if (strcmp(name, "[heap]") == 0 || strncmp(name, "[anon", 5) == 0) {
    mapping.owner = Heap;
  } else if (strcmp(name, "[stack]") == 0) {
    mapping.owner = Stack;
  }
  return mapping;
}

static int isFirstLine(const char *line) {
  uint64_t from;
  return (*line >= '0' && *line <= '9') || (*line >= 'a' && *line <= 'f') ? *hexadecimal(line, &from) == '-' : 0;
}

/* The runtime's own mappings carry two flags that occur together nowhere else: no reserve and no huge pages (see
   pool.c). */
static int isOurs(const char *flags) { return strstr(flags, " nr") && strstr(flags, " nh"); }

static void finish(struct memshape_record_kernel *to, const struct mapping *mapping) {
  to->resident += mapping->resident;
  *(mapping->owner == Heap    ? &to->anonymous
    : mapping->owner == Files ? &to->files
    : mapping->owner == Stack ? &to->stack
    : mapping->owner == Own   ? &to->own
                              : &to->other) += mapping->resident;
}

static void readMappings(struct memshape_record_kernel *to) {
  struct lines lines;
  struct mapping mapping = {Other, 0, 0};
  char line[320];
  uint64_t bytes;
  if (!openLines(&lines, "/proc/self/smaps"))
    return;
  while (nextLine(&lines, line, sizeof line)) {
    if (isFirstLine(line)) {
      finish(to, &mapping);
      mapping = begin(line, &mapping);
    } else if (figure(line, "Rss", &bytes)) {
      mapping.resident = bytes;
    } else if (figure(line, "Pss", &bytes)) {
      to->proportional += bytes;
    } else if (figure(line, "Private_Clean", &bytes) || figure(line, "Private_Dirty", &bytes)) {
      to->exclusive += bytes;
    } else if (figure(line, "Shared_Clean", &bytes) || figure(line, "Shared_Dirty", &bytes)) {
      to->shared += bytes;
    } else if (figure(line, "Swap", &bytes)) {
      to->swapped += bytes;
    } else if (figure(line, "AnonHugePages", &bytes)) {
      to->huge += bytes;
    } else if (mapping.owner == Heap && strncmp(line, "VmFlags:", 8) == 0 && isOurs(line)) {
      mapping.owner = Own;
    }
  }
  finish(to, &mapping);
  memshape_file_close(lines.descriptor);
}

/* glibc's statistics of its heap. With another allocator glibc's heap is nearly empty. */
static void readAllocator(struct memshape_record_kernel *to) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  struct mallinfo2 info = mallinfo2();
  to->allocator_system = info.arena + info.hblkhd;
  to->allocator_used = info.uordblks + info.hblkhd;
  to->allocator_free = info.fordblks;
  to->allocator_top = info.keepcost;
#endif
}

static void readFaults(uint64_t *minor, uint64_t *major) {
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  getrusage(RUSAGE_SELF, &usage);
  *minor = (uint64_t)usage.ru_minflt;
  *major = (uint64_t)usage.ru_majflt;
}

void memshape_kernel_snapshot(enum memshape_record_moment moment) {
  enum { Step = 20, LeastStep = 64 * 1024 }; /* a peak is worth the next look when it is a 1/20 higher */
  struct memshape_record_header *header = memshape_runtime.header;
  struct memshape_record_kernel figures;
  int saved = errno;
  memset(&figures, 0, sizeof figures);
  memshape_kernel.next_peak = header->peak + header->peak / Step + LeastStep;
  figures.moment = moment;
  figures.time = memshape_now() - memshape_runtime.started;
  figures.live = header->live;
  readFaults(&figures.minor_faults, &figures.major_faults);
  readMappings(&figures);
  readAllocator(&figures);
  struct memshape_record_kernel *item = NULL;
  if (figures.resident) /* else the kernel did not say */
    item = memshape_record_append(MEMSHAPE_RECORD_KERNEL, sizeof *item);
  if (item) {
    figures.head = item->head;
    *item = figures;
    memshape_record_publish_whole(item);
  }
  errno = saved;
}

/*===-- Operator calls ----------------------------------------------------===*/

/* The kernel keeps one peak per process, so each reading of it updates all calls in flight. */
static uint64_t lookForAll(void) {
  uint64_t peak, now;
  readStatus(&peak, &now);
  if (peak > memshape_kernel.most_seen)
    memshape_kernel.most_seen = peak;
  for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
    if (peak > window->residence.most)
      window->residence.most = peak;
  return now;
}

static void resetPeak(void) {
  int descriptor = memshape_file_open("/proc/self/clear_refs", O_WRONLY);
  memshape_kernel.resets = descriptor >= 0 && memshape_file_write(descriptor, "5", 1) == 1;
  if (descriptor >= 0)
    memshape_file_close(descriptor);
}

void memshape_residence_enter(struct memshape_residence *residence) {
  memset(residence, 0, sizeof *residence);
  if (!memshape_kernel.watching)
    return;
  int saved = errno;
  residence->entry = residence->most = lookForAll();
  resetPeak();
  readFaults(&residence->minor, &residence->major);
  errno = saved;
}

void memshape_residence_leave(struct memshape_residence *residence) {
  if (!residence->entry)
    return;
  int saved = errno;
  uint64_t minor, major;
  readFaults(&minor, &major);
  residence->minor = minor - residence->minor;
  residence->major = major - residence->major;
  residence->exit = lookForAll();
  errno = saved;
}

void memshape_residence_teach(struct memshape_residence *outer, const struct memshape_residence *inner) {
  if (inner->most > outer->most)
    outer->most = inner->most;
}

void memshape_residence_record(const struct memshape_residence *residence, uint64_t sequence, uint64_t group,
                               int is_first, uint64_t *most) {
  if (!residence->entry || (!is_first && residence->most <= *most))
    return;
  struct memshape_record_residence *item = memshape_record_append(MEMSHAPE_RECORD_RESIDENCE, sizeof *item);
  if (!item)
    return;
  item->group = group;
  item->sequence = sequence;
  item->later = !is_first;
  item->is_exact = memshape_kernel.resets != 0;
  item->entry = residence->entry;
  item->peak = residence->most;
  item->exit = residence->exit;
  item->minor_faults = residence->minor;
  item->major_faults = residence->major;
  memshape_record_publish_whole(item);
  if (!is_first)
    *most = residence->most;
}

/*===-- Switching on ------------------------------------------------------===*/

void memshape_kernel_start(void) {
  const char *wish = secure_getenv("MEMSHAPE_RUNTIME_KERNEL");
  memshape_kernel.watching = wish && *wish;
}

void memshape_kernel_forked(void) {
  memshape_kernel.next_peak = 0;
  memshape_kernel.most_seen = 0;
}

/* The kernel reads the set of signals before it looks at what shall become of it: with an order that does not exist the
   call says no more than whether the eight bytes are there. */
__attribute__((visibility("default"))) int memshape_may_read(const void *from, size_t bytes) {
  enum { SetBytes = 8, LeastPage = 4096, NoOrder = -1 };
  const uintptr_t first = (uintptr_t)from, last = first + (bytes ? bytes - 1 : 0);
  const int error = errno;
  int readable = first >= LeastPage && last >= first; /* a set at 0 is none, which the kernel does not read */
  for (uintptr_t at = first; readable && first <= at && at <= last; at = (at & -(uintptr_t)LeastPage) + LeastPage)
    readable = syscall(SYS_rt_sigprocmask, NoOrder, at & -(uintptr_t)SetBytes, NULL, SetBytes) != -1 || errno != EFAULT;
  errno = error;
  return readable;
}
