// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/series_parallel/Region.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace memshape::series_parallel {

std::uint32_t Region::add(Part Added) {
  Parts.push_back(std::move(Added));
  return static_cast<std::uint32_t>(Parts.size() - 1);
}

std::uint32_t Region::addChain(Chain Blocks) {
  for (const Block &Each : Blocks)
    LeafOf.emplace(Each.Jobs, static_cast<std::uint32_t>(Parts.size()));
  return add({Kind::Chain, {}, std::move(Blocks), 0, 0, {}});
}

std::uint32_t Region::addSeries(std::vector<std::uint32_t> Inner) {
  return add({Kind::Series, std::move(Inner), {}, 0, 0, {}});
}

std::uint32_t Region::addParallel(std::vector<std::uint32_t> Inner) {
  return add({Kind::Parallel, std::move(Inner), {}, 0, 0, {}});
}

void Region::share(Bytes Output, const std::vector<std::uint32_t> &Consumers) {
  for (std::uint32_t Each : Consumers)
    Parts[Each].Outputs.push_back(static_cast<std::uint32_t>(Of.size()));
  Of.push_back({Output, Consumers, Consumers.size()});
}

Region::Result Region::best(std::size_t Most, Instead Inexact) {
  MostWork = Most;
  Otherwise = Inexact;
  Chain Best = chainOf(static_cast<std::uint32_t>(Parts.size() - 1));
  return {std::move(Best), Exact, Work};
}

Block Region::blockAt(std::uint32_t Leaf, End At) const {
  const Part &Now = Parts[Leaf];
  Block Found = At == End::Front ? Now.Blocks[Now.Taken] : Now.Blocks[Now.Blocks.size() - 1 - Now.TakenBack];
  for (std::uint32_t Each : Now.Outputs)
    if (Of[Each].Chosen == Everybody)
      Found.Down += Beyond;
    else if (!Of[Each].FromBack && (At == End::Back || Of[Each].Left == 1 || Of[Each].Chosen == Leaf)) {
      Found.Down += Of[Each].Output;
      Found.Presumes |= Of[Each].Chosen == Leaf;
    }
  return Found;
}

void Region::take(std::uint32_t Leaf, End At) {
  ++(At == End::Front ? Parts[Leaf].Taken : Parts[Leaf].TakenBack);
  for (std::uint32_t Each : Parts[Leaf].Outputs) {
    --Of[Each].Left;
    Of[Each].FromBack += At == End::Back;
  }
}

void Region::giveBack(std::uint32_t Leaf, End At) {
  --(At == End::Front ? Parts[Leaf].Taken : Parts[Leaf].TakenBack);
  for (std::uint32_t Each : Parts[Leaf].Outputs) {
    ++Of[Each].Left;
    Of[Each].FromBack -= At == End::Back;
  }
}

void Region::items(const Block &Each, std::vector<std::uint32_t> &Into) const {
  Jobs.walk(
      Each.Jobs, [&](std::uint32_t Now) { return LeafOf.contains(Now); },
      [&](std::uint32_t Now) { Into.push_back(LeafOf.at(Now)); });
}

/// Chains that have not ended.
template <typename Visitor> void Region::leaves(std::uint32_t Under, Visitor Visit) const {
  const Part &Now = Parts[Under];
  if (hasBlocks(Now))
    Visit(Under);
  for (std::uint32_t Each : Now.Parts)
    leaves(Each, Visit);
}

std::vector<std::uint32_t> Region::openOutputs(std::span<const std::uint32_t> Under) const {
  std::vector<std::uint32_t> Found;
  for (std::uint32_t Each : Under)
    leaves(Each, [&](std::uint32_t Leaf) {
      for (std::uint32_t Output : Parts[Leaf].Outputs)
        if (isOpen(Output))
          Found.push_back(Output);
    });
  std::sort(Found.begin(), Found.end());
  Found.erase(std::unique(Found.begin(), Found.end()), Found.end());
  return Found;
}

