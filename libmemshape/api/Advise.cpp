// What a change of one line would bring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/advise/Advising.h"
#include "libmemshape/api/Contents.h"
#include "libmemshape/api/PipeSignal.h"
#include "libmemshape/text/Try.h"

namespace memshape::v1 {

/// By the parameters of S.
static Expected<std::map<std::size_t, std::int64_t>> chunksOf(const Skeleton &S, const Shape &Given) {
  std::map<std::size_t, std::int64_t> Chunks;
  const std::vector<std::string> Symbols = S.shapeSymbols();
  for (const auto &[Name, Count] : Given) {
    const auto At = std::find(Symbols.begin(), Symbols.end(), Name);
    if (At == Symbols.end() || Count < 1)
      return Error{ErrorCode::arguments, At == Symbols.end() ? "there is no shape symbol '" + Name + "'"
                                                             : "a chunk has at least one of '" + Name + "'"};
    Chunks[static_cast<std::size_t>(At - Symbols.begin())] = Count;
  }
  return Chunks;
}

Expected<AdviceList> Operator::advise(const AdviseRequest &request) const {
  const PipeSignal Blocked;
  MEMSHAPE_TRY(const AskedCall Given, of->asked(request.call));
  const Surroundings Around = of->Files->forAnswer();
  MEMSHAPE_TRY(const Answer Found, expected(answer(*Given.Whole, Given.Asked, Around)));
  const memshape::Prediction &P = Found.Predicted;
  const Skeleton &S = *P.Operator;
  if (S.Replayed || P.Extrapolated)
    return Error{ErrorCode::no_answer,
                 "no skeleton of '" + S.Operator + "' runs at this shape, so that no change of it can be tried"};
  MEMSHAPE_TRY(auto Chunks, chunksOf(S, request.chunks));
  SkeletonSession Session(S, runnerOptions(S, Around));
  const Result<std::vector<Advice>> All = memshape::advise(
      {P, Chunks, request.most}, Session, [&](auto Longest, auto InAll) { Session.setTimeouts(Longest, InAll); },
      FormulaCache::ofUser());
  if (!All)
    return errorOf(All.failure(), ErrorCode::no_answer);
  AdviceList Out;
  Out.operator_name = S.Operator;
  for (std::size_t I = 0; I < P.Asked.Shape.size(); ++I)
    Out.shape.emplace_back(S.shapeSymbols()[I], P.Asked.Shape[I]);
  Out.peak_bytes = P.Heap.Peak;
  Out.exact = P.Range.Exact;
  if (P.Formulas.Peak && P.Formulas.HoldsAtShape)
    Out.formula = P.Formulas.Peak->Value.str(P.Formulas.Symbols);
  Out.advice = *All;
  if (!Out.exact)
    Out.notes.push_back({"not_exact",
                         "the peak of this call is not exact: data decides, and advice follows the run that is "
                         "proposed; memshape predict says more"});
  return Out;
}

} // namespace memshape::v1
