// Documents about libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/Known.h"

#include <gtest/gtest.h>

namespace memshape {
/// The one line that the reader says about a library of these members; "" where it is well formed.
static std::string problemOf(const std::string &Members, const std::string &Schema = "memshape.libraries/1") {
  LibraryTable Table;
  std::string Problem;
  Table.read("{\"schema\": \"" + Schema + "\", \"libraries\": [{" + Members + "}]}", Problem);
  return Problem;
}

TEST(LibraryTableTest, EachBuiltInDocumentIsWellFormed) {
  EXPECT_FALSE(builtInDocuments().empty());
  for (llvm::StringRef Document : builtInDocuments()) {
    LibraryTable Table;
    std::string Problem;
    EXPECT_TRUE(Table.read(Document, Problem)) << Problem << "\n" << Document.take_front(200).str();
  }
}

TEST(LibraryTableTest, FilesOfTheFirstFormatAreRead) {
  const std::string Members = R"("functions": [{"names": ["f"], "treatment": "pure"}])";
  EXPECT_EQ(problemOf(Members, "memshape.summaries/1"), "");
  EXPECT_EQ(problemOf(Members, "memshape.summaries/2"), "expected memshape.libraries/1 at the document.schema");
}

TEST(LibraryTableTest, AMistakeIsOneLineThatNamesTheMember) {
  EXPECT_EQ(problemOf(R"("allocator": [])"), "unknown member at the document.libraries[0].allocator");
  EXPECT_EQ(problemOf(R"("allocators": [{"names": ["f*"], "kind": "allocate", "size": 0}])"),
            "* and ? do not belong here at the document.libraries[0].allocators[0].names[0]");
  EXPECT_EQ(problemOf(R"("allocators": [{"names": ["f"], "kind": "allocate", "size": 64}])"),
            "an argument's number is 0 to 63 at the document.libraries[0].allocators[0].size");
  EXPECT_EQ(problemOf(R"("allocators": [{"names": ["f"], "kind": "allocate", "size": 0, "padded": true}])"),
            "belongs to what is not 'predicted' at the document.libraries[0].allocators[0].padded");
  EXPECT_EQ(problemOf(R"("allocators": [{"names": ["f"], "kind": "allocate", "size": 0, "element_bytes": 0}])"),
            "expected a number above 0, beside a 'size' and no 'count' at "
            "the document.libraries[0].allocators[0].element_bytes");
  EXPECT_EQ(problemOf(R"("types": [{"names": ["n::C"], "holds": "bytes"}])"),
            "expected sequence, text, nodes, matrix, tensor or handle at the document.libraries[0].types[0].holds");
  EXPECT_EQ(problemOf(R"("methods": [{"names": ["size"], "number": "count"}])"),
            "'methods' and 'expressions' need the namespaces in which they stand at "
            "the document.libraries[0].namespaces");
  EXPECT_EQ(problemOf(R"("calls": [{"names": ["n::move"], "value": "argument"}])"),
            "'arguments' is 1 where the value is an argument, and above 'fills' at "
            "the document.libraries[0].calls[0]");
  EXPECT_EQ(problemOf(R"("roles": [{"names": ["f"], "role": "thread start"}])"),
            "expected one of the roles of docs/libraries.md at the document.libraries[0].roles[0].role");
  EXPECT_EQ(problemOf(R"("objects": [{"names": ["n::C"], "holds": "strings"}])"),
            "expected \"objects\", \"integers\" or \"arrays\" at the document.libraries[0].objects[0].holds");
}

TEST(LibraryTableTest, AClassOfObjectsIsBuiltByAnEntryOfItsOwn) {
  const BuildModel *Numbers = builtInLibraries().findBuild("std::list");
  const BuildModel *Objects = builtInLibraries().findBuild("std::list/objects");
  ASSERT_TRUE(Numbers && Objects);
  EXPECT_TRUE(Numbers->Parts.empty());
  ASSERT_EQ(Objects->Parts.size(), 1u);
  EXPECT_EQ(Objects->Parts[0].Type, 0);
  EXPECT_EQ(Objects->Parts[0].Times, "$size");
}

TEST(LibraryTableTest, AFunctionKeepsWhatItIsGivenUnlessItSaysOtherwise) {
  LibraryTable Table;
  std::string Problem;
  ASSERT_TRUE(Table.read(R"({"schema": "memshape.libraries/1", "libraries": [{"name": "l", "functions": [
                {"names": ["put"], "treatment": "called", "reads": [0], "writes": [0], "keeps": []},
                {"names": ["hold"], "treatment": "unknown", "writes": [0]}]}]})",
                         Problem))
      << Problem;
  EXPECT_EQ(Table.find("put")->KeptArguments, 0u);
  EXPECT_EQ(Table.find("hold")->KeptArguments, ~std::uint64_t(0));
  EXPECT_EQ(Table.find("hold")->How, Treatment::Unknown);
  EXPECT_FALSE(Table.find("hold")->FollowsPointers);
}

