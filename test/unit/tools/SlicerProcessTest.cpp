// What the slicer makes of foreign modules.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/SlicerProcess.h"
#include "MadeUpFiles.h"
#include "TemporaryFolder.h"

#include "Gives.h"
#include <gmock/gmock.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

using namespace memshape;
using namespace memshape::test;
using testing::HasSubstr;

namespace {

/// What becomes of a module with this bitcode.
Result<Skeleton> sliced(const std::string &Bitcode, const SlicerOptions &Options,
                        std::chrono::seconds Timeout = std::chrono::seconds(30)) {
  std::signal(SIGPIPE, SIG_IGN); // as the tool has it
  std::string Payload = skeletonPayload(
      R"({"schema": "memshape.module/1", "source": "a.cpp", "llvm": 22, "operators": ["op"]})", Bitcode);
  Result<InstrumentedFile> File =
      readInstrumentedBytes(Bytes(elf({{".memshape", record(RecordKind::Module, Payload)}})), "a.o");
  if (!File)
    return File.failure();
  std::vector<InstrumentedFile> Files;
  Files.push_back(std::move(*File));
  std::vector<std::string> Notes;
  std::vector<ModuleHead> Heads = modulesOf(Files, Notes);
  return sliceNow(Options, Heads, {0}, "op", SkeletonKind::Slice, {}, std::chrono::steady_clock::now() + Timeout);
}

std::string refusal(const std::string &Bitcode, const std::string &Executable = MEMSHAPE_SLICER,
                    std::chrono::seconds Timeout = std::chrono::seconds(30)) {
  Result<Skeleton> Made = sliced(Bitcode, {Executable}, Timeout);
  return Made ? "accepted" : Made.failure().Message;
}

std::string contentsOf(const std::filesystem::path &File) {
  std::ifstream Stream(File, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(Stream), {});
}

/// A folder with a slicer that gives the bytes of a file and notes that it was asked.
class KeptSlices : public testing::Test {
protected:
  void SetUp() override {
    Options.Executable = Folder / "slicer";
    Options.Kept = CacheFolder(Folder / "kept");
    std::ofstream(Options.Executable) << "#!/bin/sh\ncat > /dev/null\necho >> '" << (Folder / "asked").string()
                                      << "'\ncat '" << (Folder / "answer").string() << "'\n";
    ::chmod(Options.Executable.c_str(), 0700);
    const std::string Payload = skeletonPayload(
        R"({"schema": "memshape.skeleton/2", "operator": "op", "symbol": "op", "status": "ok", "parameters": []})",
        "BC");
    Answer = R"({"status": "ok", "payload_bytes": )" + std::to_string(Payload.size()) + "}\n" + Payload;
  }

  Result<Skeleton> slice(const std::string &Bitcode = "unit") {
    std::ofstream(Folder / "answer") << Answer;
    return sliced(Bitcode, Options);
  }
  std::size_t timesAsked() const {
    std::error_code None;
    const std::uintmax_t Lines = std::filesystem::file_size(Folder / "asked", None);
    return None ? 0 : Lines;
  }
  std::vector<std::filesystem::path> kept() const {
    std::vector<std::filesystem::path> Files;
    for (const auto &Each : std::filesystem::directory_iterator(Folder / "kept"))
      Files.push_back(Each.path());
    return Files;
  }

  const TemporaryFolder Temporary;
  const std::filesystem::path &Folder = Temporary.Path;
  SlicerOptions Options;
  std::string Answer;
};

} // namespace

TEST(Slicer, RefusesBytesThatAreNoModule) {
  for (const std::string &Bitcode : {std::string("text"), std::string(1000, '\0'), std::string("BC\xC0\xDE"),
                                     "BC\xC0\xDE" + std::string(400, '\xff')})
    EXPECT_THAT(refusal(Bitcode), HasSubstr("the module of a.cpp cannot be read"));
}

TEST(Slicer, IsMissedInOneLine) { EXPECT_THAT(refusal("BC", "/nowhere/slicer"), HasSubstr("cannot start the slicer")); }

TEST(Slicer, IsEndedInTime) {
  EXPECT_THAT(refusal("BC", MEMSHAPE_SLICER, std::chrono::seconds(-1)), HasSubstr("did not end in real time"));
}

TEST(Slicer, GivesNoAnswerThatCountsWhereItIsSomethingElse) {
  EXPECT_THAT(refusal("BC", "/bin/true"), HasSubstr("ended unexpectedly"));
  EXPECT_NE(refusal("BC", "/bin/cat"), "accepted"); // the request comes back
}

TEST_F(KeptSlices, AreNotMadeAgain) {
  Answer += "{\"object_bytes\": 4}\ncode";
  for (int Time = 0; Time < 3; ++Time) {
    ASSERT_GIVES(Skeleton Made, slice());
    EXPECT_EQ(Made.Operator, "op");
    EXPECT_EQ(Made.Bitcode, "BC");
    EXPECT_EQ(Made.Object, "code");
  }
  EXPECT_EQ(timesAsked(), 1u);
}

