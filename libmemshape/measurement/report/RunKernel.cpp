// Heap bytes against resident bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunParts.h"

#include "libmemshape/measurement/record/RunText.h"

namespace memshape {

using Json = nlohmann::ordered_json;

Difference differenceOf(const RunMoment &Moment) {
  Difference D;
  D.Heap = Moment.Live;
  D.Files = Moment.Files;
  D.Stack = Moment.Stack;
  D.Own = Moment.Own;
  D.Other = Moment.Other;
  D.Resident = Moment.Resident;
  // If glibc's allocator has handed out less than was requested, another allocator is in use.
  D.KnowsAllocator = Moment.AllocatorSystem != 0 && Moment.AllocatorUsed >= Moment.Live;
  if (D.KnowsAllocator) {
    D.Overhead = Moment.AllocatorUsed - Moment.Live;
    D.Free = Moment.AllocatorFree;
    D.Top = Moment.AllocatorTop;
  }
  std::int64_t Held = D.Heap + D.Overhead + D.Free;
  (Moment.Anonymous < Held ? D.NotResident : D.Anonymous) = Moment.Anonymous - Held;
  return D;
}

static Json momentJson(const RunMoment &Moment) {
  Difference D = differenceOf(Moment);
  auto Known = [&](std::int64_t Bytes) { return D.KnowsAllocator ? Json(Bytes) : Json(nullptr); };
  return {{"time_us", static_cast<double>(Moment.Time) / 1000.0},
          {"heap_bytes", D.Heap},
          {"resident_bytes", D.Resident},
          {"difference",
           {{"overhead_bytes", Known(D.Overhead)},
            {"free_in_allocator_bytes", Known(D.Free)},
            {"not_resident_bytes", D.NotResident},
            {"other_anonymous_bytes", D.Anonymous},
            {"files_bytes", D.Files},
            {"stack_bytes", D.Stack},
            {"memshape_bytes", D.Own},
            {"other_bytes", D.Other}}},
          {"free_at_top_bytes", Known(D.Top)},
          {"proportional_bytes", Moment.Proportional},
          {"private_bytes", Moment.Exclusive},
          {"shared_bytes", Moment.Shared},
          {"swapped_bytes", Moment.Swapped},
          {"huge_page_bytes", Moment.Huge}};
}

template <class T> static Json orNull(const std::optional<T> &Value) { return Value ? Json(*Value) : Json(nullptr); }

static Json groupMemoryJson(const Run &R) {
  if (!R.GroupAfter)
    return nullptr;
  return {{"version", R.GroupAfter->Version},
          {"peak_bytes", orNull(R.GroupAfter->Peak)},
          {"peak_before_bytes", R.GroupBefore ? orNull(R.GroupBefore->Peak) : Json(nullptr)},
          {"current_bytes", orNull(R.GroupAfter->Current)},
          {"limit_bytes", orNull(R.GroupAfter->Limit)}};
}

static std::string term(const char *Sign, std::int64_t Bytes, const std::string &What) {
  return Bytes ? format("    %s %12s  ", Sign, inUnits(Bytes).c_str()) + What + "\n" : "";
}

static std::string momentText(const char *When, const RunMoment &Moment) {
  Difference D = differenceOf(Moment);
  std::string Free = "free inside the allocator";
  if (D.Top)
    Free += " (" + inUnits(D.Top) + " of it at the end)";
  return format("  resident %s\n", When) + format("      %12s  heap as requested\n", inUnits(D.Heap).c_str()) +
         term("+", D.Overhead, "heads and rounding of blocks") + term("+", D.Free, Free) +
         term("-", -D.NotResident, "never touched or given back") +
         term("+", D.Anonymous,
              D.KnowsAllocator ? "other memory without a file: thread stacks, mappings"
                               : "the allocator's, and other memory without a file") +
         term("+", D.Files, "program, libraries and their data") + term("+", D.Stack, "stack") +
         term("+", D.Own, "memshape's own") + term("+", D.Other, "other") +
         format("    = %12s  resident", inUnits(D.Resident).c_str()) +
         (Moment.Swapped ? ", " + inUnits(Moment.Swapped) + " swapped out" : "") + "\n";
}

std::string kernelSection(const Run &R, const RunRecord &Process) {
  std::string Text;
  if (Process.AtPeak)
    Text += momentText("when the heap left its peak", *Process.AtPeak);
  if (Process.AtEnd) {
    Text += momentText("at the end", *Process.AtEnd);
    Text += format("  page faults    %s minor, %s major\n", grouped(Process.AtEnd->MinorFaults).c_str(),
                   grouped(Process.AtEnd->MajorFaults).c_str());
  }
  if (R.GroupAfter && R.GroupAfter->Peak && !R.Processes.empty() && &Process == &R.Processes.front()) {
    bool Raised = R.GroupBefore && R.GroupBefore->Peak && *R.GroupAfter->Peak > *R.GroupBefore->Peak;
    Text += format("  cgroup peak    %s since it was made, %s",
                   inUnits(static_cast<std::int64_t>(*R.GroupAfter->Peak)).c_str(),
                   Raised ? "raised during this run" : "not raised by this run");
    if (R.GroupAfter->Limit)
      Text += "; limit " + inUnits(static_cast<std::int64_t>(*R.GroupAfter->Limit));
    Text += "\n";
  }
  return Text;
}

static const RunResidence &warmResidence(const RunGroup &Group) {
  return Group.Later.Calls ? Group.ResidenceLater : Group.ResidenceFirst;
}

std::string residenceLines(const RunGroup &Group) {
  const RunResidence &Seen = warmResidence(Group);
  if (!Seen.Entry)
    return "";
  return bytesLine(Seen.Exact ? "resident peak" : "resident <=", Seen.Peak) + bytesLine("  at entry", Seen.Entry) +
         format("  %-13s%12s\n", "page faults", grouped(Seen.MinorFaults + Seen.MajorFaults).c_str());
}

Json kernelJson(const Run &R, const RunRecord &Process) {
  if (!Process.AtPeak && !Process.AtEnd)
    return nullptr;
  bool IsMain = !R.Processes.empty() && &Process == &R.Processes.front();
  return {{"at_heap_peak", Process.AtPeak ? momentJson(*Process.AtPeak) : Json(nullptr)},
          {"at_end", Process.AtEnd ? momentJson(*Process.AtEnd) : Json(nullptr)},
          {"minor_faults", Process.AtEnd ? Json(Process.AtEnd->MinorFaults) : Json(nullptr)},
          {"major_faults", Process.AtEnd ? Json(Process.AtEnd->MajorFaults) : Json(nullptr)},
          {"cgroup", IsMain ? groupMemoryJson(R) : Json(nullptr)}};
}

Json residenceJson(const Run &R, const RunRecord &Process, const RunGroup &Group) {
  Json To = {{"peak_bytes", residentPeak(R, Process)}};
  if (const RunResidence &Seen = warmResidence(Group); Seen.Entry)
    To["call"] = {{"entry_bytes", Seen.Entry},       {"peak_bytes", Seen.Peak}, {"rise_bytes", Seen.Peak - Seen.Entry},
                  {"exit_bytes", Seen.Exit},         {"exact", Seen.Exact},     {"minor_faults", Seen.MinorFaults},
                  {"major_faults", Seen.MajorFaults}};
  return To;
}

} // namespace memshape
