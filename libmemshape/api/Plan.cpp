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
                {}};
  for (const Tensor &Each : Found.tensors) {
    Out.Each.push_back(Each.bytes.value_or(0));
    Out.Arguments += Out.Each.back();
    if (std::find(Written.begin(), Written.end(), Each.name) != Written.end())
      Out.Written += Each.bytes.value_or(0);
  }
  return Out;
}

Failure failureOf(const Error &Why) {
  return {Why.message, Why.code == ErrorCode::too_large ? FailureCode::TooLarge : FailureCode::Other};
}

/// An element of Symbols by its name.
Expected<PlannedSymbol *> named(std::vector<PlannedSymbol> &Symbols, const std::string &Name, const char *Where) {
  PlannedSymbol *Only = nullptr; // the only symbol of the argument called Name
  unsigned Number = 0;
  for (PlannedSymbol &Each : Symbols) {
    if (Each.Name == Name)
      return &Each;
    if (Each.Name.starts_with(Name + ".")) {
      Only = &Each;
      ++Number;
    }
  }
  if (Number == 1)
    return Only;
  std::string Known;
  for (const PlannedSymbol &Each : Symbols)
    Known += (Known.empty() ? "" : ", ") + Each.Name;
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

std::optional<Error> readSymbols(const Operator &Op, const Skeleton &S, const PlanRequest &Asked,
                                 memshape::ChunkRequest &Into) {
  for (const Symbol &Each : Op.symbols()) {
    const auto Given = Asked.call.shape.find(Each.name);
    if (Given == Asked.call.shape.end())
      return Error{ErrorCode::arguments, "the shape has no '" + Each.name + "'"};
    Into.Symbols.push_back(
        {Each.name, Given->second, Asked.extents.empty() && isExtent(Op, S, Each.name), false, 0, 1});
  }
  for (const auto &[Name, Value] : Asked.call.shape)
    if (Expected<PlannedSymbol *> Found = named(Into.Symbols, Name, "shape"); !Found)
      return Found.error();
  for (const std::string &Name : Asked.extents) {
    Expected<PlannedSymbol *> Found = named(Into.Symbols, Name, "extents");
    if (!Found)
      return Found.error();
    (*Found)->IsExtent = true;
  }
  for (const std::string &Name : Asked.split) {
    Expected<PlannedSymbol *> Found = named(Into.Symbols, Name, "split");
    if (!Found)
      return Found.error();
    (*Found)->Split = (*Found)->IsExtent = true;
  }
  for (const auto &[Of, Where, Member] : {std::tuple{&Asked.halo, "halo", &PlannedSymbol::Halo},
                                          std::tuple{&Asked.align, "align", &PlannedSymbol::Align}})
    for (const auto &[Name, Value] : *Of) {
      Expected<PlannedSymbol *> Found = named(Into.Symbols, Name, Where);
      if (!Found)
        return Found.error();
      (*Found)->*Member = Value;
      (*Found)->IsExtent = true;
    }
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
                                  memshape::ChunkRequest &Into) {
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
std::optional<std::string> noteOnElements(const TensorTypes &Types, const memshape::ChunkRequest &Asked) {
  if (Types.In + Types.Out == 0)
    return std::nullopt;
  std::string Array;
  for (const PlannedSymbol &Each : Asked.Symbols)
    if (Each.IsExtent)
      Array += (Array.empty() ? "" : "*") + Each.Name;
  for (const std::string &Output : Types.Outputs)
    if (Output.find_first_of(" +-/(") == std::string::npos && factorsOf(Output) != factorsOf(Array))
      return "a task's input and output are taken to have " + Array + " elements each, and the source writes " +
             Output +
             ": name the extents of the array (--extents), or bytes per element (--element-bytes), where that is too "
             "much";
  return std::nullopt;
}

/// Where arguments point to memory whose size neither their types nor their constructors tell, as a std::span does.
std::optional<std::string> noteOnViews(const TensorTypes &Types, const Prediction &Of) {
  std::string Names;
  for (const Tensor &Each : Of.tensors)
    if (!Each.bytes && std::find(Types.Counted.begin(), Types.Counted.end(), Each.name) == Types.Counted.end())
      Names += (Names.empty() ? "'" : ", '") + Each.name + "'";
  if (Names.empty())
    return std::nullopt;
  return "what " + Names +
         " point to is not counted, as its size is not known: give the bytes per element of input and output "
         "(--element-bytes IN,OUT), or what each worker holds of it (--held)";
}

} // namespace

Plan Access::planOf(memshape::ChunkRequest Asked, PlanAnswer Found) {
  Plan Out;
  Out.operator_name = Asked.Operator;
  for (const PlannedSymbol &Each : Asked.Symbols)
    Out.shape[Each.Name] = Each.Value;
  Out.least_memory_bytes = Found.LeastBytes;
  if (Found.Found) {
    const memshape::ChunkPlan &Made = *Found.Found;
    Out.feasible = true;
    for (std::size_t I = 0; I < Asked.Symbols.size(); ++I) {
      Out.largest_task[Asked.Symbols[I].Name] = Made.LargestTask[I];
      if (Asked.Symbols[I].IsExtent)
        for (const planning::ChunkRun &Run : Made.Chunks[I])
          Out.chunks[Asked.Symbols[I].Name].push_back({Run.Length, Run.Times});
    }
    Out.tasks = Made.Chosen.Tasks;
    Out.fewest_tasks = Made.Chosen.FewestTasks;
    Out.tasks_lower_bound = Made.Chosen.LowerBound;
    Out.fewest_proven = Made.FewestProven;
    Out.peak_bytes = Made.Call.Peak;
    Out.upper_bytes = Made.Call.Upper;
    Out.input_bytes = Made.Chosen.Largest.Bytes.In;
    Out.output_bytes = Made.Chosen.Largest.Bytes.Out;
    Out.worker_expected_bytes = Made.expectedBytes();
    if (Made.Bounded)
      Out.worker_upper_bytes = Made.upperBytes();
    Out.gathered_bytes = Made.Gathered;
    Out.utilisation =
        static_cast<double>(Made.Bounded ? Made.upperBytes() : Made.expectedBytes()) / static_cast<double>(Asked.Limit);
    Out.limited_by = limitName(Made.Chosen.Why);
    Out.source = Made.Chosen.On.From == planning::Source::Blocks ? Source::blocks : Source::storage;
    Out.notes = Made.Notes;
  }
  Asked.Ask = nullptr;
  Asked.Peak = nullptr;
  Out.of = std::make_shared<const Plan::Content>(Plan::Content{std::move(Asked), std::move(Found)});
  return Out;
}

std::string Plan::json() const { return of ? planJson(of->Asked, of->Found) : ""; }

std::string Plan::text() const { return of && of->Found.Found ? planPage(of->Asked, *of->Found.Found) : ""; }

Expected<std::string> Plan::in_words_of(const std::string &system) const {
  if (!of || !of->Found.Found)
    return Error{ErrorCode::arguments, "nothing fits, so there is nothing to ask for"};
  Result<std::string> Words = inWordsOf(system, of->Asked, *of->Found.Found);
  if (!Words)
    return errorOf(Words.failure(), ErrorCode::arguments);
  return *Words;
}

Expected<Plan> Operator::plan(const PlanRequest &request) const {
  memshape::ChunkRequest Asked;
  Asked.Operator = name();
  const std::optional<TensorTypes> Types = typesOf(*of->Files, *of->Stored);
  const std::vector<std::string> Written = Types ? Types->Written : std::vector<std::string>();
  if (std::optional<Error> Wrong = readSymbols(*this, *of->Stored, request, Asked))
    return *Wrong;
  if (std::optional<Error> Wrong = readElements(Types, *of->Stored, request, Asked))
    return *Wrong;
  if (request.memory_bytes == 0)
    return Error{ErrorCode::arguments, "a worker has some memory: give its bytes"};
  Asked.On.Count = request.workers;
  Asked.On.Threads = request.threads;
  Asked.On.Held = request.held_bytes;
  Asked.On.Into = request.sink == Sink::store     ? planning::Sink::Store
                  : request.sink == Sink::persist ? planning::Sink::Persist
                                                  : planning::Sink::Gather;
  if (request.source) {
    Asked.SourceGiven = true;
    Asked.On.From = *request.source == Source::blocks ? planning::Source::Blocks : planning::Source::Storage;
  }
  Asked.Limit = std::min(request.memory_bytes, planning::MostBytes);
  Asked.MostTasks = request.max_tasks.value_or(INT64_MAX);
  std::optional<Error> LastError;
  std::optional<std::string> Views;
  Asked.Ask = [&, At = request.call](const std::vector<std::int64_t> &Values) mutable -> Result<CallBytes> {
    for (std::size_t I = 0; I < Values.size(); ++I)
      At.shape[symbols()[I].name] = Values[I];
    At.formulas = false;
    const Expected<Prediction> Found = predict(At);
    if (Found) {
      Views = Types ? noteOnViews(*Types, *Found) : std::nullopt;
      return bytesOf(*Found, Written);
    }
    LastError = Found.error();
    return failureOf(Found.error());
  };
  // What data decides is bounded by trying answers: no formula is one of that bound.
  Expected<Formula> Peak = Error{ErrorCode::no_formula, "not asked for"};
  if (decisions().empty() && request.call.assume.empty())
    Peak = formula(request.call.settings);
  if (Peak && Peak->symbols().size() == symbols().size() &&
      std::equal(symbols().begin(), symbols().end(), Peak->symbols().begin(),
                 [](const Symbol &A, const std::string &B) { return A.name == B; }))
    Asked.Peak = Access::valueOf(*Peak);
  Result<PlanAnswer> Found = planChunks(Asked);
  if (!Found)
    return LastError && LastError->message == Found.failure().Message ? *LastError
                                                                      : errorOf(Found.failure(), ErrorCode::arguments);
  if (Found->Found && Types && !Asked.ElementsGiven)
    for (const std::optional<std::string> &Note : {noteOnElements(*Types, Asked), Views})
      if (Note)
        Found->Found->Notes.push_back(*Note);
  return Access::planOf(std::move(Asked), std::move(*Found));
}

} // namespace memshape::v1
