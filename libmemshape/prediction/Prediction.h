// The memory of one operator call before it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/formulas/FormulaCache.h"
#include "libmemshape/formulas/FormulaSearch.h"
#include "libmemshape/prediction/Bounds.h"
#include "libmemshape/skeletons/SkeletonSession.h"

#include <nlohmann/json_fwd.hpp>

namespace memshape {

/// What the process will hold; learned, not derived: docs/resident-memory.md.
struct ResidentPeak {
  std::uint64_t Peak = 0;             ///< bytes
  std::optional<std::uint64_t> Upper; ///< not exceeded with Confidence; nothing where the heap has no bound
  double Confidence = 0;
  std::size_t Runs = 0;   ///< of the operator's own past that it comes from
  bool HeldKnown = false; ///< what the process holds besides was given, or all of it was built
};

struct Prediction {
  const Skeleton *Operator = nullptr; ///< outlives the prediction
  Question Asked;
  Footprint Heap; ///< with the decisions as proposed or assumed
  Bounds Range;
  /// The run of Heap with sizes from data at their least: what it is where they turn out to have no bound.
  std::optional<Footprint> LeastSizes = {};
  FormulaSet Formulas;
  std::optional<ResidentPeak> Resident;
  /// The same call in the other memory spaces that it may use, by name: Heap, Range and Formulas are the space's.
  std::map<std::string, Prediction> Elsewhere = {};
  bool Extrapolated = false;                        ///< the figures are those of formulas found at smaller shapes
  std::map<std::string, std::int64_t> MachineGiven; ///< facts of another machine, as the user gave them
  std::vector<Note> Notes;                          ///< what the reader has to know beside the numbers
};

/// The effect of each decision where the bounds are indifferent.
inline const std::string NoEffect = "no effect on memory at this shape: every outcome was run";

/// Runs the skeleton at the shape, looks for bounds and formulas. Fails where the operator does not return at that
/// shape or where a size does not fit 2^63 bytes.
Result<Prediction> predict(const Skeleton &S, const Question &Asked, SkeletonSession &Session);

/// Told how long one of the next questions, and all of them, may take.
using SetTimeouts = std::function<void(std::chrono::milliseconds, std::chrono::milliseconds)>;

/// The same on any evaluator. Formulas are looked for where WithFormulas says so.
Result<Prediction> predictWith(const Skeleton &S, const Question &Asked, Evaluator &Evaluate,
                               const SetTimeouts &Timeout, const FormulaCache &Cache, bool WithFormulas = true);

/// Names the spaces that are not in Elsewhere: their peak is known, and no bound.
void addSpacesWithoutBounds(Prediction &P);

/// Lets no size that was guessed stand for all, where there is no upper bound, or one below it.
void expectLeastSizes(Prediction &P);

/// Decisions that give sizes for which nothing else is known, where there is no upper bound because of them.
std::vector<std::uint32_t> openSizes(const Prediction &P);

/// Every answer to the decisions leads to the same figures, in all spaces.
bool isIndifferent(const Prediction &P);

/// Formulas of what sites hold at the peak of their space, where they hold at the shape; none where a space has none.
std::map<std::int64_t, Recovered> formulasOfSites(const Prediction &P);

/// Evaluates; a call that ends the evaluation on zeros is refused from then on.
Result<Footprint> evaluateRefusing(const Skeleton &S, Question &Asked, Evaluator &Evaluate);

/// How S does not return, in the words of its language: "throws or aborts".
std::string endingOf(const Skeleton &S);

/// "ni=400,nx=300"
std::string shapeText(const Skeleton &S, const std::vector<std::int64_t> &At, const char *Between = ",");

/// The member `rss` of memshape.prediction/1.
nlohmann::ordered_json residentJson(const std::optional<ResidentPeak> &Resident);

/// What memshape.prediction/1 and the report write alike: a formula's text or null, where it was verified, a place, and
/// a call of a function without a body.
nlohmann::ordered_json textOrNull(const std::optional<Recovered> &Found, const std::vector<std::string> &Symbols);
void addDomain(nlohmann::ordered_json &To, const Domain &Valid, const std::vector<std::string> &Symbols);
nlohmann::ordered_json placeJson(const SourcePlace &Place);
nlohmann::ordered_json callJson(const UnknownCall &Call);

/// The member `formula` where Formulas.Part gives it. Heap: that of the shape that was asked for; null where none was.
nlohmann::ordered_json partFormulaJson(const FormulaSet &Formulas, const Footprint *Heap);

/// memshape.prediction/1 of docs/commands.md.
std::string predictionJson(const Prediction &P);

/// The text page.
std::string predictionPage(const Prediction &P);

/// Sites with the bytes they hold at the peak, most first, then in order of their ids.
std::vector<std::pair<std::int64_t, std::uint64_t>> sitesByBytes(const Footprint &Heap, const Skeleton &S);

/// What the caller hands in.
struct TensorBytes {
  std::string Name;
  /// Requested for it; or behind a pointer, from the first byte that the call may use to the last; nothing where only
  /// the caller knows.
  std::optional<std::uint64_t> Bytes = {};
  std::string Formula = {};                  ///< of Bytes, as it holds at the shape; "" where none is known
  std::optional<memshape::Formula> Law = {}; ///< the same in the symbols of the shape
  bool IsPointer = false;
};

/// Arguments in the order of the parameters, then pointers.
std::vector<TensorBytes> tensorsOf(const Prediction &P);

/// What the operator keeps on the stack.
struct StackUse {
  std::optional<std::uint64_t> Most; ///< bytes, about; nothing where they have no bound
  std::string Formula;               ///< of Most, as it holds at the shape; "" where none is known
  SourcePlace Open;                  ///< why there is no bound: an array, or a function that calls itself
  bool IsRecursion = false;
};

/// Nothing where it is a few pages, or not known.
std::optional<StackUse> stackOf(const Prediction &P);

/// What the operator returns, or leaves in an argument, has this extent.
struct OutputExtent {
  std::string Symbol; ///< "result.rows"
  std::uint64_t Extent = 0;
  std::string Formula; ///< of Extent, as it holds at the shape; "" where none is known
};

/// The extents that no data and no circumstances of the call change; others are absent.
std::vector<OutputExtent> outputShapeOf(const Prediction &P);

/// "gst3d.cpp:41"; "" where no place is known.
std::string shortPlace(const SourcePlace &Place);

/// A long name without its template arguments: "smoothLines<...>".
std::string shortFunction(const std::string &Name);

} // namespace memshape