TEST(LibraryTableTest, ALaterRuleFitsCallsWithOtherFormats) {
  LibraryTable Table;
  std::string Problem;
  ASSERT_TRUE(Table.read(R"({"schema": "memshape.libraries/1", "libraries": [{"functions": [
    {"names": ["say", "tell"], "treatment": "pure", "format": {"argument": 1, "most": 9}, "unless": ["own"]},
    {"names": ["say"], "treatment": "called"}]}]})",
                         Problem))
      << Problem;
  EXPECT_EQ(Table.find("say")->How, Treatment::Skip);
  EXPECT_EQ(Table.find("say")->Format->Argument, 1u);
  EXPECT_EQ(Table.find("say", Holds::InEveryModule)->How, Treatment::Perform);
  EXPECT_EQ(Table.find("say", Holds::ForEveryFormat)->How, Treatment::Perform);
  EXPECT_EQ(Table.find("tell", Holds::ForEveryFormat), nullptr);
  EXPECT_EQ(problemOf(R"("functions": [{"names": ["f"], "treatment": "pure", "format": {"argument": 1}}])"),
            "needs the number of an argument and 'most' above 0; 'text' is what is scanned at "
            "the document.libraries[0].functions[0].format");
}

TEST(LibraryTableTest, ChoicesInNamesAreWrittenOut) {
  const KnownAllocator *Real = builtInLibraries().findAllocator("fftwf_alloc_real");
  ASSERT_TRUE(Real);
  EXPECT_EQ(Real->Label, "fftw_malloc");
  EXPECT_EQ(Real->ElementBytes, 4u);
  EXPECT_EQ(Real->Size, 0);
  EXPECT_TRUE(builtInLibraries().findType("std::unordered_multimap"));
  EXPECT_FALSE(builtInLibraries().findType("std::unordered_"));
}

TEST(LibraryTableTest, EachVariantOfALibraryHasItsOwnNames) {
  const Summary *Plan = builtInLibraries().find("fftwl_plan_dft_c2r_3d"),
                *Run = builtInLibraries().find("fftw_execute");
  ASSERT_TRUE(Plan && Run);
  EXPECT_EQ(Plan->Determined->Argument, 5u);
  EXPECT_EQ(Plan->Libraries, llvm::ArrayRef<std::string>({"libfftw3l.so.3"}));
  EXPECT_EQ(Run->Description, "fftw_sprint_plan");
  EXPECT_EQ(problemOf(R"("variants": "f", "functions": [])"), "expected array at the document.libraries[0].variants");
}

TEST(LibraryTableTest, RulesOfANameComeBeforeThoseOfAllNames) {
  LibraryTable Table;
  std::string Problem;
  ASSERT_TRUE(Table.read(R"({"schema": "memshape.libraries/1", "libraries": [{"namespaces": ["n"], "methods": [
    {"names": ["*"]}, {"names": ["rows"], "number": "rows"}]}]})",
                         Problem))
      << Problem;
  const Interface *Of = Table.findNamespace("n");
  ASSERT_TRUE(Of);
  ASSERT_EQ(Of->methods("rows").size(), 2u);
  EXPECT_TRUE(Of->methods("rows")[0]->Measures);
  EXPECT_EQ(Of->methods("columns").size(), 1u);
  EXPECT_TRUE(Table.isClosed("n"));
}

TEST(LibraryTableTest, DocumentsOfTheUserComeFirst) {
  std::string Problem;
  ASSERT_TRUE(addSummaries(R"({"schema": "memshape.libraries/1", "libraries": [{"allocators": [
    {"names": ["fftw_malloc"], "kind": "allocate", "size": 1}]}]})",
                           Problem))
      << Problem;
  EXPECT_EQ(knownAllocator("fftw_malloc")->Size, 1);
  EXPECT_EQ(knownAllocator("fftw_free")->Block, 0);
  EXPECT_EQ(addedSummaries().size(), 1u);
}
} // namespace memshape
