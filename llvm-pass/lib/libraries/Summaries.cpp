//===- Summaries.cpp - What functions without a body do to memory ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/Summaries.h"
#include "libraries/SummaryTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include <mutex>

using namespace llvm;

namespace memshape {

/// The documents of libraries/, each one string.
static constexpr const char *BuiltIn[] = {
#include "BuiltInDocuments.inc"
};

namespace {

/// Documents of the user's own: few, and known before anything is asked.
struct UserSummaries {
  std::vector<std::string> Documents;
  SummaryTable Table;
};

/// All answers of this process so far. In-process link-time optimisation compiles in several threads.
struct Library {
  std::mutex Lock;
  SummaryTable BuiltInTable;
  StringMap<Summary> Known, KnownEverywhere; ///< by rules that hold in some modules, in all
  StringMap<const ClassLayout *> KnownClasses;

  Library() {
    std::string Problem;
    for (const char *Document : BuiltIn)
      if (!BuiltInTable.read(Document, Problem))
        report_fatal_error(Twine("memshape: built-in summaries: ") + Problem);
  }
};

} // namespace

static UserSummaries &ofUser() {
  static UserSummaries Instance;
  return Instance;
}

static Library &library() {
  static Library Instance;
  return Instance;
}

bool addSummaries(StringRef Document, std::string &Problem) {
  UserSummaries &User = ofUser();
  if (is_contained(User.Documents, Document))
    return true;
  if (!User.Table.read(Document, Problem))
    return false;
  User.Documents.push_back(Document.str());
  return true;
}

static constexpr StringLiteral AttachedName = "memshape.summaries";

void attachSummaries(Module &M) {
  if (ofUser().Documents.empty() || M.getNamedMetadata(AttachedName))
    return;
  NamedMDNode *List = M.getOrInsertNamedMetadata(AttachedName);
  for (const std::string &Document : ofUser().Documents)
    List->addOperand(MDNode::get(M.getContext(), MDString::get(M.getContext(), Document)));
}

bool addAttachedSummaries(const Module &M, std::string &Problem) {
  const NamedMDNode *List = M.getNamedMetadata(AttachedName);
  for (unsigned I = 0; List && I != List->getNumOperands(); ++I) {
    const MDNode *Node = List->getOperand(I);
    const auto *Text = Node->getNumOperands() ? dyn_cast_or_null<MDString>(Node->getOperand(0)) : nullptr;
    if (Text && !addSummaries(Text->getString(), Problem))
      return false;
  }
  return true;
}

const DeclaredAllocator *declaredAllocator(StringRef Symbol) {
  return ofUser().Documents.empty() ? nullptr : ofUser().Table.findAllocator(Symbol);
}

bool isProcessVariable(const GlobalVariable &G) {
  StringRef Name = G.getName();
  return Name == "stdin" || Name == "stdout" || Name == "stderr" || Name.starts_with("__libc_") ||
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

static Summary lookUp(StringRef Name, bool Conditional = true) {
  Library &L = library();
  std::lock_guard<std::mutex> Guard(L.Lock);
  auto [At, New] = (Conditional ? L.Known : L.KnownEverywhere).try_emplace(Name);
  if (!New)
    return At->second;
  StringRef Real = Name;
  bool IsQuery = Real.consume_front(QueryPrefix);
  const Summary *Found = ofUser().Table.find(Real, Conditional);
  if (!Found)
    Found = L.BuiltInTable.find(Real, Conditional);
  if (Found)
    At->second = IsQuery && Found->Query ? querySummary(*Found) : *Found;
  return At->second;
}

bool isOutsideVariable(const GlobalVariable &G) {
  return ofUser().Table.isOutside(G.getName()) || library().BuiltInTable.isOutside(G.getName());
}

Summary summaryOf(const Function &F) {
  Summary S = lookUp(F.getName());
  if (any_of(S.Unless, [&](const std::string &Name) { return F.getParent()->getNamedValue(Name); }))
    S = lookUp(F.getName(), /*Conditional=*/false);
  if (S.How == Treatment::Unknown && F.doesNotAccessMemory() && F.willReturn())
    S.How = Treatment::Compute;
  return S;
}

Summary summaryOfVirtual(const GlobalVariable &Table, int64_t Offset) {
  return lookUp((Table.getName() + "+" + Twine(Offset)).str());
}

StructType *classOf(const Function &F) {
  std::string Scope = qualifiedName(F.getName());
  Scope = StringRef(Scope).rsplit("::").first.str();
  for (const char *Kind : {"class.", "struct."})
    if (StructType *T = StructType::getTypeByName(F.getContext(), Kind + Scope); T && classLayout(T->getName()))
      return T;
  return nullptr;
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
    At->second = ofUser().Table.findClass(Name);
    if (!At->second)
      At->second = L.BuiltInTable.findClass(Name);
  }
  return At->second;
}

} // namespace memshape
