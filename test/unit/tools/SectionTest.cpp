// Reading what memshape left in a file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MadeUpFiles.h"
#include "libmemshape/files/InstrumentedFile.h"

#include "Gives.h"
#include <gmock/gmock.h>

using namespace memshape;
using namespace memshape::test;
using testing::HasSubstr;

static std::string refusal(const std::string &File) {
  Result<InstrumentedFile> Read = readInstrumentedBytes(Bytes(File), "lib.so");
  return Read ? "accepted" : Read.failure().Message;
}

template <class Change> static std::string spoiled(Change Spoil) {
  return refusal(instrumented(record(RecordKind::Features, "{\"a\": 1}", true, Spoil)));
}

TEST(Section, RecordsOfAllObjectsAreRead) {
  std::string Section = record(RecordKind::Features, "first", false) + std::string(16, '\0') +
                        record(RecordKind::Skeleton, std::string(5000, 'x'), true);
  Result<InstrumentedFile> Read = readInstrumentedBytes(Bytes(std::string_view(instrumented(Section))), "a.o");
  std::string File = instrumented(Section);
  Read = readInstrumentedBytes(Bytes(File), "a.o");
  ASSERT_TRUE(Read);
  ASSERT_EQ(Read->Records.size(), 2u);
  EXPECT_EQ(Read->Records[0].Payload, "first");
  EXPECT_EQ(Read->Records[1].Kind, RecordKind::Skeleton);
  EXPECT_EQ(Read->Records[1].Payload, std::string(5000, 'x'));
}

TEST(Section, ArchivesGiveAllMembers) {
  std::string File = archive({{"/", "symbols"},
                              {"a.o/", instrumented(record(RecordKind::Features, "A"))},
                              {"note.txt/", "odd"},
                              {"b.o/", instrumented(record(RecordKind::Features, "B"))}});
  ASSERT_GIVES(InstrumentedFile Read, readInstrumentedBytes(Bytes(File), "lib.a"));
  ASSERT_EQ(Read.Records.size(), 2u);
  EXPECT_EQ(Read.Records[1].Payload, "B");
}

TEST(Section, NeededLibrariesAreListed) {
  std::string Strings = std::string(1, '\0') + "libfftw3f.so.3" + '\0', Dynamic;
  append(Dynamic, Elf64_Dyn{DT_NEEDED, {1}});
  append(Dynamic, Elf64_Dyn{DT_NULL, {0}});
  std::string File = elf({{".dynstr", Strings, SHT_STRTAB},
                          {".dynamic", Dynamic, SHT_DYNAMIC, 1},
                          {".memshape", record(RecordKind::Features, "{}")}},
                         ET_DYN);
  ASSERT_GIVES(InstrumentedFile Read, readInstrumentedBytes(Bytes(File), "lib.so"));
  EXPECT_THAT(Read.Libraries, testing::ElementsAre("libfftw3f.so.3"));
}

TEST(Section, UnknownKindsAreSkipped) {
  std::string Section = record(static_cast<RecordKind>(9), "later", false) + record(RecordKind::Features, "now");
  std::string File = instrumented(Section);
  ASSERT_GIVES(InstrumentedFile Read, readInstrumentedBytes(Bytes(File), "a.o"));
  ASSERT_EQ(Read.Records.size(), 1u);
}

TEST(Section, RefusesWhatIsNoProgram) {
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_THAT(refusal("hello\n"), HasSubstr("'lib.so' is not an ELF file or an archive"));
  EXPECT_THAT(refusal("BC\xC0\xDE..."), HasSubstr("bitcode"));
  EXPECT_THAT(refusal("!<thin>\n"), HasSubstr("thin archive"));
}

TEST(Section, RefusesAnUninstrumentedProgram) {
  EXPECT_THAT(refusal(elf({{".text", "code"}})), HasSubstr("compile it with -fplugin=memshape"));
  EXPECT_THAT(refusal(archive({{"a.o/", elf({{".text", "code"}})}})), HasSubstr("-fplugin=memshape"));
}

TEST(Section, RefusesEveryTruncation) {
  std::string Whole = instrumented(record(RecordKind::Features, std::string(100, 'a')));
  for (std::size_t Size = 0; Size < Whole.size(); ++Size)
    EXPECT_NE(refusal(Whole.substr(0, Size)), "accepted") << Size;
  EXPECT_THAT(refusal(Whole.substr(0, 70)), HasSubstr("truncated"));
}

TEST(Section, RefusesOtherMachines) {
  std::string Narrow = instrumented(""), Big = Narrow;
  Narrow[EI_CLASS] = ELFCLASS32;
  Big[EI_DATA] = ELFDATA2MSB;
  EXPECT_THAT(refusal(Narrow), HasSubstr("32-bit"));
  EXPECT_THAT(refusal(Big), HasSubstr("big-endian"));
}

TEST(Section, RefusesDamagedRecords) {
  EXPECT_EQ(spoiled([](RecordHeader &) {}), "accepted");
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.version = 7; }), HasSubstr("newer memshape (record version 7"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.version = 0; }), HasSubstr("damaged"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.flags = 6; }), HasSubstr("damaged"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.checksum ^= 1; }), HasSubstr("checksum"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.raw_size += 1; }), HasSubstr("damaged"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.raw_size = std::uint64_t(1) << 40; }), HasSubstr("1 GiB"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.raw_size = std::uint64_t(1) << 29; }), HasSubstr("damaged"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.stored_size = 1 << 20; }), HasSubstr("truncated"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.stored_size = ~std::uint64_t(0); }), HasSubstr("truncated"));
  EXPECT_THAT(spoiled([](RecordHeader &H) { H.magic[0] = 'X'; }), HasSubstr("damaged"));
}

TEST(Section, RefusesHostileSectionTables) {
  std::string File = instrumented(record(RecordKind::Features, "{}"));
  Elf64_Ehdr Head;
  std::memcpy(&Head, File.data(), sizeof Head);
  auto With = [&](auto Change) {
    Elf64_Ehdr Changed = Head;
    Change(Changed);
    std::string Spoiled = File;
    std::memcpy(Spoiled.data(), &Changed, sizeof Changed);
    return refusal(Spoiled);
  };
  EXPECT_THAT(With([](Elf64_Ehdr &H) { H.e_shoff = ~std::uint64_t(0) - 8; }), HasSubstr("truncated"));
  EXPECT_THAT(With([](Elf64_Ehdr &H) { H.e_shoff = 0; }), HasSubstr("no section table"));
  EXPECT_THAT(With([](Elf64_Ehdr &H) { H.e_shnum = 60000; }), HasSubstr("truncated"));
  EXPECT_THAT(With([](Elf64_Ehdr &H) { H.e_shstrndx = 1000; }), HasSubstr("names"));
  EXPECT_THAT(With([](Elf64_Ehdr &H) { H.e_shentsize = 10; }), HasSubstr("damaged"));
  EXPECT_THAT(With([](Elf64_Ehdr &H) { H.e_type = ET_CORE; }), HasSubstr("neither"));
}

TEST(Section, FilesThatCannotBeReadAreNamed) {
  EXPECT_THAT(readInstrumentedFile("/nowhere/a.o").failure().Message,
              testing::AllOf(HasSubstr("'/nowhere/a.o'"), HasSubstr("No such file")));
  EXPECT_THAT(readInstrumentedFile("/").failure().Message, HasSubstr("directory"));
  EXPECT_THAT(readInstrumentedFile("/dev/null").failure().Message, HasSubstr("not a regular file"));
}
