// Reads the runtime's record of a process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/record/RunRecord.h"
#include "libmemshape/files/Bytes.h"

#include "record/record.h"
#include <memshape/hooks.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

namespace memshape {

static_assert(UnknownExtent == MEMSHAPE_UNKNOWN_EXTENT);
namespace {

/// A large T, which would fill a small stack; null where the bytes end before it does.
template <class T> std::unique_ptr<T> copyOf(Bytes Of) {
  if (Of.size() < sizeof(T))
    return nullptr;
  auto Value = std::make_unique<T>();
  std::memcpy(static_cast<void *>(Value.get()), Of.data(), sizeof(T));
  return Value;
}

std::string_view part(Bytes Of, std::uint64_t Offset, std::uint64_t Count) {
  return Of.slice(Offset, Count).value_or(Bytes()).text();
}

std::uint64_t checksum(std::uint64_t Sum, std::string_view Part) {
  return memshape_record_checksum(Sum, Part.data(), Part.size());
}

/// No process holds 64 PiB: larger figures come from damage. Sums of a few smaller ones fit 63 bits.
std::int64_t plausible(std::int64_t Bytes) {
  constexpr std::int64_t Most = std::int64_t(1) << 56;
  return std::clamp(Bytes, -Most, Most);
}

std::int64_t peakError(std::int64_t Peak, std::int64_t PeakMost) {
  return std::max<std::int64_t>(0, plausible(PeakMost) - plausible(Peak));
}

/// Of one call or several. Most: an upper bound of the peak.
RunHeld heldBy(const auto &From, std::int64_t Most) {
  return {plausible(From.peak), peakError(From.peak, Most), From.total,
          From.allocations,     From.reallocations,         plausible(From.output)};
}

/// Sums of many figures, which may come from damage, may wrap around.
void addTo(std::int64_t &Sum, std::int64_t Bytes) {
  Sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(Sum) + static_cast<std::uint64_t>(Bytes));
}

/// Removes a string from the front of Text; nothing if it has no end, because the item is damaged.
std::optional<std::string> takeString(std::string_view &Text) {
  std::size_t End = Text.find('\0');
  if (End == std::string_view::npos)
    return std::nullopt;
  std::string Taken(Text.substr(0, End));
  Text.remove_prefix(End + 1);
  return Taken;
}

/// Sorts the largest first.
void sortSites(std::vector<RunSiteBytes> &Sites) {
  std::sort(Sites.begin(), Sites.end(), [](const RunSiteBytes &A, const RunSiteBytes &B) {
    return A.Bytes != B.Bytes ? A.Bytes > B.Bytes : A.Site < B.Site;
  });
}

class Reader {
public:
  explicit Reader(std::string_view All) : All(All) {}
  Result<RunRecord> read();

private:
  bool readProgram(const memshape_record_program &, std::string_view Rest) {
    std::optional<std::string> Name = takeString(Rest);
    if (Name)
      Record.Program = *Name;
    return Name.has_value();
  }

  bool readSite(const memshape_record_site &From, std::string_view Rest) {
    std::optional<std::string> File = takeString(Rest), Function = takeString(Rest);
    if (!File || !Function)
      return false;
    auto Number = static_cast<std::uint32_t>(Record.Sites.size());
    FirstAtPlace.push_back(
        SiteAt.emplace(std::tuple(*File, *Function, From.line, From.column, From.origin), Number).first->second);
    Record.Sites.push_back({*File, *Function, From.line, From.column, From.space, From.origin, {}, {}, 0});
    return true;
  }

