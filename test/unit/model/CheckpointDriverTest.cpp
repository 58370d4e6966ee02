// <memshape/checkpoint.h>.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TemporaryFolder.h"
#include "model/checkpointing/Reversal.h"

#include <gtest/gtest.h>
#include <memshape/checkpoint.h>

#include <csignal>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <sys/resource.h>

namespace memshape::checkpoint {
namespace {

/// A program whose state is its number. Everything that it is asked to do is checked.
struct Counting {
  std::int64_t Current = 0;
  std::vector<std::int64_t> Reversed, Ran; ///< Ran: how often each step
  std::int64_t Held = 0, MostHeld = 0;
  std::int64_t FailAt = -1, Calls = 0; ///< the call that throws

  void call() {
    if (Calls++ == FailAt)
      throw std::runtime_error("the program's own");
  }

  struct Copy {
    std::unique_ptr<std::int64_t> State;
    Counting *Of;
    Copy(std::int64_t State, Counting *Of) : State(std::make_unique<std::int64_t>(State)), Of(Of) {
      Of->MostHeld = std::max(Of->MostHeld, ++Of->Held);
    }
    Copy(Copy &&) = default;
    Copy &operator=(Copy &&Other) noexcept {
      std::swap(State, Other.State);
      return *this;
    }
    ~Copy() {
      if (State)
        --Of->Held;
    }
  };

  auto forward() {
    return [this](std::int64_t From, std::int64_t To) {
      call();
      EXPECT_EQ(Current, From);
      Ran.resize(std::max(Ran.size(), std::size_t(To)));
      for (; Current < To; ++Current)
        ++Ran[std::size_t(Current)];
    };
  }
  auto store() {
    return [this](std::int64_t State) {
      call();
      EXPECT_EQ(Current, State);
      return Copy(Current, this);
    };
  }
  auto restore() {
    return [this](const Copy &From, std::int64_t State) {
      call();
      EXPECT_EQ(*From.State, State);
      Current = State;
    };
  }
  auto backward() {
    return [this](std::int64_t Step) {
      call();
      EXPECT_EQ(Current, Step);
      Reversed.push_back(Step);
      Current = -1;
    };
  }

  Work run(std::int64_t Steps, std::int64_t Slots) {
    return reverse(Steps, Slots, forward(), store(), restore(), backward());
  }
  Work runWhile(std::int64_t Steps, std::int64_t Slots) {
    return reverse_while(
        [&](std::int64_t State) {
          EXPECT_EQ(Current, State);
          return State < Steps;
        },
        Slots, forward(), store(), restore(), backward());
  }

