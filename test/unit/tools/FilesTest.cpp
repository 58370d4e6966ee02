// Output files, environment and installation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TemporaryFolder.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/files/MappedFile.h"
#include "libmemshape/files/OutputFile.h"
#include "libmemshape/skeletons/Installation.h"
#include "tools/memshape/CommandLine.h"

#include "Gives.h"
#include <gmock/gmock.h>

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace memshape;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {

class Files : public testing::Test {
protected:
  static std::string content(const fs::path &Path) {
    std::ifstream In(Path);
    return {std::istreambuf_iterator<char>(In), {}};
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(Folder), fs::directory_iterator()));
  }

  const TemporaryFolder Temporary;
  const fs::path &Folder = Temporary.Path;
};

} // namespace

TEST_F(Files, OfAnOptionAreRegularAndNotTooLarge) {
  const fs::path Path = Folder / "options", Pipe = Folder / "pipe";
  std::ofstream(Path) << "text";
  ASSERT_EQ(::mkfifo(Pipe.c_str(), 0600), 0);
  EXPECT_EQ(*readFile(Path, 4), "text");
  EXPECT_THAT(readFile(Path, 3).failure().Message, HasSubstr("too large"));
  EXPECT_THAT(readFile(Pipe, 100).failure().Message, HasSubstr("not a regular file"));
  EXPECT_THAT(readFile("/dev/zero", 100).failure().Message, HasSubstr("not a regular file"));
  EXPECT_THAT(readFile(Folder, 100).failure().Message, HasSubstr("directory"));
  EXPECT_TRUE(checkInput(Pipe));
  EXPECT_FALSE(checkInput(Path));
}

TEST_F(Files, ThatAreCutWhileTheyAreReadAreSaidToBe) {
  const fs::path Path = Folder / "object";
  const std::string Whole(100000, 'x');
  std::ofstream(Path) << Whole;
  ASSERT_GIVES(MappedFile File, MappedFile::open(Path));
  EXPECT_EQ(File.bytes().text(), Whole);
  EXPECT_FALSE(File.cut());
  ASSERT_EQ(::truncate(Path.c_str(), 10), 0);
  EXPECT_EQ(File.bytes().text().back(), '\0');
  ASSERT_TRUE(File.cut());
  EXPECT_THAT(File.cut()->Message, HasSubstr("cut short"));
  Result<MappedFile> Again = MappedFile::open(Path); // each mapping for itself
  EXPECT_EQ(Again->bytes().size(), 10u);
  EXPECT_FALSE(Again->cut());
}

TEST_F(Files, LinesOfRunsArePrivate) {
  const fs::path Path = Folder / "runs.jsonl";
  EXPECT_FALSE(appendLine(Path, "{}"));
  EXPECT_EQ(fs::status(Path).permissions(), fs::perms(0600));
  makePrivateFolder(Folder / "a" / "b");
  EXPECT_EQ(fs::status(Folder / "a").permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(Folder / "a" / "b").permissions(), fs::perms(0700));
}

TEST_F(Files, OutputIsWrittenAsAWhole) {
  fs::path Path = Folder / "report.txt";
  EXPECT_FALSE(writeOutput(Path, "one\n"));
  EXPECT_FALSE(writeOutput(Path, "two\n"));
  EXPECT_EQ(content(Path), "two\n");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, OutputKeepsPermissionsAndLinks) {
  fs::path Path = Folder / "report.txt", Link = Folder / "link";
  EXPECT_FALSE(writeOutput(Path, "one\n"));
  ASSERT_EQ(::chmod(Path.c_str(), 0640), 0);
  fs::create_symlink("report.txt", Link);
  EXPECT_FALSE(writeOutput(Link, "two\n"));
  EXPECT_TRUE(fs::is_symlink(Link));
  EXPECT_EQ(content(Path), "two\n");
  EXPECT_EQ(fs::status(Path).permissions(), fs::perms(0640));
}

TEST_F(Files, RefusedOutputLeavesNothing) {
  std::optional<Failure> Wrong = writeOutput(Folder / "nowhere" / "report.txt", "text");
  ASSERT_TRUE(Wrong);
  EXPECT_THAT(Wrong->Message, testing::AllOf(HasSubstr("nowhere/report.txt"), HasSubstr("No such file")));
  Wrong = writeOutput(Folder, "text");
  ASSERT_TRUE(Wrong);
  EXPECT_THAT(Wrong->Message, HasSubstr("directory"));
  EXPECT_EQ(count(), 0u);
}

TEST_F(Files, OutputThatIsNotCommittedLeavesWhatWasThere) {
  fs::path Path = Folder / "report.txt";
  EXPECT_FALSE(writeOutput(Path, "one\n"));
  {
    ASSERT_GIVES(OutputFile Opened, OutputFile::open(Path));
    EXPECT_EQ(content(Path), "one\n");
  }
  EXPECT_EQ(content(Path), "one\n");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, LinesAreAppended) {
  fs::path Path = Folder / "runs.jsonl";
  EXPECT_FALSE(checkAppendable(Path));
  EXPECT_EQ(count(), 0u);
  EXPECT_FALSE(appendLine(Path, "one"));
  EXPECT_FALSE(appendLine(Path, "two"));
  EXPECT_EQ(content(Path), "one\ntwo\n");
  EXPECT_TRUE(checkAppendable(Folder));
}

TEST(Environment, MisspeltVariablesAreErrors) {
  const char *Known[] = {"PATH=/bin",     "MEMSHAPE_DISABLE=1",    "MEMSHAPE_RUNTIME_RECORD=x",
                         "XMEMSHAPE_Y=1", "MEMSHAPE_CXXFLAGS=-O3", nullptr};
  EXPECT_FALSE(checkEnvironment(Known));
  const char *Unknown[] = {"MEMSHAPE_DISBALE=1", nullptr};
  ASSERT_GIVES(Failure Wrong, checkEnvironment(Unknown));
  EXPECT_THAT(Wrong.Message, HasSubstr("'MEMSHAPE_DISBALE'; did you mean MEMSHAPE_DISABLE?"));
}

TEST_F(Files, InstallationIsFoundFromItsBin) {
  fs::create_directories(Folder / "bin");
  fs::create_directories(Folder / "lib");
  fs::create_directories(Folder / "include" / "memshape");
  Installation Installed(Folder / "bin");
  EXPECT_EQ(Installed.runner(), Folder / "libexec" / "memshape" / "memshape-skeleton");
  EXPECT_THAT(Installed.libraries().failure().Message, HasSubstr("no plugin"));
  EXPECT_THAT(Installed.headers().failure().Message, HasSubstr("no headers"));
  std::ofstream(Folder / "lib" / "memshape") << "x";
  std::ofstream(Folder / "include" / "memshape" / "operator.h") << "x";
  ASSERT_TRUE(Installed.libraries());
  EXPECT_EQ(*Installed.libraries(), Folder / "lib");
  EXPECT_EQ(*Installed.headers(), Folder / "include");
}