  bool readOperator(const memshape_record_operator &From, std::string_view Rest) {
    RunOperator To;
    To.Line = From.line;
    To.IsPhase = From.kind == MEMSHAPE_RECORD_PHASE;
    std::optional<std::string> Name = takeString(Rest), File = takeString(Rest);
    if (!Name || !File)
      return false;
    To.Name = *Name;
    To.File = *File;
    for (auto [Names, Count] : {std::pair(&To.ShapeNames, From.shape_count), {&To.SettingNames, From.setting_count}})
      for (std::uint32_t I = 0; I != Count; ++I)
        if (std::optional<std::string> Each = takeString(Rest))
          Names->push_back(*Each);
        else
          return false;
    std::optional<std::string> Library = takeString(Rest);
    To.Library = Library.value_or("");
    Record.Operators.push_back(std::move(To));
    return Library.has_value();
  }

  /// What sites held at a peak, from an array of memshape_record_entry.
  bool readEntries(std::string_view List, RunFigures &To) const {
    std::map<std::uint32_t, std::int64_t> At;
    for (std::uint64_t I = 0; I != List.size() / sizeof(memshape_record_entry); ++I) {
      std::optional<memshape_record_entry> Entry =
          Bytes(List).read<memshape_record_entry>(I * sizeof(memshape_record_entry));
      if (!Entry || Entry->site >= Record.Sites.size())
        return false;
      addTo(At[FirstAtPlace[Entry->site]], Entry->bytes);
    }
    for (const auto &[Site, Held] : At)
      if (Held != 0)
        To.Sites.push_back({Site, plausible(Held)});
    sortSites(To.Sites);
    return true;
  }

  /// Its figures change, so that the checksum is of its name.
  bool readPool(const memshape_record_pool &From, std::string_view Rest) {
    if (checksum(MEMSHAPE_RECORD_CHECKSUM_START, Rest) != From.head.checksum)
      return false;
    const memshape_record_pool_figures &Now = From.figures;
    std::optional<std::string> Name = takeString(Rest);
    if (Name)
      Record.Pools.push_back({*Name, plausible(Now.live), plausible(Now.peak), Now.held, Now.held_peak, Now.total,
                              Now.allocations, Now.frees});
    return Name.has_value();
  }

  bool readFigures(const memshape_record_figures &From, RunFigures &To, std::uint64_t &Sum) const {
    To = {heldBy(From, From.peak_most), From.calls, plausible(From.peak_least), From.time, {}};
    if (From.list_count == 0)
      return true;
    if (From.list_count > Record.Sites.size())
      return false;
    std::string_view List = part(All, From.list, From.list_count * sizeof(memshape_record_entry));
    Sum = checksum(Sum, List);
    return List.size() == From.list_count * sizeof(memshape_record_entry) && readEntries(List, To);
  }

  bool readSlot(const memshape_record_slot &Slot, RunGroup &Group) const {
    std::uint64_t Sum =
        memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, &Slot.jumped, sizeof Slot - sizeof Slot.checksum);
    Group.Jumped = Slot.jumped;
    Group.Unfinished = Slot.unfinished;
    return readFigures(Slot.first, Group.First, Sum) && readFigures(Slot.later, Group.Later, Sum) &&
           Sum == Slot.checksum;
  }

