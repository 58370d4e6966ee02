// Arrays that grow by a rule, as far as data choose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule allows few capacities: an upper bound is that of the last one that there may be, with the block before it
// where elements are copied.
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <utility>
#include <vector>

static int *values(float *data) {
  int *in = reinterpret_cast<int *>(data);
  for (int at = 0; at < 2000; ++at)
    in[at] = number(2) == 2 ? at % 2 : int(number(2));
  return in;
}

// Capacities 1, 2, 4, ...: 2,048 bytes are copied to 4,096 for the 513th element.
// HELD doubled n=1000 --bounds 0..6144 --reached -- 1000 1
// HELD doubled n=1000 --bounds 0..6144 -- 1000 2
// HELD doubled n=513 --bounds 0..6144 --reached -- 513 1
// HELD doubled n=512 --bounds 0..3072 --reached -- 512 1
// HELD doubled n=1 --bounds 0..4 --reached -- 1 1
MEMSHAPE_OPERATOR
long doubled(const int *in, int n) {
  std::vector<int> kept;
  for (int i = 0; i < n; ++i)
    if (in[i] > 0)
      kept.push_back(in[i]);
  return long(kept.size());
}

TWICE_OF(doubled, sink = doubled(values(data), int(number(1))))

// Several places append to one array: its blocks are still two at a time.
// HELD appended n=1000 --bounds 0..12288 -- 1000 3
// HELD appended n=1000 --bounds 0..12288 -- 1000 2
// HELD appended n=1000 --bounds 0..12288 -- 1000 0
MEMSHAPE_OPERATOR
long appended(const int *in, int n) {
  std::vector<int> kept;
  for (int i = 0; i < n; ++i)
    if (in[i] & 1)
      kept.push_back(i);
    else if (in[i] & 2)
      kept.push_back(-i);
  kept.push_back(n);
  return long(kept.size());
}

TWICE_OF(appended, sink = appended(values(data), int(number(1))))

// Another rule, in C: 4, 10, 19, 32, ..., 673, 1013 elements. A block is moved by hand.
// HELD by_half n=1000 --bounds 0..6744 --reached -- 1000 1
// HELD by_half n=1000 --bounds 0..6744 -- 1000 -1
// HELD by_half n=4 --bounds 0..16 --reached -- 4 1
// HELD by_half n=5 --bounds 0..56 --reached -- 5 1
MEMSHAPE_OPERATOR
int by_half(const int *in, int n) {
  int capacity = 0, length = 0, *kept = nullptr;
  for (int i = 0; i < n; ++i)
    if (in[i] > 0) {
      if (length == capacity) {
        const int more = capacity + capacity / 2 + 4;
        int *block = static_cast<int *>(malloc(sizeof(int) * more));
        if (kept)
          memcpy(block, kept, sizeof(int) * length);
        free(kept);
        kept = block;
        capacity = more;
      }
      kept[length++] = i;
    }
  free(kept);
  return length;
}

TWICE_OF(by_half, sink = by_half(values(data), int(number(1))))

// Two numbers at a time, in a block of 16 at first that realloc doubles. The last one of up to 2,000 is 2,048.
// HELD runs n=1000 --bounds 64..8192 --reached -- 1000 2
// HELD runs n=1000 --bounds 64..8192 -- 1000 1
// HELD runs n=8 -- 8 2
// HELD runs n=9 --bounds 64..128 --reached -- 9 2
MEMSHAPE_OPERATOR
int runs(const int *in, int n) {
  int capacity = 16, length = 0, *kept = static_cast<int *>(malloc(sizeof(int) * capacity));
  for (int i = 0; i < n; ++i) {
    if (i && in[i] == in[i - 1])
      continue;
    if (length + 2 > capacity) {
      capacity *= 2;
      kept = static_cast<int *>(realloc(kept, sizeof(int) * capacity));
    }
    kept[length++] = in[i];
    kept[length++] = i;
  }
  free(kept);
  return length;
}