TEST_F(KeptSlices, AreOfTheirOwnQuestion) {
  EXPECT_TRUE(slice("unit"));
  EXPECT_TRUE(slice("unit, changed"));
  EXPECT_EQ(timesAsked(), 2u);
  // Another build of the slicer may slice in another way.
  std::ofstream(Options.Executable, std::ios::app) << "# a later one\n";
  EXPECT_TRUE(slice("unit"));
  EXPECT_EQ(timesAsked(), 3u);
}

TEST_F(KeptSlices, AreMadeAgainWhereTheFileIsDamaged) {
  ASSERT_TRUE(slice());
  ASSERT_EQ(kept().size(), 1u);
  const std::filesystem::path File = kept()[0];
  const std::string Whole = contentsOf(File);
  std::size_t Asked = timesAsked();
  for (std::string Damaged : {std::string(), Whole.substr(0, Whole.size() / 2), Whole + "x", std::string(1000, '\n')}) {
    std::ofstream(File, std::ios::binary) << Damaged;
    ASSERT_TRUE(slice());
    EXPECT_EQ(timesAsked(), ++Asked);
  }
  for (std::size_t At : {std::size_t(20), Whole.find("BC")}) {
    std::string Damaged = contentsOf(File);
    ASSERT_LT(At, Damaged.size());
    Damaged[At] ^= 1;
    std::ofstream(File, std::ios::binary) << Damaged;
    ASSERT_GIVES(Skeleton Made, slice());
    EXPECT_EQ(Made.Bitcode, "BC");
    EXPECT_EQ(timesAsked(), ++Asked);
  }
}

TEST_F(KeptSlices, AreNoRefusals) {
  Answer = "{\"status\": \"error\", \"message\": \"no\"}\n";
  EXPECT_EQ(slice().failure().Message, "no");
  EXPECT_EQ(slice().failure().Message, "no");
  EXPECT_EQ(timesAsked(), 2u);
}

TEST_F(KeptSlices, DoWithoutMachineCodeThatIsNotWhole) {
  for (const char *Rest : {"{\"object_bytes\": 4}\ncod", "{\"object_bytes\": 4", "nonsense\n", ""}) {
    const std::string Whole = Answer;
    Answer += Rest;
    ASSERT_GIVES(Skeleton Made, slice(Rest));
    EXPECT_EQ(Made.Bitcode, "BC");
    EXPECT_EQ(Made.Object, "");
    Answer = Whole;
  }
}

TEST_F(KeptSlices, OfASlicerWithoutTimeAreTriedThreeTimes) {
  std::ofstream(Options.Executable) << "#!/bin/sh\ncat > /dev/null\necho >> '" << (Folder / "asked").string()
                                    << "'\nkill -XCPU $$\n";
  for (int Time = 0; Time < 5; ++Time)
    EXPECT_THAT(slice().failure().Message, HasSubstr("of processor time"));
  EXPECT_EQ(timesAsked(), 3u);
}

TEST(CacheFolder, TakesWhatWasChangedForNothing) {
  const TemporaryFolder Temporary;
  const CacheFolder Kept(Temporary.Path / "new" / "cache");
  const std::string Key = CacheKey("a").text(), Other = CacheKey("b").text();
  Kept.write(Key, "12*n + 28");
  EXPECT_EQ(Kept.read(Key, 1000), "12*n + 28");
  const std::filesystem::path Folder = Temporary.Path / "new" / "cache";
  EXPECT_EQ(std::filesystem::status(Folder).permissions(), std::filesystem::perms(0700));
  std::filesystem::copy_file(Folder / Key, Folder / Other);
  EXPECT_FALSE(Kept.read(Other, 1000)); // it stands for something else
  std::fstream(Folder / Key, std::ios::in | std::ios::out | std::ios::ate).seekp(-1, std::ios::end) << '9';
  EXPECT_FALSE(Kept.read(Key, 1000));
}

TEST(CacheFolder, DoesNotUseAFolderWhereOthersMayWrite) {
  const TemporaryFolder Temporary;
  const CacheFolder Kept(Temporary.Path);
  const std::string Key = CacheKey("a").text();
  Kept.write(Key, "text");
  EXPECT_EQ(Kept.read(Key, 100), "text");
  std::filesystem::permissions(Temporary.Path, std::filesystem::perms(0777));
  EXPECT_FALSE(Kept.read(Key, 100));
  Kept.write(CacheKey("b").text(), "text");
  EXPECT_FALSE(std::filesystem::exists(Temporary.Path / CacheKey("b").text()));
}

TEST(CacheFolder, LeavesFilesOfOthersAlone) {
  const TemporaryFolder Temporary;
  const std::filesystem::path &Folder = Temporary.Path;
  std::ofstream(Folder / "notes.txt") << "mine";
  for (int Number = 0; Number < 1100; ++Number) {
    CacheKey Key("test");
    Key.addNumber(Number);
    std::ofstream(Folder / Key.text()) << "text";
  }
  CacheFolder(Folder).write(CacheKey("one more").text(), "text");
  EXPECT_TRUE(std::filesystem::exists(Folder / "notes.txt"));
  std::size_t Count = 0;
  for ([[maybe_unused]] const auto &Each : std::filesystem::directory_iterator(Folder))
    ++Count;
  EXPECT_EQ(Count, 1024u / 4 * 3 + 1);
  EXPECT_EQ(CacheFolder(Folder).read(CacheKey("one more").text(), 100), "text");
}
