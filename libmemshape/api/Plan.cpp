// Plans as values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/plan/TensorTypes.h"

#include <algorithm>
#include <cmath>

namespace memshape::v1 {

namespace {

/// Written: arguments that the call may change.
CallBytes bytesOf(const Prediction &Found, const std::vector<std::string> &Written) {
  CallBytes Out{Found.heap.peak_bytes,
                Found.heap.upper_bytes,
                Found.heap.touched_bytes,
                Found.heap.output_bytes,
                Found.heap.one_time_bytes,
                0,
                0,
                {},
                Found.heap.lower_bytes};
  for (const Tensor &Each : Found.tensors) {
    Out.Each.push_back(Each.bytes.value_or(0));
    Out.Arguments += Out.Each.back();
    if (std::find(Written.begin(), Written.end(), Each.name) != Written.end())
      Out.Written += Each.bytes.value_or(0);
  }
  return Out;
}

/// An element of Symbols by its name.
Expected<PlannedSymbol *> named(std::vector<PlannedSymbol> &Symbols, const std::string &Name, const char *Where) {
  PlannedSymbol *Only = nullptr; // the only symbol of the argument called Name
  unsigned Number = 0;
  std::string Known;
  for (PlannedSymbol &Each : Symbols) {
    if (Each.Axis.name == Name)
      return &Each;
    if (Each.Axis.name.starts_with(Name + ".")) {
      Only = &Each;
      ++Number;
    }
    Known += (Known.empty() ? "" : ", ") + Each.Axis.name;
  }
  if (Number == 1)
    return Only;
  return Error{ErrorCode::arguments,
               std::string(Where) + ": there is no shape symbol '" + Name + "'; there are " + Known};
}

/// Where nobody names the extents: of objects, all that they are built from, and no other integer; of memory behind a
/// pointer nothing says what its size depends on, so that any integer may be an extent.
bool isExtent(const Operator &Op, const Skeleton &S, const std::string &Name) {
  const auto OfObject = [](const std::string &Each) { return Each.find('.') != std::string::npos; };
  const bool AnyObject =
      std::any_of(Op.symbols().begin(), Op.symbols().end(), [&](const Symbol &Each) { return OfObject(Each.name); });
  return OfObject(Name) || !AnyObject || !S.parametersOf(Role::Tensor).empty();
}

std::optional<Error> readSymbols(const Operator &Op, const Skeleton &S, const PlanRequest &Asked, PlanQuestion &Into) {
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
      Expected<PlannedSymbol *> Found = named(Into.Symbols, NameOf(Each), Where);
      if (!Found)
        return Found.error();
      Set(**Found, Each);
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
std::optional<TensorTypes> typesOf(const OpenFiles &Files, const Skeleton &S) {
  for (const InstrumentedFile &File : Files.Around.Files)
    for (const Record &Each : File.Records)
      if (Each.Kind == RecordKind::Features)
        if (std::optional<TensorTypes> Types = tensorTypesOf(Each.Payload, S.Symbol))
          return Types;
  return std::nullopt;
}

std::optional<Error> readElements(const std::optional<TensorTypes> &Types, const Skeleton &S, const PlanRequest &Asked,
                                  PlanQuestion &Into) {
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
  if (Types) {
    if (!Types->Untyped.empty())
      return Error{ErrorCode::arguments, "the type of '" + Types->Untyped.front() +
                                             "' does not say how large an element is: give the bytes per element of "
                                             "input and output (--element-bytes IN,OUT)"};
    Into.ElementIn = static_cast<double>(Types->In);
    Into.ElementOut = static_cast<double>(Types->Out);
    return std::nullopt;
  }
  const std::vector<Parameter> Tensors = S.parametersOf(Role::Tensor);
  if (Tensors.empty())
    return std::nullopt;
  return Error{ErrorCode::arguments, "the file does not say how large an element of '" + Tensors.front().Name +
                                         "' is: give the bytes per element of input and output (--element-bytes "
                                         "IN,OUT)"};
}

/// "ni*nx" and "nx*ni" are one.
std::vector<std::string> factorsOf(const std::string &Product) {
  std::vector<std::string> Factors;
  for (std::size_t Begin = 0; Begin <= Product.size();) {
    const std::size_t End = std::min(Product.find('*', Begin), Product.size());
    Factors.push_back(Product.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  std::sort(Factors.begin(), Factors.end());
  return Factors;
}

/// Where the source tells, as a product of symbols, that an output has another number of elements than the array.
/// Objects have their own bytes: only those behind pointers are counted by elements.
std::optional<Note> noteOnElements(const TensorTypes &Types, const PlanQuestion &Asked) {
  if (Types.In + Types.Out == 0)
    return std::nullopt;
  std::string Array;
  for (const PlannedSymbol &Each : Asked.Symbols)
    if (Each.IsExtent)
      Array += (Array.empty() ? "" : "*") + Each.Axis.name;
  for (const std::string &Output : Types.Outputs)
    if (Output.find_first_of(" +-/(") == std::string::npos && factorsOf(Output) != factorsOf(Array))
      return Note{"element_counts",
                  "a task's input and output are taken to have " + Array + " elements each, and the source writes " +
                      Output +
                      ": name the extents of the array (--extents), or bytes per element (--element-bytes), where that "
                      "is too much"};
  return std::nullopt;
}

/// Where arguments point to memory whose size neither their types nor their constructors tell, as a std::span does.
std::optional<Note> noteOnViews(const TensorTypes &Types, const Prediction &Of) {
  std::string Names;
  for (const Tensor &Each : Of.tensors)
    if (!Each.bytes && std::find(Types.Counted.begin(), Types.Counted.end(), Each.name) == Types.Counted.end())
      Names += (Names.empty() ? "'" : ", '") + Each.name + "'";
  if (Names.empty())
    return std::nullopt;
  return Note{"unknown_sizes",
              "what " + Names +
                  " point to is not counted, as its size is not known: give the bytes per element of input and output "
                  "(--element-bytes IN,OUT), or what each worker holds of it (--held)"};
}

} // namespace

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
  const std::optional<TensorTypes> Types = typesOf(*of->Files, *of->Stored);
  const std::vector<std::string> Written = Types ? Types->Written : std::vector<std::string>();
  if (std::optional<Error> Wrong = readSymbols(*this, *of->Stored, request, Asked))
    return *Wrong;
  if (std::optional<Error> Wrong = readElements(Types, *of->Stored, request, Asked))
    return *Wrong;
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
    const Expected<Prediction> Found = predict(At);
    if (!Found)
      return Found.error();
    Views = Types ? noteOnViews(*Types, *Found) : std::nullopt;
    return bytesOf(*Found, Written);
  };
  // What data decides is bounded by trying answers: no formula is one of that bound.
  Expected<Formula> Peak = Error{ErrorCode::no_formula, "not asked for"};
  if (decisions().empty() && request.call.assume.empty())
    Peak = formula(request.call.settings);
  if (Peak && Peak->symbols().size() == symbols().size() &&
      std::equal(symbols().begin(), symbols().end(), Peak->symbols().begin(),
                 [](const Symbol &A, const std::string &B) { return A.name == B; }))
    Asked.Peak = Access::valueOf(*Peak);
  Expected<Plan> Found = planChunks(Asked);
  if (Found && Found->feasible && Types && !Asked.ElementsGiven)
    for (const std::optional<Note> &Note : {noteOnElements(*Types, Asked), Views})
      if (Note)
        Found->notes.push_back(*Note);
  return Found;
}

} // namespace memshape::v1