TWICE_OF(runs, sink = runs(values(data), int(number(1))))

// No rule that helps: data sets the capacity back while the block stays, so that a small block may replace a large one.
// HELD set_back n=1000 --bounds 64..16064 -- 1000 1
// HELD set_back n=1000 --bounds 64..16064 -- 1000 -1
MEMSHAPE_OPERATOR
int set_back(const int *in, int n) {
  int capacity = 16, length = 0, *kept = static_cast<int *>(malloc(sizeof(int) * capacity));
  for (int i = 0; i < n; ++i) {
    if (in[i] < 0) {
      capacity = 16;
      length = 0;
    }
    if (length == capacity) {
      int *block = static_cast<int *>(malloc(2 * sizeof(int) * capacity));
      memcpy(block, kept, sizeof(int) * length);
      free(kept);
      kept = block;
      capacity *= 2;
    }
    kept[length++] = i;
  }
  free(kept);
  return length;
}

TWICE_OF(set_back, {
  for (int at = 0; at < 2000; ++at)
    reinterpret_cast<int *>(data)[at] = number(2) < 0 && at == 600 ? -1 : 1;
  sink = set_back(reinterpret_cast<int *>(data), int(number(1)));
})

// Two arrays that change places at each level, grown by one call: the last one lives while the next one grows, and no
// rule tells how large it is.
// HELD levels n=100 --bounds 4..1283204 -- 100 1
// HELD levels n=100 --bounds 4..1283204 -- 100 19
MEMSHAPE_OPERATOR
long levels(const int *in, int n) {
  std::vector<int> level, next;
  level.push_back(0);
  long all = 0;
  for (int turn = 0; turn < 4; ++turn) {
    next.clear();
    for (int i = 0; i < n; ++i)
      if (in[i] > turn)
        next.push_back(i);
    std::swap(level, next);
    all += long(level.size());
  }
  return all;
}

TWICE_OF(levels, sink = levels(values(data), int(number(1))))

// Two numbers of which data chooses the one that moves: both together move less than 2 * n times.
// HELD merged n=100 --bounds 768..1536 --reached -- 100 1
// HELD merged n=100 --bounds 768..1536 -- 100 0
MEMSHAPE_OPERATOR
long merged(const int *in, const int *other, int n) {
  std::vector<int> all;
  for (int i = 0, j = 0; i < n && j < n;)
    all.push_back(in[i] < other[j] ? in[i++] : other[j++]);
  return long(all.size());
}

TWICE_OF(merged, {
  for (int at = 0; at < number(1); ++at) {
    reinterpret_cast<int *>(data)[at] = int(2 * at * number(2));
    reinterpret_cast<int *>(more)[at] = int((2 * at + 1) * number(2));
  }
  sink = merged(reinterpret_cast<int *>(data), reinterpret_cast<int *>(more), int(number(1)));
})

// The same downwards, where both may move, and where none does there is no bound.
// HELD traced n=100 --bounds 4..1536 --reached -- 100 1
// HELD traced n=100 --bounds 4..1536 -- 100 0
// HELD -DSTAYS traced n=100 --bounds 4..none --because no_counted_upper -- 100 0
MEMSHAPE_OPERATOR
long traced(const int *in, int n) {
  std::vector<int> all;
  int i = n - 1, j = n - 1;
  while (i >= 0 && j >= 0) {
    const int way = in[i + j];
    all.push_back(way);
    if (way == 0) {
      --i;
      --j;
    } else if (way == 1) {
      --i;
    } else {
#ifdef STAYS
      if (way != 3)
#endif
        --j;
    }
  }
  return long(all.size());
}

TWICE_OF(traced, {
  for (int at = 0; at < 2 * number(1); ++at)
    reinterpret_cast<int *>(data)[at] = number(2) ? 1 + at % 2 : 0;
  sink = traced(reinterpret_cast<int *>(data), int(number(1)));
})
