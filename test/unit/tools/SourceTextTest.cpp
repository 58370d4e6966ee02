// Which files an answer shows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/SourceText.h"
#include "TemporaryFolder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

using namespace memshape;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

namespace {

/// A home with secrets, and a project in it that carries the object project/build/a.o.
class Sources : public testing::Test {
protected:
  void SetUp() override {
    fs::create_directories(Home / "project/build");
    fs::create_directories(Home / "project/src");
    fs::create_directories(Home / "project/.git");
    for (const char *Name : {"other.c", "key", ".netrc", "project/src/a.c", "project/src/.hidden.c",
                             "project/.git/config.c", "project/build/a.o", "project/build/made.h"})
      std::ofstream(Home / Name) << "text of " << Name << "\n";
    Before = std::getenv("HOME") ? std::getenv("HOME") : "";
    ::setenv("HOME", Home.c_str(), 1);
    Shown.add(Home / "project/build/a.o", "/");
  }
  void TearDown() override { ::setenv("HOME", Before.c_str(), 1); }

  SourceText read(const std::string &Name) const { return readSource((Home / Name).string(), Shown); }
  std::string missing(const std::string &Name) const { return read(Name).Missing; }

  const TemporaryFolder Temporary;
  const fs::path Home = fs::canonical(Temporary.Path);
  SourceFolders Shown;
  std::string Before;
};

} // namespace

TEST_F(Sources, OfTheProjectAreShown) {
  for (const char *Name : {"project/src/a.c", "project/build/made.h", "project/build/../src/a.c"}) {
    EXPECT_EQ(missing(Name), "");
    EXPECT_THAT(read(Name).Lines, ElementsAre(HasSubstr("text of project/")));
  }
}

TEST_F(Sources, OutsideOfItAreNot) {
  for (const char *Name : {"other.c", "project/../other.c", "project/build/../../other.c"}) {
    EXPECT_THAT(missing(Name), HasSubstr("neither in the project")) << Name;
    EXPECT_THAT(read(Name).Lines, IsEmpty()) << Name;
  }
  for (const std::string &Other : {(Home / "key").string(), (Home / ".netrc").string(), std::string("/etc/hostname")})
    EXPECT_NE(readSource("/usr/include/../.." + Other, Shown).Missing, "") << Other;
}

TEST_F(Sources, ThatAreHiddenAreNot) {
  for (const char *Name : {"project/src/.hidden.c", "project/.git/config.c"})
    EXPECT_NE(missing(Name), "") << Name;
}

TEST_F(Sources, AreWhereLinksLead) {
  fs::create_symlink(Home / "key", Home / "project/src/key.h");
  fs::create_symlink(Home / "other.c", Home / "project/src/other.c");
  fs::create_directory_symlink(Home, Home / "project/src/home");
  fs::create_symlink("a.c", Home / "project/src/again.c");
  for (const char *Name : {"project/src/key.h", "project/src/other.c", "project/src/home/other.c"})
    EXPECT_NE(missing(Name), "") << Name;
  EXPECT_EQ(missing("project/src/again.c"), "");
}

TEST_F(Sources, AreNotThoseOfAHomeThatTheFileClaims) {
  for (const fs::path &Claimed : {Home, Home.parent_path(), fs::path("/"), Home / "other"}) {
    SourceFolders Folders;
    Folders.add(Home / "project/build/a.o", Claimed);
    EXPECT_NE(readSource((Home / "other.c").string(), Folders).Missing, "") << Claimed;
  }
}

TEST_F(Sources, AreSmallTexts) {
  std::ofstream(Home / "project/src/bytes.c") << std::string("a\0b", 3);
  std::ofstream(Home / "project/src/large.c") << std::string(5 << 20, 'x');
  EXPECT_THAT(missing("project/src/bytes.c"), HasSubstr("no text"));
  EXPECT_THAT(missing("project/src/large.c"), HasSubstr("too large"));
  EXPECT_THAT(missing("project/src/gone.c"), HasSubstr("not there"));
  EXPECT_THAT(missing("project/build/a.o"), HasSubstr("name"));
}

TEST_F(Sources, OfTheSystemAreHeaders) {
  EXPECT_EQ(readSource("/usr/include/stdio.h", Shown).Missing, "");
  EXPECT_NE(readSource("/usr/include/../../etc/passwd", Shown).Missing, "");
}