  bool hasReversed(std::int64_t Steps) const {
    std::vector<std::int64_t> Expected(static_cast<std::size_t>(Steps));
    std::iota(Expected.rbegin(), Expected.rend(), 0);
    return Reversed == Expected;
  }
};

TEST(CheckpointDriver, StepsAreThoseOfRevolve) {
  for (std::int64_t Slots = 1; Slots <= 12; ++Slots)
    for (std::int64_t Steps = 1; Steps <= 60; ++Steps) {
      Counting Program;
      const Work Done = Program.run(Steps, Slots);
      EXPECT_EQ(Done.forward_steps, least_forward_steps(Steps, Slots)) << Steps << " " << Slots;
      EXPECT_EQ(Done.forward_steps, std::accumulate(Program.Ran.begin(), Program.Ran.end(), std::int64_t(0)));
      EXPECT_TRUE(Program.hasReversed(Steps));
      EXPECT_EQ(Done.steps, Steps);
      EXPECT_EQ(Done.peak_slots, Program.MostHeld);
      EXPECT_LE(Program.MostHeld, Slots);
      EXPECT_EQ(Program.Held, 0);
    }
}

TEST(CheckpointDriver, NoStepAndOneStepNeedNoSlot) {
  Counting None, One;
  EXPECT_EQ(None.run(0, 0).steps, 0);
  EXPECT_EQ(One.run(1, 0).stores, 0);
  EXPECT_TRUE(One.hasReversed(1));
  EXPECT_THROW(One.run(2, 0), std::invalid_argument);
  EXPECT_THROW(One.run(-1, 3), std::invalid_argument);
  EXPECT_THROW(One.run(5, -3), std::invalid_argument);
  EXPECT_THROW(One.runWhile(5, 0), std::invalid_argument);
}

TEST(CheckpointDriver, AMillionSteps) {
  Revolve Schedule(1'000'000, 20);
  std::int64_t Forward = 0, Left = 1'000'000;
  for (Action A; Schedule.next(A);)
    if (A.what == Do::forward)
      Forward += A.to - A.from;
    else if (A.what == Do::backward)
      EXPECT_EQ(A.from, --Left);
  EXPECT_EQ(Left, 0);
  EXPECT_EQ(Forward, least_forward_steps(1'000'000, 20));
}

/// Wang, Moin and Iaccarino (2009) promise r * L forward steps; one more shows that the chain ends.
TEST(CheckpointDriver, OnlineKeepsThePublishedBound) {
  for (std::int64_t Slots : {1, 2, 3, 4, 5, 8, 12, 20})
    for (std::int64_t Steps = 0; Steps <= 150; ++Steps) {
      Counting Program;
      const Work Done = Program.runWhile(Steps, Slots);
      EXPECT_TRUE(Program.hasReversed(Steps)) << Steps << " " << Slots;
      EXPECT_LE(Program.MostHeld, Slots);
      EXPECT_EQ(Program.Held, 0);
      if (Steps < 2)
        continue;
      const std::int64_t Least = least_forward_steps(Steps, Slots) + 1;
      EXPECT_GE(Done.forward_steps, Least);
      EXPECT_LE(Done.forward_steps, most_repetitions(Steps, std::min(Slots, Steps)) * Steps + 1);
      // Within two steps of the least as long as two repetitions do; beyond, within a share of 1 / (slots + 1).
      if (Steps <= longest_chain(Slots, 2)) {
        EXPECT_LE(Done.forward_steps, Least + 2) << Steps << " " << Slots;
      }
      EXPECT_LE(Done.forward_steps * (Slots + 1), Least * (Slots + 2)) << Steps << " " << Slots;
    }
}

TEST(CheckpointDriver, LevelsCostAsLittleAsTheCommandSays) {
  std::mt19937 Random(5);
  auto Number = [&](int Least, int Most) { return std::uniform_int_distribution(Least, Most)(Random); };
  for (int Trial = 0; Trial != 300; ++Trial) {
    checkpointing::Chain Chain = {Number(1, 30), {}, double(Number(0, 4)), 0};
    std::vector<Level> Given;
    for (int I = Number(1, 3); I != 0; --I) {
      Given.push_back({Number(Given.empty() ? 1 : 0, I == 1 ? 40 : 4), double(Number(0, 9)), double(Number(0, 9))});
      Chain.levels.push_back({"", Given.back().slots, Given.back().write, Given.back().read});
    }
    checkpointing::Reversal Found;
    ASSERT_EQ(checkpointing::reverse(Chain, Found), checkpointing::Outcome::Solved);
    Counting Program;
    std::vector<std::int64_t> Free, Left;
    double Cost = 0;
    for (const Level &L : Given)
      Free.push_back(L.slots);
    Levels Schedule(Chain.steps, Given, Chain.forward);
    const double Promised = Schedule.cost();
    struct Copy {
      std::int64_t State;
      std::size_t At;
      std::shared_ptr<void> Slot;
    };
    const Work Done = reverse(
        Chain.steps, Given, Chain.forward, Program.forward(),
        [&](std::int64_t State, std::size_t At) {
          EXPECT_GE(--Free[At], 0);
          Cost += Given[At].write;
          return Copy{State, At, std::shared_ptr<void>(nullptr, [&Free, At](void *) { ++Free[At]; })};
        },
        [&](const Copy &From, std::int64_t State) {
          EXPECT_EQ(From.State, State);
          Cost += Given[From.At].read;
          Program.Current = State;
        },
        Program.backward());
    Cost += double(Done.forward_steps) * Chain.forward;
    EXPECT_TRUE(Program.hasReversed(Chain.steps));
    EXPECT_EQ(Cost, Promised) << Trial;
    EXPECT_EQ(Cost + double(Chain.steps) * Chain.forward, Found.cost) << Trial;
  }
}

/// Tapes are objects that move and free themselves, as copies are.
TEST(CheckpointDriver, TapesReverseTheirSteps) {
  for (std::int64_t Slots = 1; Slots <= 9; ++Slots)
    for (std::int64_t Steps = 1; Steps <= 30; ++Steps)
      for (std::int64_t Size = 1; Size <= 3; ++Size) {
        std::int64_t Current = 0, Left = Steps, Free = Slots;
        const auto Taken = [&Free](std::int64_t Of, std::int64_t Number) {
          EXPECT_GE(Free -= Of, 0);
          return std::pair(Number, std::shared_ptr<void>(nullptr, [&Free, Of](void *) { Free += Of; }));
        };
        const auto Reverse = [&](std::int64_t Step) {
          EXPECT_EQ(Step, --Left);
          Current = -1;
        };
        Levels Schedule(Steps, {{Slots, 0, 0}}, 1, {1, Size});
        const Work Done = reverse(
            Steps, {{Slots, 0, 0}}, 1, {1, Size},
            [&](std::int64_t From, std::int64_t To) {
              EXPECT_EQ(From, Current);
              Current = To;
            },
            [&](std::int64_t State) { return Taken(1, State); },
            [&](const auto &, std::int64_t State) { Current = State; },
            [&](std::int64_t Step) {
              EXPECT_EQ(Step, Current);
              Reverse(Step);
            },
            [&](std::int64_t Step) {
              EXPECT_EQ(Step, Current);
              ++Current;
              return Taken(Size, Step);
            },
            [&](const auto &Tape, std::int64_t Step) {
              EXPECT_EQ(Tape.first, Step);
              Reverse(Step);
            });
        EXPECT_EQ(Left, 0);
        EXPECT_EQ(Free, Slots);
        EXPECT_EQ(Done.steps, Steps);
        EXPECT_EQ(double(Done.forward_steps), Schedule.cost());
        EXPECT_LE(Done.peak_tapes, Done.tapes);
      }
}

TEST(CheckpointDriver, LevelsThatMakeNoSense) {
  EXPECT_THROW(Levels(2, {{1, 1, 1}}, 1, {0, 1}), std::invalid_argument);
  EXPECT_THROW(Levels(2, {{1, 1, 1}}, 1, {1, -1}), std::invalid_argument);
  EXPECT_THROW(Levels(3, {{2, 1, 1}}, 1, {3, 2}), std::invalid_argument); // neither a state nor all tapes fit
  EXPECT_THROW(Levels(2, {}), std::invalid_argument);
  EXPECT_THROW(Levels(2, {{0, 1, 1}}), std::invalid_argument);
  EXPECT_THROW(Levels(2, {{-1, 1, 1}}), std::invalid_argument);
  EXPECT_THROW(Levels(2, {{1, -1, 1}}), std::invalid_argument);
  EXPECT_THROW(Levels(2, {{1, 1, 1}}, -1), std::invalid_argument);
  constexpr double Endless = std::numeric_limits<double>::infinity(), None = std::numeric_limits<double>::quiet_NaN();
  for (const double Wrong : {Endless, None}) {
    EXPECT_THROW(Levels(2, {{0, 0, 0}, {1, Wrong, 1}}), std::invalid_argument);
    EXPECT_THROW(Levels(2, {{0, 0, 0}, {1, 1, Wrong}}), std::invalid_argument);
    EXPECT_THROW(Levels(2, {{1, 1, 1}}, Wrong), std::invalid_argument);
  }
  EXPECT_THROW(Levels(INT64_MAX - 20, {{INT64_MAX, 1, 1}, {INT64_MAX, 2, 0}}), std::length_error);
  EXPECT_THROW(Levels(100'000, {{50, 1, 0}, {50, 2, 0}}), std::length_error);
  Action A;
  EXPECT_FALSE(Levels(0, {}).next(A));
  EXPECT_TRUE(Levels(1, {}).next(A));
  EXPECT_EQ(A.what, Do::backward);
}

TEST(CheckpointDriver, ExceptionsPassAndNothingIsKept) {
  for (const bool Online : {false, true})
    for (std::int64_t FailAt = 0;; ++FailAt) {
      Counting Program;
      Program.FailAt = FailAt;
      bool Failed = false;
      try {
        Online ? Program.runWhile(20, 3) : Program.run(20, 3);
      } catch (const std::runtime_error &) {
        Failed = true;
      }
      EXPECT_EQ(Program.Held, 0);
      EXPECT_EQ(Program.Calls, Failed ? FailAt + 1 : Program.Calls) << "nothing is called after that";
      if (!Failed)
        break;
    }
}

TEST(CheckpointDriver, StatesOnDisk) {
  const TemporaryFolder Folder;
  std::vector<double> State(1000, 0.0);
  std::vector<std::int64_t> Reversed;
  reverse(
      10, 3, [&](auto From, auto To) { std::fill(State.begin(), State.end(), double(From = To)); },
      [&](auto) { return DiskCopy(Folder.Path, State.data(), State.size() * sizeof(double)); },
      [&](const DiskCopy &Copy, auto) { Copy.read(State.data(), State.size() * sizeof(double)); },
      [&](std::int64_t Step) {
        EXPECT_EQ(State, std::vector<double>(1000, double(Step)));
        Reversed.push_back(Step);
        std::fill(State.begin(), State.end(), -1);
      });
  EXPECT_EQ(Reversed, (std::vector<std::int64_t>{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_TRUE(std::filesystem::is_empty(Folder.Path));
  EXPECT_THROW(DiskCopy(Folder.Path / "missing", State.data(), 8), std::system_error);
  const DiskCopy Short(Folder.Path, State.data(), 8);
  EXPECT_THROW(Short.read(State.data(), 16), std::system_error);
}

TEST(CheckpointDriver, ThousandsOfStatesInOneFile) {
  const TemporaryFolder Folder;
  ::rlimit Before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &Before), 0);
  const ::rlimit Few = {64, Before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &Few), 0);
  std::vector<double> State(10, 0.0);
  std::int64_t Left = 3000;
  {
    DiskPool Pool(Folder.Path);
    const Work Done = reverse(
        Left, {{2, 0, 0}, {5000, 1, 1}}, 5, [&](auto, auto To) { std::fill(State.begin(), State.end(), double(To)); },
        [&](auto, auto) { return Pool.store(State.data(), State.size() * sizeof(double)); },
        [&](const DiskPool::Copy &Copy, auto) { Copy.read(State.data(), State.size() * sizeof(double)); },
        [&](std::int64_t Step) {
          EXPECT_EQ(--Left, Step);
          EXPECT_EQ(State, std::vector<double>(10, double(Step)));
        });
    EXPECT_GT(Done.peak_slots, 2000);
  }
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &Before), 0);
  EXPECT_EQ(Left, 0);
  EXPECT_TRUE(std::filesystem::is_empty(Folder.Path));
}

/// Copies of several sizes; those of no bytes, too.
TEST(CheckpointDriver, PlacesOnDiskAreUsedAgain) {
  const TemporaryFolder Folder;
  DiskPool Pool(Folder.Path);
  std::mt19937 Random(3);
  std::vector<std::pair<DiskPool::Copy, std::vector<char>>> Held;
  for (int Trial = 0; Trial != 2000; ++Trial) {
    const std::size_t At = Held.empty() ? 0 : Random() % Held.size();
    if (Held.size() < 20 && Random() % 2) {
      std::vector<char> Bytes(Random() % 100, char(Trial));
      DiskPool::Copy Made = Pool.store(Bytes.data(), Bytes.size());
      Held.emplace_back(std::move(Made), std::move(Bytes));
    } else if (!Held.empty()) {
      std::vector<char> Read(Held[At].second.size());
      Held[At].first.read(Read.data(), Read.size());
      EXPECT_EQ(Read, Held[At].second);
      EXPECT_THROW(Held[At].first.read(Read.data(), Read.size() + 1), std::system_error);
      Held.erase(Held.begin() + std::ptrdiff_t(At));
    }
  }
}

/// A limit on the size of files stands for a disk that is full.
TEST(CheckpointDriver, AFullDiskIsAnErrorAndNothingIsKept) {
  const TemporaryFolder Folder;
  ::rlimit Before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &Before), 0);
  const ::rlimit Small = {20000, Before.rlim_max};
  const auto Handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &Small), 0);
  const std::vector<double> State(1000, 1.0);
  std::int64_t Stored = 0, Reversed = 0;
  {
    DiskPool Pool(Folder.Path);
    EXPECT_THROW(reverse(
                     10, 5, [](auto, auto) {},
                     [&](auto) {
                       ++Stored;
                       return Pool.store(State.data(), State.size() * sizeof(double));
                     },
                     [](const DiskPool::Copy &, auto) {}, [&](auto) { ++Reversed; }),
                 std::system_error);
    EXPECT_EQ(Stored, 3);
    EXPECT_EQ(Reversed, 0);
    std::vector<double> Read(State.size());
    for (int I = 0; I != 5; ++I) // in the places of the copies that were freed
      Pool.store(State.data(), State.size() * sizeof(double)).read(Read.data(), Read.size() * sizeof(double));
    EXPECT_EQ(Read, State);
  }
  EXPECT_THROW(DiskCopy(Folder.Path, std::vector<char>(30000).data(), 30000), std::system_error);
  EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &Before), 0);
  ::signal(SIGXFSZ, Handler);
  EXPECT_THROW(DiskPool("/proc"), std::system_error);
  EXPECT_TRUE(std::filesystem::is_empty(Folder.Path));
}

