// What functions without a body do to memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/Summaries.h"
#include "libraries/reader/Known.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include <mutex>

using namespace llvm;

namespace memshape {

namespace {

/// All answers of this process so far. In-process link-time optimisation compiles in several threads.
struct Answers {
  std::mutex Lock;
  StringMap<Summary> Known, KnownEverywhere, KnownForAll; ///< by the rules of each Holds
  StringMap<const ClassLayout *> KnownClasses;
};

} // namespace

static Answers &answers() {
  static Answers Instance;
  return Instance;
}

static constexpr StringLiteral AttachedName = "memshape.summaries";

void attachSummaries(Module &M) {
  if (addedSummaries().empty() || M.getNamedMetadata(AttachedName))
    return;
  NamedMDNode *List = M.getOrInsertNamedMetadata(AttachedName);
  for (const std::string &Document : addedSummaries())
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

bool isProcessVariable(const GlobalVariable &G) { return isKnownProcessVariable(G.getName()); }

/// The summary of a call that asks for a workspace's size.
static Summary querySummary(const Summary &S) {
  Summary Q = S;
  Q.How = Treatment::Adjust;
  Q.ReadArguments = S.Query->Reads;
  Q.WrittenArguments = S.Query->Writes;
  Q.FollowsPointers = false;
  return Q;
}

static Summary lookUp(StringRef Name, Holds Where = Holds::Somewhere) {
  Answers &A = answers();
  std::lock_guard<std::mutex> Guard(A.Lock);
  StringRef Real = Name;
  const bool IsQuery = Real.consume_front(QueryPrefix);
  if (Real.consume_front(AnyFormatPrefix))
    Where = Holds::ForEveryFormat;
  auto [At, New] = (Where == Holds::Somewhere       ? A.Known
                    : Where == Holds::InEveryModule ? A.KnownEverywhere
                                                    : A.KnownForAll)
                       .try_emplace(Name);
  if (!New)
    return At->second;
  if (const Summary *Found = knownFunction(Real, Where))
    At->second = IsQuery && Found->Query ? querySummary(*Found) : *Found;
  return At->second;
}

StringRef nameOf(const Function &F) {
  StringRef Name = F.getName();
  if (!Name.consume_front(QueryPrefix))
    Name.consume_front(AnyFormatPrefix);
  return Name;
}

bool isOutsideVariable(const GlobalVariable &G) { return isKnownOutside(G.getName()); }

Summary summaryOf(const Function &F) {
  Summary S = lookUp(F.getName());
  if (any_of(S.Unless, [&](const std::string &Name) { return F.getParent()->getNamedValue(Name); }))
    S = lookUp(F.getName(), Holds::InEveryModule);
  if (S.How == Treatment::Unknown && F.doesNotAccessMemory() && F.willReturn())
    S.How = Treatment::Compute;
  return S;
}

bool givesSign(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && Call.getType()->isIntegerTy() && summaryOf(*Callee).ResultIsSign;
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
  Answers &A = answers();
  std::lock_guard<std::mutex> Guard(A.Lock);
  auto [At, New] = A.KnownClasses.try_emplace(Name);
  if (New)
    At->second = knownClass(Name);
  return At->second;
}

} // namespace memshape
