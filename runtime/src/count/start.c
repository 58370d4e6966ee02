/* Switching on, forks and ends.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The switch is the environment variable MEMSHAPE_RUNTIME_RECORD, the absolute path of the record to write. Without it
   the runtime forwards calls and does nothing else. If anything fails here, the program runs uncounted. */

#include "count/start.h"
#include "count/blocks.h"
#include "count/calls.h"
#include "count/callsite.h"
#include "count/credit.h"
#include "count/ending.h"
#include "count/kernel.h"
#include "count/phases.h"
#include "count/pools.h"
#include "count/sites.h"
#include "count/spaces.h"
#include "record/recordfile.h"
#include "stacks/stacks.h"
#include "tables/pool.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static struct memshape_lock StartLock;
static pthread_key_t ThreadEnd;
static int ThreadEndMade;

/* Set between the start of a fork and the child's first operation. */
static struct memshape_inheritance Inheritance;
static int IsForkedChild, ModeBeforeFork;
static struct memshape_section ForkSection;
static int InForkSection;
static struct memshape_runtime BeforeFork;

/* Whether the kernel has cleared the runtime's page: then this is a child that no fork handler saw. */
static int Decided;
static int isWiped(void) { return Decided && !memshape_runtime.intact; }

static void threadEnds(void *unused) {
  if (memshape_counting())
    memshape_thread_ends(&memshape_self);
}

void memshape_watch_thread_end(void) {
  if (!ThreadEndMade)
    return;
  ++memshape_self.bypass; /* may allocate the thread's table of keys */
  pthread_setspecific(ThreadEnd, &memshape_self);
  --memshape_self.bypass;
}

/* The parent goes on counting in its mapped table before the child has its own, so the child needs a copy. Under the
   lock. */
static void copySites(void) {
  static int64_t *copy;
  static size_t room;
  size_t bytes = memshape_site_count * sizeof *copy;
  if (bytes > room) {
    if (room)
      memshape_pages_give(copy, room);
    room = (bytes + 16383) & ~(size_t)16383;
    if (!(copy = memshape_pages(room)))
      room = 0;
  }
  Inheritance.sites = copy ? memshape_site_count : 0;
  Inheritance.site_live = copy;
  if (copy)
    memshape_sites_sum(copy, memshape_site_count);
}

/* The child inherits a copy of the private tables, which therefore must be whole at the moment of the fork. */
static void beforeFork(void) {
  BeforeFork = memshape_runtime;
  if (!memshape_counting())
    return;
  InForkSection = memshape_section_enter(&memshape_self, &ForkSection);
  if (!InForkSection)
    return; /* in a signal handler amid accounting: see inChild */
  if (!ForkSection.locked) {
    memshape_lock_take(&memshape_runtime.lock);
    ForkSection.locked = 1;
  }
  memshape_odd_freeze();
  Inheritance.live = memshape_runtime.header->live;
  Inheritance.counts = memshape_counts();
  memshape_spaces_before_fork();
  Inheritance.used = memshape_runtime.header->used;
  copySites();
  BeforeFork = memshape_runtime;
}

static void inParent(void) {
  if (!InForkSection)
    return;
  InForkSection = 0;
  memshape_odd_thaw();
  memshape_section_leave(&memshape_self, &ForkSection);
}

static void inChild(void) {
  if (isWiped())
    memshape_runtime = BeforeFork;
  if (!memshape_counting())
    return;
  if (!InForkSection) {
    /* The handler interrupted accounting, which continues in the child when the handler returns, in the parent's
       mapping. So this child does not count. */
    __atomic_store_n(&memshape_runtime.mode, MEMSHAPE_OFF, __ATOMIC_RELEASE);
    return;
  }
  InForkSection = 0;
  memshape_odd_thaw();
  ModeBeforeFork = memshape_mode();
  IsForkedChild = 1;
  memshape_count_forked();
  memshape_self.busy = 0;
  __atomic_store_n(&memshape_runtime.mode, MEMSHAPE_UNDECIDED, __ATOMIC_RELEASE);
}

/* Whether sites are to be counted from the first block on, even if no instrumented module attaches. */
static int countsLibraries(void) {
  const char *wish = secure_getenv("MEMSHAPE_RUNTIME_LIBRARIES");
  return wish && *wish;
}

static void countSites(void) {
  memshape_sites_start();
  memshape_site_live[MEMSHAPE_UNATTRIBUTED] = memshape_runtime.header->live;
  memshape_runtime.header->mode = MEMSHAPE_RECORD_CALLS;
}

/* The record and the shadows of the heap take some hundred MiB of addresses, which are mostly never touched. Where
   addresses are that scarce, the program would miss them. */
static int hasRoom(void) {
  const rlim_t least = 1 << 30;
  struct rlimit addresses, data;
  return getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur >= least && getrlimit(RLIMIT_DATA, &data) == 0 &&
         data.rlim_cur >= least;
}

