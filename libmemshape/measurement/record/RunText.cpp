// Texts about runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/record/RunText.h"

#include "libmemshape/text/Escapes.h"

#include "record/record.h"

#include <iterator>

namespace memshape {

/// Sites shown in a table; one line sums up the rest.
constexpr std::size_t MostSites = 8;

std::string peakLines(std::int64_t Peak, std::int64_t Error) {
  return bytesLine("peak", Peak) + (Error ? bytesLine("peak at most", Peak + Error) : "");
}

std::string duration(double Nanoseconds) {
  if (Nanoseconds < 1e6)
    return format("%.1f us", Nanoseconds / 1e3);
  return Nanoseconds < 1e9 ? format("%.1f ms", Nanoseconds / 1e6) : format("%.2f s", Nanoseconds / 1e9);
}

std::string baseName(const std::string &Path) {
  return oneLine(Path.substr(Path.rfind('/') == std::string::npos ? 0 : Path.rfind('/') + 1));
}

std::string siteName(const RunRecord &Process, const RunSite &Site) {
  switch (Site.Origin) {
  case MEMSHAPE_RECORD_SOURCE:
    return (Site.File.empty() ? "(no location)" : oneLine(Site.File) + ":" + std::to_string(Site.Line)) + "  " +
           oneLine(Site.Function);
  case MEMSHAPE_RECORD_LIBRARY:
    return "in " + baseName(Site.File.empty() ? Process.Program : Site.File) + ", not instrumented" +
           (Site.CallerFile.empty() ? ""
                                    : ", from " + oneLine(Site.CallerFile) + ":" + std::to_string(Site.CallerLine));
  default: return "unattributed";
  }
}

std::string sitesTable(const RunRecord &Process, const std::vector<RunSiteBytes> &Sites, std::int64_t Whole,
                       const char *Heading) {
  std::string Text = Sites.empty() ? "" : format("  %s\n", Heading);
  std::int64_t Rest = 0;
  for (std::size_t I = 0; I != Sites.size(); ++I) {
    if (I >= MostSites) {
      Rest += Sites[I].Bytes;
      continue;
    }
    double Share = Whole > 0 ? 100.0 * static_cast<double>(Sites[I].Bytes) / static_cast<double>(Whole) : 0;
    Text += format("    %12s %6.1f %%  ", inUnits(Sites[I].Bytes).c_str(), Share) +
            siteName(Process, Process.Sites[Sites[I].Site]) + "\n";
  }
  if (Sites.size() > MostSites)
    Text += format("    %12s            ", inUnits(Rest).c_str()) + std::to_string(Sites.size() - MostSites) +
            " more sites\n";
  return Text;
}

std::string callName(const RunOperator &Operator, const RunGroup &Group) {
  std::string Text = oneLine(Operator.Name);
  for (std::size_t I = 0; I != Group.Shape.size(); ++I)
    Text += (I ? " " : "  ") + oneLine(Operator.ShapeNames[I]) + "=" +
            (isKnown(Group.Shape[I]) ? std::to_string(Group.Shape[I]) : "?");
  for (std::size_t I = 0; I != Group.Settings.size(); ++I)
    Text += "  " + oneLine(Operator.SettingNames[I]) + "=" +
            (isKnown(Group.Settings[I]) ? format("%g", Group.Settings[I]) : "?");
  return Text;
}

} // namespace memshape
