// What data decide in C, within bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=gnu11 -O2 -D_GNU_SOURCE

#include "../Inputs/twice.h"
#include <stdarg.h>
#include <stdio.h>

// Loops that turn as often as data says. One loop allocates, another one frees: both turn as often, and no more often
// than 31 times.
// HELD levels n=100 --bounds 0..3348 --reached -- 100 31
// HELD levels n=100 --bounds 0..3348 -- 100 -32
// HELD levels n=7 --bounds 0..465 -- 7 5
MEMSHAPE_OPERATOR
double levels(const int *in, int n) {
  const int count = in[0] & 31;
  char **level = malloc(count * sizeof *level);
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    level[i] = malloc(n);
    level[i][n / 2] = (char)i;
  }
  for (int i = 0; i < count; ++i) {
    sum += level[i][n / 2];
    free(level[i]);
  }
  free(level);
  return sum;
}

TWICE_OF(levels, {
  ((int *)data)[0] = (int)number(2);
  sink = levels((int *)data, number(1));
})

// A number that has to lie between two others, which the optimiser asks by one comparison.
// HELD framed n=100 --bounds 0..420 --reached -- 100 4
// HELD framed n=100 --bounds 0..420 -- 100 3
// HELD framed n=100 --bounds 0..420 -- 100 5
MEMSHAPE_OPERATOR
double framed(const unsigned char *in, int n) {
  if (in[0] < 3 || in[0] > 4)
    return 0;
  char *frame = malloc((size_t)n * in[0] + 20);
  frame[n] = (char)in[1];
  double result = frame[n / 2];
  free(frame);
  return result;
}

TWICE_OF(framed, {
  ((unsigned char *)data)[0] = (unsigned char)number(2);
  sink = framed((unsigned char *)data, number(1));
})

// Labels that data choose. A jump to a label that data choose is a decision where the compiler tells it as a switch,
// and replayed elsewhere.
// HELD steps n=200 --bounds 0..401
MEMSHAPE_OPERATOR
float steps(const float *in, int n) {
  static void *const labels[] = {&&none, &&one, &&two};
  long count = 1;
  int at = 0;
next:
  if (at == n)
    goto done;
  goto *labels[in[at++] > 0 ? 1 : in[at] > 0.5f ? 2 : 0];
one:
  count += 1;
  goto next;
two:
  count += 2;
none:
  goto next;
done:;
  char *work = malloc(count);
  work[0] = in[0] > 0;
  float result = work[count / 2];
  free(work);
  return result;
}

// A size that is the largest of many counts. Each count grows by one in a turn, if at all: none is greater than there
// are turns.
// HELD fullest n=100 --bounds 4..404 --reached -- 100 0
// HELD fullest n=100 --bounds 4..404 -- 100 5
MEMSHAPE_OPERATOR
long fullest(const unsigned *keys, int n) {
  int counts[32] = {0}, most = 0;
  int *longest;
  long sum;
  for (int i = 0; i < n; ++i)
    ++counts[keys[i] & 31];
  for (int bucket = 0; bucket < 32; ++bucket)
    if (counts[bucket] > most)
      most = counts[bucket];
  longest = malloc((most + 1) * sizeof *longest);
  for (int i = 0; i <= most; ++i)
    longest[i] = (int)keys[i];
  sum = longest[most / 2];
  free(longest);
  return sum;
}

TWICE_OF(fullest, {
  for (int at = 0; at < 1000; ++at)
    ((unsigned *)data)[at] = (unsigned)(at * number(2));
  sink = fullest((unsigned *)data, number(1));
})

// A size from a table that data looks into. Which of them data choose is open, what they are is known: the smallest and
// the largest are the bounds.
// HELD looked n=100 --bounds 101..1017 --reached -- 100 2
// HELD looked n=100 --bounds 101..1017 -- 100 3
// HELD looked n=7 --bounds 8..459 --reached -- 7 3
static const unsigned short Paddings[8] = {1, 2, 3, 300, 5, 6, 7, 8};

MEMSHAPE_OPERATOR
double looked(const unsigned *in, int n) {
  size_t sizes[4] = {(size_t)n, 2u * n, 7u * n + 17, 159}, bytes = sizes[in[0] & 3], padding = Paddings[in[1] & 7];
  char *block = malloc(bytes), *border = malloc(padding);
  double sum;
  block[0] = 1, border[0] = 2;
  sum = block[bytes / 2] + border[padding / 2];
  free(border);
  free(block);
  return sum;
}

TWICE_OF(looked, {
  ((unsigned *)data)[0] = (unsigned)number(2);
  ((unsigned *)data)[1] = 3;
  sink = looked((unsigned *)data, number(1));
})

