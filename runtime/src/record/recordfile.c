/* The mapped record of this process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "record/recordfile.h"
#include "tables/file.h"
#include "tables/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The mapping is larger than the file from the start, so that items never move while the file grows. Space is allocated
   before it is touched: writing to a hole on a full disk would kill the program with SIGBUS. */
enum { MappedBytes = 64 * 1024 * 1024, GrowBytes = 256 * 1024, SitesAtOnce = 512 };

/* A program may have thousands of short children, and /dev/shm may be small. */
enum { FirstBytes = 32 * 1024 };

static char *Base;
static uint64_t FileBytes; /* allocated on disk, without the table of sites */
static uint32_t SiteRoom;  /* allocated entries of that table */
static char Path[PATH_MAX];
static dev_t Device;
static ino_t Inode;

/* The C library's functions for signal masks may be replaced, as sanitizers do. The kernel's sets have 64 bits. */
static void changeMask(int how, const uint64_t *set, uint64_t *before) {
  syscall(SYS_rt_sigprocmask, how, set, before, sizeof *set);
}

/* A file that would pass RLIMIT_FSIZE brings SIGXFSZ, which ends the program or runs its handler. So the limit is asked
   first. It may be lowered at this very moment: therefore the signal waits meanwhile, and that of the kernel is taken
   away. The kernel sends it to this thread, where it comes before one for the whole process and becomes one with one
   that waited there already: that one is the program's and stays. */
static int allocate(int descriptor, uint64_t from, uint64_t bytes) {
  const uint64_t tooLarge = UINT64_C(1) << (SIGXFSZ - 1);
  const struct timespec now = {0, 0};
  uint64_t mask, waiting = tooLarge;
  struct rlimit limit;
  if (from + bytes > FileBytes && (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < from + bytes))
    return 0;
  changeMask(SIG_BLOCK, &tooLarge, &mask);
  syscall(SYS_rt_sigpending, &waiting, sizeof waiting);
  int reason = posix_fallocate(descriptor, (off_t)from, (off_t)bytes);
  if (reason == EFBIG && !(waiting & tooLarge))
    syscall(SYS_rt_sigtimedwait, &tooLarge, NULL, &now, sizeof tooLarge);
  changeMask(SIG_SETMASK, &mask, NULL);
  return reason == 0;
}

static int reserve(int descriptor, uint64_t bytes) {
  if (bytes > MappedBytes || !allocate(descriptor, FileBytes, bytes - FileBytes))
    return 0;
  FileBytes = bytes;
  return 1;
}

static int reserveSites(int descriptor, uint32_t sites) {
  if (sites > MEMSHAPE_RECORD_SITES)
    return 0;
  if (sites <= SiteRoom)
    return 1;
  sites = (sites + SitesAtOnce - 1) / SitesAtOnce * SitesAtOnce;
  if (!allocate(descriptor, MEMSHAPE_RECORD_SITE_TABLE + (uint64_t)SiteRoom * 8, (uint64_t)(sites - SiteRoom) * 8))
    return 0;
  SiteRoom = sites;
  return 1;
}

/* The header, room for the first items and for `sites` sites; in between a hole. */
static int reserveStart(int descriptor, uint32_t sites) {
  FileBytes = MEMSHAPE_RECORD_ITEMS;
  SiteRoom = 0;
  return reserve(descriptor, MEMSHAPE_RECORD_ITEMS + FirstBytes) &&
         allocate(descriptor, 0, sizeof(struct memshape_record_header)) && reserveSites(descriptor, sites);
}

/* Path = name[.pid[.n]], without stdio. 0 when it does not fit. */
static int compose(const char *name, uint64_t pid, unsigned n) {
  size_t length = strlen(name);
  uint64_t parts[2] = {pid, n};
  if (length + 48 > sizeof Path)
    return 0;
  memcpy(Path, name, length);
  for (int i = 0; i < 2 && parts[i]; ++i) {
    char digits[24];
    int count = 0;
    for (uint64_t rest = parts[i]; rest; rest /= 10)
      digits[count++] = (char)('0' + rest % 10);
    Path[length++] = '.';
    while (count)
      Path[length++] = digits[--count];
  }
  Path[length] = 0;
  return 1;
}

static int create(const char *name, int forked) {
  uint64_t pid = (uint64_t)getpid();
  int descriptor = -1;
  if (!forked && compose(name, 0, 0))
    descriptor = memshape_file_open(Path, O_RDWR | O_CREAT | O_EXCL);
  for (unsigned n = 0; descriptor < 0 && (n == 0 || errno == EEXIST) && n < 1000 && compose(name, pid, n); ++n)
    descriptor = memshape_file_open(Path, O_RDWR | O_CREAT | O_EXCL);
  return descriptor;
}

static void describeProgram(void) {
  size_t room = PATH_MAX;
  struct memshape_record_program *item = memshape_record_append(MEMSHAPE_RECORD_PROGRAM, sizeof *item + room);
  if (!item)
    return;
  ssize_t length = readlink("/proc/self/exe", (char *)(item + 1), room - 1);
  size_t text = ((length > 0 ? (size_t)length : 0) + 8) & ~(size_t)7; /* at least one zero byte */
  item->head.bytes = (uint32_t)(sizeof *item + text);
  memshape_record_publish_whole(item);
}

