// The smallest shapes at which sizes wrap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/wraps/FirstWraps.h"
#include "libmemshape/skeletons/ArgumentValues.h"

#include <algorithm>
#include <map>
#include <set>

namespace memshape {

namespace {

/// What wraps where all extents are the same.
class EqualExtents {
public:
  EqualExtents(const Skeleton &S, const Question &Asked, Evaluator &Evaluate) : Asked(Asked), Evaluate(Evaluate) {
    for (const Parameter &P : S.parametersOf(Role::Shape))
      Largest.push_back(largestValueOf(P));
    this->Asked.MostWork = MostWork;
  }

  std::vector<std::int64_t> shape(std::int64_t Extent) const {
    std::vector<std::int64_t> Shape;
    for (std::int64_t Most : Largest)
      Shape.push_back(std::min(Most, Extent));
    return Shape;
  }

  std::int64_t greatest() const { return Largest.empty() ? 0 : *std::max_element(Largest.begin(), Largest.end()); }

  /// Nothing where the skeleton takes too long.
  const std::optional<std::set<std::uint32_t>> &at(std::int64_t Extent) {
    const auto [Known, New] = Answers.try_emplace(Extent);
    if (!New)
      return Known->second;
    Asked.Shape = shape(Extent);
    Result<Footprint> Answer = Evaluate.evaluate(Asked);
    if (Answer && (Answer->Outcome != Footprint::Status::Limit || !Answer->Wraps.empty()))
      Known->second.emplace(Answer->Wraps.begin(), Answer->Wraps.end());
    return Known->second;
  }

private:
  /// A few allocations in each iteration of a loop over all samples of an image.
  static constexpr std::chrono::milliseconds MostWork{100};

  Question Asked;
  Evaluator &Evaluate;
  std::vector<std::int64_t> Largest;
  std::map<std::int64_t, std::optional<std::set<std::uint32_t>>> Answers;
};

/// Powers of two up to Greatest, and numbers behind and between them: products of powers wrap to 0, or to numbers below
/// it, which a test may refuse.
std::vector<std::int64_t> increasing(std::int64_t Greatest) {
  std::vector<std::int64_t> Extents;
  for (std::int64_t Power = 1; Power <= Greatest / 2; Power *= 2) {
    for (std::int64_t Next : {Power, Power + 1, Power + Power / 2 + 1})
      if (Extents.empty() || Next > Extents.back())
        Extents.push_back(Next);
  }
  if (Greatest > 0)
    Extents.push_back(Greatest);
  return Extents;
}

} // namespace

std::vector<FirstWrap> firstWraps(const Skeleton &S, const Question &Asked, Evaluator &Evaluate) {
  EqualExtents Extents(S, Asked, Evaluate);
  std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> Between; // the last that does not, the first that does
  const std::int64_t Greatest = Extents.greatest();
  std::int64_t Last = 0;
  for (std::int64_t Extent : increasing(Greatest)) {
    const auto &Wraps = Extents.at(Extent);
    if (!Wraps || Between.size() == S.Wraps.size())
      break;
    for (std::uint32_t Id : *Wraps)
      if (Id < S.Wraps.size())
        Between.try_emplace(Id, Last, Extent);
    Last = Extent;
  }
  std::vector<std::pair<std::int64_t, std::uint32_t>> Firsts;
  for (auto [Id, Ends] : Between) {
    auto [Low, High] = Ends;
    while (High - Low > 1) {
      const std::int64_t Middle = Low + (High - Low) / 2;
      const auto &Wraps = Extents.at(Middle);
      (Wraps && Wraps->contains(Id) ? High : Low) = Middle;
    }
    Firsts.emplace_back(High, Id);
  }
  std::sort(Firsts.begin(), Firsts.end());
  std::vector<FirstWrap> Found;
  for (auto [Extent, Id] : Firsts)
    Found.push_back({Id, Extents.shape(Extent)});
  return Found;
}

const FirstWrap *firstAt(const Skeleton &S, const std::vector<FirstWrap> &Found, std::uint32_t Site) {
  const auto At = std::find_if(Found.begin(), Found.end(), [&](const FirstWrap &Each) {
    const std::vector<std::uint32_t> &Sites = S.Wraps[Each.Wrap].Sites;
    return std::find(Sites.begin(), Sites.end(), Site) != Sites.end();
  });
  return At == Found.end() ? nullptr : &*At;
}

std::string typeText(const SizeWrap &Wrap) {
  return std::string(Wrap.Signed ? "a signed" : "an unsigned") + " integer of " + std::to_string(Wrap.Bits) + " bits";
}

} // namespace memshape