/// Chains that nothing has to run before, or after.
void Region::ends(std::uint32_t Under, End At, std::vector<std::uint32_t> &Found) const {
  const Part &Now = Parts[Under];
  if (hasBlocks(Now))
    Found.push_back(Under);
  const std::size_t Before = Found.size();
  for (std::size_t I = 0; I < Now.Parts.size(); ++I) {
    ends(Now.Parts[At == End::Front ? I : Now.Parts.size() - 1 - I], At, Found);
    if (Now.Is == Kind::Series && Found.size() > Before)
      return;
  }
}

Chain Region::chainOf(std::uint32_t Under) {
  const Part &Now = Parts[Under];
  Chain Found;
  if (Now.Is == Kind::Parallel)
    return besideEachOther(Now.Parts);
  if (Now.Is == Kind::Series)
    for (std::uint32_t Each : Now.Parts)
      follow(Jobs, Found, chainOf(Each));
  else if (!Now.Outputs.empty() && hasBlocks(Now))
    Found = {blockAt(Under, End::Front)};
  else
    Found.assign(Now.Blocks.begin() + static_cast<std::ptrdiff_t>(Now.Taken),
                 Now.Blocks.end() - static_cast<std::ptrdiff_t>(Now.TakenBack));
  Work += Found.size() + 1;
  return Found;
}

/// Those that no output couples are looked at alone.
Chain Region::besideEachOther(std::span<const std::uint32_t> Beside) {
  std::vector<std::size_t> First(Beside.size()); // of the parts coupled with this one
  std::map<std::uint32_t, std::size_t> Has;      // a part that consumes the output
  const auto Leader = [&](std::size_t I) {
    while (First[I] != I)
      I = First[I] = First[First[I]];
    return I;
  };
  for (std::size_t I = 0; I < Beside.size(); ++I) {
    First[I] = I;
    for (std::uint32_t Output : openOutputs({&Beside[I], 1})) {
      const auto [Other, Added] = Has.try_emplace(Output, I);
      if (!Added)
        First[Leader(I)] = Leader(Other->second);
    }
  }
  std::map<std::size_t, std::vector<std::uint32_t>> Groups;
  for (std::size_t I = 0; I < Beside.size(); ++I)
    Groups[Leader(I)].push_back(Beside[I]);
  Chain All;
  for (const auto &[_, Group] : Groups) {
    const Chain Each = Group.size() == 1 ? chainOf(Group.front()) : coupled(Group);
    All.insert(All.end(), Each.begin(), Each.end());
  }
  Work += All.size();
  return beside(Jobs, std::move(All));
}

