// Operators that throw, ask data, or turn very often.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

// An exception thrown and caught inside. One shape throws, another does not. What a handler does is not sliced: the
// shape that throws is replayed, and says so.
// HELD attempt n=10
// HELD attempt n=100 --bounds 0..2198
// RUN: %predict --operator attempt --shape n=100 --json | FileCheck --check-prefix=ATTEMPT %s
// ATTEMPT: "exact": false
// ATTEMPT: "replayed: the operator itself was run on zeros
// ATTEMPT: "no skeleton answers here: {{.*}}: it throws an exception and catches it, which is not followed"
// ATTEMPT: "method": "replay"
static void check(int n) {
  if (n > 50)
    throw std::runtime_error("larger than the buffer can be");
}

MEMSHAPE_OPERATOR
float attempt(const float *in, int n) {
  std::vector<float> small(n);
  try {
    check(n);
  } catch (const std::runtime_error &) {
    std::vector<float> large(4 * n);
    large[0] = in[0];
    return large[0];
  }
  return small[0];
}

// An exception out of the operator. A shape at which the operator throws in the middle of its work has no footprint.
// HELD steps n=100,turns=50
// RUN: not %memshape predict %t --operator steps --shape n=100,turns=200 2>&1 | %says "throws"
static void check_step(int n, int i) {
  if (i > n)
    throw std::invalid_argument("more steps than samples");
}

MEMSHAPE_OPERATOR
float steps(const float *in, int n, int turns) {
  std::vector<float> sums(n, in[0]);
  for (int i = 0; i < turns; ++i) {
    check_step(n, i);
    std::vector<float> part(i + 1, in[1]);
    sums[0] += part[i / 2];
  }
  return sums[n / 2];
}

// Data decides, and memory is the same. Which of two buffers is used and freed first is data's choice in each turn, and
// whether a workspace comes from the heap depends on its size: every outcome was run, and all are alike, so the answer
// is exact. At the larger shape the workspace comes from the heap where data says so: that is not.
// HELD sweeps n=50 n=90
// HELD sweeps n=200 --bounds 1600..2400
// RUN: %memshape predict %t --operator sweeps --shape n=50 --json | FileCheck --check-prefix=SWEEPS %s
// SWEEPS-DAG: "effect": "no effect on memory at this shape: every outcome was run"
// SWEEPS-DAG: "effect_code": "none"
// SWEEPS-DAG: "bounds_proven": true
// SWEEPS-DAG: "exact": true
MEMSHAPE_OPERATOR
float sweeps(const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    auto *left = static_cast<float *>(std::malloc(n * sizeof(float)));
    auto *right = static_cast<float *>(std::malloc(n * sizeof(float)));
    float *first = in[i] > 0 ? left : right, *second = in[i] > 0 ? right : left;
    first[0] = in[i];
    second[n - 1] = first[0] + sum;
    if (in[i] != 0) {
      float small[100] = {};
      float *work = n > 100 ? static_cast<float *>(std::malloc(n * sizeof(float))) : small;
      work[i % 100] = second[n - 1];
      sum += work[n % 7];
      if (work != small)
        std::free(work);
    }
    std::free(first);
    sum += second[n - 1];
    std::free(second);
  }
  return sum;
}

// What is asked of each sample. Is any sample negative, is one too large? Of a million million samples that is still
// two answers, and the bounds are proven.
// HELD clipped n=100 --bounds 400..800
// HELD clipped n=1 --bounds 4..8
// RUN: %memshape predict %t --operator clipped --shape n=1000000000000 --json | FileCheck --check-prefix=CLIPPED %s
// CLIPPED-DAG: "bounds_proven": true
// CLIPPED-DAG: "lower_bytes": 4000000000000
// CLIPPED-DAG: "upper_bytes": 8000000000000
MEMSHAPE_OPERATOR
float clipped(const float *in, long n) {
  bool negative = false;
  for (long i = 0; i < n; ++i)
    negative |= in[i] < 0;
  std::vector<float> copy(in, in + n);
  for (long i = 0; i < n; ++i)
    if (in[i] > 100)
      return copy[n / 2];
  if (negative) {
    std::vector<float> mask(copy);
    copy[0] = mask[n / 2];
  }
  return copy[n / 2];
}

// Equal turns over several directions at once. An iterator over all lines of an array counts like an odometer: the next
// counter goes on when the one before starts over. With a buffer for each line there are a thousand million turns,
// which are counted and not run.
// HELD lines planes=30,rows=20,columns=25,samples=40 planes=1,rows=1,columns=1,samples=7
// HELD lines planes=1,rows=3,columns=1,samples=7 planes=0,rows=3,columns=2,samples=7
// RUN: %memshape predict %t --operator lines --shape planes=1000,rows=1000,columns=1001,samples=30 | FileCheck --check-prefix=LINES %s
// LINES: exact
// LINES: in 1,001,000,000 allocations
struct Lines {
  long column = 0, row = 0, plane = 0, columns, rows, planes;
  bool more() const { return plane < planes; }
  void next() {
    ++column;
    bool over = column == columns;
    row += over;
    column = over ? 0 : column;
    over = row == rows;
    plane += over;
    row = over ? 0 : row;
  }
};

MEMSHAPE_OPERATOR
float lines(const float *in, int planes, int rows, int columns, int samples) {
  Lines at;
  at.columns = columns;
  at.rows = rows;
  at.planes = planes;
  float sum = 0;
  for (; at.more(); at.next()) {
    std::vector<float> line(samples, in[at.row]);
    line[samples / 2] += in[at.column];
    sum += line[samples / 2];
  }
  return sum;
}

