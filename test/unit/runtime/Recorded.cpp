// This process's record, and its main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recorded.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace memshape::test {
constexpr char Variable[] = "MEMSHAPE_RUNTIME_RECORD";

const char *const ShapeNames[] = {"n"};

std::string recordBytesNow() {
  std::ifstream Stream(std::getenv(Variable), std::ios::binary);
  return {std::istreambuf_iterator<char>(Stream), {}};
}

RunRecord recordNow() {
  Result<RunRecord> Record = readRunRecord(recordBytesNow());
  EXPECT_TRUE(Record) << (Record ? "" : Record.failure().Message);
  return Record ? *Record : RunRecord();
}

const memshape_hooks &hooks() {
  static const memshape_hooks *Table = [] {
    const memshape_hooks *Slot = nullptr;
    memshape_attach(MEMSHAPE_HOOKS_ABI, &Slot);
    return Slot;
  }();
  return *Table;
}

memshape_operator operatorNamed(const char *Name) { return {Name, "test.cpp", 1, 1, 0, 0, ShapeNames, nullptr}; }

memshape_site siteAt(std::uint32_t Line) { return {"test.cpp", "f", Line, 1, MEMSHAPE_SPACE_HOST, 0}; }

RunGroup groupOf(const RunRecord &Record, const std::string &Name, std::int64_t N) {
  for (const RunGroup &Group : Record.Groups)
    if (Record.Operators[Group.Operator].Name == Name && (N < 0 || Group.Shape[0] == N))
      return Group;
  ADD_FAILURE() << "no group of operator " << Name;
  return {};
}

std::int64_t bytesAtPeak(const RunRecord &Record, const RunFigures &Figures, std::uint32_t Line) {
  std::int64_t Sum = 0;
  for (const RunSiteBytes &Entry : Figures.Sites)
    if (Record.Sites[Entry.Site].Line == Line)
      Sum += Entry.Bytes;
  return Sum;
}

} // namespace memshape::test

/// AddressSanitizer would move the calls' structures off the stack, where a longjmp past them leaves no sign.
extern "C" __attribute__((visibility("default"))) const char *__asan_default_options() {
  return "detect_stack_use_after_return=0";
}

/// The runtime decides before main whether it counts: the first start names a record and starts the program again.
int main(int Count, char **Arguments) {
  if (!std::getenv(memshape::test::Variable)) {
    char Folder[] = "/tmp/memshape-unit-XXXXXX";
    if (!mkdtemp(Folder))
      return 1;
    setenv(memshape::test::Variable, (std::string(Folder) + "/record").c_str(), 1);
    execv("/proc/self/exe", Arguments);
    return 1;
  }
  testing::InitGoogleTest(&Count, Arguments);
  int Status = RUN_ALL_TESTS();
  std::string Record = std::getenv(memshape::test::Variable);
  unlink(Record.c_str());
  rmdir(Record.substr(0, Record.rfind('/')).c_str());
  return Status;
}