  bool readGroup(const memshape_record_group &From, std::string_view Rest) {
    if (From.op >= Record.Operators.size() || From.shape_count != Record.Operators[From.op].ShapeNames.size() ||
        From.setting_count != Record.Operators[From.op].SettingNames.size())
      return false;
    std::string_view Key = part(Bytes(Rest), 0, 8 * (std::uint64_t(From.shape_count) + From.setting_count));
    std::uint64_t Sum = memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, &From.op, 4 * sizeof From.op);
    if (checksum(Sum, Key) != From.head.checksum)
      return false;
    RunGroup Group;
    Group.Offset = ItemAt;
    Group.Operator = From.op;
    for (std::uint32_t I = 0; I != From.shape_count; ++I)
      Group.Shape.push_back(Bytes(Key).read<std::int64_t>(8 * std::uint64_t(I)).value_or(0));
    for (std::uint32_t I = 0; I != From.setting_count; ++I)
      Group.Settings.push_back(Bytes(Key).read<double>(8 * (std::uint64_t(From.shape_count) + I)).value_or(0));
    std::uint64_t Active = From.active & 1;
    if (!readSlot(From.slots[Active], Group) && !readSlot(From.slots[1 - Active], Group)) {
      Group.First = Group.Later = {};
      Group.Damaged = true;
    }
    GroupAt[ItemAt] = Record.Groups.size();
    Record.Groups.push_back(std::move(Group));
    return true;
  }

  bool readCall(const memshape_record_call &From, std::string_view) {
    const auto Group = GroupAt.find(From.group);
    if (Group == GroupAt.end())
      return false;
    Record.Calls.push_back({heldBy(From, From.peak_most), Group->second, From.sequence, From.started, From.time,
                            plausible(From.base), From.thread, From.depth, From.ending});
    return true;
  }

  bool readSpaceCall(const memshape_record_space_call &From, std::string_view Rest) {
    const auto Group = GroupAt.find(From.group);
    if (Group == GroupAt.end() || From.space >= Record.Spaces.size())
      return false;
    RunSpaceFigures &Figures = Record.Groups[Group->second].Spaces[From.space];
    RunFigures &To = From.later ? Figures.Later : Figures.First; // a later item held more than earlier ones
    To = {heldBy(From, From.peak), 1, plausible(From.peak), 0, {}};
    return readEntries(Rest, To);
  }

  bool readResidence(const memshape_record_residence &From, std::string_view) {
    const auto Group = GroupAt.find(From.group);
    if (Group == GroupAt.end())
      return false;
    RunGroup &To = Record.Groups[Group->second];
    (From.later ? To.ResidenceLater : To.ResidenceFirst) = {
        plausible(static_cast<std::int64_t>(From.entry)), plausible(static_cast<std::int64_t>(From.peak)),
        plausible(static_cast<std::int64_t>(From.exit)),  static_cast<std::int64_t>(From.minor_faults),
        static_cast<std::int64_t>(From.major_faults),     From.is_exact != 0};
    return true;
  }

  /// The table changes in place, so it shows one moment of the process.
  bool readHolders(std::string_view Item) {
    const std::unique_ptr<memshape_record_holders> From = copyOf<memshape_record_holders>(Bytes(Item));
    if (!From)
      return false;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> At;
    for (std::uint64_t I = 0; I != std::min<std::uint64_t>(From->count, MEMSHAPE_RECORD_MOST_HOLDERS); ++I)
      if (const memshape_record_holder &Holder = From->holders[I];
          Holder.space < Record.Spaces.size() && Holder.site < Record.Sites.size())
        addTo(At[{Holder.space, FirstAtPlace[Holder.site]}], Holder.live);
    for (const auto &[Place, Live] : At)
      if (Live != 0)
        Record.Spaces[Place.first].LiveSites.push_back({Place.second, Live});
    for (RunSpace &Space : Record.Spaces)
      sortSites(Space.LiveSites);
    return true;
  }

  bool readKernel(const memshape_record_kernel &From, std::string_view) {
    RunMoment To;
    To.Time = From.time;
    To.Live = plausible(From.live);
    auto Copy = [](std::int64_t &Place, std::uint64_t Bytes) { Place = plausible(static_cast<std::int64_t>(Bytes)); };
    Copy(To.Resident, From.resident);
    Copy(To.Anonymous, From.anonymous);
    Copy(To.Files, From.files);
    Copy(To.Stack, From.stack);
    Copy(To.Own, From.own);
    Copy(To.Other, From.other);
    Copy(To.Proportional, From.proportional);
    Copy(To.Exclusive, From.exclusive);
    Copy(To.Shared, From.shared);
    Copy(To.Swapped, From.swapped);
    Copy(To.Huge, From.huge);
    Copy(To.AllocatorSystem, From.allocator_system);
    Copy(To.AllocatorUsed, From.allocator_used);
    Copy(To.AllocatorFree, From.allocator_free);
    Copy(To.AllocatorTop, From.allocator_top);
    Copy(To.MinorFaults, From.minor_faults);
    Copy(To.MajorFaults, From.major_faults);
    (From.moment == MEMSHAPE_RECORD_AT_END ? Record.AtEnd : Record.AtPeak) = To;
    return true;
  }

  bool readUnknown(const memshape_record_head &, std::string_view) { return true; }

  bool readModule(const memshape_record_module &, std::string_view Rest) {
    std::optional<std::string> Path = takeString(Rest);
    Record.Modules.resize(std::max<std::size_t>(Record.Modules.size(), 1)); // the first is the unknown one
    if (Path)
      Record.Modules.push_back(Path->empty() ? Record.Program : *Path);
    return Path.has_value();
  }

  bool readStack(const memshape_record_stack &From, std::string_view Rest) {
    if (From.count > Rest.size() / sizeof(memshape_record_frame))
      return false;
    std::vector<RunFrame> &Frames = CallsOfSite[From.site];
    for (std::uint32_t I = 0; I != From.count; ++I) {
      const auto Frame = Bytes(Rest).read<memshape_record_frame>(I * sizeof(memshape_record_frame));
      const bool Known = Frame && Frame->module < Record.Modules.size();
      Frames.push_back({Known ? static_cast<std::uint32_t>(Frame->module) : 0, Frame ? Frame->offset : 0});
    }
    return true;
  }

  /// The table changes in place, so it shows one moment of the process.
  bool readStacks(std::string_view Item) {
    const auto Epoch = Bytes(Item).read<std::uint64_t>(offsetof(memshape_record_stacks, epoch));
    Record.CountsStacks = true;
    Record.Modules.resize(std::max<std::size_t>(Record.Modules.size(), 1));
    for (std::uint32_t Site = 0; Site != Record.Sites.size(); ++Site) {
      const auto Now = Bytes(Item).read<memshape_record_stack_figures>(
          offsetof(memshape_record_stacks, figures) + Site * std::uint64_t(sizeof(memshape_record_stack_figures)));
      if (!Epoch || !Now)
        return false;
      const bool Saved = Now->epoch == *Epoch;
      if (Now->epoch)
        Record.Stacks.push_back({Site, CallsOfSite[Site], plausible(Saved ? Now->at_peak : Now->live),
                                 Saved ? Now->blocks_at_peak : Now->blocks, Now->total, Now->allocations,
                                 Now->reallocations});
    }
    return true;
  }

  bool readSiteChanges(const memshape_record_site_changes &From, std::string_view Rest) {
    if (From.count > Rest.size() / sizeof(std::int64_t))
      return false;
    for (std::uint32_t Site = 0; Site != From.count; ++Site)
      if (std::int64_t Change = Bytes(Rest).read<std::int64_t>(sizeof Change * std::uint64_t(Site)).value_or(0))
        addTo(SiteChanges[Site], Change);
    return true;
  }

  /// A group may refer to sites behind it, and a call to its group: so there are three rounds.
  enum class Round { Names, Groups, Calls };

  bool readItem(const memshape_record_head &Head, std::string_view Item, Round Now) {
    /// Items that begin with a T.
    const auto Read = [&]<class T>(Round When, bool (Reader::*Each)(const T &From, std::string_view Rest)) {
      if (When != Now)
        return true;
      const std::optional<T> From = Bytes(Item).read<T>(0);
      return From && (this->*Each)(*From, Item.substr(sizeof *From));
    };
    /// Those that do not change once they are written.
    const auto ReadSealed = [&](Round When, auto Each) {
      return When != Now ||
             (checksum(MEMSHAPE_RECORD_CHECKSUM_START, Item.substr(sizeof Head)) == Head.checksum && Read(When, Each));
    };
    switch (Head.kind) {
    case MEMSHAPE_RECORD_LIST: return true;
    case MEMSHAPE_RECORD_GROUP: return Read(Round::Groups, &Reader::readGroup);
    case MEMSHAPE_RECORD_SITE_CHANGES: return Read(Round::Names, &Reader::readSiteChanges);
    case MEMSHAPE_RECORD_POOL: return Read(Round::Names, &Reader::readPool);
    case MEMSHAPE_RECORD_HOLDERS: return Now != Round::Calls || readHolders(Item);
    case MEMSHAPE_RECORD_STACKS: return Now != Round::Calls || readStacks(Item);
    case MEMSHAPE_RECORD_PROGRAM: return ReadSealed(Round::Names, &Reader::readProgram);
    case MEMSHAPE_RECORD_SITE: return ReadSealed(Round::Names, &Reader::readSite);
    case MEMSHAPE_RECORD_MODULE: return ReadSealed(Round::Names, &Reader::readModule);
    case MEMSHAPE_RECORD_STACK: return ReadSealed(Round::Names, &Reader::readStack);
    case MEMSHAPE_RECORD_OPERATOR: return ReadSealed(Round::Names, &Reader::readOperator);
    case MEMSHAPE_RECORD_KERNEL: return ReadSealed(Round::Names, &Reader::readKernel);
    case MEMSHAPE_RECORD_CALL: return ReadSealed(Round::Calls, &Reader::readCall);
    case MEMSHAPE_RECORD_SPACE_CALL: return ReadSealed(Round::Calls, &Reader::readSpaceCall);
    case MEMSHAPE_RECORD_RESIDENCE: return ReadSealed(Round::Calls, &Reader::readResidence);
    default: // of a later version that is compatible
      return ReadSealed(Round::Names, &Reader::readUnknown);
    }
  }

  /// What the process held and did at the last moment. Members that a running or dying process has half written can only
  /// refer to existing calls and sites.
  void readNow(const memshape_record_header &Header) {
    for (const memshape_record_open &Slot : Header.open)
      if (auto Group = GroupAt.find(Slot.group); Group != GroupAt.end())
        Record.Open.push_back(
            {Group->second, Slot.sequence, Slot.started, plausible(Slot.base), Slot.thread, Slot.depth});
    std::sort(Record.Open.begin(), Record.Open.end(),
              [](const RunOpenCall &A, const RunOpenCall &B) { return A.Sequence < B.Sequence; });
    std::map<std::uint32_t, std::int64_t> BytesAt;
    for (auto [Site, Bytes] : SiteChanges)
      if (Site < Record.Sites.size())
        addTo(BytesAt[FirstAtPlace[Site]], Bytes);
    for (std::uint32_t Site = 0; Site != Record.Sites.size() && Site != MEMSHAPE_RECORD_SITES; ++Site)
      if (std::optional<std::int64_t> Live = All.read<std::int64_t>(Header.site_live + 8 * std::uint64_t(Site)))
        addTo(BytesAt[FirstAtPlace[Site]], *Live);
    for (auto [Site, Bytes] : BytesAt)
      if (Bytes != 0)
        Record.LiveSites.push_back({Site, plausible(Bytes)});
    sortSites(Record.LiveSites);
  }

  Bytes All;
  std::uint64_t ItemAt = 0; ///< offset of the item that is read
  RunRecord Record;
  std::map<std::uint64_t, std::size_t> GroupAt; ///< offset in the file -> index
  /// Code that was inlined several times has several sites at one place: all count as the first one.
  std::map<std::tuple<std::string, std::string, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> SiteAt;
  std::vector<std::uint32_t> FirstAtPlace; ///< of each site
  std::map<std::uint32_t, std::vector<RunFrame>> CallsOfSite;
  std::map<std::uint32_t, std::int64_t> SiteChanges; ///< sum of all threads' changes of each site
};