Chain Region::coupled(const std::vector<std::uint32_t> &Beside) {
  const Deeper Here(Depth);
  const std::vector<std::uint32_t> Outputs = openOutputs(Beside);
  // What comes last when nothing is freed is chosen first.
  std::vector<std::vector<std::uint32_t>> Choices;
  std::size_t Most = 0;
  for (std::uint32_t Each : Outputs)
    Of[Each].Chosen = Nobody;
  const Relaxed Plain = relaxed(Beside, Outputs);
  for (std::uint32_t Each : Outputs) {
    Choices.emplace_back();
    for (std::uint32_t Leaf : Plain.Items)
      if (std::find(Of[Each].Consumers.begin(), Of[Each].Consumers.end(), Leaf) != Of[Each].Consumers.end())
        Choices.back().insert(Choices.back().begin(), Leaf);
    Most = std::max(Most, Choices.back().size());
  }
  Relaxed Tightest;
  for (std::size_t Choice = 0; Choice < Most && (Choice == 0 || Work <= MostWork); ++Choice) {
    for (std::size_t I = 0; I < Outputs.size(); ++I)
      Of[Outputs[I]].Chosen = Choices[I][Choice % Choices[I].size()];
    Relaxed Now = relaxed(Beside, Outputs);
    const bool Ends = Now.IsOrder || Now.Certain > 0;
    if (Choice == 0 || Ends || isBetter(Tightest.Best, Now.Best))
      Tightest = std::move(Now);
    if (Ends)
      break;
  }
  for (std::uint32_t Each : Outputs)
    Of[Each].Chosen = Anybody;
  Chain Best;
  for (Block Each : Tightest.Best) {
    Each.Presumes = false;
    follow(Jobs, Best, {Each});
  }
  if (Tightest.IsOrder)
    return Best;
  if (Work > MostWork || Depth > Deepest || (Tightest.Certain == 0 && Outputs.size() > 1)) {
    Exact = false;
    return Otherwise == Instead::Bound ? Best : inOrder(Tightest.Items);
  }
  if (Tightest.Certain > 0) {
    std::vector<std::uint32_t> Taken;
    Tightest.Best.resize(Tightest.Certain);
    for (const Block &Each : Tightest.Best)
      items(Each, Taken);
    for (std::uint32_t Leaf : Taken)
      take(Leaf, End::Front);
    follow(Jobs, Tightest.Best, besideEachOther(Beside));
    for (std::uint32_t Leaf : Taken)
      giveBack(Leaf, End::Front);
    return Tightest.Best;
  }
  // Whatever else runs, the next fall comes first; where there is none, the last rise comes last.
  for (const End At : {End::Front, End::Back}) {
    const std::vector<std::uint32_t> Items = nearestFall(Beside, At);
    if (Items.empty())
      continue;
    Chain Taken;
    for (std::uint32_t Leaf : Items) {
      Taken.push_back(blockAt(Leaf, At));
      take(Leaf, At);
    }
    Chain Rest = besideEachOther(Beside);
    for (std::uint32_t Leaf : Items)
      giveBack(Leaf, At);
    if (At == End::Back) {
      std::reverse(Taken.begin(), Taken.end());
      std::swap(Taken, Rest);
    }
    Chain All;
    for (const Block &Each : Taken)
      follow(Jobs, All, {Each});
    follow(Jobs, All, Rest);
    return All;
  }
  Exact = false; // the work has ended
  return Otherwise == Instead::Bound ? Best : inOrder(Tightest.Items);
}

/// Parts that share no open output among their own, at the front or the back of those beside each other.
void Region::loose(std::uint32_t Under, End At, std::vector<std::uint32_t> &Found) const {
  std::size_t Consumers = 0, Any = 0;
  leaves(Under, [&](std::uint32_t Leaf) {
    ++Any;
    Consumers +=
        std::any_of(Parts[Leaf].Outputs.begin(), Parts[Leaf].Outputs.end(), [&](std::uint32_t I) { return isOpen(I); });
  });
  const Part &Now = Parts[Under];
  if (Consumers <= 1) {
    if (Any > 0)
      Found.push_back(Under);
  } else if (Now.Is == Kind::Parallel) {
    for (std::uint32_t Each : Now.Parts)
      loose(Each, At, Found);
  } else {
    const std::size_t Before = Found.size();
    for (std::size_t I = 0; I < Now.Parts.size() && Found.size() == Before; ++I)
      loose(Now.Parts[At == End::Front ? I : Now.Parts.size() - 1 - I], At, Found);
  }
}

/// The first block of the part, or its last one, if no consumer of an open output outside of it has run.
std::optional<Block> Region::looseBlock(std::uint32_t Under, End At) {
  std::vector<std::uint32_t> Outputs;
  leaves(Under, [&](std::uint32_t Leaf) {
    for (std::uint32_t Output : Parts[Leaf].Outputs)
      if (isOpen(Output)) {
        Outputs.push_back(Output);
        Of[Output].Chosen = At == End::Front ? Nobody : Leaf;
      }
  });
  const Chain Found = chainOf(Under);
  for (std::uint32_t Output : Outputs)
    Of[Output].Chosen = Anybody;
  return Found.empty() ? std::nullopt : std::optional(At == End::Front ? Found.front() : Found.back());
}

