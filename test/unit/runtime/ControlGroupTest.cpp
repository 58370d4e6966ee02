// Control groups of both versions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/process/ControlGroup.h"
#include "TemporaryFolder.h"

#include "Gives.h"
#include <gtest/gtest.h>

#include <optional>

using namespace memshape;

using Tree = TemporaryFolder; // a made-up "/"

TEST(ControlGroup, VersionTwo) {
  Tree T;
  T.write("proc/self/cgroup", "0::/user/run\n");
  T.write("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw\n");
  T.write("sys/fs/cgroup/user/run/memory.current", "1000\n");
  T.write("sys/fs/cgroup/user/run/memory.peak", "5000\n");
  T.write("sys/fs/cgroup/user/run/memory.max", "max\n");
  ASSERT_GIVES(GroupMemory Seen, groupMemory(T.Path));
  EXPECT_EQ(Seen.Version, 2);
  EXPECT_EQ(Seen.Peak, 5000u);
  EXPECT_EQ(Seen.Current, 1000u);
  EXPECT_EQ(Seen.Limit, std::nullopt);
}

TEST(ControlGroup, VersionTwoBeforeItKnewAPeak) {
  Tree T;
  T.write("proc/self/cgroup", "0::/\n");
  T.write("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  T.write("sys/fs/cgroup/memory.current", "1000\n");
  T.write("sys/fs/cgroup/memory.max", "8589934592\n");
  ASSERT_GIVES(GroupMemory Seen, groupMemory(T.Path));
  EXPECT_EQ(Seen.Peak, std::nullopt);
  EXPECT_EQ(Seen.Limit, std::uint64_t(8) << 30);
}

TEST(ControlGroup, VersionOneBesideAnEmptyVersionTwo) {
  Tree T;
  T.write("proc/self/cgroup", "5:cpu,cpuacct:/other\n4:memory:/box/run\n0::/\n");
  T.write("proc/self/mountinfo", "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
                                 "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  T.write("sys/fs/cgroup/memory/box/run/memory.usage_in_bytes", "7\n");
  T.write("sys/fs/cgroup/memory/box/run/memory.max_usage_in_bytes", "9\n");
  T.write("sys/fs/cgroup/memory/box/run/memory.limit_in_bytes", "9223372036854771712\n");
  ASSERT_GIVES(GroupMemory Seen, groupMemory(T.Path));
  EXPECT_EQ(Seen.Version, 1);
  EXPECT_EQ(Seen.Peak, 9u);
  EXPECT_EQ(Seen.Limit, std::nullopt);
}

TEST(ControlGroup, AContainerSeesItsOwnGroupAtTheTop) {
  Tree T;
  T.write("proc/self/cgroup", "4:memory:/docker/abc\n");
  T.write("proc/self/mountinfo", "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
  T.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "7\n");
  T.write("sys/fs/cgroup/memory/memory.max_usage_in_bytes", "9\n");
  ASSERT_GIVES(GroupMemory Seen, groupMemory(T.Path));
  EXPECT_EQ(Seen.Peak, 9u);
}

TEST(ControlGroup, NothingWhereNothingIs) {
  Tree T;
  EXPECT_FALSE(groupMemory(T.Path));
  T.write("proc/self/cgroup", "nonsense\n:\n0::/x\n");
  T.write("proc/self/mountinfo", "nonsense\n1 2 3 - \n");
  EXPECT_FALSE(groupMemory(T.Path));
}
