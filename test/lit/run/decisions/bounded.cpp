// What data decide, within bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No shape tells: the answer is inexact, and the truth lies between its bounds.
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

// An allocation that data decides. No shape tells: the answer is inexact, and the truth lies between its bounds.
// HELD pick n=100 --bounds 400..1600
// HELD pick n=7 --bounds 28..112
MEMSHAPE_OPERATOR
float pick(const float *in, int n) {
  std::vector<float> copy(in, in + n);
  if (in[0] > 0.25f) {
    std::vector<float> more(3 * n, in[1]);
    return more[n];
  }
  return copy[0];
}

// A switch on data. Each case is a way, and so is the one that allocates nothing.
// HELD cases n=100 --bounds 0..2800
// HELD cases n=7 --bounds 0..196
MEMSHAPE_OPERATOR
float cases(const int *in, int n) {
  switch (in[0] & 3) {
  case 0: return std::vector<float>(n, in[1])[n / 2];
  case 1: return std::vector<float>(2 * n, in[1])[n / 2];
  case 2: return 3;
  default: return std::vector<float>(7 * n, in[1])[n / 2];
  }
}

// A size read from data. A mask bounds it: any size up to that is within the bounds.
// HELD sized n=100 n=7 --bounds 0..4092
MEMSHAPE_OPERATOR
float sized(const int *sizes, int n) {
  std::vector<float> block(sizes[0] & 1023);
  std::vector<float> copy(n);
  return copy[0] + static_cast<float>(block.size());
}

// Sizes from data that the source bounds. Clamps, masks, remainders, guards and narrow types: some data reach the
// bound, no data go beyond it.
// HELD bounded n=100 --bounds 110..4819 --reached -- 100 1000 -1 99 255 300
// HELD bounded n=100 --bounds 110..4819 -- 100 -1 0 -1 0 -1
// HELD bounded n=100 --bounds 110..4819 -- 100 2147483647 -2 98 128 301
// HELD bounded n=7 --bounds 17..1998 -- 7 -2147483648 77 -2147483648 1 22
MEMSHAPE_OPERATOR
float bounded(const int *in, int n) {
  std::vector<float> clamped(std::clamp(in[0], 1, 2 * n), 1.0f);
  std::vector<char> masked(n + (in[1] & 255), 1);
  std::vector<double> rest(unsigned(in[2]) % unsigned(n) + 1, 1.0);
  std::vector<short> narrow(3 * reinterpret_cast<const unsigned char *>(in + 3)[0] + 1, short(1));
  float sum = clamped[clamped.size() / 2] + masked[n / 2] + float(rest[rest.size() / 2]) + narrow[narrow.size() / 2];
  const int count = in[4];
  if (count < 0 || count > 3 * n)
    return sum;
  std::vector<float> guarded(count + n / 3, 1.0f);
  return sum + guarded[n / 4];
}

TWICE_OF(bounded, {
  for (int at = 0; at < 5; ++at)
    reinterpret_cast<int *>(data)[at] = int(number(2 + at));
  sink = bounded(reinterpret_cast<int *>(data), int(number(1)));
})

// Sizes from real numbers of data that the source bounds. Clamps, products and sums, with what each may round to. -7777
// stands for what is no number: fmin and fmax pass it by.
// HELD bounded_reals n=100 --bounds 0..1923 -- 100 2000 999 255 255 2000
// HELD bounded_reals n=100 --bounds 0..1923 -- 100 -3 -1 0 0 -7777
// HELD bounded_reals n=7 --bounds 0..1090 -- 7 6 999 17 3 -7777
// HELD -O0 bounded_reals n=100 --bounds 0..1923 -- 100 2000 999 255 255 2000
MEMSHAPE_OPERATOR
float bounded_reals(const float *in, const unsigned char *pixels, int n) {
  std::vector<float> clamped(int(std::clamp(in[0], 0.f, float(n)) + .5f), 1.0f);
  std::vector<char> share(int(std::min(std::max(in[1], 0.f), 1.f) * float(n - 1)), 1);
  std::vector<short> mixed(int(.5f * pixels[0] + pixels[1]), short(1));
  std::vector<double> least(long(std::floor(std::fmin(std::fmax(in[2], 0.f), n / 2.f))), 1.0);
  float sum = 0;
  for (float each : clamped)
    sum += each;
  for (char each : share)
    sum += each;
  for (short each : mixed)
    sum += each;
  for (double each : least)
    sum += float(each);
  return sum;
}

