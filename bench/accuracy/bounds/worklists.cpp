// Queues, stacks and heaps of at most n items.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <deque>
#include <list>
#include <queue>
#include <stack>

BOUND_OPERATOR long sliding_maximum(const int *X, int n) {
  std::deque<int> Window;
  long Sum = 0;
  for (int I = 0; I < n; ++I) {
    while (!Window.empty() && X[Window.back()] <= X[I])
      Window.pop_back();
    Window.push_back(I);
    if (Window.front() <= I - 8)
      Window.pop_front();
    Sum += X[Window.front()] & 1;
  }
  return Sum;
}

BOUND_OPERATOR long queued(const int *X, int n) {
  std::queue<int> Waiting;
  for (int I = 0; I < n; ++I) {
    if (X[I] > 0)
      Waiting.push(I);
    else if (!Waiting.empty())
      Waiting.pop();
  }
  return long(Waiting.size());
}

BOUND_OPERATOR long stacked(const int *X, int n) {
  std::stack<int> Higher;
  for (int I = 0; I < n; ++I) {
    while (!Higher.empty() && Higher.top() < X[I])
      Higher.pop();
    Higher.push(X[I]);
  }
  return long(Higher.size());
}

BOUND_OPERATOR long stacked_in_vector(const int *X, int n) {
  std::stack<int, std::vector<int>> Higher;
  for (int I = 0; I < n; ++I) {
    while (!Higher.empty() && Higher.top() < X[I])
      Higher.pop();
    Higher.push(X[I]);
  }
  return long(Higher.size());
}

BOUND_OPERATOR long smallest_first(const int *X, int n) {
  std::priority_queue<int> Least;
  for (int I = 0; I < n; ++I) {
    Least.push(X[I]);
    if (Least.size() > 10)
      Least.pop();
  }
  return Least.top();
}

BOUND_OPERATOR long heap_of_all(const int *X, int n) {
  std::priority_queue<std::pair<int, int>> All;
  for (int I = 0; I < n; ++I)
    if (X[I] >= 0)
      All.emplace(X[I], I);
  return long(All.size());
}

BOUND_OPERATOR long spliced(const int *X, int n) {
  std::list<int> Kept;
  for (int I = 0; I < n; ++I)
    if (X[I] & 1)
      Kept.push_front(I);
  Kept.remove_if([](int Each) { return Each % 3 == 0; });
  return long(Kept.size());
}

BOUND_OPERATOR long flooded(const int *X, int n) {
  std::vector<char> Visited(static_cast<std::size_t>(n));
  std::vector<int> Work;
  Work.push_back(0);
  Visited[0] = 1;
  long Met = 0;
  while (!Work.empty()) {
    const int At = Work.back();
    Work.pop_back();
    ++Met;
    for (int Next : {At - 1, At + 1})
      if (Next >= 0 && Next < n && !Visited[Next] && X[Next] == X[At]) {
        Visited[Next] = 1;
        Work.push_back(Next);
      }
  }
  return Met;
}

BOUND_OPERATOR long followed(const int *X, int n) {
  std::vector<bool> Visited(static_cast<std::size_t>(n));
  std::deque<int> Work{0};
  long Met = 0;
  while (!Work.empty()) {
    const int At = Work.front();
    Work.pop_front();
    if (Visited[At])
      continue;
    Visited[At] = true;
    ++Met;
    Work.push_back(int(unsigned(X[At]) % unsigned(n)));
  }
  return Met;
}

SAMPLES(int, sliding_maximum, queued, stacked, stacked_in_vector, smallest_first, heap_of_all, spliced, flooded,
        followed)
