// What a program brings before main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/files/ElfFile.h"
#include "libmemshape/files/MappedFile.h"
#include "libmemshape/resident/ResidentMemory.h"

#include "Gives.h"
#include <gtest/gtest.h>

#include <algorithm>

using namespace memshape;

constexpr const char *Streams = "_ZNSt8ios_base4InitC1Ev";

static InstrumentedFile importing(std::vector<std::string> Symbols, std::uint64_t ProgramBytes = 0) {
  InstrumentedFile File;
  File.Imports = std::move(Symbols);
  File.ProgramBytes = ProgramBytes;
  return File;
}

TEST(ProgramStart, StandardStreamsAreMadeOnceHoweverManyFilesIncludeThem) {
  EXPECT_EQ(startBytes({importing({"malloc"})}), 0);
  double Once = startBytes({importing({"malloc", Streams})});
  EXPECT_EQ(Once, 589824);
  EXPECT_EQ(startBytes({importing({Streams}), importing({Streams, Streams})}), Once);
}

TEST(ProgramStart, ALargeProgramIsItselfInMemory) {
  EXPECT_EQ(startBytes({importing({}, 4096)}), 0) << "small programs are part of the prior";
  EXPECT_EQ(startBytes({importing({}, 112288)}), 100000);
}

TEST(ProgramStart, AnExecutableTellsItsSizeAndItsImports) {
  ASSERT_GIVES(MappedFile File, MappedFile::open("/proc/self/exe"));
  ASSERT_GIVES(ElfFile Elf, readElf(File.bytes()));
  EXPECT_GT(Elf.ProgramBytes, 100000u);
  EXPECT_LE(Elf.ProgramBytes, File.bytes().size());
  EXPECT_EQ(std::count(Elf.Imports.begin(), Elf.Imports.end(), "__libc_start_main"), 1);
  EXPECT_EQ(std::count(Elf.Imports.begin(), Elf.Imports.end(), "main"), 0) << "it is defined here";
}