/// The least rise, if consumers are chosen, from where Held more is held to where nothing more is.
Region::Reach Region::reach(const std::vector<std::uint32_t> &Beside, End At, Bytes Held) {
  const std::vector<std::uint32_t> Outputs = openOutputs(Beside);
  std::vector<std::uint32_t> Choices = {Nobody};
  if (!Outputs.empty()) {
    Choices = Of[Outputs.front()].Consumers;
    std::erase_if(Choices, [&](std::uint32_t Leaf) { return !hasBlocks(Parts[Leaf]); });
  }
  Reach Found;
  for (std::uint32_t Choice : Choices) {
    if (Work > MostWork)
      return {};
    for (std::uint32_t Each : Outputs)
      Of[Each].Chosen = Choice;
    Chain Blocks = besideEachOther(Beside);
    for (std::uint32_t Each : Outputs)
      Of[Each].Chosen = Anybody;
    if (At == End::Back)
      std::reverse(Blocks.begin(), Blocks.end());
    Bytes Now = Held, Peak = 0;
    std::size_t Steps = 0;
    while (Now > 0 || Steps == 0) {
      if (Steps == Blocks.size())
        return {};
      const Block &Next = Blocks[Steps++];
      Peak = std::max(Peak, Now + rise(Next, At));
      Now += net(Next, At);
    }
    if (!Found.Exists || Peak > Found.Peak) {
      Blocks.resize(Steps);
      Found = {true, Peak, std::move(Blocks)};
    }
  }
  return Found;
}

Bytes Region::rise(const Block &Each, End At) { return At == End::Front ? Each.Up : Each.Down; }

Bytes Region::net(const Block &Each, End At) { return At == End::Front ? Each.net() : -Each.net(); }

/// The same way and a block more.
Region::Way Region::extended(const Way &Before, const Block &By, End At) const {
  Way Longer = Before;
  Longer.Peak = std::max(Before.Peak, Before.Held + rise(By, At));
  Longer.Held += net(By, At);
  Longer.IsBounded = false;
  const auto Begin = static_cast<std::ptrdiff_t>(Longer.Items.size());
  items(By, Longer.Items);
  if (At == End::Back)
    std::reverse(Longer.Items.begin() + Begin, Longer.Items.end());
  return Longer;
}

/// Goes on from where the way has led as long as something falls that rises no higher than the way did: nothing is better.
/// The falls that rise higher.
std::vector<Region::Way> Region::fallOn(const std::vector<std::uint32_t> &Beside, End At, Way &Now) {
  std::vector<Way> Higher;
  for (bool Again = true; Again && Work <= MostWork;) {
    Again = false;
    Higher.clear();
    std::vector<std::uint32_t> Loose;
    for (std::uint32_t Each : Beside)
      loose(Each, At, Loose);
    Work += Now.Items.size() + Loose.size();
    for (std::uint32_t Each : Loose) {
      const std::optional<Block> Next = looseBlock(Each, At);
      if (!Next || net(*Next, At) > 0)
        continue;
      Way Longer = extended(Now, *Next, At);
      if (Longer.Peak > Now.Peak) {
        Higher.push_back(std::move(Longer));
        continue;
      }
      for (std::size_t I = Now.Items.size(); I < Longer.Items.size(); ++I)
        take(Longer.Items[I], At);
      Now = std::move(Longer);
      Again = true;
      break;
    }
  }
  return Higher;
}

/// The way with the least that it must still rise by; to its end, where the chain that says so is an order. Nothing where it
/// leads to no fall.
std::optional<Region::Way> Region::bounded(const std::vector<std::uint32_t> &Beside, End At, const Way &Now) {
  const Reach Far = reach(Beside, At, Now.Held);
  if (!Far.Exists)
    return std::nullopt;
  Way Longer = Now, Bounded = Now;
  for (const Block &Each : Far.Blocks)
    Longer = extended(Longer, Each, At);
  Longer.Peak = Now.Peak;
  Longer.Held = Now.Held;
  Longer.IsBounded = Bounded.IsBounded = true;
  for (std::size_t I = Now.Items.size(); I < Longer.Items.size(); ++I) {
    const Block Each = blockAt(Longer.Items[I], At);
    Longer.Peak = std::max(Longer.Peak, Longer.Held + rise(Each, At));
    Longer.Held += net(Each, At);
    take(Longer.Items[I], At);
  }
  for (std::size_t I = Now.Items.size(); I < Longer.Items.size(); ++I)
    giveBack(Longer.Items[I], At);
  Bounded.Peak = std::max(Now.Peak, Far.Peak);
  return Longer.Held <= 0 && Longer.Peak <= Bounded.Peak ? Longer : Bounded;
}