TEST(CheckpointDriver, SchedulesThatAreWrong) {
  Counting Program;
  std::vector<Action> Actions = {{Do::store, 0, 0, 0}, {Do::forward, 0, 1, 0}, {Do::restore, 1, 0, 0}};
  struct Listed {
    std::vector<Action> &Left;
    bool next(Action &Into) {
      if (Left.empty())
        return false;
      Into = Left.front();
      Left.erase(Left.begin());
      return true;
    }
  };
  EXPECT_THROW(
      reverse_along(Listed{Actions}, Program.forward(), Program.store(), Program.restore(), Program.backward()),
      std::logic_error);
  EXPECT_EQ(Program.Held, 0);
}

TEST(CheckpointDriver, SlotsWithinBytes) {
  EXPECT_EQ(slots_within(999, 100), 9);
  EXPECT_EQ(slots_within(1000, 100, 1), 9);
  EXPECT_EQ(slots_within(1000, 100, 1000), 0);
  EXPECT_EQ(slots_within(1000, 100, 2000), 0);
  EXPECT_EQ(slots_within(~std::uint64_t(0), 1), INT64_MAX);
  EXPECT_THROW(slots_within(10, 0), std::invalid_argument);
}

/// A folder with what the kernel writes.
class AvailableMemory : public testing::Test {
protected:
  void write(const char *Name, const std::string &Content) const { Folder.write(Name, Content); }

