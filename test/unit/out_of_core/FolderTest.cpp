// What lies on disk, and what stays there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Folder.h"
#include "TemporaryFolder.h"

#include <memshape/out_of_core.h>

#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace memshape::out_of_core;

static mode_t permissions(const std::filesystem::path &Of) {
  struct stat Is;
  return ::lstat(Of.c_str(), &Is) == 0 ? Is.st_mode & 07777 : 0;
}

/// A process that makes a folder with a file in it and is killed.
static void leaveOver(const std::filesystem::path &In) {
  const pid_t Child = ::fork();
  if (Child == 0) {
    const Folder Made(In);
    for (const char *Name : {"3-1", "statistics"})
      std::ofstream(Made.path() / Name) << "data";
    ::kill(::getpid(), SIGKILL);
  }
  int Status = 0;
  ASSERT_EQ(::waitpid(Child, &Status, 0), Child);
  ASSERT_TRUE(WIFSIGNALED(Status));
}

TEST(OutOfCoreFolder, IsPrivateAndGoneAtTheEnd) {
  const TemporaryFolder In;
  {
    Store Made({.budget_bytes = 4096, .folder = In.Path / "made" / "here"});
    const auto One = Made.add<char[]>(10), Other = Made.add<char[]>(10);
    Made.submit([](std::span<char> Block) { Block[0] = 1; }, update(One));
    Made.submit([](std::span<char> Block) { Block[0] = 1; }, update(Other));
    Made.run();
    int Files = 0;
    for (const auto &Each : std::filesystem::recursive_directory_iterator(In.Path / "made" / "here")) {
      EXPECT_EQ(permissions(Each.path()), Each.is_directory() ? 0700u : 0600u);
      Files += Each.is_regular_file();
    }
    EXPECT_EQ(Files, 2); // the block that has left, and the statistics
  }
  EXPECT_TRUE(std::filesystem::is_empty(In.Path / "made" / "here"));
}

TEST(OutOfCoreFolder, WhatKilledProcessesLeftIsRemovedAtTheStart) {
  const TemporaryFolder In;
  for (int Times = 0; Times < 5; ++Times)
    leaveOver(In.Path);
  EXPECT_EQ(In.entries().size(), 1u); // each has removed what the one before it left
  const Folder Made(In.Path);
  EXPECT_EQ(In.entries().size(), 1u);
  EXPECT_EQ(In.entries()[0], Made.path());
}

TEST(OutOfCoreFolder, FoldersInUseAndOfOthersStay) {
  const TemporaryFolder In;
  const Folder InUse(In.Path);
  std::filesystem::create_directory(In.Path / "memshape-ooc-public");
  std::filesystem::create_directory(In.Path / "other");
  std::filesystem::permissions(In.Path / "other", std::filesystem::perms::owner_all);
  std::filesystem::create_directory_symlink(In.Path / "other", In.Path / "memshape-ooc-link");
  std::filesystem::create_directory(In.Path / "memshape-ooc-foreign");
  std::filesystem::permissions(In.Path / "memshape-ooc-foreign", std::filesystem::perms::owner_all);
  std::ofstream(In.Path / "memshape-ooc-foreign" / "notes.txt") << "mine";
  {
    const Folder Made(In.Path);
  }
  EXPECT_TRUE(std::filesystem::exists(InUse.path()));
  for (const char *Name : {"memshape-ooc-public", "memshape-ooc-link", "other", "memshape-ooc-foreign/notes.txt"})
    EXPECT_TRUE(std::filesystem::exists(In.Path / Name)) << Name;
}

TEST(OutOfCoreFolder, AForkedProcessLeavesItAlone) {
  const TemporaryFolder In;
  std::optional<Folder> Made(std::in_place, In.Path);
  const pid_t Child = ::fork();
  if (Child == 0) {
    Made.reset();
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(Child, nullptr, 0), Child);
  EXPECT_TRUE(std::filesystem::exists(Made->path()));
}

TEST(OutOfCoreFolder, AFileIsNoFolder) {
  const TemporaryFolder In;
  std::ofstream(In.Path / "file") << "";
  EXPECT_THROW(Folder(In.Path / "file"), Error);
}