TWICE_OF(bounded_reals, {
  for (int at = 0; at < 2; ++at)
    data[at] = float(number(2 + at));
  data[2] = number(6) == -7777 ? NAN : float(number(6));
  unsigned char *pixels = reinterpret_cast<unsigned char *>(more);
  pixels[0] = (unsigned char)number(4);
  pixels[1] = (unsigned char)number(5);
  sink = bounded_reals(data, pixels, int(number(1)));
})

// Floating-point numbers between bounds. A filter of at most 50 samples' width, which data says, and a share of all
// samples. What is no number becomes the least integer, and the vector throws.
// HELD filtered n=100 --bounds 24..1604 --reached -- 100 1000
// HELD filtered n=100 --bounds 24..1604 -- 100 -1
// HELD filtered n=100 --bounds 24..1604 -- 100 0
MEMSHAPE_OPERATOR
double filtered(const float *in, int n) {
  const float width = std::fmin(std::fmax(in[0], 1.0f), 50.0f);
  const int radius = int(std::ceil(3 * width));
  std::vector<float> kernel(std::size_t(2 * radius + 1));
  const float share = in[0] > 0 ? std::min(in[0], 1.0f) : 0;
  std::vector<float> part(std::size_t(share * float(n)));
  for (float &each : kernel)
    each = in[1];
  for (float &each : part)
    each = in[2];
  return kernel[radius] + (part.empty() ? 0 : part.back());
}

TWICE_OF(filtered, {
  for (int at = 0; at < 1000; ++at)
    data[at] = float(number(2));
  sink = filtered(data, int(number(1)));
})

// A size from the bits of a number. Bytes of a number read as another type are still data: type-based facts do not hide
// them.
// HELD hashed n=100 --bounds 802..8992
// HELD hashed n=9 --bounds 74..8264
MEMSHAPE_OPERATOR
float hashed(const float *in, int n) {
  std::vector<double> sums(n);
  for (int i = 0; i < n; ++i)
    sums[i] = in[i] + 1.0;
  std::uint64_t bits;
  std::memcpy(&bits, &sums[n - 1], sizeof bits);
  std::vector<char> table((bits >> 40) % 4096 + 1);
  std::uint64_t more = std::bit_cast<std::uint64_t>(sums[n / 2]);
  std::vector<char> again((more >> 44) % 4096 + 1);
  for (std::size_t i = 0; i < table.size() + again.size(); ++i)
    (i < again.size() ? again[i] : table[i - again.size()]) = char(i * more);
  return float(table[n % table.size()] + again[n % again.size()]);
}

// Exceptions that no data can bring about. A vector of the C++ library throws where it would be too long, with a text
// that the locale translates: nobody knows how long that is. At these shapes it is not. Below zero it is, and there is
// no bound.
// HELD copied n=100,less=0 --bounds 400..585 --reached -- 100 -1 0
// HELD copied n=100,less=0 --bounds 400..585 -- 100 1 0
// HELD copied n=1001,less=1 --bounds 4000..4185 --reached -- 1001 -1 1
// HELD copied n=4,less=9 --bounds 0..none --because no_skeleton -- 4 1 9
static int checked(int value) {
  if (value < 0)
    throw std::invalid_argument("a negative value");
  return value;
}

MEMSHAPE_OPERATOR
long copied(const int *in, int n, int less) {
  try {
    std::vector<int> copy(n - less);
    for (int i = 0; i < n - less; ++i)
      copy[i] = checked(in[i]);
    return copy[0];
  } catch (const std::exception &) {
    return -1;
  }
}

TWICE_OF(copied, {
  for (int at = 0; at < 2000; ++at)
    reinterpret_cast<int *>(data)[at] = int(number(2));
  sink = copied(reinterpret_cast<int *>(data), int(number(1)), int(number(3)));
})

// Data decides whether an exception is caught. What the handler allocates is part of what data can cause.
// HELD guarded n=1000 --bounds 4000..none --because endless_answers
static float first(const float *in, int n) {
  std::vector<float> copy(in, in + n);
  for (float value : copy)
    if (value > 0.9f)
      throw n;
  return copy[n / 2];
}

MEMSHAPE_OPERATOR
float guarded(const float *in, int n) {
  try {
    return first(in, n);
  } catch (int length) {
    std::vector<float> more(7 * length, in[0]);
    return more[n];
  }
}

