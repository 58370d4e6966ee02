// Plans as values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/plan/TensorTypes.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"

#include <algorithm>

namespace memshape::v1 {

/// The pointer called Name; null where there is none.
static const TensorType *pointerOf(const TensorTypes &Types, const std::string &Name) {
  const auto Found = std::find_if(Types.Pointers.begin(), Types.Pointers.end(),
                                  [&](const TensorType &Each) { return Each.Name == Name; });
  return Found == Types.Pointers.end() ? nullptr : &*Found;
}

/// The call fills what the pointer called Name leads to.
static bool isResult(const TensorTypes &Types, const std::string &Name) {
  const TensorType *Pointer = pointerOf(Types, Name);
  return Pointer && Pointer->IsWritten;
}

/// An array that a call goes through but for its edges is as long as if it went through all: what the edges take off
/// counts.
static memshape::Formula withEdges(const memshape::Formula &Of) {
  std::vector<Polynomial> Pieces;
  for (const Polynomial &Each : Of.pieces()) {
    Polynomial &Whole = Pieces.emplace_back(Each.variables());
    for (const auto &[Powers, Factor] : Each.terms())
      if (Rational(0) < Factor)
        Whole = Whole + Polynomial::term(Powers, Factor);
  }
  return memshape::Formula(Of.atoms(), std::move(Pieces), Of.isLeast());
}

/// Formulas of what is handed in.
static void addLaws(const memshape::Prediction &Of, const TensorTypes &Types, PlanQuestion &Into) {
  for (TensorBytes &Each : memshape::tensorsOf(Of)) {
    if (Each.Law && Each.IsPointer)
      Each.Law = withEdges(*Each.Law);
    (isResult(Types, Each.Name) ? Into.Handed : Into.Arguments).push_back(std::move(Each.Law));
  }
}

/// Laws: those of Asked.
static CallBytes bytesOf(const Prediction &Found, const TensorTypes &Types, const PlanQuestion &Asked,
                         const memshape::Shape &At) {
  CallBytes Out{Found.heap.peak_bytes,   Found.heap.upper_bytes,    Found.heap.touched_bytes,
                Found.heap.output_bytes, Found.heap.one_time_bytes, 0,
                Found.heap.lower_bytes};
  const auto AtLeast = [&](std::uint64_t Bytes, const std::vector<std::optional<memshape::Formula>> &Laws,
                           std::size_t I) {
    const Rational Whole = I < Laws.size() && Laws[I] ? Laws[I]->evaluate(At) : Rational(0);
    return Whole.isInteger() && Whole.numerator() <= INT64_MAX
               ? std::max(Bytes, static_cast<std::uint64_t>(Whole.numerator()))
               : Bytes;
  };
  for (const Tensor &Each : Found.tensors) {
    const std::uint64_t Bytes = Each.bytes.value_or(0);
    if (isResult(Types, Each.name)) {
      Out.Handed.push_back(AtLeast(Bytes, Asked.Handed, Out.Handed.size()));
      continue;
    }
    Out.Arguments.push_back(AtLeast(Bytes, Asked.Arguments, Out.Arguments.size()));
    if (std::find(Types.Written.begin(), Types.Written.end(), Each.name) != Types.Written.end())
      Out.Written += Out.Arguments.back();
  }
  return Out;
}

/// At extents where formulas are looked for, or else as it is asked.
static Expected<Prediction> predictTypical(const Operator &Op, const Call &Asked) {
  constexpr std::int64_t Longest = 1000;
  Call At = Asked;
  At.formulas = true;
  for (auto &[Symbol, Extent] : At.shape)
    Extent = std::min(Extent, Longest);
  Expected<Prediction> Found = Op.predict(At);
  return Found ? std::move(Found) : Op.predict(Asked);
}

/// An element of Symbols by its name.
static Expected<PlannedSymbol *> named(std::vector<PlannedSymbol> &Symbols, const std::string &Name,
                                       const char *Where) {
  PlannedSymbol *Only = nullptr; // the only symbol of the argument called Name
  unsigned Number = 0;
  for (PlannedSymbol &Each : Symbols) {
    if (Each.Axis.name == Name)
      return &Each;
    if (Each.Axis.name.starts_with(Name + ".")) {
      Only = &Each;
      ++Number;
    }
  }
  if (Number == 1)
    return Only;
  return Error{ErrorCode::arguments,
               std::string(Where) + ": there is no shape symbol '" + Name + "'; there are " +
                   joined(Symbols, ", ", [](const PlannedSymbol &Each) { return Each.Axis.name; })};
}

static std::optional<Error> readSymbols(const Operator &Op, const Skeleton &S, const PlanRequest &Asked,
                                        PlanQuestion &Into) {
  for (const Symbol &Each : Op.symbols()) {
    const auto Given = Asked.call.shape.find(Each.name);
    if (Given == Asked.call.shape.end())
      return Error{ErrorCode::arguments, "the shape has no '" + Each.name + "'"};
    Into.Symbols.push_back(
        {{Given->second, 0, 1, false, Each.name}, Asked.extents.empty() && isExtent(Op, S, Each.name)});
  }
  const auto NameOf = [](const auto &Each) -> const std::string & {
    if constexpr (requires { Each.first; })
      return Each.first;
    else
      return Each;
  };
  const auto Mark = [&](const auto &Names, const char *Where, const auto &Set) -> std::optional<Error> {
    for (const auto &Each : Names) {
      MEMSHAPE_TRY(auto Found, named(Into.Symbols, NameOf(Each), Where));
      Set(*Found, Each);
    }
    return std::nullopt;
  };
  const auto IsExtent = [](PlannedSymbol &S) { S.IsExtent = true; };
  for (std::optional<Error> Wrong :
       {Mark(Asked.call.shape, "shape", [](auto &...) {}),
        Mark(Asked.extents, "extents", [&](PlannedSymbol &S, auto &) { IsExtent(S); }),
        Mark(Asked.split, "split", [&](PlannedSymbol &S, auto &) { IsExtent(S), S.Axis.split = true; }),
        Mark(Asked.halo, "halo", [&](PlannedSymbol &S, auto &Each) { IsExtent(S), S.Axis.halo = Each.second; }),
        Mark(Asked.align, "align", [&](PlannedSymbol &S, auto &Each) { IsExtent(S), S.Axis.align = Each.second; })})
    if (Wrong)
      return Wrong;
  for (const PlannedSymbol &Each : Into.Symbols)
    if (Each.IsExtent)
      Into.Job.axes.push_back(Each.Axis);
  return std::nullopt;
}

/// Of the first file that has them.
static TensorTypes typesOf(const OpenFiles &Files, const Skeleton &S) {
  for (const InstrumentedFile &File : Files.Around.Files)
    for (const Record &Each : File.Records)
      if (Each.Kind == RecordKind::Features)
        if (std::optional<TensorTypes> Types = tensorTypesOf(Each.Payload, S.Symbol))
          return *Types;
  return {};
}

/// Bytes per element of the array: as given, or of pointers of which only the user knows how far they are used.
static std::optional<Error> readElements(const TensorTypes &Types, const std::vector<std::string> &Unknown,
                                         const PlanRequest &Asked, PlanQuestion &Into) {
  if (Asked.input_element_bytes || Asked.output_element_bytes) {
    Into.ElementsGiven = true;
    Into.ElementIn = Asked.input_element_bytes.value_or(0);
    Into.ElementOut = Asked.output_element_bytes.value_or(0);
    constexpr double Most = 0x1p40;
    if (!(Into.ElementIn >= 0 && Into.ElementOut >= 0 && Into.ElementIn < Most && Into.ElementOut < Most))
      return Error{ErrorCode::arguments,
                   "bytes per element are two numbers, of the input and of the output, 0 or more"};
    return std::nullopt;
  }
  for (const std::string &Name : Unknown) {
    const TensorType *Pointer = pointerOf(Types, Name);
    if (!Pointer || !Pointer->Element)
      return Error{ErrorCode::arguments, "nothing says how many bytes of '" + Name +
                                             "' a call uses, nor how large an element of it is: give the bytes per "
                                             "element of input and output (--element-bytes IN,OUT)"};
    if (Asked.extents.empty())
      return Error{ErrorCode::arguments,
                   "data decides how much of '" + Name +
                       "' a call uses: name the extents of the array, if it has an element for each of theirs "
                       "(--extents), or give the bytes per element of input and output (--element-bytes IN,OUT)"};
    (Pointer->IsWritten ? Into.ElementOut : Into.ElementIn) += static_cast<double>(Pointer->Element);
  }
  return std::nullopt;
}

/// Pointers of which Of does not know how far they are used.
static std::vector<std::string> unknownPointers(const Skeleton &S, const Prediction &Of) {
  std::vector<std::string> Names;
  for (const Parameter &Each : S.parametersOf(Role::Tensor))
    if (!Each.Name.empty() && Each.Name.find('.') == std::string::npos &&
        std::any_of(Of.tensors.begin(), Of.tensors.end(),
                    [&](const Tensor &T) { return T.name == Each.Name && !T.bytes; }))
      Names.push_back(Each.Name);
  return Names;
}

/// Where arguments point to memory whose size neither their types nor their constructors tell, as a std::span does.
static std::optional<Note> noteOnViews(const TensorTypes &Types, const Prediction &Of) {
  std::string Names;
  for (const Tensor &Each : Of.tensors)
    if (!Each.bytes && !pointerOf(Types, Each.name))
      Names += (Names.empty() ? "'" : ", '") + Each.name + "'";
  if (Names.empty())
    return std::nullopt;
  return Note{"unknown_sizes",
              "what " + Names +
                  " point to is not counted, as its size is not known: give the bytes per element of input and output "
                  "(--element-bytes IN,OUT), or what each worker holds of it (--held)"};
}

bool isExtent(const Operator &Op, const Skeleton &S, const std::string &Name) {
  const auto OfObject = [](const std::string &Each) { return Each.find('.') != std::string::npos; };
  const bool AnyObject =
      std::any_of(Op.symbols().begin(), Op.symbols().end(), [&](const Symbol &Each) { return OfObject(Each.name); });
  return OfObject(Name) || !AnyObject || !S.parametersOf(Role::Tensor).empty();
}

std::string Plan::json() const { return planJson(*this); }

std::string Plan::text() const { return feasible ? planPage(*this) : ""; }

Expected<std::string> Plan::in_words_of(const std::string &system) const {
  if (!feasible)
    return Error{ErrorCode::arguments, "nothing fits, so there is nothing to ask for"};
  return inWordsOf(system, *this);
}

Expected<Plan> Operator::plan(const PlanRequest &request) const {
  PlanQuestion Asked;
  Asked.Operator = name();
  const TensorTypes Types = typesOf(*of->Files, *of->Stored);
  MEMSHAPE_CHECK(readSymbols(*this, *of->Stored, request, Asked));
  std::vector<std::string> Unknown;
  if (!request.input_element_bytes && !request.output_element_bytes) {
    MEMSHAPE_TRY(const Prediction Known, predictTypical(*this, request.call));
    Unknown = unknownPointers(*of->Stored, Known);
    addLaws(Access::foundBy(Known), Types, Asked);
  }
  MEMSHAPE_CHECK(readElements(Types, Unknown, request, Asked));
  if (request.memory_bytes == 0)
    return Error{ErrorCode::arguments, "a worker has some memory: give its bytes"};
  Asked.Job.workers = request.workers;
  Asked.Job.threads = request.threads;
  Asked.Job.held_bytes = request.held_bytes;
  Asked.Job.sink = request.sink;
  Asked.Job.source = request.source;
  Asked.Job.limit_bytes = std::min(request.memory_bytes, planning::MostBytes);
  Asked.Job.max_tasks = request.max_tasks.value_or(INT64_MAX);
  std::optional<Note> Views;
  Asked.Ask = [&, At = request.call](const std::vector<std::int64_t> &Values) mutable -> Expected<CallBytes> {
    for (std::size_t I = 0; I < Values.size(); ++I)
      At.shape[symbols()[I].name] = Values[I];
    At.formulas = false;
    MEMSHAPE_TRY(const Prediction Found, predict(At));
    Views = noteOnViews(Types, Found);
    return bytesOf(Found, Types, Asked, Values);
  };
  // What data decides is bounded by trying answers: no formula is one of that bound.
  Expected<Formula> Peak = Error{ErrorCode::no_formula, "not asked for"};
  if (decisions().empty() && request.call.assume.empty())
    Peak = formula(request.call.settings);
  if (Peak && Access::isOfAllSymbols(*Peak, *this))
    Asked.Peak = Access::valueOf(*Peak);
  Expected<Plan> Found = planChunks(Asked);
  if (Found && Found->feasible && !Asked.ElementsGiven && Views)
    Found->notes.push_back(*Views);
  return Found;
}

} // namespace memshape::v1