/// Chains, each once for each of its blocks, that lead with the least rise to where no more is held than now; none where
/// there are none. From the back, time runs backwards.
std::vector<std::uint32_t> Region::nearestFall(const std::vector<std::uint32_t> &Beside, End At) {
  std::priority_queue<Way> Waiting;
  std::set<std::vector<std::uint32_t>> Seen;
  const std::uint32_t Output = openOutputs(Beside).front();
  // What falls whatever becomes of the output.
  Of[Output].Chosen = At == End::Front ? Nobody : Everybody;
  const Chain Simply = besideEachOther(Beside);
  Of[Output].Chosen = Anybody;
  const Block &Simple = At == End::Front ? Simply.front() : Simply.back();
  const bool Falls = At == End::Front ? Simple.falls() : !Simple.falls();
  Waiting.push({});
  while (!Waiting.empty() && Work <= MostWork) {
    Way Now = Waiting.top();
    Waiting.pop();
    if (Falls && rise(Simple, At) <= Now.Peak)
      return extended({}, Simple, At).Items;
    for (std::uint32_t Leaf : Now.Items)
      take(Leaf, At);
    std::vector<Way> After = fallOn(Beside, At, Now);
    const bool Ends = Now.Held <= 0 && !Now.Items.empty();
    if (!Ends && Now.IsBounded) {
      std::vector<std::uint32_t> Next;
      for (std::uint32_t Each : Beside)
        ends(Each, At, Next);
      for (std::uint32_t Leaf : Next)
        After.push_back(extended(Now, blockAt(Leaf, At), At));
      for (Way &Each : After)
        Waiting.push(std::move(Each));
    } else if (!Ends && Seen.insert(placeOf(Beside, At)).second) {
      if (std::optional<Way> Bounded = bounded(Beside, At, Now))
        Waiting.push(std::move(*Bounded));
    }
    for (std::uint32_t Leaf : Now.Items)
      giveBack(Leaf, At);
    if (Ends)
      return lowest(Beside, At, std::move(Now.Items));
  }
  return {};
}

/// How much of each chain that has not ended is left.
std::vector<std::uint32_t> Region::placeOf(const std::vector<std::uint32_t> &Beside, End At) const {
  std::vector<std::uint32_t> Place;
  for (std::uint32_t Each : Beside)
    leaves(Each, [&](std::uint32_t Leaf) {
      Place.push_back(Leaf);
      Place.push_back(static_cast<std::uint32_t>(At == End::Front ? Parts[Leaf].Taken : Parts[Leaf].TakenBack));
    });
  return Place;
}

/// Of a way the part that leads to the least that is held on it, or on a part of it. What falls on it needs the end of the
/// output, or from the back its beginning: else what falls whatever becomes of the output would have ended the search.
std::vector<std::uint32_t> Region::lowest(const std::vector<std::uint32_t> &Beside, End At,
                                          std::vector<std::uint32_t> Way) {
  const End Other = At == End::Front ? End::Back : End::Front;
  const std::uint32_t Output = openOutputs(Beside).front();
  std::map<std::uint32_t, std::size_t> Has;
  for (std::uint32_t Leaf : Way)
    ++Has[Leaf];
  // Nothing but the way is left.
  std::vector<std::uint32_t> Gone;
  for (std::uint32_t Each : Beside)
    leaves(Each, [&](std::uint32_t Leaf) {
      Gone.insert(Gone.end(), Parts[Leaf].Blocks.size() - Parts[Leaf].Taken - Parts[Leaf].TakenBack - Has[Leaf], Leaf);
    });
  for (std::uint32_t Leaf : Gone)
    take(Leaf, Other);
  Of[Output].Chosen = At == End::Front ? Everybody : Nobody;
  const Chain All = besideEachOther(Beside);
  Of[Output].Chosen = Anybody;
  for (std::uint32_t Leaf : Gone)
    giveBack(Leaf, Other);
  std::vector<std::uint32_t> Kept;
  for (const Block &Each : All)
    if (Each.falls() == (At == End::Front))
      items(Each, Kept);
  if (Kept.empty())
    return Way; // nothing on it is lower: as much is held where it ends as where it begins
  Has.clear();
  for (std::uint32_t Leaf : Kept)
    ++Has[Leaf];
  std::erase_if(Way, [&](std::uint32_t Leaf) { return Has[Leaf] == 0 || Has[Leaf]-- == 0; });
  return Way;
}

