// Blocks whose sizes follow a rule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (count == capacity) {
//       capacity = capacity ? 2 * capacity : 16; // 0, 16, 32, 64, ...
//       data = realloc(data, capacity * sizeof *data);
//     }
//
// Whatever data is, such a capacity takes few values, one after the other. So the rule is executed here, from the
// constant that it starts with, and each value's block is known. Data chooses how far it gets: no further than to the
// first value that is beyond what the capacity can be in front of the call. Where the old block lives until the new one
// is filled, it is one of an earlier value.

#pragma once

#include "ceiling/Lifetimes.h"
#include "ceiling/ShapeRanges.h"

namespace memshape {

class GrowthRules {
public:
  using Lives = std::map<const llvm::CallBase *, Lifetime>;
  GrowthRules(llvm::Function &F, ShapeRanges &Ranges, Lifetimes &Blocks) : F(F), Ranges(Ranges), Blocks(Blocks) {}

  /// The most bytes that the blocks of Call, one or two at a time, hold together, and with them those of Others, which
  /// allocate for the same array; null where they follow no rule.
  llvm::Value *bytesOf(llvm::CallBase &Call, const Lives &Of, llvm::SmallPtrSetImpl<llvm::CallBase *> &Others);

private:
  /// A phi; or, where Begin is given, the bytes from phi Begin to phi V, both pointers.
  struct Capacity {
    llvm::PHINode *V;
    llvm::PHINode *Begin = nullptr;
    auto operator<=>(const Capacity &) const = default;
  };
  using Way = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;
  /// On Where the capacity becomes Scale * V + Plus, which is made of an older capacity.
  struct Step {
    llvm::Value *V, *Begin; ///< Begin: the block from now on
    uint64_t Scale, Plus;
    Way Where;
    Capacity From = {nullptr};
  };
  /// All that one capacity can be.
  struct Rule {
    std::set<Capacity> Held;
    llvm::SmallVector<Step, 4> Steps;
    std::set<Way> Starts; ///< where it becomes the constant Start
    std::optional<uint64_t> Start;
    bool add(const Capacity &One, llvm::Value *V, llvm::Value *Begin, Way Where);
    bool start(uint64_t At, Way Where);
    bool isNewest(const Capacity &One, const llvm::BasicBlock &At) const;
    bool isRenewed(const llvm::CallBase &Call, llvm::ArrayRef<const llvm::CallBase *> Until) const;
  };
  /// A call that allocates for a capacity, which is computed as Is.
  struct Site {
    llvm::CallBase *Call;
    Capacity From;
    llvm::Value *Is;
  };
  /// The sizes of blocks for each capacity.
  struct Values {
    llvm::SmallVector<std::pair<uint64_t, uint64_t>, 64> All; ///< capacity and bytes, both ascending
    uint64_t Last = 0;                                        ///< from here on nothing is known
  };

  std::optional<Rule> ruleOf(const Capacity &One);
  std::optional<Site> siteOf(llvm::CallBase &Call);
  std::optional<Site> findSite(llvm::CallBase &Call);
  bool findSources(Rule &Of);
  std::optional<Values> valuesOf(const Rule &Of, llvm::ArrayRef<Site> All);
  std::optional<uint64_t> evaluate(llvm::Value *V, const Capacity &One, uint64_t Is, const llvm::Instruction &Place);
  Interval limitOf(const Site &Of);
  llvm::Value *emit(const Values &All, llvm::Value *Most, unsigned Number, bool Strict);
  llvm::SmallVector<llvm::Value *, 4> equalTo(llvm::Value *V, const llvm::Instruction &Place);

  bool isOneArray(const Rule &Of, const llvm::SmallVectorImpl<Site> &All, const Lives &LivesOf);

  llvm::Function &F;
  ShapeRanges &Ranges;
  Lifetimes &Blocks;
  std::map<llvm::CallBase *, std::optional<Site>> Sites;
};

} // namespace memshape
