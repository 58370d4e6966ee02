//===- SlicerProcessTest.cpp - What the slicer makes of foreign modules ---===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/SlicerProcess.h"
#include "MadeUpFiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

using namespace memshape;
using namespace memshape::test;
using testing::HasSubstr;

namespace {

/// The slicer's refusal of a module with this bitcode.
std::string refusal(const std::string &Bitcode, const std::string &Executable = MEMSHAPE_SLICER,
                    std::chrono::seconds Patience = std::chrono::seconds(30)) {
  std::signal(SIGPIPE, SIG_IGN); // as the tool has it
  std::string Payload = skeletonPayload(
      R"({"schema": "memshape.module/1", "source": "a.cpp", "llvm": 22, "operators": ["op"]})", Bitcode);
  Result<InstrumentedFile> File =
      readInstrumentedBytes(Bytes(elf({{".memshape", record(RecordKind::Module, Payload)}})), "a.o");
  if (!File)
    return File.failure().Message;
  std::vector<InstrumentedFile> Files;
  Files.push_back(std::move(*File));
  std::vector<std::string> Notes;
  std::vector<ModuleHead> Heads = modulesOf(Files, Notes);
  Result<Skeleton> Made =
      sliceNow({Executable}, Heads, {0}, "op", SliceWish::Skeleton, {}, std::chrono::steady_clock::now() + Patience);
  return Made ? "accepted" : Made.failure().Message;
}

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
