// Allocations of the program ask stores for memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   a thread of the program            threads of the store
//   malloc: no memory, or too much
//     Core::makeRoom: waits    ----->  Core::reclaim, a thread of its own,
//     malloc again             <-----  evicts what no task uses
//     Core::endTrap            ----->  threads that read may take memory again
//
// Who holds a lock of a store, or writes to disk to free memory, must not wait
// for that: it is Inside, and what it allocates comes from the runtime's
// reserve where there is no memory.

#pragma once

#include <cstdint>
#include <mutex>

namespace memshape::out_of_core::detail {

class Core;

/// How many reasons this thread has not to wait for a store.
extern thread_local unsigned Inside;

struct InsideScope {
  InsideScope() { ++Inside; }
  ~InsideScope() { --Inside; }
  InsideScope(const InsideScope &) = delete;
};

/// Whoever holds it is Inside.
class StoreMutex {
public:
  void lock() {
    ++Inside;
    Is.lock();
  }
  void unlock() {
    Is.unlock();
    --Inside;
  }

private:
  std::mutex Is;
};

bool hasRuntime();

/// From now on allocations ask this store, too, and within this budget; called again when that changes. False: they do
/// not reach memshape's runtime, or it has no memory for a reserve.
bool setTrap(Core &Of, std::uint64_t Budget, unsigned WritingThreads);
/// Waits for threads that ask at this moment.
void liftTrap(Core &Of);

/// Of the program and of all stores, as the runtime counts them.
std::uint64_t liveBytes();

} // namespace memshape::out_of_core::detail