// An exception, what led to it, and its handler. Data decide whether it is thrown. The bound holds what lives in the
// handler: the exception, its text, and what the handler makes; the vector in the block that was left has gone.
// HELD caught n=100 --bounds 300..709 --reached -- 100 2000
// HELD caught n=100 --bounds 300..709 -- 100 5
// HELD caught n=37 --bounds 111..394 --reached -- 37 2000
static void check(int value) {
  if (value > 1000)
    throw std::runtime_error("a value that is far too large to be true");
}

MEMSHAPE_OPERATOR
long caught(const int *in, int n) {
  std::vector<char> always(3 * n);
  long bad = 0;
  try {
    std::vector<float> copy(n);
    for (int i = 0; i < n; ++i) {
      check(in[i]);
      copy[i] = float(in[i]);
    }
  } catch (const std::exception &) {
    std::vector<char> report(2 * n);
    bad = long(report.size());
  }
  return bad + long(always.size());
}

TWICE_OF(caught, {
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<int *>(data)[at] = int(number(2));
  sink = caught(reinterpret_cast<int *>(data), int(number(1)));
})

// A class of exceptions of one's own, and a handler that asks for its text: what() and destructors request nothing. The
// range of a vector is tested against what memory can have.
// HELD reported n=100 --bounds 400..577 --reached -- 100 -1
// HELD reported n=100 --bounds 400..577 -- 100 1
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

MEMSHAPE_OPERATOR
long reported(const int *in, int n) {
  try {
    std::vector<int> copy(in, in + n);
    for (int value : copy)
      if (value < 0)
        throw Refused("negative");
    return copy[n / 2];
  } catch (const std::exception &refused) {
    return refused.what()[0];
  }
}

TWICE_OF(reported, {
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<int *>(data)[at] = int(number(2));
  sink = reported(reinterpret_cast<int *>(data), int(number(1)));
})

// A table that doubles once more than half of it is in use; data say what is new, and whether it takes room. There are
// more states than can be followed, so that the bound is counted.
// HELD table n=400 --bounds 0..14640
MEMSHAPE_OPERATOR
long table(const int *in, int n) {
  std::size_t mask = 0, used = 0, room = 0;
  int *slots = nullptr;
  for (int i = 0; i < n; ++i) {
    if (room == 0) {
      const std::size_t full = mask < 8 ? mask : (mask + 1) / 8 * 7;
      if (used + 1 > full / 2) {
        const std::size_t wanted = std::max(full + 1, used + 1);
        const std::size_t size = wanted < 8 ? 8 : (~std::size_t(0) >> __builtin_clzl(wanted * 8 / 7 - 1)) + 1;
        int *more = static_cast<int *>(std::malloc(size * sizeof(int)));
        for (std::size_t k = 0; slots && k <= mask; ++k)
          more[k] = slots[k];
        std::free(slots);
        slots = more;
        mask = size - 1;
      }
      room = (mask < 8 ? mask : (mask + 1) / 8 * 7) - used;
    }
    if (in[i] > 10) {
      slots[used++ & mask] = in[i];
      room -= in[i] & 1;
    }
  }
  const long sum = slots ? slots[0] : 0;
  std::free(slots);
  return sum;
}

// As many iterations as a number in memory says that others might read, halved.
// HELD half_of_a_number n=1000 --bounds 0..3072
MEMSHAPE_OPERATOR
float half_of_a_number(const float *in, int n) {
  int told = n;
  __asm__ volatile("" ::"r"(&told) : "memory");
  const int half = told / 2;
  float sum = 0;
  for (int row = 0; row < 40; ++row) {
    std::vector<float> kept;
    for (int i = 0; i < half; ++i)
      if (in[(row * half + i) % 4096] > 0)
        kept.push_back(in[i]);
    sum += float(kept.size());
  }
  return sum;
}

static int falls(int depth, const float *in) {
  std::vector<char> held(depth * 10);
  try {
    if (in[depth] > -2)
      throw depth;
    return depth ? falls(depth - 1, in) + 1 : 0;
  } catch (int at) {
    return at;
  }
}

// A recursion that counts nothing is called in two ways: neither has a bound.
// HELD falls_in_two_ways n=16 --bounds 0..none --because no_counted_upper
// HELD falls_in_two_ways n=8 --bounds 0..none --because no_counted_upper
MEMSHAPE_OPERATOR
int falls_in_two_ways(const float *in, int n) {
  const int deep = n > 9 ? falls(n & 7, in) + 2 : falls(n & 3, in);
  std::vector<float> copy(in, in + n / 4);
  return deep + int(copy[n / 8]);
}