  const TemporaryFolder Folder;
  const std::filesystem::path &Root = Folder.Path;
};

TEST_F(AvailableMemory, NothingSaidIsNothingKnown) { EXPECT_EQ(available_memory(Root), std::nullopt); }

TEST_F(AvailableMemory, OfTheMachine) {
  write("proc/meminfo", "MemTotal: 2000 kB\nMemFree: 500 kB\nMemAvailable: 1000 kB\n");
  EXPECT_EQ(available_memory(Root), 1024000);
  EXPECT_GT(available_memory(), 0);
}

TEST_F(AvailableMemory, TheTightestGroupAround) {
  write("proc/meminfo", "MemAvailable: 1000000 kB\n");
  write("proc/self/cgroup", "0::/job/step\n");
  write("proc/self/mountinfo", "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/job/step/memory.max", "max\n");
  write("sys/fs/cgroup/job/step/memory.current", "100\n");
  write("sys/fs/cgroup/job/memory.max", "1000\n");
  write("sys/fs/cgroup/job/memory.current", "700\n");
  write("sys/fs/cgroup/job/memory.stat", "anon 500\ninactive_file 200\n");
  EXPECT_EQ(available_memory(Root), 500);
  write("sys/fs/cgroup/job/memory.current", "5000\n");
  EXPECT_EQ(available_memory(Root), 0);
}

