// What the answers to decisions can do to a footprint.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Bounds.h"
#include "libmemshape/prediction/Evidence.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/Split.h"

#include <algorithm>

namespace memshape {

bool Bounds::says(NoteCode Code) const {
  return std::any_of(Notes.begin(), Notes.end(), [&](const Note &Each) { return Each.Code == Code; });
}

void Bounds::withoutUpper(std::optional<Note> Why) {
  Exact = Indifferent = Proven = Sampled = false;
  Upper.reset();
  if (Why && std::find(Notes.begin(), Notes.end(), *Why) == Notes.end()) // one line may have many sites
    Notes.push_back(std::move(*Why));
}

void Bounds::withoutBounds(std::optional<Note> Why) {
  ResultsHold = false;
  Lower = 0;
  withoutUpper(std::move(Why));
}

/// How functions begin that ask for a fact of the device.
constexpr std::string_view DeviceQuery = "memshape_gpu_";

/// What calls of unknown functions, threads of libraries and the order of threads leave of the bounds.
static void judgeCalls(const Skeleton &S, const Question &Asked, const Footprint &Proposed, const Evidence &Seen,
                       Bounds &Out) {
  std::set<std::string> Dropped, OnZeros;
  std::map<std::string, std::set<std::string>> Unproven; // by reason, where that is not the data they are given
  for (std::uint32_t Id : Seen.UnknownMet) {
    if (Id < S.Unknown.size() && S.Unknown[Id].MayFree)
      Out.Lower = std::min(Out.Lower, Proposed.Undecided);
    if (Asked.Refused.contains(Id))
      Dropped.insert(S.Unknown[Id].Symbol + " (which fails on zeros)");
    else if (Id < S.Unknown.size() && S.Unknown[Id].RequestsNothing)
      Out.Silent.insert(S.Unknown[Id].Symbol);
    else if (Id < S.Unknown.size() && S.Unknown[Id].Dropped && S.Unknown[Id].Reason != CallReason::Conditional)
      Dropped.insert(S.Unknown[Id].Symbol);
    else if (Id < S.Unknown.size())
      (S.Unknown[Id].Reason == CallReason::OnZeros ? OnZeros : Unproven[sentence(S.Unknown[Id])])
          .insert(S.Unknown[Id].Symbol);
  }
  if (!OnZeros.empty())
    Out.withoutBounds(note(NoteCode::on_zeros, {joined(OnZeros)}));
  for (const auto &[Why, Names] : Unproven)
    Out.withoutBounds(note(NoteCode::unproven_call, {joined(Names), Why}));
  if (Seen.ThreadStarted)
    Out.withoutBounds(note(NoteCode::library_threads));
  if (Seen.OrderMatters)
    Out.Notes.push_back(note(NoteCode::thread_order));
  if ((Seen.OrderMatters || Seen.LargestTeam > 1) && S.Interferes)
    Out.withoutBounds(Note{NoteCode::circumstances,
                           "it depends on how far its threads have come when one reads what another has written"});
  if (!Out.Silent.empty())
    Out.Exact = Out.Indifferent = false;
  noteSilent(Out.Silent, Out.Notes);
  if (Dropped.empty())
    return;
  const Note LeftOut = note(NoteCode::left_out, {joined(Dropped)});
  Asked.Refused.empty() ? Out.withoutUpper(LeftOut) : Out.withoutBounds(LeftOut);
}

/// The caller's blocks count as none: what is live is at most what was counted.
static void judgeResized(const Skeleton &S, const Footprint &Proposed, const Evidence &Seen, Bounds &Out) {
  if (Seen.Resized.empty())
    return;
  std::vector<const Parameter *> Tensors;
  for (const Parameter &P : S.Parameters)
    if (P.What != Role::Shape && P.What != Role::Setting)
      Tensors.push_back(&P);
  const std::string Names = joined(Seen.Resized, ", ", [&](std::uint32_t Number) {
    const std::size_t Argument = UINT32_MAX - Number - 1; // those that are built are numbered downwards
    const std::string Name = Number <= Tensors.size()    ? Tensors[Number - 1]->Name
                             : Argument < S.Sites.size() ? S.Sites[Argument].Allocator
                                                         : "";
    return Name.empty() ? "tensor number " + std::to_string(Number) : "'" + Name + "'";
  });
  Out.Exact = false;
  // No decision comes before what builds an argument.
  Out.Lower = *Seen.Resized.rbegin() > Tensors.size() ? 0 : std::min(Out.Lower, Proposed.Undecided);
  Out.Notes.push_back(note(NoteCode::resized_tensor, {Names}));
}

/// What sizes from data leave of them.
static void judgeSizes(const Skeleton &S, const Question &Asked, const Evidence &Seen, Bounds &Out) {
  const std::vector<std::string> Sizes = decisionNames(S);
  std::string Open; // values that sizes are made of
  for (std::uint32_t Id : Seen.Values)
    if (!Asked.Values.contains(Id) && S.Decisions[Id].Effect != DecisionEffect::Case)
      Open += (Open.empty() ? "" : ",") + Sizes[Id] + "=N";
  for (std::int64_t Site : Seen.Endless) {
    const bool InLibrary = Site < 0 || Site >= std::ssize(S.Sites);
    if (const SkeletonSite *Of = InLibrary ? nullptr : &S.Sites[static_cast<std::size_t>(Site)];
        Of && Of->isArgument()) {
      Out.OpenArguments.insert(Site);
      Out.Notes.push_back({NoteCode::size_from_data, "how many bytes '" + Of->Allocator +
                                                         "' takes comes from data, so that they are not counted" +
                                                         (Open.empty() ? "" : "; --assume " + Open + " tells")});
      continue;
    }
    Out.withoutUpper(note(NoteCode::unbounded_size,
                          {InLibrary ? "in a library" : "at " + placeOf(S.Sites[static_cast<std::size_t>(Site)].Place),
                           Open.empty() ? " at this shape" : " at this shape; give it with --assume " + Open}));
  }
  for (std::uint32_t Id : Seen.Values) {
    const std::string Place = placeOf(S.Decisions[Id].Place);
    // Another value can lead anywhere: a switch on data may allocate nothing at all.
    if (!isBounded(S, Asked, Id))
      Out.withoutBounds(
          S.Decisions[Id].Effect == DecisionEffect::Case
              ? note(NoteCode::unbounded_switch, {Place, Sizes[Id]})
              : note(NoteCode::unbounded_size, {"at " + Place, "; give it with --assume " + Sizes[Id] + "=N"}));
    else if (!Asked.Values.contains(Id) && Seen.Endless.empty())
      Out.Notes.push_back(note(NoteCode::size_from_data, {Place, Sizes[Id]}));
  }
}

/// Arguments of which not all is given that makes their bytes.
static void judgeOpen(const Skeleton &S, const Question &Asked, Bounds &Out) {
  for (std::size_t Site = 0; Site < S.Sites.size(); ++Site) {
    std::string Missing;
    for (const std::string &Symbol : Asked.Open)
      if (S.Sites[Site].isArgument() && argumentOf(Symbol) == S.Sites[Site].Allocator)
        Missing += (Missing.empty() ? "" : ", ") + Symbol;
    if (!Missing.empty() && Out.OpenArguments.insert(std::int64_t(Site)).second)
      Out.Notes.push_back({NoteCode::open_argument,
                           "how many bytes '" + S.Sites[Site].Allocator + "' takes is not counted without " + Missing});
  }
}

/// What sizes that have wrapped leave of them: signed arithmetic that overflows leaves the program free.
static void judgeWraps(const Skeleton &S, const Evidence &Seen, Bounds &Out) {
  for (std::uint32_t Id : Seen.Wraps) {
    if (Id < S.Wraps.size() && !S.Wraps[Id].Signed) {
      Out.Exact = Out.Indifferent = false;
      Out.Notes.push_back(wrapNote(S.Wraps[Id]));
      continue;
    }
    Out.Wraps = true;
    Out.withoutBounds(Id < S.Wraps.size() ? std::optional(wrapNote(S.Wraps[Id])) : std::nullopt);
  }
}

/// What the answers that were tried, and those that were not, leave of them.
static void judgeSearch(const Footprint &Proposed, const Evidence &Seen, Bounds &Out) {
  const std::string Greatest = std::to_string(Seen.Upper);
  if (Seen.Unanswered)
    Out.withoutUpper(note(NoteCode::endless_answers));
  if (Seen.Mixed && Out.Upper)
    Out.withoutUpper(note(NoteCode::changing_answers, {Greatest}));
  if (Seen.Cut && Out.Upper)
    Out.withoutUpper(note(NoteCode::search_cut, {Greatest}));
  if (Seen.Partial || Seen.Cut)
    Out.Notes.push_back(
        note(NoteCode::combinations, {std::to_string(Seen.Evaluations + 1), std::to_string(Seen.Branches.size())}));
  if (Seen.Covered)
    return;
  // What was not tried may lead lower than what was.
  Out.Lower = std::min(Out.Lower, Proposed.Undecided);
  if (!Seen.Repeated.empty())
    Out.Notes.push_back(note(NoteCode::repeated_decision));
}

/// The bounds that follow from what was seen.
static Bounds judge(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evidence Seen) {
  Bounds Out;
  Out.Lower = Seen.Lower;
  Out.Upper = Seen.Upper;
  Out.Evaluations = Seen.Evaluations;
  Out.LeftOut = Seen.UnknownMet;
  Out.FloatEvents = Seen.FloatEvents;
  Out.AsksOrders = Seen.AsksOrders;
  Out.AsksDistances = Seen.AsksDistances;
  Out.Covered = Seen.Covered;
  Out.Notes = std::move(Seen.Notes);
  Out.Indifferent = Seen.Alike && !Seen.Assumed && Out.Lower == Out.Upper;
  Out.Exact = (Seen.Branches.empty() || Out.Indifferent) && Seen.Values.empty() && !Seen.Assumed &&
              !Seen.ThreadStarted && !Seen.OrderMatters;
  judgeCalls(S, Asked, Proposed, Seen, Out);
  judgeResized(S, Proposed, Seen, Out);
  judgeSizes(S, Asked, Seen, Out);
  judgeOpen(S, Asked, Out);
  judgeSearch(Proposed, Seen, Out);
  judgeWraps(S, Seen, Out);
  const bool NoneOpen = std::all_of(Seen.Values.begin(), Seen.Values.end(), [&](std::uint32_t Id) {
    return isBounded(S, Asked, Id) && !Asked.Values.contains(Id);
  });
  Out.Sampled = Out.Upper && !Out.Exact && !Seen.Covered;
  Out.Proven = Out.Upper && Out.Silent.empty() && !Seen.Assumed && !Seen.OrderMatters &&
               (Out.Exact || (Seen.Covered && NoneOpen));
  return Out;
}

/// Bytes that have addresses in a process, of x86-64 and of aarch64.
constexpr std::uint64_t Addresses = std::uint64_t(1) << 48;

/// Facts of the device on which the figures rest although nobody has said of which device they are.
static std::set<std::string> presumedOf(const Skeleton &S, const Footprint &Proposed) {
  std::set<std::string> Missing, OfRun;
  bool Asks = false; // of the device, in this run
  for (const std::string_view Function : S.Machine) {
    if (!Function.starts_with(DeviceQuery))
      continue;
    const std::string Name(Function.substr(DeviceQuery.size()));
    Missing.insert(Name);
    Asks |= Proposed.Machine.contains(Name);
    if (Proposed.Machine.contains(Name) && Proposed.Presumed.contains(Name))
      OfRun.insert(Name);
  }
  // Other answers to decisions may lead to other questions.
  if (Proposed.Decisions.empty())
    return OfRun;
  if (Asks)
    std::erase_if(Missing, [&](const std::string &Name) { return !Proposed.Presumed.contains(Name); });
  return Missing;
}

Bounds boundsOf(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate) {
  Bounds Found = judge(S, Asked, Proposed, evidenceOf(S, Asked, Proposed, Evaluate));
  holdUnderCircumstances(S, Asked, Proposed, Evaluate, Found);
  if (!S.Initial.empty())
    Found.unproven(); // a program may set other functions
  if (Found.Upper && *Found.Upper >= Addresses / 2 && Proposed.Peak < Addresses && Found.says(NoteCode::size_from_data))
    Found.withoutUpper(note(NoteCode::unbounded_size, {"that decides", " that a process has room for"}));
  if (Proposed.Peak >= Addresses) {
    Found.Exact = Found.Indifferent = false;
    Found.Lower = 0;
    Found.Notes.push_back(note(NoteCode::beyond_addresses, {grouped(Proposed.Peak)}));
  }
  if (const std::set<std::string> Missing = presumedOf(S, Proposed); !Missing.empty()) {
    Found.Presumed = true;
    Found.withoutBounds(note(NoteCode::presumed_device, {joined(Missing)})); // another device may lead anywhere
  }
  return Found;
}

} // namespace memshape
