// Code of somebody who means harm, by one way at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// strangers.py defines one of: FILLS, TAKES (memory), SLEEPS, SPINS (time), ASKS (a variable), SAYS (an answer of its
// own), READS (a file whose bytes are told), THREADS, BOMB, STAYS (processes; as AS_LIBRARY, the constructor of a library
// that the skeleton calls). It makes its system calls itself.

#include <stdint.h>

enum {
  Read = 0,
  Write = 1,
  Open = 2,
  Map = 9,
  Sleep = 35,
  Clone = 56,
  SetTimer = 38,
  Limit = 302,
  ForkFlags = 0x1200011,
  ThreadFlags = 0x50f00
};

static inline __attribute__((always_inline)) long call(long Number, long A, long B, long C, long D) {
  long Result;
  register long R10 __asm__("r10") = D;
  register long R8 __asm__("r8") = -1;
  register long R9 __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(Result)
                   : "a"(Number), "D"(A), "S"(B), "d"(C), "r"(R10), "r"(R8), "r"(R9)
                   : "rcx", "r11", "memory");
  return Result;
}

static void sleepLong(void) {
  static const long Day[2] = {86400, 0};
  for (;;)
    call(Sleep, (long)Day, 0, 0, 0);
}

#ifdef AS_LIBRARY

__attribute__((constructor)) static void whenLoaded(void) {
#ifdef BOMB
  for (;;)
    if (call(Clone, ForkFlags, 0, 0, 0) == 0)
      sleepLong(); // one that does not double: the machine has to stay usable where this is not ended
#endif
  if (call(Clone, ForkFlags, 0, 0, 0) == 0)
    sleepLong();
}
int stranger(void) { return 1; }

#else

extern void *memshape_sk_alloc(uint64_t Bytes, uint64_t Alignment, uint32_t Site, uint32_t Flags);
extern char *getenv(const char *Name);
extern int stranger(void);

static char Text[4096];

void memshape_skeleton(const int64_t *Shape, const double *Settings) {
  enum { Step = 64 << 20, Page = 4096 };
#ifdef FILLS
  for (;;) {
    char *Fresh = (char *)call(Map, 0, Step, 3, 0x22);
    for (long I = 0; I < Step; I += Page)
      Fresh[I] = 1;
  }
#endif
#ifdef TAKES
  for (;;) {
    char *Block = memshape_sk_alloc(Step, 0, 0, 0);
    for (long I = 0; I < Step; I += Page)
      Block[I] = 1;
  }
#endif
#ifdef SLEEPS
  sleepLong();
#endif
#ifdef SPINS
  const long None[4] = {0, 0, 0, 0}, Endless[2] = {-1, -1};
  call(SetTimer, 2, (long)None, 0, 0);
  call(Limit, 0, 0, (long)Endless, 0);
  for (volatile long I = 0;; ++I)
    ;
#endif
#ifdef THREADS
  for (;;) {
    char *Stack = (char *)call(Map, 0, 1 << 16, 3, 0x22);
    Stack[(1 << 16) - 8] = 0;
    if (call(Clone, ThreadFlags, (long)(Stack + 60008), 0, 0) == 0)
      sleepLong();
  }
#endif
#ifdef ASKS
  const char *Value = getenv(ASKS);
  memshape_sk_alloc(Value ? 1000 : 10, 0, 0, 0);
#endif
#ifdef SAYS
  static const char Answer[] = SAYS "\n";
  for (int To = 3; To < 64; ++To)
    call(Write, To, (long)Answer, sizeof(Answer) - 1, 0);
  sleepLong();
#endif
#ifdef READS
  const long From = call(Open, (long)READS, 0, 0, 0);
  const long Count = From < 0 ? From : call(Read, From, (long)Text, sizeof(Text), 0);
  memshape_sk_alloc(Count > 0 ? 1000 + Count : 10, 0, 0, 0);
#endif
#if defined(BOMB) || defined(STAYS)
  memshape_sk_alloc((uint64_t)stranger(), 0, 0, 0);
#endif
}

#endif