// A setting at which the operator throws. A container of a negative length throws before anything is allocated; there
// is no footprint then.
// HELD weight n=100 --set sigma=2 -- 100 2
// RUN: not %memshape predict %t --operator weight --shape n=100 --set sigma=-5 2>&1 | %says "throws"
MEMSHAPE_OPERATOR
float weight(const float *in, int n, float sigma) {
  std::vector<float> kernel(2 * (int)std::ceil(3 * sigma) + 1);
  std::vector<std::vector<float>> rows(n);
  for (std::vector<float> &row : rows)
    row.resize(n);
  for (int i = 0; i < n; ++i)
    rows[i][n - 1 - i] = in[i] + kernel[0];
  return rows[n / 2][0];
}

// A pool whose buffers return when data says so. What one turn allocates depends on what earlier turns gave back: the
// worst is neither that all do nor that none does. Every run is followed, so that the bounds are proven and reached.
// HELD turns n=100 --bounds 2044..3080
static std::vector<float> take(std::vector<std::vector<float>> &pool, unsigned length) {
  if (!pool.empty() && pool.back().size() >= length) {
    std::vector<float> kept = std::move(pool.back());
    pool.pop_back();
    return kept;
  }
  return std::vector<float>(length);
}

MEMSHAPE_OPERATOR
float turns(const float *in, int n) {
  std::vector<std::vector<float>> pool;
  float sum = 0;
  for (int i = 0; i < 10; ++i) {
    std::vector<float> small = take(pool, n + i % 3), large = take(pool, 2 * n - i);
    small[0] = in[i];
    large[0] = small[i % 2];
    sum += large[i % 3];
    pool.push_back(std::move(small));
    if (in[i] < 0)
      pool.push_back(std::move(large));
  }
  return sum;
}

// The block with the smallest address. Freed places that are used again, and blocks that lie below earlier ones, have
// the last of four lie first. Other orders have not.
// HELD smallest n=100 --bounds 0..1876
static void *volatile kept;

MEMSHAPE_OPERATOR
int smallest(const int *in, int n) {
  std::vector<std::unique_ptr<int>> numbers;
  std::set<int *> ordered;
  for (int i = 0; i < 4; ++i) {
    numbers.push_back(std::make_unique<int>(i * n));
    ordered.insert(numbers.back().get());
  }
  std::unique_ptr<int[]> work(new int[**ordered.begin() + 1]);
  kept = work.get();
  work[0] = in[0];
  return work[0];
}

// Numbers in what is logged. Writing a number to a stream returns the stream: what follows goes the same way out of the
// process.
// HELD relaxed n=100 n=16000
// RUN: %memshape predict %t --operator relaxed --shape n=1000 --json | %says '"peak_bytes": 12000,' '"exact": true' '"total_bytes": 84000,'
MEMSHAPE_OPERATOR
double relaxed(const float *in, int n) {
  std::vector<double> values(in, in + n);
  double rest = 1;
  for (int step = 0; step < 19; ++step) {
    std::vector<float> next(n);
    next[0] = values[n / 2] + step;
    rest += next[0];
    std::clog << "step " << step << ": rest " << rest << std::endl;
  }
  if (rest > 1e-3)
    std::cerr << "no convergence, rest " << std::setprecision(3) << rest << ' ' << n << std::endl;
  return rest;
}

// A replay that would not fit. The operator itself fills its memory: at a large shape smaller ones are run, and their
// formula is taken.
// HELD fold rows=100,columns=70 --bounds 0..56977
// RUN: %predict --operator fold --shape rows=30000,columns=20000 --json | FileCheck --check-prefix=FOLD %s
// FOLD: "peak_bytes": 480024{{[0-9]+}}
// FOLD: "lower_bytes": 0
// FOLD: "upper_bytes": null
// FOLD: "exact": false
// FOLD: "replayed at smaller shapes and extrapolated: {{.*}} fills more memory than a prediction may take"
// FOLD: "method": "extrapolated replay"
static void check_rows(long rows) {
  if (rows > 5)
    throw std::runtime_error("too many");
}

MEMSHAPE_OPERATOR
double fold(const float *in, long rows, long columns) {
  double sum = 0;
  try {
    check_rows(rows);
  } catch (const std::exception &) {
    std::vector<double> table(rows * columns, in[0] + 1), folded(rows);
    for (long i = 0; i < rows * columns; ++i)
      folded[i % rows] += table[i];
    sum = folded[1];
  }
  return sum;
}

// Threads that wait for work. A worker waits until its starter has queued something, which comes later than its start:
// not followed, replayed.
// HELD queue n=1000 --bounds 0..none --because library_threads
// RUN: %memshape predict %t --operator queue --shape n=1000 | %says "waits for another thread"
MEMSHAPE_OPERATOR
void queue(const float *in, int n, float *out) {
  std::mutex lock;
  std::condition_variable changed;
  std::deque<std::function<void()>> work;
  bool ended = false;
  std::thread worker([&] {
    for (;;) {
      std::unique_lock<std::mutex> held(lock);
      while (work.empty() && !ended)
        changed.wait(held);
      if (work.empty())
        return;
      std::function<void()> next = std::move(work.front());
      work.pop_front();
      held.unlock();
      next();
    }
  });
  for (int i = 0; i < 3; ++i) {
    std::lock_guard<std::mutex> held(lock);
    work.push_back([=] { out[i] = std::vector<float>(in, in + n)[i]; });
    changed.notify_one();
  }
  {
    std::lock_guard<std::mutex> held(lock);
    ended = true;
    changed.notify_one();
  }
  worker.join();
}
