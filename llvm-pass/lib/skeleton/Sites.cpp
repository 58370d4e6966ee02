// The numbers of allocation sites.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner-calls/RunnerCalls.h"
#include "skeleton/Stages.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

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
  DenseMap<std::pair<const DILocation *, const MDNode *>, unsigned> Ids;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      RunnerCall Which = Call ? runnerCall(*Call) : RunnerCall::None;
      if (Which != RunnerCall::Alloc && Which != RunnerCall::Realloc)
        continue;
      const MDNode *Allocator = Call->getMetadata(AllocatorMetadata);
      const DILocation *Location = Call->getDebugLoc().get();
      auto [At, New] = Ids.try_emplace({Location, Allocator}, State.Facts.Sites.size());
      if (New) {
        SkeletonSite Site;
        Site.Chain = inliningChain(Call->getDebugLoc());
        Site.Place = displayPlace(Call->getDebugLoc());
        Site.Allocator = Allocator ? cast<MDString>(Allocator->getOperand(0))->getString().str() : "";
        Site.Space = Allocator ? cast<MDString>(Allocator->getOperand(1))->getString().str() : "host";
        State.Facts.Sites.push_back(std::move(Site));
      }
      unsigned Operand = Which == RunnerCall::Alloc ? AllocSite : ReallocSite;
      Call->setArgOperand(Operand, ConstantInt::get(Call->getArgOperand(Operand)->getType(), At->second));
    }
  return true;
}

} // namespace memshape