static int decide(const char *name) {
  struct memshape_runtime *runtime = &memshape_runtime;
  enum memshape_shadow shadow = MEMSHAPE_NOT_SHADOWED;
  if (!IsForkedChild && name && *name && memshape_is_shadowed)
    shadow = memshape_is_shadowed();
  if ((!IsForkedChild && (!name || !*name)) || shadow == MEMSHAPE_BY_RUNTIME)
    return MEMSHAPE_OFF;
  if (!IsForkedChild && !hasRoom())
    return MEMSHAPE_OFF;
  runtime->header = name && *name ? memshape_record_open(name, IsForkedChild ? &Inheritance : NULL) : NULL;
  if (!runtime->header || (memshape_allocator_find && !memshape_allocator_find()))
    return MEMSHAPE_OFF;
  if (shadow != MEMSHAPE_NOT_SHADOWED) { /* a record that says so, and no more */
    runtime->header->mode =
        shadow == MEMSHAPE_BY_VALGRIND ? MEMSHAPE_RECORD_UNDER_VALGRIND : MEMSHAPE_RECORD_OTHER_ALLOCATOR;
    return MEMSHAPE_OFF;
  }
  memshape_site_live = memshape_record_at(runtime->header->site_live);
  if (IsForkedChild) {
    if (ModeBeforeFork == MEMSHAPE_CALLS)
      runtime->header->mode = MEMSHAPE_RECORD_CALLS;
    memshape_stacks_forked();
    memshape_kernel_forked();
    memshape_spaces_forked();
    memshape_groups_forked();
    memshape_calls_forked(&memshape_self);
    memshape_phases_forked();
    memshape_pools_forked();
    return ModeBeforeFork;
  }
  runtime->started = memshape_now();
  ThreadEndMade = pthread_key_create(&ThreadEnd, threadEnds) == 0;
  memshape_kernel_start();
  memshape_credits_start();
  pthread_atfork(beforeFork, inParent, inChild);
#ifdef MADV_WIPEONFORK
  madvise(runtime, sizeof *runtime, MADV_WIPEONFORK); /* since Linux 4.14 */
#endif
  memshape_stacks_start();
  if (!memshape_stacks && !countsLibraries())
    return MEMSHAPE_TOTALS;
  countSites();
  return MEMSHAPE_CALLS;
}

/* In a child that no fork handler saw (the system call clone, _Fork). What is known of the heap may have been copied in
   the middle of a change. So the child runs uncounted and leaves a record that says so. */
static void leaveUncounted(const char *name) {
  memshape_runtime.intact = 1;
  struct memshape_record_header *header = name && *name ? memshape_record_open(name, NULL) : NULL;
  if (header)
    header->mode = MEMSHAPE_RECORD_UNANNOUNCED;
  __atomic_store_n(&memshape_runtime.mode, MEMSHAPE_OFF, __ATOMIC_RELEASE);
}

int memshape_start(void) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_runtime *runtime = &memshape_runtime;
  if (__builtin_expect(isWiped(), 0)) {
    if (!InForkSection)
      leaveUncounted(secure_getenv("MEMSHAPE_RUNTIME_RECORD"));
    else /* another handler of the fork comes before ours */
      memshape_runtime = BeforeFork;
    return memshape_counting();
  }
  if (memshape_mode() == MEMSHAPE_OFF || self->bypass || !environ) /* no environment: the loader is still at work */
    return 0;
  int saved = errno;
  ++self->bypass; /* what starting allocates is not the program's, and a signal handler must not start again */
  memshape_lock_take(&StartLock);
  if (memshape_mode() == MEMSHAPE_UNDECIDED)
    __atomic_store_n(&runtime->mode, decide(secure_getenv("MEMSHAPE_RUNTIME_RECORD")), __ATOMIC_RELEASE);
  runtime->intact = 1;
  Decided = 1;
  memshape_lock_give(&StartLock);
  --self->bypass;
  errno = saved;
  return memshape_counting();
}

static void allocationHook(const struct memshape_site *site) {
  if (site->space == MEMSHAPE_SPACE_HOST)
    memshape_self.pending = site;
  else /* apart, for cudaMalloc may well call malloc */
    memshape_space_pending = site;
}

static void releaseHook(const struct memshape_site *site, void *block) {}

static const struct memshape_hooks Hooks = {MEMSHAPE_HOOKS_ABI, sizeof Hooks,   allocationHook,
                                            releaseHook,        memshape_enter, memshape_leave};

int memshape_count_calls(struct memshape_section *section) {
  if ((!memshape_counting() && !memshape_start()) || !memshape_section_enter(&memshape_self, section))
    return 0;
  if (memshape_mode() == MEMSHAPE_TOTALS) {
    countSites();
    __atomic_store_n(&memshape_runtime.mode, MEMSHAPE_CALLS, __ATOMIC_RELEASE);
  }
  return 1;
}

__attribute__((visibility("default"))) void memshape_attach(uint32_t abi, const struct memshape_hooks **slot) {
  struct memshape_section section;
  if (abi != MEMSHAPE_HOOKS_ABI || (!memshape_counting() && !memshape_start()))
    return;
  memshape_unwinder_find();
  if (!memshape_count_calls(&section))
    return;
  memshape_sites_moved();
  memshape_call_sites_in(slot);
  memshape_section_leave(&memshape_self, &section);
  *slot = &Hooks;
}

__attribute__((constructor)) static void startWithProgram(void) {
  if (!memshape_counting())
    memshape_start();
  if (memshape_stacks)
    memshape_unwinder_find();
}

__attribute__((destructor)) static void endWithProgram(void) {
  struct memshape_section section;
  if (!memshape_counting() || !memshape_section_enter(&memshape_self, &section))
    return;
  int saved = errno;
  memshape_calls_end(&memshape_self, MEMSHAPE_RECORD_UNFINISHED);
  memshape_phases_end();
  if (memshape_kernel.watching)
    memshape_kernel_snapshot(MEMSHAPE_RECORD_AT_END);
  memshape_ending(MEMSHAPE_RECORD_ENDED);
  memshape_section_leave(&memshape_self, &section);
  errno = saved;
}
