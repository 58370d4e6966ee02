// Running a skeleton at one shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluations are independent: each starts with fresh data, blocks and tensors.

#include "runner/evaluation/Evaluation.h"

#include "runner/evaluation/Exploration.h"
#include "runner/evaluation/LastingState.h"
#include "runner/evaluation/LibraryPages.h"
#include "runner/protocol/Ending.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <ctime>
#include <memshape/SkeletonAbi.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

using namespace memshape;

/// Length of the arrays for shapes and settings: a skeleton that reads too far reads zeros.
constexpr std::size_t ParameterRoom = 1024;
constexpr std::size_t MaxTensors = 1024;

/// Processors that this process may run on, as run-time libraries count them.
static std::uint32_t availableProcessors() {
  cpu_set_t Set;
  if (sched_getaffinity(0, sizeof(Set), &Set) == 0)
    return std::uint32_t(CPU_COUNT(&Set));
  return std::uint32_t(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

/// Copies the request's numbers, and clears what is left of the previous request's.
template <class Number> static void give(const std::vector<Number> &From, std::vector<Number> &To, std::size_t &Given) {
  std::copy(From.begin(), From.end(), To.begin());
  if (Given > From.size())
    std::fill(To.begin() + std::ptrdiff_t(From.size()), To.begin() + std::ptrdiff_t(Given), Number(0));
  Given = From.size();
}

void memshape::endBy(Heap::Fault Problem, std::int64_t Site, std::uint64_t Bytes) {
  switch (Problem) {
  case Heap::Fault::Overflow:
    endWithSite("error", "an allocation of ", Bytes,
                " bytes makes the sum of all allocations exceed 2^63 - 1; choose a smaller shape", Site);
  case Heap::Fault::NoRoom:
    endWithSite("limit", "no address space is left for a block of ", Bytes, " bytes that the skeleton reads or writes",
                Site);
  case Heap::Fault::UnknownSite: endWith("error", "the skeleton names an allocation site that was not announced");
  case Heap::Fault::NotABlock:
  case Heap::Fault::None: break;
  }
  endWith("error", "the skeleton frees a block that is not allocated");
}

/// Processor time of all threads of the process.
static double processorSeconds() {
  timespec Now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Now);
  return double(Now.tv_sec) + double(Now.tv_nsec) * 1e-9;
}

/// Work of libraries is timed, because it cannot be counted. Rounded coarsely, so that nearly all runs give the same.
static std::int64_t roundedMicroseconds(double Seconds) {
  constexpr std::int64_t Least = 256, Step = 4;
  std::int64_t Rounded = 0;
  for (std::int64_t Next = Least; double(Next) <= Seconds * 1e6; Next *= Step)
    Rounded = Next;
  return Rounded;
}

constinit Evaluation memshape::TheEvaluation;

std::int64_t Evaluation::workDone() const { return WorkGiven - memshape_sk_work; }

std::int64_t Evaluation::microsecondsDone() const {
  return std::max(workDone() / WorkPerMicrosecond,
                  LibrariesSince > 0 ? roundedMicroseconds(processorSeconds() - LibrariesSince) : 0);
}

void Evaluation::reachWorkLimit() {
  if (!pthread_equal(pthread_self(), Runner))
    return; // the thread that waits for it comes here, too
  if (Exploring)
    Exploring->giveUp("the skeleton takes too many steps");
  endWith("limit",
          InCall.Decided ? "it executes more instructions than a prediction may, with the answers given to decisions"
                         : "it executes more instructions than a prediction may",
          InCall.Decided ? MEMSHAPE_SK_ASTRAY : MEMSHAPE_SK_TIRED);
}

bool Evaluation::prepare(const StartRequest &Start) {
  Memory.Figures.configure(withArguments(Start.SiteSpaces));
  Machine.give(Start.Machine);
  Decisions.assign(Start.Decisions, DecisionState());
  SiteSpaces = Start.SiteSpaces;
  Shape.assign(ParameterRoom, 0);
  Settings.assign(ParameterRoom, 0);
  Tensors.assign(MaxTensors, Tensor());
  TensorBytes = std::uint64_t(1) << 40;
  if (Start.AddressSpaceBytes)
    TensorBytes = std::min(TensorBytes, Start.AddressSpaceBytes / 32 / 4096 * 4096);
  tellWorkBy([] { return TheEvaluation.microsecondsDone(); });
  Runner = pthread_self();
  Processors = availableProcessors();
  OfTeams = TeamSettings::ofEnvironment(Processors);
  return Memory.open(Start.AddressSpaceBytes);
}

void Evaluation::begin(const EvaluationRequest &Request, LoadedSkeleton &Skeleton) {
  std::fill(Decisions.begin(), Decisions.end(), DecisionState());
  for (const auto &[Id, Answer] : Request.Branches) {
    if (Id >= Decisions.size())
      endWith("error", "the request answers a decision that was not announced");
    Decisions[Id].GivenBranch = Answer;
  }
  for (const auto &[Id, Count] : Request.Ones) {
    if (Id >= Decisions.size())
      endWith("error", "the request answers a decision that was not announced");
    Decisions[Id].GivenBranch = BranchAnswer::YesSoOften;
    Decisions[Id].GivenValue = Count;
  }
  for (const auto &[Id, Answer] : Request.Values) {
    if (Id >= Decisions.size())
      endWith("error", "the request gives a value for a decision that was not announced");
    Decisions[Id].GivenValue = Answer;
    Decisions[Id].HasValue = true;
  }
  memshape_sk_work = WorkGiven = Request.Work;
  LibrariesSince = 0;
  give(Request.Shape, Shape, ShapeGiven);
  give(Request.Settings, Settings, SettingsGiven);
  Absent = Request.Absent;
  for (LoadedSkeleton::Data &Part : Skeleton.Writable)
    std::memcpy(Part.Address, Part.Contents.data(), Part.Contents.size());
  // A child starts with fresh data, and libraries hold blocks of this heap since they were loaded.
  if (!Skeleton.NeedsChild)
    Memory.reset();
  Memory.place(Places(Request.PlacesOrder, Request.Compared));
  Rounds = Rounding(Request.Rounds);
  Space = Request.Space;
  for (std::size_t I = 0; TensorsUsed && I < TensorsEnd; ++I)
    if (Tensors[I].Begin && (Tensors[I].Written || !TensorsWatched))
      madvise(Tensors[I].Begin, TensorBytes, MADV_DONTNEED);
  TensorsUsed = false;
  // No other evaluation follows in a child, and a library may have the kernel write there, which raises no signal.
  TensorsWatched = !Skeleton.NeedsChild;
  Memory.Figures.follow(nullptr);
  EndsAt = 0;
  InCall = {};
  InRequest = {};
  Tried.reset();
  if (Request.Tried.What != Change::Kind::None)
    Tried.emplace().begin(Request.Tried, Request.Shape);
  Sizes = Request.Sizes;
  InRequest.AnySizeGiven = !Request.Values.empty();
  Refused = Request.Refused;
  Threads.clear();
  Threads.configure(OfTeams, Processors, Request.Teams);
}

bool Evaluation::call(LoadedSkeleton &Skeleton, bool ConstructorsOnly) {
  // No local variable of this frame changes between the two returns of setjmp.
  const bool Returned = _setjmp(Exit) == 0;
  if (Returned) {
    Building = 0;
    nowBuilding(0);
    if (ConstructorsOnly) {
      enter(Mode::Preparing);
      for (void (*Constructor)() : Skeleton.Constructors)
        Constructor();
    } else {
      enter(Mode::Inside);
      Floats.set(Rounds);
      Skeleton.Run(Shape.data(), Settings.data());
    }
  }
  enter(Mode::Outside);
  if (!ConstructorsOnly)
    InRequest.FloatEvents |= Floats.restore();
  return Returned;
}

/// Forgets the figures of the previous call, but keeps what it has left live, and which unknown calls it met.
void Evaluation::beginCall() {
  for (DecisionState &Decision : Decisions)
    Decision.Asked = Decision.Ones = Decision.Greatest = 0, Decision.Least = UINT64_MAX;
  // What earlier calls left out has decided what this one finds.
  std::vector<std::uint32_t> Before = std::move(InCall.Unknowns);
  InCall = {};
  InCall.Unknowns = std::move(Before);
  InCall.BlocksLeft = Memory.blocks();
  std::fill(Results.begin(), Results.end(), -1);
  Threads.beginCall();
  Memory.Figures.begin();
  Memory.Touched.begin();
  if (Tried)
    Tried->beginCall();
}

/// Makes the calls between the first and the last one. One that does not return leaves its blocks live. Returns the
/// decisions of all calls so far.
std::vector<Evaluation::DecisionState> Evaluation::callsBetween(LoadedSkeleton &Skeleton,
                                                                const EvaluationRequest &Request) {
  std::vector<DecisionState> Asked = Decisions;
  std::size_t Number = 1; // of the call: the first one has been made
  for (const std::vector<std::int64_t> &At : Request.Between) {
    give(At, Shape, ShapeGiven);
    beginCall();
    EndsAt = ++Number == Request.Ending ? Request.EndsAt : 0;
    if (!call(Skeleton, false) && EndsAt)
      LastingState(Memory, Skeleton.Writable).releaseOthers();
    EndsAt = 0;
    for (std::size_t Id = 0; Id != Decisions.size(); ++Id)
      if (Asked[Id].Asked == 0 && Decisions[Id].Asked != 0)
        Asked[Id] = Decisions[Id];
  }
  give(Request.Shape, Shape, ShapeGiven);
  return Asked;
}

/// What outlives a call, as a number; nothing where it is too much to be looked through.
std::optional<std::uint64_t> Evaluation::remembered(const LoadedSkeleton &Skeleton) {
  if (Skeleton.Writable.empty()) // the contents of large variables were not saved
    return std::nullopt;
  return LastingState(Memory, Skeleton.Writable).hash();
}

/// The first call of another thread leaves what this one has left, Left. So all later ones find the same, in however
/// many threads.
bool Evaluation::leavesAlikeInNewThread(LoadedSkeleton &Skeleton, std::uint64_t Left) {
  if (!Threads.haveOwnVariables())
    return true;
  Threads.startAnew();
  beginCall();
  return call(Skeleton, false) && remembered(Skeleton) == Left;
}

Evaluation::Outcome Evaluation::run(LoadedSkeleton &Skeleton, const EvaluationRequest &Request,
                                    EvaluationFigures &Figures) {
  begin(Request, Skeleton);
  answerSimply(/*Proposals=*/true);
  // One more than there are sites: LibrarySite is the first.
  Steps.prepare(Request.Steps, SiteSpaces.size() + 1);
  if (Steps.wanted())
    Memory.Figures.follow(&Steps);
  Machine.begin();
  if (!Skeleton.Constructors.empty() && !call(Skeleton, /*ConstructorsOnly=*/true))
    return Outcome::Throws;
  InCall.Decided = false;
  Memory.Figures.begin();
  Memory.Touched.begin();
  if (!Request.First.empty())
    give(Request.First, Shape, ShapeGiven);
  LibrariesSince = Skeleton.NeedsChild ? processorSeconds() : 0;
  auto Start = std::chrono::steady_clock::now();
  EndsAt = Request.Ending == 1 ? Request.EndsAt : 0;
  if (!call(Skeleton, false)) {
    if (!EndsAt)
      return Outcome::Throws;
    LastingState(Memory, Skeleton.Writable).releaseOthers();
  }
  EndsAt = 0;
  const std::uint32_t EndsOfFirst = InCall.Ends;
  const std::int64_t FirstPeak = Memory.Figures.figures(Space).Peak;

  // If the first call left nothing that a second one could find, both do the same.
  std::optional<std::uint64_t> Found;
  const bool Remembers = Skeleton.NeedsChild || !Skeleton.Writable.empty() || TensorsUsed;
  if (Remembers) {
    const std::vector<DecisionState> OfFirst = callsBetween(Skeleton, Request);
    if (!Request.Many)
      Found = remembered(Skeleton);
    beginCall();
    Start = std::chrono::steady_clock::now();
    if (!call(Skeleton, false))
      return Outcome::Throws;
    // A decision that only the first call made has determined what the second one found.
    for (size_t Id = 0; Id != OfFirst.size() && Id != Decisions.size(); ++Id)
      if (Decisions[Id].Asked == 0 && OfFirst[Id].Asked != 0)
        Decisions[Id] = OfFirst[Id];
  }
  if (Tried && Tried->learns()) {
    Tried->apply();
    beginCall();
    if (!call(Skeleton, false))
      return Outcome::Throws;
  }
  const std::chrono::duration<double, std::micro> Taken = std::chrono::steady_clock::now() - Start;

  Figures = EvaluationFigures();
  takeHeap(Figures, FirstPeak);
  // Of machine code only: a code generator would be seen as well.
  if (Skeleton.NeedsChild && Skeleton.FromObject && !Request.Many)
    Figures.CalledCode = residentLibraryBytes();
  Figures.Microseconds = Taken.count();
  Figures.WorkMicroseconds = microsecondsDone();
  takeSites(Figures, Request.Many);
  takeDecisions(Figures);
  takeMet(Figures, EndsOfFirst);
  if (!Request.Many) {
    Figures.Machine = Machine.asked();
    Figures.Presumed = Machine.presumed();
    Figures.Environment = Machine.variables();
    Figures.Environment.insert(Figures.Environment.end(), Threads.variables().begin(), Threads.variables().end());
  }
  takeSteps(Figures);
  Figures.CountsWhole = Tried && Tried->countsWhole();
  Figures.Remembers = Skeleton.HasVariables;
  if (Skeleton.HasVariables && !Request.Many) {
    const std::optional<std::uint64_t> Left = remembered(Skeleton);
    Figures.State = Left.value_or(0);
    Figures.Unsettled = !Left || Left != Found || !leavesAlikeInNewThread(Skeleton, *Left);
  }
  Figures.ThreadStarted = ThreadStarted.load(std::memory_order_relaxed);
  return Outcome::Ok;
}

void Evaluation::explore(LoadedSkeleton &Skeleton, const EvaluationRequest &Request, ExplorationFigures &Figures) {
  begin(Request, Skeleton);
  answerSimply(/*Proposals=*/false);
  Machine.begin();
  if (Tried && !Tried->isSimple()) {
    Figures.Why = "a change is tried that depends on the order of blocks";
    return;
  }
  Exploration All(*this, Skeleton, SiteSpaces, Space);
  // What one run writes into a tensor another one would read. So writing to a tensor faults here, and the skeleton is
  // not explored.
  const auto Protect = [&](int Protection) {
    for (const Tensor &Each : Tensors)
      if (Each.Begin && (Each.Written || !TensorsWatched))
        mprotect(Each.Begin, TensorBytes, Protection);
  };
  Protect(PROT_READ);
  Exploring = &All;
  FloatEnvironment Floats;
  Floats.set(Rounds);
  All.run(*Request.Explore, Request.PlacesOrder != 0, Figures);
  Figures.FloatEvents = Floats.restore();
  Exploring = nullptr;
  Protect(PROT_READ | PROT_WRITE);
}

void Evaluation::cannotExplore(const char *Why) {
  if (Exploring)
    Exploring->giveUp(Why);
}

void *Evaluation::allocate(Heap::Request Wanted) {
  // As glibc's memalign does: an alignment that is no power of two becomes the next one.
  if (constexpr std::uint64_t Greatest = std::uint64_t(1) << 62; Wanted.Alignment <= Greatest)
    Wanted.Alignment = std::bit_ceil(Wanted.Alignment);
  if (Building)
    Wanted.Site = std::int32_t(Building) - 1;
  const bool IsOpen = withoutBound(Wanted);
  if (Exploring)
    return keepOpen(Exploring->allocate(Wanted), IsOpen);
  Heap::Fault Problem = Heap::Fault::None;
  Wanted.Counted = mode() == Mode::Inside;
  void *Block = countsOtherwise() ? allocateTried(Wanted, Problem) : Memory.allocate(Wanted, Problem);
  if (Problem != Heap::Fault::None)
    endBy(Problem, Wanted.Site, Wanted.Bytes);
  if (!InRequest.Tainted.empty()) {
    const OwnWork Here;
    InRequest.Tainted.clear(reinterpret_cast<std::uintptr_t>(Block), Wanted.Bytes);
  }
  return keepOpen(Block, IsOpen);
}

void *Evaluation::reallocate(void *Block, Heap::Request Wanted) {
  if (Building)
    Wanted.Site = std::int32_t(Building) - 1;
  const bool IsOpen = withoutBound(Wanted);
  endOpen(Block);
  if (Exploring)
    return keepOpen(Exploring->reallocate(Block, Wanted), IsOpen);
  Heap::Fault Problem = Heap::Fault::None;
  const std::uint64_t Before = Block && !InRequest.Tainted.empty() ? Memory.bytesOf(Block, Problem) : 0;
  Problem = Heap::Fault::None;
  Wanted.Counted = mode() == Mode::Inside;
  void *Moved = countsOtherwise() ? reallocateTried(Block, Wanted, Problem) : Memory.reallocate(Block, Wanted, Problem);
  if (Problem != Heap::Fault::None)
    endBy(Problem, Wanted.Site, Wanted.Bytes);
  if (!InRequest.Tainted.empty()) {
    const OwnWork Here;
    const auto From = reinterpret_cast<std::uintptr_t>(Block), To = reinterpret_cast<std::uintptr_t>(Moved);
    const std::uint64_t Kept = std::min(Before, Wanted.Bytes);
    if (From != To)
      InRequest.Tainted.copy(From, To, Kept);
    InRequest.Tainted.clear(To + Kept, Wanted.Bytes - Kept);
  }
  return keepOpen(Moved, IsOpen);
}

/// The number of the tensor that an address lies in, from 1; 0: in none.
std::uint64_t Evaluation::tensorAt(const void *Address) const {
  const auto At = reinterpret_cast<std::uintptr_t>(Address);
  if (At >= MEMSHAPE_SK_TENSOR_NAMES)
    if (const std::uintptr_t Number = (At - MEMSHAPE_SK_TENSOR_NAMES) >> MEMSHAPE_SK_TENSOR_BITS;
        Number < MEMSHAPE_SK_NAMED_TENSORS)
      return Number + 1;
  for (std::size_t I = 0; I < TensorsEnd; ++I)
    if (Tensors[I].Begin && At - reinterpret_cast<std::uintptr_t>(Tensors[I].Begin) < TensorBytes)
      return I + 1;
  return 0;
}

/// How many bytes the caller's block has, nobody knows: it counts as none, so that what is live is at most that.
void Evaluation::resizeTensor(std::uint64_t Number) {
  cannotExplore("memory of the caller is freed or reallocated");
  meetDecision();
  if (std::find(InCall.Resized.begin(), InCall.Resized.end(), Number) != InCall.Resized.end())
    return;
  const OwnWork Here;
  InCall.Resized.push_back(std::uint32_t(Number));
}

void Evaluation::release(void *Block) {
  endOpen(Block);
  if (Exploring)
    return Exploring->release(Block);
  // The repeated call's object is gone; another object may get its address.
  std::erase_if(InRequest.RepeatedCalls, [&](const Repeated &Known) { return Known.Object == Block; });
  Heap::Fault Problem = Heap::Fault::None;
  if (countsOtherwise())
    releaseTried(Block, Problem);
  else
    Memory.release(Block, mode() == Mode::Inside, Problem);
  if (Problem != Heap::Fault::None)
    endBy(Problem, LibrarySite, 0);
}

std::uint64_t Evaluation::bytesOf(void *Block) {
  if (Exploring)
    return Exploring->bytesOf(Block);
  Heap::Fault Problem = Heap::Fault::None;
  const std::uint64_t Bytes = Memory.bytesOf(Block, Problem);
  if (Problem != Heap::Fault::None)
    endWith("error", "the skeleton asks for the size of a block that is not allocated");
  return Bytes;
}

void Evaluation::taint(void *Block, const TouchedMemory::Rows &Written) {
  cannotExplore("it asks where data lies");
  const OwnWork Here;
  if (Written.Bytes == TouchedMemory::Whole) {
    Heap::Fault Problem = Heap::Fault::None;
    const std::uint64_t Bytes = Memory.owns(Block) ? Memory.bytesOf(Block, Problem) : 0;
    if (!Bytes || Problem != Heap::Fault::None)
      InRequest.Tainted.taintEverything(); // somewhere in a block, or on the stack
    else
      InRequest.Tainted.taint(reinterpret_cast<std::uintptr_t>(Block), Bytes);
    return;
  }
  // A range that a loop without iterations would write has no length, or a negative one.
  if (std::int64_t(Written.Bytes) <= 0 || !Written.Count)
    return;
  std::uint64_t Rows, Bytes;
  if (__builtin_mul_overflow(Written.Count - 1, Written.Stride, &Rows) ||
      __builtin_add_overflow(Rows, Written.Bytes, &Bytes))
    InRequest.Tainted.taintEverything();
  else
    InRequest.Tainted.taint(reinterpret_cast<std::uintptr_t>(Block), Bytes);
}

void Evaluation::askForTaint(const void *From, std::uint64_t Bytes) {
  cannotExplore("it asks where data lies");
  if (InRequest.Tainted.meets(reinterpret_cast<std::uintptr_t>(From), Bytes))
    endWith("error", "it reads a number where data may have been written");
}

void Evaluation::touch(const void *Block, const TouchedMemory::Rows &Written) {
  if (Exploring)
    return;
  const auto At = reinterpret_cast<std::uintptr_t>(Block);
  constexpr std::uint64_t Names = MEMSHAPE_SK_TENSOR_NAMES;
  constexpr std::uint64_t Distance = std::uint64_t(1) << MEMSHAPE_SK_TENSOR_BITS;
  if (!Block)
    return Memory.Touched.reportsTensors();
  if (At - Names < MEMSHAPE_SK_NAMED_TENSORS * Distance)
    return Memory.Touched.touchTensor(std::uint32_t((At - Names) / Distance), At % Distance, Written);
  for (std::size_t I = 0; TensorsUsed && I < TensorsEnd; ++I)
    if (const auto Begin = reinterpret_cast<std::uintptr_t>(Tensors[I].Begin); Begin && At - Begin < TensorBytes)
      return Memory.Touched.touchTensor(std::uint32_t(I), At - Begin, Written);
  Memory.touch(Block, Written);
  if (countsOtherwise())
    touchTried(Block, Written);
}

void Evaluation::addVariable(void *Variable, std::uint64_t Bytes) {
  if (Exploring)
    Exploring->addVariable(Variable, Bytes);
}

/// Reads of fresh pages give zeros and cost no memory. Halves the size until address space suffices.
char *Evaluation::newTensor() {
  const int Protection = TensorsWatched || Exploring ? PROT_READ : PROT_READ | PROT_WRITE;
  for (std::uint64_t Bytes = TensorBytes; Bytes >= 4096; Bytes /= 2) {
    void *Pages = mmap(nullptr, Bytes, Protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Pages == MAP_FAILED)
      continue;
    madvise(Pages, Bytes, MADV_NOHUGEPAGE);
    TensorBytes = Bytes;
    return static_cast<char *>(Pages);
  }
  endWith("limit", "no address space is left for a tensor parameter");
}

void *Evaluation::tensor(std::uint32_t Parameter) {
  if (Parameter >= Tensors.size())
    endWith("error", "the skeleton asks for a tensor parameter beyond 1024");
  if (std::find(Absent.begin(), Absent.end(), Parameter) != Absent.end())
    return nullptr;
  TensorsUsed = true;
  TensorsEnd = std::max(TensorsEnd, std::size_t(Parameter) + 1);
  char *&Begin = Tensors[Parameter].Begin;
  if (!Begin)
    Begin = newTensor();
  return Begin;
}

bool Evaluation::openTensorAt(const void *Address) {
  const auto At = reinterpret_cast<std::uintptr_t>(Address);
  for (std::size_t I = 0; TensorsWatched && !Exploring && I < TensorsEnd; ++I) {
    Tensor &Each = Tensors[I];
    if (!Each.Begin || Each.Written || At - reinterpret_cast<std::uintptr_t>(Each.Begin) >= TensorBytes)
      continue;
    Each.Written = mprotect(Each.Begin, TensorBytes, PROT_READ | PROT_WRITE) == 0;
    return Each.Written;
  }
  return false;
}

void Evaluation::meetUnknown(std::uint32_t Unknown) {
  cannotExplore("a call is not executed");
  const OwnWork Here; // the lists grow on the runner's own heap
  const auto At = std::lower_bound(InCall.Unknowns.begin(), InCall.Unknowns.end(), Unknown);
  if (At == InCall.Unknowns.end() || *At != Unknown)
    InCall.Unknowns.insert(At, Unknown);
  if (Building && std::find(InCall.UnknownsOfArguments.begin(), InCall.UnknownsOfArguments.end(), Unknown) ==
                      InCall.UnknownsOfArguments.end())
    InCall.UnknownsOfArguments.push_back(Unknown);
}

void Evaluation::recall(std::uint32_t Number, std::uint32_t How) {
  cannotExplore("it uses what calls at other shapes may have left");
  if (How & MEMSHAPE_SK_IN_BLOCKS && InCall.BlocksLeft == 0)
    return;
  std::vector<std::uint32_t> &Numbers = How & MEMSHAPE_SK_ANSWERED_ALONE ? InCall.Recalled : InRequest.Recalled;
  if (std::find(Numbers.begin(), Numbers.end(), Number) != Numbers.end())
    return;
  const OwnWork Here;
  Numbers.push_back(Number);
}

void Evaluation::wrap(std::uint32_t Number) {
  cannotExplore("a size wraps");
  const auto At = std::lower_bound(InRequest.Wraps.begin(), InRequest.Wraps.end(), Number);
  if (At != InRequest.Wraps.end() && *At == Number)
    return;
  const OwnWork Here;
  InRequest.Wraps.insert(At, Number);
  nowWrapped(Number);
}

bool Evaluation::attempt(std::uint32_t Unknown) {
  meetUnknown(Unknown);
  if (std::find(Refused.begin(), Refused.end(), Unknown) != Refused.end())
    return false;
  nowAttempting(Unknown);
  return true;
}

void Evaluation::leave(const char *Message, std::optional<std::uint32_t> Reason) {
  if (!pthread_equal(pthread_self(), Runner) || mode() == Mode::Outside)
    endWith("error", "a thread of the operator does not return");
  if (Exploring) {
    // A run that leaves by an exception is no call that returns, unless the exception is caught.
    if (Reason && *Reason != MEMSHAPE_SK_REFUSED && *Reason != MEMSHAPE_SK_THROWS)
      Exploring->giveUp(Message);
    Exploring->leave();
  }
  InRequest.LeavingMessage = Message;
  // With other answers to decisions the call may return.
  const bool IsRefused = Reason.value_or(MEMSHAPE_SK_REFUSED) == MEMSHAPE_SK_REFUSED;
  InRequest.LeavingReason = IsRefused && InCall.Decided && !Building ? MEMSHAPE_SK_ASTRAY : Reason;
  _longjmp(Exit, 1);
}
