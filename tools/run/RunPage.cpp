//===- RunPage.cpp - A run as a page for people ---------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/run/RunReport.h"

#include "record.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace memshape {
namespace {

/// Sites shown per operator; the rest is summed up in one line.
constexpr std::size_t MostSites = 8;

std::string format(const char *Form, auto... Values) {
  char Text[512];
  std::snprintf(Text, sizeof Text, Form, Values...);
  return Text;
}

/// 1234567 -> "1,234,567"
std::string grouped(std::int64_t Number) {
  std::string Digits = std::to_string(Number);
  for (std::ptrdiff_t At = static_cast<std::ptrdiff_t>(Digits.size()) - 3, First = Number<0; At> First; At -= 3)
    Digits.insert(static_cast<std::size_t>(At), ",");
  return Digits;
}

/// 1572864 -> "1.50 MiB"; below 1 KiB "" as the exact bytes stand beside it.
std::string scaled(std::int64_t Bytes) {
  constexpr const char *Units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double Value = static_cast<double>(Bytes);
  std::size_t Unit = 0;
  for (; (Value >= 1024.0 || Value <= -1024.0) && Unit + 1 < std::size(Units); ++Unit)
    Value /= 1024.0;
  return Unit == 0 ? format("%lld B", static_cast<long long>(Bytes)) : format("%.2f %s", Value, Units[Unit]);
}

std::string bytesLine(const char *Label, std::int64_t Bytes) {
  return format("  %-13s%12s%18s B\n", Label, scaled(Bytes).c_str(), grouped(Bytes).c_str());
}

std::string countLine(const char *Label, std::uint64_t Count) {
  return format("  %-13s%12s\n", Label, grouped(static_cast<std::int64_t>(Count)).c_str());
}

std::string duration(double Nanoseconds) {
  if (Nanoseconds < 1e6)
    return format("%.1f us", Nanoseconds / 1e3);
  return Nanoseconds < 1e9 ? format("%.1f ms", Nanoseconds / 1e6) : format("%.2f s", Nanoseconds / 1e9);
}

std::string baseName(const std::string &Path) {
  return Path.substr(Path.rfind('/') == std::string::npos ? 0 : Path.rfind('/') + 1);
}

std::string siteName(const RunRecord &Process, const RunSite &Site) {
  switch (Site.Origin) {
  case MEMSHAPE_RECORD_SOURCE:
    return (Site.File.empty() ? "(no location)" : Site.File + ":" + std::to_string(Site.Line)) + "  " + Site.Function;
  case MEMSHAPE_RECORD_LIBRARY:
    return "in " + baseName(Site.File.empty() ? Process.Program : Site.File) + ", not instrumented";
  default:
    return "unattributed";
  }
}

std::string sitesTable(const RunRecord &Process, const RunFigures &Figures) {
  const std::vector<RunSiteBytes> &Sites = Figures.Sites;
  std::string Text = Sites.empty() ? "" : "  at the peak\n";
  std::int64_t Rest = 0;
  for (std::size_t I = 0; I != Sites.size(); ++I) {
    if (I >= MostSites) {
      Rest += Sites[I].Bytes;
      continue;
    }
    double Share =
        Figures.Peak > 0 ? 100.0 * static_cast<double>(Sites[I].Bytes) / static_cast<double>(Figures.Peak) : 0;
    Text += format("    %12s %6.1f %%  ", scaled(Sites[I].Bytes).c_str(), Share) +
            siteName(Process, Process.Sites[Sites[I].Site]) + "\n";
  }
  if (Sites.size() > MostSites)
    Text += format("    %12s            ", scaled(Rest).c_str()) + std::to_string(Sites.size() - MostSites) +
            " more sites\n";
  return Text;
}

/// "device peak" and the like: what was held outside the heap.
std::string spacesSection(const RunRecord &Process, const RunGroup &Group) {
  std::string Text;
  for (const auto &[Space, Figures] : Group.Spaces) {
    const RunFigures &Held = warmFigures(Group, Figures);
    if (Held.Calls == 0)
      continue;
    std::string Name = spaceName(Space);
    Text += bytesLine((Name + " peak").c_str(), Held.Peak) +
            bytesLine((Name + " total").c_str(), static_cast<std::int64_t>(Held.Total));
    if (Held.Output)
      Text += bytesLine((Name + " output").c_str(), Held.Output);
    Text += sitesTable(Process, Held);
  }
  return Text;
}

std::string title(const RunOperator &Operator, const RunGroup &Group) {
  std::string Text = Operator.Name;
  for (std::size_t I = 0; I != Group.Shape.size(); ++I)
    Text += (I ? " " : "  ") + Operator.ShapeNames[I] + "=" + std::to_string(Group.Shape[I]);
  for (std::size_t I = 0; I != Group.Settings.size(); ++I)
    Text += "  " + Operator.SettingNames[I] + "=" + format("%g", Group.Settings[I]);
  return Text;
}

std::string groupSection(const RunRecord &Process, const RunGroup &Group) {
  const RunFigures &Warm = warmFigures(Group);
  std::uint64_t Calls = Group.First.Calls + Group.Later.Calls;
  std::string Text = "\n" + title(Process.Operators[Group.Operator], Group) + "  (" +
                     grouped(static_cast<std::int64_t>(Calls)) + (Calls == 1 ? " call)\n" : " calls)\n");
  if (Group.Damaged)
    return Text + "  the figures of this operator were damaged when the program died\n";
  if (Calls) {
    Text += bytesLine("peak", Warm.Peak);
    if (Warm.PeakLeast != Warm.Peak)
      Text += bytesLine("least peak", Warm.PeakLeast);
    if (oneTimeBytes(Group))
      Text += bytesLine("one-time", oneTimeBytes(Group)); // on top of the peak, in the first call alone
    Text += bytesLine("total", static_cast<std::int64_t>(Warm.Total)) + bytesLine("output", Warm.Output) +
            countLine("allocations", Warm.Allocations);
    if (Warm.Reallocations)
      Text += countLine("reallocations", Warm.Reallocations);
    Text += format("  %-13s%12s\n", "time",
                   duration(static_cast<double>(Warm.Nanoseconds) / static_cast<double>(Warm.Calls)).c_str());
    Text += sitesTable(Process, Warm) + spacesSection(Process, Group);
  }
  if (Group.Jumped)
    Text += "  " + std::to_string(Group.Jumped) + " more left by longjmp or with their thread: not measured\n";
  if (Group.Unfinished)
    Text += "  " + std::to_string(Group.Unfinished) + " more did not return before the program exited\n";
  return Text;
}

std::string processSection(const Run &R, const RunRecord &Process) {
  std::string Text = bytesLine("peak", Process.Peak) + bytesLine("total", static_cast<std::int64_t>(Process.Total)) +
                     bytesLine("live at end", Process.Live - Process.InheritedLive) +
                     countLine("allocations", Process.Allocations);
  if (Process.Reallocations)
    Text += countLine("reallocations", Process.Reallocations);
  for (std::uint32_t Space = 0; Space != Process.Spaces.size(); ++Space)
    if (const RunSpace &Held = Process.Spaces[Space]; Held.used()) {
      std::string Name = spaceName(Space);
      Text += bytesLine((Name + " peak").c_str(), Held.Peak);
      if (Held.Live - Held.InheritedLive)
        Text += bytesLine((Name + " at end").c_str(), Held.Live - Held.InheritedLive);
    }
  if (std::uint64_t Resident = residentPeak(R, Process))
    Text += bytesLine("resident peak", static_cast<std::int64_t>(Resident));
  return Text;
}

} // namespace

std::string runPage(const Run &R) {
  std::string Text = "memshape run:";
  for (const std::string &Word : R.Command)
    Text += " " + Word;
  Text += R.How.Signal ? "  (killed by signal " + std::to_string(R.How.Signal) + ", " + strsignal(R.How.Signal) + ")\n"
                       : "  (exit status " + std::to_string(R.How.Status) + ")\n";
  for (const RunRecord &Process : R.Processes) {
    if (&Process != &R.Processes.front())
      Text += "\nprocess " + std::to_string(Process.Pid) + ", " + baseName(Process.Program) + "\n";
    Text += processSection(R, Process);
    for (const RunGroup &Group : Process.Groups)
      Text += groupSection(Process, Group);
  }
  for (const std::string &Note : R.Notes)
    Text += "\nnote: " + Note + "\n";
  return Text;
}

} // namespace memshape
