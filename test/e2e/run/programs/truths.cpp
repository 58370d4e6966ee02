// Small programs whose memory is known by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// truths                 lists the programs: name, peak, total, allocations, reallocations, frees
// truths NAME            runs one
// truths NAME idle       runs it with its threads, but without its work: what the C library takes for itself
//
// The figures beside each program were added up by hand.

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include <malloc.h>

namespace {

void *volatile Keep; // the compiler must not see that blocks are unused

template <class T> T *kept(T *Block) {
  Keep = Block;
  return Block;
}

bool IsIdle;

/// What several threads do, number I among them; all are there before the first one begins and until the last one ends.
template <class Work> void inThreads(int Count, Work Do) {
  std::barrier<> Together(Count);
  std::vector<std::thread> All;
  All.reserve(static_cast<std::size_t>(Count));
  for (int I = 0; I != Count; ++I)
    All.emplace_back([&, I] {
      Together.arrive_and_wait();
      if (!IsIdle)
        Do(I, Together);
      Together.arrive_and_wait();
    });
  for (std::thread &Each : All)
    Each.join();
}

void oneBlock() { std::free(kept(std::malloc(1000))); }

void twoBlocksOneAfterTheOther() {
  std::free(kept(std::malloc(1000)));
  std::free(kept(std::malloc(600)));
}

void twoBlocksAtOnce() {
  void *A = kept(std::malloc(1000)), *B = kept(std::calloc(20, 30));
  std::free(A);
  std::free(B);
}

void leak() { kept(std::malloc(123)); }

void blocksOfNoBytes() {
  void *A = kept(std::malloc(0)), *B = kept(std::calloc(0, 8));
  std::free(A);
  std::free(B);
}

/// 16, 32, ... 65536
void doubling() {
  char *Block = nullptr;
  for (std::size_t Bytes = 16; Bytes <= 65536; Bytes *= 2)
    Block = static_cast<char *>(kept(std::realloc(Block, Bytes)));
  std::free(Block);
}

void shrinking() {
  void *Block = kept(std::malloc(1 << 20));
  Block = kept(std::realloc(Block, 1000));
  void *Other = kept(std::malloc(5000));
  std::free(Other);
  std::free(Block);
}

void longBlocks() {
  void *A = kept(std::malloc(65534)), *B = kept(std::malloc(65535)), *C = kept(std::malloc(100000001));
  std::free(B);
  C = kept(std::realloc(C, 200000001));
  std::free(A);
  std::free(C);
}

void alignments() {
  void *A = kept(std::aligned_alloc(4096, 8192)), *B = kept(memalign(64, 100)), *C = nullptr;
  if (posix_memalign(&C, 1 << 20, 77) != 0)
    std::abort();
  kept(C);
  std::free(B);
  std::free(A);
  std::free(C);
}

/// 1, 2, 4, ... 1024 ints: while the last one is filled, the one before it is there.
void vectorOfInts() {
  std::vector<int> V;
  for (int I = 0; I != 1000; ++I)
    V.push_back(I);
  kept(V.data());
}

/// Nodes of two pointers and a long.
void listOfLongs() {
  std::list<long> L;
  for (long I = 0; I != 100; ++I)
    L.push_back(I);
  L.clear();
  L.push_back(1);
}

/// Nodes of a colour, three pointers and two ints.
void mapOfInts() {
  std::map<int, int> M;
  for (int I = 0; I != 50; ++I)
    M[I] = I;
  M.erase(7);
}

/// An exception's own block has 128 bytes before the thrown int.
void exceptionsOnTheWay() {
  for (int I = 0; I != 3; ++I)
    try {
      std::unique_ptr<char[]> Block(kept(new char[5000]));
      std::vector<char> More(1000);
      kept(More.data());
      throw I;
    } catch (int) {
    }
}

struct Cookied {
  ~Cookied() { Keep = nullptr; }
  double Values[2];
};

/// An array of objects with a destructor is preceded by their number.
void arrayOfObjects() { delete[] kept(new Cookied[10]); }

struct alignas(128) Aligned {
  char Values[384];
};

void everyFormOfNew() {
  delete kept(new int(1));
  delete[] kept(new int[100]);
  delete kept(new (std::nothrow) long(1));
  delete[] kept(new (std::nothrow) char[50]);
  delete kept(new Aligned);
  delete[] kept(new Aligned[2]);
  ::operator delete(kept(::operator new(33)), std::size_t(33));
  ::operator delete(kept(::operator new(256, std::align_val_t(256))), std::align_val_t(256));
}

void failedAllocations() {
  if (kept(std::malloc(SIZE_MAX / 2)) || kept(std::calloc(SIZE_MAX / 2, 3)))
    std::abort();
  std::free(kept(std::malloc(10)));
}

void copiesOfStrings() {
  const char *Text = "0123456789";
  char *A = kept(strdup(Text)), *B = kept(strndup(Text, 4));
  std::free(A);
  std::free(B);
}

void descend(int Depth) {
  if (Depth == 0)
    return;
  void *Block = kept(std::malloc(100));
  descend(Depth - 1);
  std::free(Block);
  descend(Depth - 1);
}

/// Ten levels: 2^10 - 1 blocks.
void recursion() { descend(10); }

void threadsAtOnce() {
  inThreads(4, [](int, std::barrier<> &Together) {
    void *Block = kept(std::malloc(1000));
    Together.arrive_and_wait();
    std::free(Block);
  });
}

void threadsInTurns() {
  inThreads(4, [](int Number, std::barrier<> &Together) {
    for (int Turn = 0; Turn != 4; ++Turn) {
      if (Turn == Number)
        std::free(kept(std::malloc(1000 + static_cast<std::size_t>(Number))));
      Together.arrive_and_wait();
    }
  });
}

/// Blocks of one thread are freed by the next one.
void handedOn() {
  static void *Blocks[4][100];
  inThreads(4, [](int Number, std::barrier<> &Together) {
    for (int I = 0; I != 100; ++I)
      Blocks[Number][I] = kept(std::malloc(static_cast<std::size_t>(10 * I)));
    Together.arrive_and_wait();
    for (int I = 0; I != 100; ++I)
      std::free(Blocks[(Number + 1) % 4][I]);
  });
}

/// Waves that never reach the first one's height again, then one that does.
void waves() {
  inThreads(8, [](int, std::barrier<> &Together) {
    for (std::size_t Height : {20, 3, 7, 19, 1, 21}) {
      std::vector<std::unique_ptr<char[]>> Held(Height); // 8 bytes each
      for (std::unique_ptr<char[]> &Block : Held)
        Block.reset(kept(new char[992]));
      Together.arrive_and_wait();
      Held.clear();
      Held.shrink_to_fit();
      Together.arrive_and_wait();
    }
  });
}

/// Each thread resizes its block up and down; at the barrier all are long.
void resizingTogether() {
  inThreads(4, [](int, std::barrier<> &Together) {
    void *Block = kept(std::malloc(100));
    for (int Round = 0; Round != 50; ++Round) {
      Block = kept(std::realloc(Block, 10000));
      Together.arrive_and_wait();
      Block = kept(std::realloc(Block, 100));
      Together.arrive_and_wait();
    }
    std::free(Block);
  });
}

struct Truth {
  const char *Name;
  void (*Run)();
  bool HasThreads;
  long Peak, Total, Allocations, Reallocations, Frees;
};

const Truth Truths[] = {
    {"one-block", oneBlock, false, 1000, 1000, 1, 0, 1},
    {"two-blocks-in-turn", twoBlocksOneAfterTheOther, false, 1000, 1600, 2, 0, 2},
    {"two-blocks-at-once", twoBlocksAtOnce, false, 1600, 1600, 2, 0, 2},
    {"leak", leak, false, 123, 123, 1, 0, 0},
    {"blocks-of-no-bytes", blocksOfNoBytes, false, 0, 0, 2, 0, 2},
    {"doubling", doubling, false, 65536, 131072 - 16, 1, 12, 1},
    {"shrinking", shrinking, false, 1 << 20, (1 << 20) + 6000, 2, 1, 2},
    {"long-blocks", longBlocks, false, 200065535, 65534 + 65535 + 100000001 + 200000001, 3, 1, 3},
    {"alignments", alignments, false, 8369, 8369, 3, 0, 3},
    {"vector-of-ints", vectorOfInts, false, 1536 * 4, 2047 * 4, 11, 0, 11},
    {"list-of-longs", listOfLongs, false, 2400, 2424, 101, 0, 101},
    {"map-of-ints", mapOfInts, false, 2000, 2000, 50, 0, 50},
    {"exceptions", exceptionsOnTheWay, false, 6132, 3 * 6132, 9, 0, 9},
    {"array-of-objects", arrayOfObjects, false, 168, 168, 1, 0, 1},
    {"every-form-of-new", everyFormOfNew, false, 768, 4 + 400 + 8 + 50 + 384 + 768 + 33 + 256, 8, 0, 8},
    {"failed-allocations", failedAllocations, false, 10, 10, 1, 0, 1},
    {"copies-of-strings", copiesOfStrings, false, 16, 16, 2, 0, 2},
    {"recursion", recursion, false, 1000, 102300, 1023, 0, 1023},
    {"threads-at-once", threadsAtOnce, true, 4000, 4000, 4, 0, 4},
    {"threads-in-turns", threadsInTurns, true, 1003, 4006, 4, 0, 4},
    {"handed-on", handedOn, true, 4 * 49500, 4 * 49500, 400, 0, 400},
    {"waves", waves, true, 8 * 21 * 1000, 8 * 71 * 1000, 8 * (71 + 6), 0, 8 * (71 + 6)},
    {"resizing-together", resizingTogether, true, 40000, 4 * (100 + 50 * 10100), 4, 400, 4},
};

} // namespace

int main(int Count, char **Arguments) {
  IsIdle = Count == 3;
  for (const Truth &T : Truths)
    if (Count == 1)
      std::printf("%s %ld %ld %ld %ld %ld\n", T.Name, T.Peak, T.Total, T.Allocations, T.Reallocations, T.Frees);
    else if (std::strcmp(Arguments[1], T.Name) == 0 && (!IsIdle || T.HasThreads))
      T.Run();
  return 0;
}