/// The best chain for the consumers that are chosen.
Region::Relaxed Region::relaxed(const std::vector<std::uint32_t> &Beside, const std::vector<std::uint32_t> &Outputs) {
  Relaxed Found;
  Found.Best = besideEachOther(Beside);
  while (Found.Certain < Found.Best.size() && Found.Best[Found.Certain].falls() && !Found.Best[Found.Certain].Presumes)
    ++Found.Certain;
  std::map<std::uint32_t, std::uint32_t> Last;
  for (const Block &Each : Found.Best)
    items(Each, Found.Items);
  for (std::uint32_t Leaf : Found.Items)
    for (std::uint32_t Output : Parts[Leaf].Outputs)
      Last[Output] = Leaf;
  Found.IsOrder = std::all_of(Outputs.begin(), Outputs.end(),
                              [&](std::uint32_t Output) { return Last[Output] == Of[Output].Chosen; });
  Work += Found.Items.size();
  return Found;
}

/// The chain of the order that is given.
Chain Region::inOrder(const std::vector<std::uint32_t> &Items) {
  Chain Found;
  for (std::uint32_t Leaf : Items) {
    follow(Jobs, Found, {blockAt(Leaf, End::Front)});
    take(Leaf, End::Front);
  }
  for (std::uint32_t Leaf : Items)
    giveBack(Leaf, End::Front);
  return Found;
}

Block joined(Sequences &In, const Block &Before, const Block &After) {
  const Bytes Up = std::max(Before.Up, Before.net() + After.Up);
  return {Up, Up - Before.net() - After.net(), In.joined(Before.Jobs, After.Jobs), Before.Presumes || After.Presumes};
}

void follow(Sequences &In, Chain &Before, const Chain &After) {
  for (const Block &Each : After) {
    Block Now = Each;
    for (; !Before.empty() && !(Before.back() < Now); Before.pop_back())
      Now = joined(In, Before.back(), Now);
    Before.push_back(Now);
  }
}

Chain beside(Sequences &In, Chain All) {
  std::stable_sort(All.begin(), All.end(), [](const Block &Left, const Block &Right) {
    return Left < Right || (!(Right < Left) && Left.Presumes < Right.Presumes);
  });
  Chain Joined;
  for (const Block &Each : All)
    if (Joined.empty() || Joined.back() < Each || Joined.back().Presumes != Each.Presumes)
      Joined.push_back(Each);
    else
      Joined.back() = joined(In, Joined.back(), Each);
  return Joined;
}

bool isBetter(const Chain &Left, const Chain &Right) {
  // Down to the least that is held: what needs less for its next fall, then what falls further.
  std::size_t I = 0;
  for (; I < Left.size() && I < Right.size() && Left[I].falls() && Right[I].falls(); ++I) {
    if (Left[I].Up != Right[I].Up)
      return Left[I].Up < Right[I].Up;
    if (Left[I].Down != Right[I].Down)
      return Left[I].Down > Right[I].Down;
  }
  const bool LeftFalls = I < Left.size() && Left[I].falls(), RightFalls = I < Right.size() && Right[I].falls();
  if (LeftFalls != RightFalls)
    return LeftFalls;
  // From the end backwards the same. Blocks that end where they begin need nothing where a higher one is left.
  const auto Before = [I](const Chain &Of, std::size_t &At) {
    while (At > I + 1 && Of[At - 1].net() == 0)
      --At;
    return At > I ? &Of[--At] : nullptr;
  };
  std::size_t J = Left.size(), K = Right.size();
  while (true) {
    const Block *L = Before(Left, J), *R = Before(Right, K);
    if (!L || !R)
      return R && !L;
    if (L->Down != R->Down)
      return L->Down < R->Down;
    if (L->Up != R->Up)
      return L->Up > R->Up;
  }
}

} // namespace memshape::series_parallel