// A size that is a sum over data. Each length is a byte: the bound adds up as the lengths do.
// HELD joined n=100 --bounds 1000..52000 -- 100 7
// HELD joined n=1000 --bounds 10000..520000 --reached -- 1000 255
MEMSHAPE_OPERATOR
double joined(const unsigned char *lengths, int n) {
  char **parts = malloc(n * sizeof *parts), *all;
  size_t total = 0;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    parts[i] = malloc(lengths[i] + 1);
    memset(parts[i], lengths[i], lengths[i] + 1);
    total += lengths[i];
  }
  all = malloc(total + n);
  memset(all, 1, n / 2);
  for (int i = 0; i < n; ++i) {
    sum += parts[i][lengths[i] / 2] + all[i / 2];
    free(parts[i]);
  }
  free(all);
  free(parts);
  return sum;
}

TWICE_OF(joined, {
  memset(data, (int)number(2), DataBytes);
  sink = joined((unsigned char *)data, number(1));
})

// Sizes that are lengths of text. A search ends with the text that it was given, a string with its block.
// HELD field n=100 --bounds 103..403 --reached -- 100 49 50 51
// HELD field n=100 --bounds 103..403 -- 100 44 44 55
// HELD field n=9 --bounds 12..39 -- 9 49 44 49
MEMSHAPE_OPERATOR
double field(const char *text, int n) {
  const char *comma = memchr(text, ',', n);
  size_t before = comma ? (size_t)(comma - text) : (size_t)n, digits, rest;
  char *copy = malloc(n + 1), *first = malloc(before + 1), *number, *word;
  double sum;
  memcpy(copy, text, n);
  copy[n] = 0;
  memset(first, 1, before + 1);
  digits = strspn(copy, "0123456789");
  rest = strnlen(text, n);
  number = malloc(digits + 1), word = malloc(rest);
  memset(number, 2, digits + 1);
  memset(word, 3, rest);
  sum = first[before / 2] + number[digits / 2] + (rest ? word[rest / 2] : 0);
  free(word);
  free(number);
  free(first);
  free(copy);
  return sum;
}

TWICE_OF(field, {
  memset(data, (int)number(2), DataBytes / 2);
  ((char *)data)[number(1) / 2] = (char)number(3);
  ((char *)data)[number(1) - 1] = (char)number(4);
  sink = field((char *)data, number(1));
})

// Data handed over as a variable argument. What a function takes from its list of arguments is data where the caller
// gave data.
// HELD label n=100 n=3 --bounds 0..none --because unbounded_size
static __attribute__((noinline)) int write_text(char *text, size_t room, const char *form, ...) {
  va_list given;
  va_start(given, form);
  int length = vsnprintf(text, room, form, given);
  va_end(given);
  return length;
}

MEMSHAPE_OPERATOR
float label(const float *in, int n) {
  char text[64];
  int length = write_text(text, sizeof text, "%f", in[0] * 1e6);
  char *copy = malloc((size_t)n * length);
  for (int i = 0; i < n; ++i)
    memcpy(copy + i * length, text, length);
  float result = copy[n * length / 2] + copy[text[1] % length];
  free(copy);
  return result;
}

// A place in sorted data as a size. The C library sorts and searches with a function of the program's.
// HELD rank n=100 --bounds 400..none --because changing_answers
// HELD rank n=3 --bounds 12..none --because changing_answers
static int compare(const void *one, const void *other) {
  float a = *(const float *)one, b = *(const float *)other;
  return (a > b) - (a < b);
}

MEMSHAPE_OPERATOR
float rank(const float *in, int n) {
  float *sorted = malloc(n * sizeof(float));
  memcpy(sorted, in, n * sizeof(float));
  qsort(sorted, n, sizeof(float), compare);
  float *found = bsearch(&in[n / 3], sorted, n, sizeof(float), compare);
  float *below = malloc((found - sorted + 1) * sizeof(float));
  memcpy(below, sorted, (found - sorted + 1) * sizeof(float));
  float result = below[(found - sorted) / 2];
  free(below);
  free(sorted);
  return result;
}

// A list of what is to be visited. How long the loop turns is up to data. But a place is put on the list only if it is
// not marked, and marked then: no more than n entries are made in the loop, and the one before it has gone by then.
// HELD reached n=100 --bounds 116..1700 -- 100 1
// HELD reached n=100 --bounds 116..1700 -- 100 0
struct entry {
  struct entry *next;
  int place;
};

MEMSHAPE_OPERATOR
long reached(const unsigned *to, int n) {
  char *seen = calloc(n, 1);
  struct entry *list = malloc(sizeof *list);
  long visits = 0;
  list->place = 0;
  list->next = NULL;
  seen[0] = 1;
  while (list) {
    struct entry *first = list;
    unsigned at = (unsigned)first->place;
    list = first->next;
    free(first);
    ++visits;
    for (unsigned step = 0; step < to[at] % 8; ++step) {
      unsigned next = (to[at] / 8 + step) % (unsigned)n;
      if (!seen[next]) {
        struct entry *more = malloc(sizeof *more);
        seen[next] = 1;
        more->place = (int)next;
        more->next = list;
        list = more;
      }
    }
  }
  free(seen);
  return visits;
}

TWICE_OF(reached, {
  for (int at = 0; at < 1000; ++at)
    ((unsigned *)data)[at] = (unsigned)(at * 8 * number(2) + 7);
  sink = reached((unsigned *)data, number(1));
})

