// The question turned round.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/api/Contents.h"
#include "libmemshape/api/PipeSignal.h"
#include "libmemshape/solve/LargestFit.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "runner/protocol/Request.h"

#include <algorithm>
#include <cmath>

namespace memshape::v1 {

namespace {

constexpr const char *ThreadsName = "threads";
/// Values of the first of two symbols.
constexpr int FrontierPoints = 16;
/// For all values of a symbol that are tried at once.
constexpr std::chrono::seconds AtOnceBudget{5};

/// A symbol by its name, or by that of its argument where it is the only one of that.
std::optional<std::size_t> symbolNamed(const Operator &Op, const std::string &Name) {
  std::optional<std::size_t> Only;
  unsigned Number = 0;
  for (std::size_t I = 0; I < Op.symbols().size(); ++I) {
    if (Op.symbols()[I].name == Name)
      return I;
    if (Op.symbols()[I].name.starts_with(Name + ".")) {
      Only = I;
      ++Number;
    }
  }
  return Number == 1 ? Only : std::nullopt;
}

/// What is asked of one operator, and what was seen while it was answered.
class Solving {
public:
  Solving(const Operator &Op, const WholeOperator &Whole, Surroundings Around, const SolveRequest &Request)
      : Op(Op), Whole(Whole), Around(std::move(Around)), Request(Request), Call(Request.call) {
    Call.formulas = false;
  }

  Expected<Solution> run() {
    MEMSHAPE_CHECK(readSymbols());
    findLaw();
    Out.operator_name = Op.name();
    Out.memory_bytes = Request.memory_bytes;
    Out.what = Request.what;
    std::optional<Error> Wrong = Wanted.size() == 2 ? frontier() : single();
    if (Wrong)
      return *Wrong;
    addNotes();
    return std::move(Out);
  }

private:
  static constexpr std::size_t Threads = SIZE_MAX; ///< in the place of a symbol

  std::optional<Error> readSymbols() {
    const auto Wrong = [](const std::string &Why) { return Error{ErrorCode::arguments, Why}; };
    if (Request.memory_bytes == 0)
      return Wrong("give the bytes of the memory");
    if (Request.symbols.empty() || Request.symbols.size() > 2)
      return Wrong("one symbol is asked for, or two, as in ni,nx");
    for (const std::string &Name : Request.symbols) {
      const std::optional<std::size_t> Found = symbolNamed(Op, Name);
      if (!Found && Name != ThreadsName)
        return Wrong("there is no shape symbol '" + Name + "'; there are " +
                     joined(Op.symbols(), "", [](const Symbol &Each) { return Each.name + ", "; }) + "and threads");
      Wanted.push_back(Found.value_or(Threads));
      Out.symbols.push_back(Found ? Op.symbols()[*Found].name : Name);
    }
    if (Wanted.size() == 2 && (Wanted[0] == Wanted[1] || Wanted[0] == Threads || Wanted[1] == Threads))
      return Wrong("two different shape symbols are asked for together");
    for (std::size_t I = 0; I < Op.symbols().size(); ++I) {
      const std::string &Name = Op.symbols()[I].name;
      const bool Given = Call.shape.contains(Name), Asked = std::find(Wanted.begin(), Wanted.end(), I) != Wanted.end();
      if (Asked && Given)
        return Wrong("'" + Name + "' is what is asked for, and the shape gives it");
      if (!Asked && !Given)
        return Wrong("the shape has no '" + Name + "'");
      if (!Asked)
        Out.shape.emplace_back(Name, Call.shape.at(Name));
    }
    return std::nullopt;
  }

  /// Of heap bytes, where no data decides: what they are at most is then what they are.
  void findLaw() {
    if (Request.what != Measure::heap || !Op.decisions().empty() || !Call.assume.empty())
      return;
    Expected<Formula> Peak = Op.formula(Call.settings);
    if (Peak && Access::isOfAllSymbols(*Peak, Op))
      Law = std::move(*Peak);
  }

  Range rangeOf(std::size_t Symbol) const {
    if (Symbol == Threads)
      return {1, request::MaxThreads};
    return {1, Op.symbols()[Symbol].largest};
  }

  void set(std::size_t Symbol, std::int64_t Value) {
    if (Symbol == Threads)
      Call.threads = static_cast<unsigned>(Value);
    else
      Call.shape[Op.symbols()[Symbol].name] = Value;
  }

  Expected<std::uint64_t> bytesWith(std::size_t Symbol, std::int64_t Value) {
    set(Symbol, Value);
    MEMSHAPE_TRY(Prediction Found, Op.predict(Call));
    Exact = Exact && Found.heap.exact;
    AsksForThreads = AsksForThreads || Found.threads;
    for (Note &Each : Found.notes)
      if (Each.code == name_of(NoteCode::resident))
        AboutProcess = std::move(Each);
    if (Request.what == Measure::heap) {
      Bounded = Bounded && Found.heap.upper_bytes;
      return Found.heap.upper_bytes.value_or(Found.heap.peak_bytes);
    }
    if (!Found.resident)
      return Error{ErrorCode::history, "nothing is known of what the process holds: ask for the heap"};
    Bounded = Bounded && Found.resident->upper_bytes;
    return Found.resident->upper_bytes.value_or(Found.resident->peak_bytes);
  }