Result<RunRecord> Reader::read() {
  const std::unique_ptr<memshape_record_header> Header = copyOf<memshape_record_header>(All);
  if (!Header || std::memcmp(Header->magic, MEMSHAPE_RECORD_MAGIC, sizeof Header->magic) != 0)
    return Failure{"not a run record"};
  if (Header->version != MEMSHAPE_RECORD_VERSION)
    return Failure{"run record of version " + std::to_string(Header->version) + "; this memshape reads version " +
                   std::to_string(MEMSHAPE_RECORD_VERSION)};
  if (Header->items < sizeof *Header ||
      memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, &Header->pid,
                               offsetof(memshape_record_header, used) - offsetof(memshape_record_header, pid)) !=
          Header->checksum)
    return Failure{"damaged run record: the header's checksum is wrong"};
  Record.Pid = Header->pid;
  Record.Parent = Header->parent;
  Record.Started = Header->started;
  Record.State = Header->state;
  Record.Ended = Header->state == MEMSHAPE_RECORD_ENDED;
  Record.Mode = Header->mode;
  Record.CountsCalls = Header->mode == MEMSHAPE_RECORD_CALLS;
  Record.InheritedLive = plausible(Header->inherited_live);
  const RunPeak Peak(Header->peak, Header->peak_most, Header->limit, Header->slack);
  Record.Peak = Peak.Peak;
  Record.PeakError = Peak.Error;
  Record.ResidentPeak = Header->rss_peak;
  Record.LostOperations = Header->lost_operations;
  Record.LostCalls = Header->lost_calls;
  Record.UnlistedCalls = Header->unlisted_calls;
  for (const memshape_record_thread &Thread : Header->threads) {
    Record.Total += Thread.counts.total;
    Record.Allocations += Thread.counts.allocations;
    Record.Reallocations += Thread.counts.reallocations;
    Record.Frees += Thread.counts.frees;
    addTo(Record.Live, static_cast<std::int64_t>(Thread.counts.total - Thread.freed));
  }
  for (std::size_t Space = 0; Space != Record.Spaces.size(); ++Space) {
    const memshape_record_space &From = Header->spaces[Space];
    const std::int64_t Inherited = plausible(From.inherited), Live = plausible(From.live);
    Record.Spaces[Space] = {
        {plausible(From.peak), 0, From.total, From.allocations, From.reallocations, Live - Inherited},
        Inherited,
        Live,
        From.frees,
        {}};
  }
  Record.Live = plausible(Record.Live);
  Record.Output = Record.Live - Record.InheritedLive;
  Record.Total -= Header->inherited.total;
  Record.Allocations -= Header->inherited.allocations;
  Record.Reallocations -= Header->inherited.reallocations;
  Record.Frees -= Header->inherited.frees;

  for (Round R : {Round::Names, Round::Groups, Round::Calls})
    for (ItemAt = Header->items; ItemAt < Header->used;) {
      std::optional<memshape_record_head> Head = All.read<memshape_record_head>(ItemAt);
      std::string_view Item = Head ? part(All, ItemAt, Head->bytes) : std::string_view();
      if (Item.size() < sizeof *Head || Head->bytes % 8 != 0)
        return Failure{"damaged run record: an item runs past the end of the file"};
      if (!readItem(*Head, Item, R))
        return Failure{"damaged run record: the item at byte " + std::to_string(ItemAt) + " is invalid"};
      ItemAt += Head->bytes;
    }
  readNow(*Header);
  std::sort(Record.Calls.begin(), Record.Calls.end(),
            [](const RunCall &A, const RunCall &B) { return A.Sequence < B.Sequence; });
  return std::move(Record);
}

} // namespace

/// A process that died while its threads counted on their own left this much uncertainty; see
/// runtime/src/count/credit.h.
RunPeak::RunPeak(std::int64_t Peak, std::int64_t PeakMost, std::int64_t Limit, std::int64_t Slack)
    : Peak(plausible(Peak)) {
  if (Limit > Peak)
    this->Peak = std::max(this->Peak, plausible(Limit) - plausible(Slack));
  Error = peakError(this->Peak, std::max(PeakMost, Limit));
}

Result<RunRecord> readRunRecord(std::string_view Bytes) { return Reader(Bytes).read(); }

} // namespace memshape
