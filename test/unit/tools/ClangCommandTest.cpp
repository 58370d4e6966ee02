// Commands of other compilers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/project/ProjectBuild.h"

#include "Gives.h"
#include <gtest/gtest.h>

using namespace memshape;
using Words = std::vector<std::string>;

TEST(ClangCommand, ReadsWordsAsAShellDoes) {
  EXPECT_EQ(wordsOf(R"(gcc  -DA=\"x\" -DB="a \"b\" \c $d" 'it''s' "" a\ b)"),
            (Words{"gcc", "-DA=\"x\"", R"(-DB=a "b" \c $d)", "its", "", "a b"}));
  EXPECT_EQ(wordsOf("  "), Words());
  EXPECT_EQ(wordsOf("a\\"), Words{"a\\"});
  EXPECT_EQ(wordsOf("'open"), Words{"open"});
}

TEST(ClangCommand, LeavesOutWhatBelongsToTheBuild) {
  ASSERT_GIVES(const auto Found, clangCommandOf({"/b",
                                                 "a.cc",
                                                 {"ccache", "/opt/arm-none-g++-12", "-O2", "-MD", "-MT", "x", "-MF",
                                                  "x.d", "-MP", "-Werror=all", "-Wall", "-flto", "-fprofile-use=p",
                                                  "-specs=s", "-o", "a.o", "-c", "a.cc"}}));
  EXPECT_TRUE(Found.IsCxx);
  EXPECT_EQ(Found.Arguments, (Words{"-O2", "-Wall", "a.cc"}));
  EXPECT_EQ(Found.TakenOut, (Words{"-flto", "-fprofile-use=p", "-specs=s"}));
}

TEST(ClangCommand, RefusesOtherLanguagesAndCompilers) {
  EXPECT_FALSE(clangCommandOf({"/b", "a.cu", {"nvcc", "-c", "a.cu"}}));
  EXPECT_FALSE(clangCommandOf({"/b", "a.f90", {"gcc", "-c", "a.f90"}}));
  EXPECT_FALSE(clangCommandOf({"/b", "a.c", {"-c", "gcc"}}));
  EXPECT_TRUE(clangCommandOf({"/b", "a.c", {"cc"}}));
}

TEST(ClangCommand, TakesOutWhatClangDoesNotKnow) {
  Words Arguments = {"-O2", "-fipa-pta", "-march=znver9", "-mfancy", "-fabi=old", "a.c"};
  EXPECT_EQ(takeOutUnknown(Arguments, "clang: error: unknown argument: '-fipa-pta'\n"
                                      "error: unknown target CPU 'znver9'\n"
                                      "error: invalid value 'old' in '-fabi=old'\n"
                                      "a.c:1:1: error: unknown type name '-O2'\n"),
            (Words{"-fipa-pta", "-march=znver9", "-fabi=old"}));
  EXPECT_EQ(Arguments, (Words{"-O2", "-mfancy", "a.c"}));
}
