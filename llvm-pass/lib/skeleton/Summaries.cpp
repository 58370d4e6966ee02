//===- Summaries.cpp - What functions without a body do to memory ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Summaries.h"
#include "SummaryTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include <mutex>

using namespace llvm;

namespace memshape {

/// The documents of llvm-pass/summaries, each one string.
static constexpr const char *BuiltIn[] = {
#include "BuiltInSummaries.inc"
};

namespace {

/// All summaries of this process. In-process link-time optimisation compiles in several threads.
struct Library {
  std::mutex Lock;
  SummaryTable User, Own;
  StringMap<Summary> Known; ///< answers so far
  StringMap<const ClassLayout *> KnownClasses;

  Library() {
    std::string Problem;
    for (const char *Document : BuiltIn)
      if (!Own.read(Document, Problem))
        report_fatal_error(Twine("memshape: built-in summaries: ") + Problem);
  }
};

} // namespace

static Library &library() {
  static Library Instance;
  return Instance;
}

bool readSummaries(StringRef Path, std::string &Problem) {
  auto File = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!File) {
    Problem = Path.str() + ": " + File.getError().message();
    return false;
  }
  Library &L = library();
  std::lock_guard<std::mutex> Guard(L.Lock);
  if (!L.User.read((*File)->getBuffer(), Problem)) {
    Problem = Path.str() + ": " + Problem;
    return false;
  }
  L.Known.clear();
  L.KnownClasses.clear();
  return true;
}

/// A module that builds string streams uses the inserters on them too: those allocate.
static bool streamsIntoMemory(const Module &M) {
  for (StringRef Class : {"basic_ostringstream", "basic_stringstream", "basic_stringbuf", "basic_istringstream"}) {
    std::string Name = (Twine(Class.size()) + Class).str();
    for (const char *Prefix : {"_ZTVNSt7__cxx11", "_ZTTNSt7__cxx11"})
      if (M.getNamedValue(Prefix + Name + "IcSt11char_traitsIcESaIcEEE"))
        return true;
    for (const char *Constructor : {"C1Ev", "C2Ev"})
      if (M.getNamedValue("_ZNSt7__cxx11" + Name + "IcSt11char_traitsIcESaIcEE" + Constructor))
        return true;
  }
  return false;
}

/// Inserters, endl, flush and the state of iostreams.
static bool isStream(StringRef Name) {
  for (StringRef Prefix : {"_ZNSo", "_ZNKSo", "_ZStls", "_ZSt4endl", "_ZSt5flush", "_ZSt16__ostream_insert",
                           "_ZNSt9basic_ios", "_ZNKSt9basic_ios", "_ZNSt8ios_base", "_ZNKSt5ctype"})
    if (Name.starts_with(Prefix))
      return true;
  return false;
}

bool isProcessVariable(const GlobalVariable &G) {
  StringRef Name = G.getName();
  return Name == "stdin" || Name == "stdout" || Name == "stderr" || Name == "environ" || Name.starts_with("__libc_") ||
         Name.starts_with("_ZSt") || Name.starts_with("_ZNSt") || Name.starts_with("_ZTVN10__cxxabiv1") ||
         Name.starts_with("_ZTVSt") || Name.starts_with("_ZTISt") || Name.starts_with("_ZTVNSt") ||
         Name.starts_with("_ZTTNSt");
}

/// The summary of a call that asks for a workspace's size.
static Summary querySummary(const Summary &S) {
  Summary Q = S;
  Q.How = Treatment::Adjust;
  Q.ReadArguments = S.Query->Reads;
  Q.WrittenArguments = S.Query->Writes;
  Q.FollowsPointers = false;
  return Q;
}

static Summary lookUp(StringRef Name) {
  Library &L = library();
  std::lock_guard<std::mutex> Guard(L.Lock);
  auto [At, New] = L.Known.try_emplace(Name);
  if (!New)
    return At->second;
  StringRef Real = Name;
  bool IsQuery = Real.consume_front(QueryPrefix);
  const Summary *Found = L.User.find(Real);
  if (!Found)
    Found = L.Own.find(Real);
  if (Found)
    At->second = IsQuery && Found->Query ? querySummary(*Found) : *Found;
  return At->second;
}

Summary summaryOf(const Function &F) {
  StringRef Name = F.getName();
  if (isStream(Name) && streamsIntoMemory(*F.getParent()))
    return {};
  Summary S = lookUp(Name);
  if (S.How == Treatment::Unknown && F.doesNotAccessMemory() && F.willReturn())
    S.How = Treatment::Compute;
  return S;
}

const ClassLayout *classLayout(StringRef TypeName) {
  // "class.cv::Mat.17": the kind of declaration, the name, and a number where two modules or instances had one name.
  StringRef Name = TypeName;
  if (!Name.consume_front("class.") && !Name.consume_front("struct."))
    return nullptr;
  StringRef Number = Name.rsplit('.').second;
  if (!Number.empty() && all_of(Number, isDigit))
    Name = Name.rsplit('.').first;
  Library &L = library();
  std::lock_guard<std::mutex> Guard(L.Lock);
  auto [At, New] = L.KnownClasses.try_emplace(Name);
  if (New) {
    At->second = L.User.findClass(Name);
    if (!At->second)
      At->second = L.Own.findClass(Name);
  }
  return At->second;
}

} // namespace memshape
