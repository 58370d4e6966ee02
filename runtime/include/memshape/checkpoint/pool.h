/* Memory of copies used again.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For store() of <memshape/checkpoint.h>. A copy that is made anew each time
   gets pages that the kernel has to fill with zeros first, which may take as
   long as a step; a pool assigns to a state that is no longer needed instead. */

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace memshape::checkpoint {

/// Outlives its copies. State can be copied, assigned without new memory, and moved without exceptions.
template <class State> class Pool {
public:
  class Copy {
  public:
    Copy(Copy &&other) noexcept : pool_(std::exchange(other.pool_, nullptr)), state_(std::move(other.state_)) {}
    Copy &operator=(Copy &&other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(state_, other.state_);
      return *this;
    }
    ~Copy() {
      if (pool_)
        pool_->free_.push_back(std::move(state_));
    }

    const State &state() const { return state_; }

  private:
    friend class Pool;
    Copy(Pool *pool, State state) : pool_(pool), state_(std::move(state)) {}

    Pool *pool_;
    State state_;
  };

  Copy store(const State &current) {
    if (free_.empty()) {
      free_.reserve(made_ + 1); // so that no destructor needs memory
      Copy made(this, current);
      ++made_;
      return made;
    }
    free_.back() = current;
    Copy taken(this, std::move(free_.back()));
    free_.pop_back();
    return taken;
  }

private:
  std::vector<State> free_;
  std::size_t made_ = 0;
};

} // namespace memshape::checkpoint
