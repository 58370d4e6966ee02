// Code of somebody who means harm.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries every system call, with arguments that would change the file VICTIM, its folder, or the process VICTIM_PROCESS
// that sandbox.py has set up: by number, by the same number as x32, and as a 32-bit call. It needs no library, so that
// it can be the skeleton in an object. What became of each call is told as the bytes of an allocation: site number =
// number of the call.
//
// Built with AS_SKELETON it is all of that; with AS_LIBRARY the calls are made by the constructor of a library; with
// ASKS_LIBRARY it is the skeleton that calls such a library.
//
// The script defines: VICTIM, OTHER, FOLDER (paths), VICTIM_PROCESS (a number), OWN (numbers of calls that a box
// allows).

#include <stdint.h>
#include <ucontext.h>

enum { NativeCalls = 1024, X32Calls = 1024, OldCalls = 512, AllCalls = NativeCalls + X32Calls + OldCalls };
/// Errors are 10 + errno.
enum { NotTried = 1, Succeeded = 2, Trapped = 3, Faulted = 4, LetThrough = 5, Errors = 10 };

#ifndef ASKS_LIBRARY

enum {
  Clone = 56,
  ForkFlags = 0x1200011,
  Sleep = 35,
  Exit = 60,
  ExitGroup = 231,
  SignalReturn = 15,
  SignalAction = 13,
  Open = 2,
  GetPid = 39,
  GetProcessGroup = 121,
  NoSuchCall = 38,
  X32 = 0x40000000
};
enum { SIGSYS_ = 31, SIGSEGV_ = 11, SIGILL_ = 4, SA_SIGINFO_ = 4, SA_RESTORER_ = 0x04000000, SA_NODEFER_ = 0x40000000 };
enum { AT_FDCWD_ = -100, ReadWriteCreateTruncate = 01102, SIGTERM_ = 15 };

static volatile int Signal;

static long call(long Number, const long *With) {
  long Result;
  register long D __asm__("r10") = With[3];
  register long E __asm__("r8") = With[4];
  register long F __asm__("r9") = With[5];
  __asm__ volatile("syscall"
                   : "=a"(Result)
                   : "a"(Number), "D"(With[0]), "S"(With[1]), "d"(With[2]), "r"(D), "r"(E), "r"(F)
                   : "rcx", "r11", "memory");
  return Result;
}

/// Pointers lose their upper half; numbers do not.
static long call32(long Number, const long *With) {
  long Result;
  __asm__ volatile("int $0x80"
                   : "=a"(Result)
                   : "a"(Number), "b"(With[0]), "c"(With[1]), "d"(With[2]), "S"(With[3]), "D"(With[4])
                   : "r8", "r9", "r10", "r11", "memory");
  return Result;
}

static long call0(long Number, long A, long B, long C, long D) {
  const long With[6] = {A, B, C, D, 0, 0};
  return call(Number, With);
}

__attribute__((naked)) static void restore(void) { __asm__("mov $15, %eax\n\tsyscall"); }

static void onSignal(int Which, void *Info, void *Context) {
  (void)Info;
  Signal = Which;
  // Where the kernel has no 32-bit calls, the instruction itself faults: go on behind it.
  if (Which == SIGSEGV_)
    ((ucontext_t *)Context)->uc_mcontext.gregs[16] += 2;
}

struct Action {
  void (*Handler)(int, void *, void *);
  unsigned long Flags;
  void (*Restorer)(void);
  unsigned long Mask;
};

static const short Own[] = {OWN, -1};
static char Buffer[4096];
static long Pair[2] = {1, 1};

static int isOwn(long Number) {
  for (int I = 0; Own[I] >= 0; ++I)
    if (Own[I] == Number)
      return 1;
  return 0;
}

static long Readable; ///< a descriptor of VICTIM, where it can be had
static long Self;