// A worklist in an array: each of two places marks what it appends, so that the loop that empties it, and has a block
// for each turn, turns no more often than twice for each place.
// HELD queued n=100 --bounds 0..3716 -- 100 1
// HELD queued n=100 --bounds 0..3716 -- 100 0
MEMSHAPE_OPERATOR
int queued(const int *next, int n) {
  struct list {
    struct list *rest;
    int place;
  } *all = NULL;
  int *queue = malloc(n * sizeof *queue);
  char *seen = calloc(n, 1);
  int head = 0, tail = 0, sum = 0;
  queue[tail++] = 0;
  seen[0] = 1;
  while (head < tail) {
    const int here = queue[head++];
    struct list *one = malloc(sizeof *one);
    one->rest = all;
    one->place = here;
    all = one;
    for (int k = 0; k < 2; ++k)
      if (!seen[next[2 * here + k]]) {
        seen[next[2 * here + k]] = 1;
        queue[tail++] = next[2 * here + k];
      }
  }
  while (all) {
    struct list *rest = all->rest;
    sum += all->place;
    free(all);
    all = rest;
  }
  free(queue);
  free(seen);
  return sum;
}

TWICE_OF(queued, {
  for (int at = 0; at < 2 * number(1); ++at)
    ((int *)data)[at] = number(2) ? (at / 2 * 2 + 1 + at % 2) % number(1) : 0;
  sink = queued((int *)data, number(1));
})

// What is written into the queue lies in it: no more than n, whatever the numbers of edges that are left say.
// HELD in_order n=100 --bounds 800..2400 -- 100 1
// HELD in_order n=100 --bounds 800..2400 -- 100 0
MEMSHAPE_OPERATOR
int in_order(const int *edges, const int *next, int n) {
  int *left = malloc(n * sizeof *left), *queue = malloc(n * sizeof *queue), head = 0, tail = 0;
  for (int i = 0; i < n; ++i)
    left[i] = edges[i];
  for (int i = 0; i < n; ++i)
    if (!left[i])
      queue[tail++] = i;
  while (head < tail) {
    const int here = queue[head++];
    if (next[here] >= 0 && !--left[next[here]])
      queue[tail++] = next[here];
  }
  int *order = malloc(tail * sizeof *order);
  memcpy(order, queue, tail * sizeof *order);
  const int last = tail ? order[tail - 1] : -1;
  free(order);
  free(queue);
  free(left);
  return last;
}

TWICE_OF(in_order, {
  for (int at = 0; at < number(1); ++at) {
    ((int *)data)[at] = at > 0;
    ((int *)more)[at] = number(2) && at + 1 < number(1) ? at + 1 : -1;
  }
  sink = in_order((int *)data, (int *)more, number(1));
})

// What data leaves of n: never less than nothing, which would be no size.
// HELD merged n=100 --bounds 400..800 --reached -- 100 0
// HELD merged n=100 --bounds 400..800 -- 100 1
MEMSHAPE_OPERATOR
int merged(const int *in, int n) {
  int *first = malloc(n * sizeof *first), removed = 0, next = 0;
  for (int i = 0; i < n; ++i)
    first[i] = i;
  for (int i = 0; i < n; ++i)
    for (int j = first[i] == i ? 0 : n; j < n; ++j)
      if (j != i && first[j] == j && in[j] == in[i]) {
        first[j] = i;
        ++removed;
      }
  int *left = malloc((n - removed) * sizeof *left);
  for (int i = 0; i < n; ++i)
    if (first[i] == i)
      left[next++] = in[i];
  const int last = left[next - 1];
  free(left);
  free(first);
  return last;
}

TWICE_OF(merged, {
  for (int at = 0; at < number(1); ++at)
    ((int *)data)[at] = number(2) ? 0 : at;
  sink = merged((int *)data, number(1));
})

// Data that is added atomically is in the sum.
// HELD added n=100 --bounds 0..none --because unbounded_size -- 100 7
MEMSHAPE_OPERATOR
int added(const int *in, int n) {
  int total = n;
  __atomic_fetch_add(&total, in[0], __ATOMIC_SEQ_CST);
  char *work = malloc((size_t)total);
  memset(work, in[1], (size_t)total);
  const int last = work[n / 2];
  free(work);
  return last;
}

TWICE_OF(added, {
  ((int *)data)[0] = (int)number(2);
  sink = added((int *)data, number(1));
})

// A power of two that is no less than a count: at most twice the count.
// HELD power_of_two n=1000 --bounds 0..9992
MEMSHAPE_OPERATOR
float power_of_two(const float *in, size_t n) {
  size_t count = 0, size = 1;
  for (size_t i = 0; i < n; ++i)
    count += in[i] > 0;
  while (size < count + count / 4)
    size *= 2;
  unsigned *table = malloc(size * sizeof *table);
  memset(table, -1, size * sizeof *table);
  for (size_t i = 0; i < n; ++i)
    table[i & (size - 1)] = i;
  const float last = table[size / 2];
  free(table);
  return last;
}