static void copyNames(const char *from, uint64_t used) {
  uint64_t offset = MEMSHAPE_RECORD_ITEMS;
  while (offset < used) {
    const struct memshape_record_head *item = (const struct memshape_record_head *)(from + offset);
    if (item->kind == MEMSHAPE_RECORD_SITE || item->kind == MEMSHAPE_RECORD_OPERATOR) {
      void *copy = memshape_record_append(item->kind, item->bytes);
      if (!copy)
        return;
      memcpy(copy, item, item->bytes);
      memshape_record_publish_whole(copy);
    }
    offset += item->bytes;
  }
}

struct memshape_record_header *memshape_record_open(const char *name, const struct memshape_inheritance *parent) {
  int saved = errno, descriptor = create(name, parent != NULL);
  struct memshape_record_header *header = NULL;
  struct stat status;
  struct timespec now;
  char *before = parent ? Base : NULL;
  Base = NULL;
  if (descriptor < 0) {
    if (before)
      memshape_unmap(before, MappedBytes);
    errno = saved;
    return NULL;
  }
  if (fstat(descriptor, &status) == 0 && reserveStart(descriptor, parent && parent->sites ? parent->sites : 1)) {
    void *base = memshape_map(NULL, MappedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    header = base == MAP_FAILED ? NULL : base;
  }
  memshape_file_close(descriptor);
  if (!header) {
    unlink(Path);
    if (before)
      memshape_unmap(before, MappedBytes);
    errno = saved;
    return NULL;
  }
  Base = (char *)header;
  Device = status.st_dev;
  Inode = status.st_ino;
  clock_gettime(CLOCK_REALTIME, &now);
  header->version = MEMSHAPE_RECORD_VERSION;
  header->items = MEMSHAPE_RECORD_ITEMS;
  header->pid = (uint64_t)getpid();
  header->parent = (uint64_t)getppid();
  header->started = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  if (parent) {
    header->inherited_live = header->live = header->peak = parent->live;
    header->inherited = parent->counts;
    header->threads[0].counts = parent->counts;
    header->threads[0].freed = parent->counts.total - (uint64_t)parent->live;
  }
  header->checksum = memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, &header->pid,
                                              offsetof(struct memshape_record_header, used) -
                                                  offsetof(struct memshape_record_header, pid));
  header->state = MEMSHAPE_RECORD_RUNNING;
  header->used = MEMSHAPE_RECORD_ITEMS;
  header->mode = MEMSHAPE_RECORD_TOTALS;
  header->site_live = MEMSHAPE_RECORD_SITE_TABLE;
  if (parent && parent->sites)
    memcpy(Base + MEMSHAPE_RECORD_SITE_TABLE, parent->site_live, parent->sites * sizeof *parent->site_live);
  describeProgram();
  if (before) {
    copyNames(before, parent->used);
    memshape_unmap(before, MappedBytes);
  }
  __atomic_thread_fence(__ATOMIC_RELEASE);
  memcpy(header->magic, MEMSHAPE_RECORD_MAGIC, sizeof header->magic); /* last: without it the file is no record */
  errno = saved;
  return header;
}

/* Opens the file again for a moment: a descriptor kept open could be closed or replaced by the program. */
static int growTo(uint64_t bytes, uint32_t sites) {
  int saved = errno, grown = 0, descriptor = memshape_file_open(Path, O_RDWR);
  struct stat status;
  if (descriptor >= 0) {
    grown = fstat(descriptor, &status) == 0 && status.st_dev == Device && status.st_ino == Inode &&
            (bytes <= FileBytes || reserve(descriptor, bytes)) && reserveSites(descriptor, sites);
    memshape_file_close(descriptor);
  }
  errno = saved;
  return grown;
}

int memshape_record_room_for_sites(uint32_t sites) { return sites <= SiteRoom || growTo(FileBytes, sites); }

void *memshape_record_append(uint32_t kind, size_t bytes) {
  struct memshape_record_header *header = (struct memshape_record_header *)Base;
  bytes = (bytes + 7) & ~(size_t)7;
  uint64_t end = header->used + bytes;
  if (end > FileBytes && !growTo((end + GrowBytes - 1) / GrowBytes * GrowBytes, SiteRoom))
    return NULL;
  struct memshape_record_head *item = (struct memshape_record_head *)(Base + header->used);
  memset(item, 0, bytes);
  item->kind = kind;
  item->bytes = (uint32_t)bytes;
  return item;
}

uint64_t memshape_record_publish(void *item, uint64_t checksum) {
  struct memshape_record_header *header = (struct memshape_record_header *)Base;
  struct memshape_record_head *head = item;
  uint64_t offset = header->used;
  head->checksum = checksum;
  __atomic_store_n(&header->used, offset + head->bytes, __ATOMIC_RELEASE);
  return offset;
}

uint64_t memshape_record_publish_whole(void *item) {
  const struct memshape_record_head *head = item;
  return memshape_record_publish(
      item, memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, head + 1, head->bytes - sizeof *head));
}

void *memshape_record_at(uint64_t offset) { return Base + offset; }
