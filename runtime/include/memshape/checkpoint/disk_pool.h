/* One file of many copies.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For store() and restore() of <memshape/checkpoint.h>, where states are plain
   bytes and so many are on disk at a time that a file for each would be more
   than a process may open. POSIX. */

#pragma once

#include <memshape/checkpoint/nameless_file.h>

#include <vector>

namespace memshape::checkpoint {

/// Outlives its copies. Its file has no name; the place of a copy that is gone is used again, and all of it is free when
/// the pool, or the process, ends. What the system refuses is thrown as std::system_error, and the copy is not made.
class DiskPool {
  struct Place {
    std::uint64_t begin;
    std::size_t bytes;
  };

public:
  class Copy {
  public:
    Copy(Copy &&other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), place_(other.place_), bytes_(other.bytes_) {}
    Copy &operator=(Copy &&other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(place_, other.place_);
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Copy() {
      if (pool_)
        pool_->free_.push_back(place_);
    }

    /// Its first bytes.
    void read(void *data, std::size_t bytes) const {
      if (bytes > bytes_)
        throw std::system_error(EIO, std::generic_category(), "the copy of a state on disk");
      pool_->file_.read(data, bytes, place_.begin);
    }

  private:
    friend class DiskPool;
    Copy(DiskPool *pool, Place place, std::size_t bytes) : pool_(pool), place_(place), bytes_(bytes) {}

    DiskPool *pool_;
    Place place_;
    std::size_t bytes_; ///< that are its own, of those of the place
  };

  /// In a folder of a disk; the folder for temporary files may be memory.
  explicit DiskPool(const std::string &folder) : file_(folder) {}
  DiskPool(const DiskPool &) = delete;
  DiskPool &operator=(const DiskPool &) = delete;

  Copy store(const void *data, std::size_t bytes) {
    Copy made(this, take(bytes), bytes); // whose place is free again where it cannot be written
    file_.write(data, bytes, made.place_.begin);
    return made;
  }

private:
  /// Of the free places that are large enough the first in the file, or one behind all.
  Place take(std::size_t bytes) {
    auto found = free_.end();
    for (auto each = free_.begin(); each != free_.end(); ++each)
      if (each->bytes >= bytes && (found == free_.end() || each->begin < found->begin))
        found = each;
    if (found == free_.end()) {
      free_.reserve(places_ + 1); // so that no destructor needs memory
      ++places_;
      const Place added = {end_, bytes};
      end_ += bytes;
      return added;
    }
    const Place taken = *found;
    *found = free_.back();
    free_.pop_back();
    return taken;
  }

  NamelessFile file_;
  std::vector<Place> free_;
  std::size_t places_ = 0;
  std::uint64_t end_ = 0;
};

} // namespace memshape::checkpoint
