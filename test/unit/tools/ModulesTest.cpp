// Which units an operator consists of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Modules.h"
#include "MadeUpFiles.h"

#include "Gives.h"
#include <gmock/gmock.h>

using namespace memshape;
using namespace memshape::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static ModuleHead unit(std::vector<std::string> Operators, std::vector<std::string> Defines,
                       std::vector<std::string> Needs) {
  ModuleHead Head;
  Head.Operators = std::move(Operators);
  Head.Defines = std::move(Defines);
  Head.Needs = std::move(Needs);
  return Head;
}

const char Json[] = R"({"schema": "memshape.module/1", "source": "a.cpp", "llvm": 22, "operators": ["op"],
  "defines": ["op", "helper"], "needs": ["malloc"], "later": 1})";

static Result<InstrumentedFile> fileWith(const std::string &Record) {
  return readInstrumentedBytes(Bytes(elf({{".memshape", Record}})), "a.o");
}

static std::vector<std::string> notesOf(const std::string &Record) {
  std::vector<InstrumentedFile> Files;
  if (Result<InstrumentedFile> File = fileWith(Record))
    Files.push_back(std::move(*File));
  std::vector<std::string> Notes;
  EXPECT_THAT(modulesOf(Files, Notes), IsEmpty());
  return Notes;
}

TEST(Modules, AnOperatorAloneIsItsOwnUnit) {
  std::vector<ModuleHead> Heads = {unit({"other"}, {"other"}, {}), unit({"op"}, {"op"}, {"malloc", "free"})};
  EXPECT_THAT(unitsOf(Heads, "op", {"malloc"}).Units, ElementsAre(1));
}

TEST(Modules, UnitsFollowWhatIsMissing) {
  std::vector<ModuleHead> Heads = {unit({}, {"deep"}, {"malloc"}), unit({}, {"unused"}, {}),
                                   unit({"op"}, {"op"}, {"near", "rest"}), unit({}, {"near"}, {"deep", "op"})};
  EXPECT_THAT(unitsOf(Heads, "op", {"near"}).Units, ElementsAre(2, 3, 0));
}

TEST(Modules, OnlyWhatTheOperatorItselfLacksBringsUnits) {
  std::vector<ModuleHead> Heads = {unit({"op"}, {"op"}, {"elsewhere"}), unit({}, {"elsewhere"}, {})};
  EXPECT_THAT(unitsOf(Heads, "op", {}).Units, ElementsAre(0));
}

TEST(Modules, AnOperatorThatWasGivenUpMayLackAllThatItsUnitLacks) {
  std::vector<ModuleHead> Heads = {unit({"op"}, {"op"}, {"elsewhere"}), unit({}, {"elsewhere"}, {})};
  EXPECT_THAT(unitsOf(Heads, "op", {}, /*WholeUnit=*/true).Units, ElementsAre(0, 1));
}

TEST(Modules, TheFirstDefinitionCounts) {
  std::vector<ModuleHead> Heads = {unit({"op"}, {"op"}, {}), unit({}, {"twice", "a"}, {}),
                                   unit({}, {"twice", "b"}, {})};
  EXPECT_THAT(unitsOf(Heads, "op", {"twice"}).Units, ElementsAre(0, 1));
  EXPECT_THAT(unitsOf(Heads, "op", {"b", "twice"}).Units, ElementsAre(0, 2, 1));
}

TEST(Modules, TwoDefinitionsAreAmbiguousUnlessTheyAreMeantToRepeat) {
  std::vector<ModuleHead> Heads = {unit({"op"}, {"op"}, {}), unit({}, {"twice"}, {}), unit({}, {"twice"}, {})};
  EXPECT_EQ(unitsOf(Heads, "op", {"twice"}).Ambiguous, "twice");
  EXPECT_EQ(unitsOf(Heads, "op", {}).Ambiguous, "");
  Heads[2].Repeated = {"twice"};
  EXPECT_EQ(unitsOf(Heads, "op", {"twice"}).Ambiguous, "");
}

