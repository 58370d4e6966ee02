// The numbers of allocation sites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner-calls/RunnerCalls.h"
#include "skeleton/Stages.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

/// What was seen of blocks before anything was cut, by the numbers that sites have now.
static void describeUses(const DenseMap<AllocatingPlace, unsigned> &Ids, const BlockUses &Uses,
                         std::vector<SkeletonSite> &Sites) {
  for (const auto &[Place, Use] : Uses) {
    const auto At = Ids.find(Place);
    if (At == Ids.end())
      continue;
    SkeletonSite &Site = Sites[At->second];
    Site.Elements = Use.IsMixed ? "" : Use.Elements;
    Site.UsesKnown = Use.IsKnown;
    for (const AllocatingPlace &Other : Use.Behind)
      if (const auto Behind = Ids.find(Other); Use.IsKnown && Behind != Ids.end() && Other != Place) {
        if (Use.isUnusedAfter(Other))
          Site.UnusedAfter.push_back(Behind->second);
        else if (!Use.Used.contains(Other))
          Site.MovedTo.push_back(Behind->second);
      }
    for (const AllocatingPlace &Other : Use.CopiedTo)
      if (const auto To = Ids.find(Other); To != Ids.end())
        Site.CopiedTo.push_back(To->second);
    for (auto *List : {&Site.UnusedAfter, &Site.MovedTo, &Site.CopiedTo})
      llvm::sort(*List);
  }
}

/// Where Root calls what leads to F; none where there are several such calls, or F is called through a pointer.
static SourcePlace onlyCallOf(const Function &F, const Function &Root) {
  const CallBase *Only = nullptr;
  SmallSetVector<const Function *, 8> Leading;
  Leading.insert(&F);
  for (size_t I = 0; I != Leading.size(); ++I)
    for (const Use &U : Leading[I]->uses()) {
      const auto *Call = dyn_cast<CallBase>(U.getUser());
      if (!Call || !Call->isCallee(&U))
        return {};
      if (Call->getFunction() != &Root)
        Leading.insert(Call->getFunction());
      else if (Only && Only->getDebugLoc() != Call->getDebugLoc())
        return {};
      else
        Only = Call;
    }
  return Only ? displayPlace(Only->getDebugLoc()) : SourcePlace();
}

/// Gives each place that allocates its id. Copies of one call that inlining and unrolling made share their location.
bool numberSites(Module &M, SkeletonState &State) {
  // Arguments that the caller builds stand for sites, the first ones: see memshape_sk_building.
  for (const BuiltArgument &Built : State.Op.Fact.Built) {
    SkeletonSite Site;
    Site.Place.File = State.Op.Fact.File;
    Site.Place.Line = State.Op.Fact.Line;
    Site.Place.Function = Built.Type;
    Site.Allocator = Built.Name;
    Site.Space = "arguments";
    State.Facts.Sites.push_back(std::move(Site));
  }
  // So do extents of what it returns, and bytes behind pointers: see memshape_sk_result.
  const auto AddNumbers = [&](const std::vector<std::string> &Names, const char *Space) {
    for (const std::string &Name : Names) {
      SkeletonSite Site;
      Site.Allocator = Name;
      Site.Space = Space;
      State.Facts.Sites.push_back(std::move(Site));
    }
  };
  AddNumbers(State.Op.Fact.Results, "results");
  AddNumbers(State.Facts.Reached, "reach");
  if (State.Facts.Frames) {
    AddNumbers({State.Facts.Frames->IsRecursion ? "recursion" : "array"}, "frames");
    State.Facts.Sites.back().Place = State.Facts.Frames->Place;
  }
  DenseMap<AllocatingPlace, unsigned> Ids;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
      if (Which != RunnerCall::Alloc && Which != RunnerCall::Realloc)
        continue;
      const MDNode *Allocator = Call->getMetadata(AllocatorMetadata);
      auto [At, New] = Ids.try_emplace(allocatingPlace(*Call), State.Facts.Sites.size());
      if (New) {
        SkeletonSite Site;
        Site.Chain = inliningChain(Call->getDebugLoc());
        Site.Place = displayPlace(Call->getDebugLoc());
        if (!isShown(Site.Place) && &F != State.Root)
          Site.From = onlyCallOf(F, *State.Root);
        Site.Allocator = Allocator ? cast<MDString>(Allocator->getOperand(0))->getString().str() : "";
        Site.Space = Allocator ? cast<MDString>(Allocator->getOperand(1))->getString().str() : "host";
        State.Facts.Sites.push_back(std::move(Site));
      }
      unsigned Operand = Which == RunnerCall::Alloc ? AllocSite : ReallocSite;
      Call->setArgOperand(Operand, ConstantInt::get(Call->getArgOperand(Operand)->getType(), At->second));
    }
  describeUses(Ids, State.Uses, State.Facts.Sites);
  return true;
}

} // namespace memshape