TEST_F(AvailableMemory, WhereAGroupIsThrottledAndWhatIsNoNumber) {
  write("proc/meminfo", "MemAvailable: max kB\n");
  EXPECT_EQ(available_memory(Root), std::nullopt);
  write("proc/meminfo", "MemAvailable: 18446744073709551615 kB\n");
  EXPECT_GE(available_memory(Root), std::uint64_t(1) << 62);
  write("proc/meminfo", "MemAvailable: 0 kB\n");
  EXPECT_EQ(available_memory(Root), 0);
  write("proc/meminfo", "");
  write("proc/self/cgroup", "0::/job\n");
  write("proc/self/mountinfo", "30 20 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("sys/fs/cgroup/job/memory.current", "100\n");
  write("sys/fs/cgroup/job/memory.high", "400\n");
  EXPECT_EQ(available_memory(Root), 300);
  for (const char *Word : {"", "max", "-1", "99999999999999999999", "x"}) {
    write("sys/fs/cgroup/job/memory.max", Word);
    EXPECT_EQ(available_memory(Root), 300) << Word;
  }
  write("sys/fs/cgroup/job/memory.max", "150\n");
  EXPECT_EQ(available_memory(Root), 50);
}

TEST_F(AvailableMemory, FirstVersionInAContainer) {
  write("proc/self/cgroup", "4:memory:/docker/abc\n3:cpu:/x\n");
  write("proc/self/mountinfo", "31 20 0:27 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "900\n");
  write("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 50\n");
  EXPECT_EQ(available_memory(Root), 150);
}

} // namespace
} // namespace memshape::checkpoint