  /// From the skeleton itself, where that is all that a prediction is made of.
  std::vector<std::uint64_t> bytesOfMany(std::size_t Symbol, std::span<const std::int64_t> Values) {
    std::vector<std::uint64_t> Bytes;
    if (!Exact || Symbol == Threads || !Whole.Source.Available || !startSession())
      return Bytes;
    std::vector<memshape::Shape> Shapes;
    for (std::int64_t Value : Values) {
      set(Symbol, Value);
      memshape::Shape &At = Shapes.emplace_back();
      for (const v1::Symbol &Each : Op.symbols())
        At.push_back(Call.shape.at(Each.name));
    }
    for (const std::optional<FootprintRow> &Row : Session->evaluateAt(Anywhere, Shapes)) {
      if (!Row)
        break;
      Bytes.push_back(static_cast<std::uint64_t>(Row->Peak));
    }
    return Bytes;
  }

  bool startSession() {
    if (Session)
      return !Lost;
    const Skeleton &S = Whole.Source;
    Session.emplace(S, runnerOptions(S, Around));
    Expected<Question> Asked = questionOf(S, Call);
    Lost = !Asked || assume(S, Call, *Asked) || Session->start();
    if (!Lost) {
      Anywhere = *Asked;
      Session->setTimeouts(AtOnceBudget, AtOnceBudget);
    }
    return !Lost;
  }

  Expected<Fit> fitOf(std::size_t Symbol, bool EachAtOnce) {
    FitQuestion Of;
    Of.Values = rangeOf(Symbol);
    Of.MemoryBytes = Request.memory_bytes;
    Of.Ask = [this, Symbol](std::int64_t Value) { return bytesWith(Symbol, Value); };
    if (EachAtOnce && Request.what == Measure::heap)
      Of.AskMany = [this, Symbol](std::span<const std::int64_t> Values) { return bytesOfMany(Symbol, Values); };
    if (Law && Symbol != Threads) {
      Of.Law = Access::valueOf(*Law);
      Of.Symbol = Symbol;
      for (const v1::Symbol &Each : Op.symbols()) {
        const auto Given = Call.shape.find(Each.name);
        Of.At.push_back(Given == Call.shape.end() ? 1 : Given->second);
      }
    }
    return largestFit(Of);
  }

  std::optional<Error> single() {
    MEMSHAPE_TRY(const Fit Found, fitOf(Wanted[0], true));
    Out.largest = Found.Largest;
    Out.bytes = Found.Bytes;
    if (Found.Next)
      Out.next = ValueBytes{Found.Next->first, Found.Next->second};
    Out.proven = Found.Proven;
    if (Found.Again)
      Out.notes.push_back({"fits_again", "larger values fit again, as " + Out.symbols[0] + "=" +
                                             std::to_string(*Found.Again) + "; not all of those below do"});
    return std::nullopt;
  }

  /// As many values of the first symbol as a table holds, each a share larger than the one before.
  std::optional<Error> frontier() {
    set(Wanted[1], 1);
    MEMSHAPE_TRY(const Fit Most, fitOf(Wanted[0], false));
    if (!Most.Largest) {
      Out.next = ValueBytes{Most.Next->first, Most.Next->second};
      return std::nullopt;
    }
    Out.proven = true;
    const double Ratio = static_cast<double>(*Most.Largest) / static_cast<double>(Most.Least);
    std::int64_t Before = 0;
    for (int I = 0; I < FrontierPoints; ++I) {
      const double Share = static_cast<double>(I) / (FrontierPoints - 1);
      const std::int64_t Value = I + 1 == FrontierPoints
                                     ? *Most.Largest
                                     : std::llround(static_cast<double>(Most.Least) * std::pow(Ratio, Share));
      if (Value <= Before || Value > *Most.Largest)
        continue;
      Before = Value;
      set(Wanted[0], Value);
      MEMSHAPE_TRY(const Fit Found, fitOf(Wanted[1], false));
      Out.proven = Out.proven && Found.Proven;
      if (Found.Largest)
        Out.frontier.emplace_back(Value, ValueBytes{*Found.Largest, Found.Bytes});
    }
    return std::nullopt;
  }

  void addNotes() {
    if (!Bounded)
      Out.notes.push_back({"no_upper_bound", "data sets no upper bound: what is expected has decided"});
    if (Wanted[0] == Threads && !AsksForThreads)
      Out.notes.push_back({"no_threads", "the operator does not ask how many threads there are"});
    if (Request.what == Measure::resident && AboutProcess)
      Out.notes.push_back(*AboutProcess);
  }

  const Operator &Op;
  const WholeOperator &Whole;
  const Surroundings Around;
  const SolveRequest &Request;
  v1::Call Call;
  std::vector<std::size_t> Wanted;
  std::optional<Formula> Law;
  std::optional<SkeletonSession> Session;
  Question Anywhere;
  bool Lost = false, Exact = true, Bounded = true, AsksForThreads = false;
  std::optional<Note> AboutProcess;
  Solution Out;
};

} // namespace

Expected<Solution> Operator::solve(const SolveRequest &request) const {
  const PipeSignal Blocked;
  MEMSHAPE_TRY(std::shared_ptr<const WholeOperator> Whole, expected(of->whole(), ErrorCode::no_answer));
  return Solving(*this, *Whole, of->Files->forAnswer(), request).run();
}

} // namespace memshape::v1