/// Arguments of all kinds that change something.
enum { Ways = 21 };
static void harmful(int Way, long *A) {
  static const char Victim[] = VICTIM, Other[] = OTHER;
  const long V = (long)Victim, O = (long)Other, P = VICTIM_PROCESS, B = (long)Buffer, N = (long)Pair;
  const long All[Ways][6] = {
      {V, ReadWriteCreateTruncate, 0777, 0, 0, 0},         // truncate, chmod, chown, unlink
      {V, 0, 0, 0, 0, 0},                                  // truncate, chmod, utime
      {V, O, 0, 0, 0, 0},                                  // rename, link, symlink
      {O, 0777, 0, 0, 0, 0},                               // creat, mkdir, mknod
      {AT_FDCWD_, V, ReadWriteCreateTruncate, 0777, 0, 0}, // name_to_handle_at, openat2
      {AT_FDCWD_, V, 0, 0, 0, 0},                          // unlinkat, fchmodat, utimensat
      {AT_FDCWD_, O, 0777, 0, 0, 0},                       // mkdirat, mknodat
      {AT_FDCWD_, V, AT_FDCWD_, O, 0, 0},                  // renameat, linkat
      {V, AT_FDCWD_, O, 0, 0, 0},                          // symlinkat
      {Readable, 0, 0, 0, 0, 0},                           // ftruncate, fchmod, fchown
      {Readable, V, B, 1, 0, 0},                           // setxattr and its relatives
      {P, SIGTERM_, SIGTERM_, B, 0, 0},                    // kill, tkill, rt_sigqueueinfo
      {P, P, SIGTERM_, B, 0, 0},                           // tgkill, rt_tgsigqueueinfo
      {0, P, 19, 0, 0, 0},                                 // setpriority
      {16, P, 0, 0, 0, 0},                                 // ptrace: attach
      {P, 8, N, 0, 0, 0},                                  // sched_setscheduler
      {P, 7, N, 0, 0, 0},                                  // pidfd_open, setns, others on a process
      {P, N, 1, N, 1, 0},                                  // process_vm_writev
      {2, 1, 0, 0, 0, 0},                                  // socket
      {0x10000000, 0, 0, 0, 0, 0},                         // unshare: a user's own name space
      {-1, -1, -1, -1, -1, -1},
  };
  for (int I = 0; I < 6; ++I)
    A[I] = All[Way][I];
}

static int outcomeOf(long Result) {
  if (Signal)
    return Signal == SIGSYS_ ? Trapped : Faulted;
  return Result < 0 && Result > -4096 ? (int)(Errors - Result) : Succeeded;
}

/// A success counts more than a failure.
static int tryAll(long Number, long (*How)(long, const long *)) {
  int Worst = NotTried;
  for (int Way = 0; Way < Ways; ++Way) {
    long With[6];
    harmful(Way, With);
    Signal = 0;
    const long Result = How(Number, With);
    if (!Signal && call0(GetPid, 0, 0, 0, 0) != Self)
      call0(ExitGroup, 0, 0, 0, 0); // a child that must not be there
    const int Outcome = outcomeOf(Result);
    if (Worst == NotTried || Outcome == Succeeded)
      Worst = Outcome;
  }
  return Worst;
}

/// Calls whose arguments decide, with those that the box must refuse. False behind the last one.
static int deliberate(int At, long *Number, long *With) {
  static const char Victim[] = VICTIM, Other[] = OTHER, Folder[] = FOLDER;
  const long V = (long)Victim, O = (long)Other, D = (long)Folder, P = VICTIM_PROCESS, B = (long)Buffer, N = (long)Pair;
  enum { WriteOnly = 1, ReadWrite = 2, Create = 0100, Truncate = 01000, Async = 020000, Unnamed = 020200002 };
  const struct {
    long Number, With[6];
  } All[] = {
      {2, {V, ReadWriteCreateTruncate, 0777}},
      {2, {V, WriteOnly}},
      {2, {V, ReadWrite}},
      {2, {V, Truncate}},
      {2, {V, Async}},
      {2, {O, Create, 0777}},
      {2, {D, Unnamed, 0777}},
      {257, {AT_FDCWD_, V, ReadWriteCreateTruncate, 0777}},
      {257, {AT_FDCWD_, V, WriteOnly}},
      {257, {AT_FDCWD_, V, ReadWrite}},
      {257, {AT_FDCWD_, V, Truncate}},
      {257, {AT_FDCWD_, V, Async}},
      {257, {AT_FDCWD_, O, Create, 0777}},
      {257, {AT_FDCWD_, D, Unnamed, 0777}},
      {72, {0, 4, Async}},          // fcntl: signals at input and output
      {72, {0, 8, P}},              // F_SETOWN
      {72, {0, 15, N}},             // F_SETOWN_EX
      {72, {0, 10, SIGTERM_}},      // F_SETSIG
      {72, {0, 6, B}},              // F_SETLK
      {72, {0, 1024, 1}},           // F_SETLEASE
      {72, {0, 1026, 1}},           // F_NOTIFY
      {72, {0, 1031, 4096}},        // F_SETPIPE_SZ
      {16, {0, 0x5412, B}},         // ioctl: TIOCSTI types into a terminal
      {16, {0, 0x5452, N}},         // FIOASYNC
      {16, {0, 0x5422}},            // TIOCNOTTY
      {16, {0, 0x40086602, B}},     // FS_IOC_SETFLAGS
      {157, {4, 1}},                // prctl: PR_SET_DUMPABLE
      {157, {22, 1}},               // PR_SET_SECCOMP
      {157, {24, 0}},               // PR_CAPBSET_DROP
      {157, {28, 0}},               // PR_SET_SECUREBITS
      {157, {35, 1, B, 1}},         // PR_SET_MM
      {157, {36, 1}},               // PR_SET_CHILD_SUBREAPER
      {157, {0x59616d61, P}},       // PR_SET_PTRACER
      {302, {P, 7, N, 0}},          // prlimit64: of another process
      {302, {P, 7, 0, B}},          // the same, to read
      {302, {0, 1, N, 0}},          // RLIMIT_FSIZE
      {302, {0, 6, N, 0}},          // RLIMIT_NPROC
      {56, {17}},                   // clone: a child
      {56, {0x4111}},               // one as for vfork
      {56, {0x10000011}},           // a child in a user's own name space
      {56, {0x10900 | 0x20000, B}}, // a thread with mounts of its own
      {317, {0, 0, 0}},             // seccomp: strict mode
      {317, {1, 8, B}},             // who hears of calls
      {203, {P, 8, N}},             // sched_setaffinity
  };
  if (At >= (int)(sizeof(All) / sizeof(All[0])))
    return 0;
  *Number = All[At].Number;
  for (int I = 0; I < 6; ++I)
    With[I] = All[At].With[I];
  return 1;
}

