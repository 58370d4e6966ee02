// What the caller of the operator builds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/evaluation/Evaluation.h"
#include "runner/protocol/Ending.h"

namespace memshape {

/// Blocks of arguments are the host's, and live before the operator is entered.
std::vector<std::uint8_t> Evaluation::withArguments(std::vector<std::uint8_t> Spaces) {
  ArgumentBytes.clear();
  Results.clear();
  for (std::uint8_t &Each : Spaces)
    if (Each == ArgumentSpace || Each == ResultSpace) {
      (Each == ArgumentSpace ? ArgumentBytes : Results).push_back(Each == ArgumentSpace ? 0 : -1);
      Each = 0;
    }
  return Spaces;
}

/// Arguments with what they held when the operator was entered, results with their extents, other sites with what they held at the peak.
void Evaluation::addSites(EvaluationFigures &Figures) const {
  for (std::size_t Site = 0; Site != ArgumentBytes.size(); ++Site)
    Figures.SitesAtPeak.push_back({std::int32_t(Site), ArgumentBytes[Site], 0});
  const std::size_t First = ArgumentBytes.size() + Results.size();
  for (std::size_t Result = 0; Result != Results.size(); ++Result)
    if (Results[Result] >= 0)
      Figures.SitesAtPeak.push_back({std::int32_t(ArgumentBytes.size() + Result), Results[Result], 0});
  for (const Accounting::SiteFigure &Site : Memory.Figures.sitesAtPeak())
    if (Site.Site < 0 || std::size_t(Site.Site) >= First)
      Figures.SitesAtPeak.push_back(Site);
}

void Evaluation::build(std::uint32_t Argument) {
  nowBuilding(Argument);
  if (Exploring || Argument > ArgumentBytes.size()) {
    Building = Exploring ? Argument : 0;
    return;
  }
  Building = Argument;
  if (Building) {
    Memory.Figures.follow(nullptr);
    return;
  }
  // The operator is entered: what lives now counts only where it is freed.
  for (std::size_t Site = 0; Site != ArgumentBytes.size(); ++Site)
    ArgumentBytes[Site] = Memory.Figures.live(std::int32_t(Site));
  Memory.Figures.begin();
  Memory.Touched.begin();
  if (Steps.wanted())
    Memory.Figures.follow(&Steps);
}

void Evaluation::tell(std::uint32_t Result, std::int64_t Extent) {
  if (Result < Results.size())
    Results[Result] = Extent;
}

} // namespace memshape