TEST(Modules, OneUnitInTwoFilesIsNotAmbiguous) {
  std::string Unit =
      record(RecordKind::Module, skeletonPayload(R"({"schema": "memshape.module/1", "defines": ["twice"]})"));
  std::vector<InstrumentedFile> Files;
  for (int I = 0; I < 2; ++I)
    Files.push_back(*fileWith(Unit));
  Files.push_back(*fileWith(record(RecordKind::Module, skeletonPayload(Json))));
  std::vector<std::string> Notes;
  std::vector<ModuleHead> Heads = modulesOf(Files, Notes);
  ASSERT_EQ(Heads.size(), 3u);
  UnitChoice Choice = unitsOf(Heads, "op", {"twice"});
  EXPECT_THAT(Choice.Units, ElementsAre(2, 0));
  EXPECT_EQ(Choice.Ambiguous, "");
}

TEST(Modules, TheOperatorsOwnDefinitionComesFirst) {
  std::vector<ModuleHead> Heads = {unit({}, {"helper"}, {}), unit({"op"}, {"op", "helper"}, {})};
  EXPECT_THAT(unitsOf(Heads, "op", {"helper"}).Units, ElementsAre(1));
}

TEST(Modules, WithoutItsUnitThereIsNothing) {
  EXPECT_THAT(unitsOf({}, "op", {"helper"}).Units, IsEmpty());
  EXPECT_THAT(unitsOf({unit({}, {"helper"}, {})}, "op", {"helper"}).Units, IsEmpty());
}

TEST(Modules, RecordsAreRead) {
  for (bool Compressed : {false, true}) {
    ASSERT_GIVES(InstrumentedFile File,
                 fileWith(record(RecordKind::Module, skeletonPayload(Json, std::string(100000, 'b')), Compressed)));
    std::vector<InstrumentedFile> Files;
    Files.push_back(std::move(File));
    std::vector<std::string> Notes;
    std::vector<ModuleHead> Heads = modulesOf(Files, Notes);
    ASSERT_EQ(Heads.size(), 1u);
    EXPECT_THAT(Notes, IsEmpty());
    EXPECT_EQ(Heads[0].Source, "a.cpp");
    EXPECT_EQ(Heads[0].Llvm, 22u);
    EXPECT_THAT(Heads[0].Defines, ElementsAre("op", "helper"));
    ASSERT_GIVES(std::string Bitcode, bitcodeOf(Heads[0]));
    EXPECT_EQ(Bitcode, std::string(100000, 'b'));
  }
}

TEST(Modules, DamagedRecordsAreLeftOutWithANote) {
  EXPECT_THAT(notesOf(record(RecordKind::Module, "short")), ElementsAre(HasSubstr("runs past its end")));
  EXPECT_THAT(notesOf(record(RecordKind::Module, skeletonPayload("{}", ""))), ElementsAre(HasSubstr("is not a")));
  EXPECT_THAT(notesOf(record(RecordKind::Module, skeletonPayload("{", ""))), ElementsAre(HasSubstr("not valid JSON")));
  EXPECT_THAT(notesOf(record(RecordKind::Module, std::string(8, '\xff') + "{}")),
              ElementsAre(HasSubstr("runs past its end")));
}

TEST(Modules, UnitsThatKeepNothingSayWhyIfThereIsAReason) {
  auto without = [](const std::string &Reason) {
    return record(RecordKind::Module, skeletonPayload(R"({"schema": "memshape.module/1", "source": "a.cpp", "llvm": 22,
      "reason": ")" + Reason + "\"}",
                                                      ""));
  };
  EXPECT_THAT(notesOf(without("it was compiled for a toaster")),
              ElementsAre("'a.o' keeps no code of a.cpp: it was compiled for a toaster"));
  ASSERT_GIVES(InstrumentedFile Empty, fileWith(without("")));
  EXPECT_EQ(whyUnusable({&Empty, 1}), "");
}

TEST(Modules, BitcodeIsCheckedWhenItIsAskedFor) {
  Result<InstrumentedFile> File = fileWith(
      record(RecordKind::Module, skeletonPayload(Json), false, [](RecordHeader &Head) { Head.checksum ^= 1; }));
  ASSERT_TRUE(File);
  std::vector<InstrumentedFile> Files;
  Files.push_back(std::move(*File));
  std::vector<std::string> Notes;
  std::vector<ModuleHead> Heads = modulesOf(Files, Notes);
  ASSERT_EQ(Heads.size(), 1u);
  Result<std::string> Bitcode = bitcodeOf(Heads[0]);
  ASSERT_FALSE(Bitcode);
  EXPECT_THAT(Bitcode.failure().Message, HasSubstr("wrong checksum"));
}