/// NotTried where Number is none of these.
static int tryDeliberately(long Number) {
  long Which, With[6];
  int Worst = NotTried;
  for (int At = 0; deliberate(At, &Which, With); ++At) {
    if (Which != Number)
      continue;
    Signal = 0;
    const int Outcome = outcomeOf(call(Number, With));
    if (call0(GetPid, 0, 0, 0, 0) != Self)
      call0(ExitGroup, 0, 0, 0, 0);
    if (Worst == NotTried || Outcome == Succeeded)
      Worst = Outcome;
  }
  return Worst;
}

/// One that the box allows: with numbers that are nobody's, to see that it gets there.
static int tryOwn(long Number) {
  static const long Nothing[6] = {-1, -1, -1, -1, -1, -1};
  if (Number == Exit || Number == ExitGroup || Number == SignalReturn)
    return LetThrough;
  Signal = 0;
  const int Outcome = outcomeOf(call(Number, Nothing));
  return Outcome == Trapped || Outcome == Errors + 38 ? Outcome : LetThrough;
}

static int tryNative(long Number) {
  if (isOwn(Number))
    return tryOwn(Number);
  const int Outcome = tryDeliberately(Number);
  return Outcome == NotTried ? tryAll(Number, call) : Outcome;
}

static unsigned short Outcomes[AllCalls];

static void tryEverything(void) {
  struct Action New = {onSignal, SA_SIGINFO_ | SA_RESTORER_ | SA_NODEFER_, restore, 0}, OldSys, OldFault, OldIllegal;
  call0(SignalAction, SIGSYS_, (long)&New, (long)&OldSys, 8);
  call0(SignalAction, SIGSEGV_, (long)&New, (long)&OldFault, 8);
  call0(SignalAction, SIGILL_, (long)&New, (long)&OldIllegal, 8);
  Self = call0(GetPid, 0, 0, 0, 0);
  // Where there is no box, nothing of this shall happen.
  if (call0(GetProcessGroup, 0, 0, 0, 0) != -NoSuchCall)
    return;
  Readable = call0(Open, (long)VICTIM, 0, 0, 0);
  for (int I = 0; I < NativeCalls; ++I)
    Outcomes[I] = (unsigned short)tryNative(I);
  for (int I = 0; I < X32Calls; ++I)
    Outcomes[NativeCalls + I] = (unsigned short)tryAll(X32 + I, call);
  for (int I = 0; I < OldCalls; ++I)
    Outcomes[NativeCalls + X32Calls + I] = (unsigned short)tryAll(I, call32);
  call0(SignalAction, SIGSYS_, (long)&OldSys, 0, 8);
  call0(SignalAction, SIGSEGV_, (long)&OldFault, 0, 8);
  call0(SignalAction, SIGILL_, (long)&OldIllegal, 0, 8);
}

#endif

#ifdef AS_LIBRARY

/// While libraries are opened, children can be had; this one would outlive everybody.
static void stay(void) {
  const long Second[2] = {1, 0};
  if (call0(Clone, ForkFlags, 0, 0, 0) == 0)
    for (;;)
      call0(Sleep, (long)Second, 0, 0, 0);
}

__attribute__((constructor)) static void whenLoaded(void) {
  tryEverything();
  stay();
}
const unsigned short *every_call_outcomes(void) { return Outcomes; }

#else

extern void *memshape_sk_alloc(uint64_t Bytes, uint64_t Alignment, uint32_t Site, uint32_t Flags);

#ifdef ASKS_LIBRARY
extern const unsigned short *every_call_outcomes(void);
#endif

void memshape_skeleton(const int64_t *Shape, const double *Settings) {
  (void)Shape;
  (void)Settings;
#ifdef ASKS_LIBRARY
  const unsigned short *Outcomes = every_call_outcomes();
#else
  tryEverything();
#endif
  for (uint32_t I = 0; I < AllCalls; ++I)
    memshape_sk_alloc(Outcomes[I], 0, I, 0);
}

#endif
