// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Forks.h"

#include <atomic>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace memshape::out_of_core {

/// All that are open. Nothing here is destroyed at exit: stores may be static too.
struct OwnFolders {
  static void beforeFork() { Mutex.lock(); }
  static void inParent() { Mutex.unlock(); }
  static void inChild() {
    Forks.fetch_add(1, std::memory_order_relaxed);
    for (OwnFolder *Each = First; Each; Each = Each->Next)
      ::close(std::exchange(Each->File, -1));
    Mutex.unlock();
  }

  static void watch() {
    static const int Refused = ::pthread_atfork(beforeFork, inParent, inChild);
    if (Refused)
      throw std::bad_alloc(); // its only reason
  }

  static inline std::mutex Mutex;
  static inline OwnFolder *First = nullptr;
  static inline std::atomic<std::uint64_t> Forks = 0;
};

Origin::Origin() : Process((OwnFolders::watch(), ::getpid())), Forks(OwnFolders::Forks) {}

bool Origin::isHere() const {
  return Process == ::getpid() && Forks == OwnFolders::Forks.load(std::memory_order_relaxed);
}

OwnFolder::OwnFolder(int Parent, const char *Name, bool FollowsLinks) {
  OwnFolders::watch();
  const std::lock_guard Held(OwnFolders::Mutex); // between the two no process is forked
  File = ::openat(Parent, Name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (FollowsLinks ? 0 : O_NOFOLLOW));
  Before = &OwnFolders::First;
  Next = *Before;
  if (Next)
    Next->Before = &Next;
  *Before = this;
}

OwnFolder::~OwnFolder() {
  const std::lock_guard Held(OwnFolders::Mutex);
  if (File >= 0)
    ::close(File);
  *Before = Next;
  if (Next)
    Next->Before = Before;
}

int OwnFolder::release() {
  const std::lock_guard Held(OwnFolders::Mutex);
  return std::exchange(File, -1);
}

} // namespace memshape::out_of_core
