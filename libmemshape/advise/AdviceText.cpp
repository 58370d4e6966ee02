// Advice as JSON, as text, and as SARIF.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/include/memshape/advising.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/MemberJson.h"
#include "libmemshape/text/Sarif.h"
#include "libmemshape/text/Split.h"

#include <filesystem>

namespace memshape::v1 {

static std::string saving(const Advice &Of, std::uint64_t Now) {
  return "saves " + grouped(Of.saved_bytes) + " bytes, " + share(Of.saved_bytes, Now);
}

static std::string figure(const std::string &Formula, std::uint64_t Bytes, bool Exact) {
  return (Formula.empty() ? "" : Formula + " = ") + withBytes(Bytes) + (Exact ? "" : ", expected");
}

std::string AdviceList::json() const {
  std::string Text;
  JsonWriter{Text, ", ", ": "}.value(*this);
  return Text + "\n";
}

std::string AdviceList::text() const {
  std::string Text =
      operator_name + "(" +
      joined(shape, ", ", [](const auto &Each) { return Each.first + "=" + std::to_string(Each.second); }) + ")\n\n";
  Text += "  peak now  " + figure(formula, peak_bytes, exact) + "\n";
  for (std::size_t I = 0; I < advice.size(); ++I) {
    const Advice &Each = advice[I];
    Text += "\n" + std::to_string(I + 1) + ". " + std::filesystem::path(Each.file).filename().string() + ":" +
            std::to_string(Each.line) + (Each.source.empty() ? "" : "  " + Each.source) + "\n   " + Each.text +
            "\n   peak " + figure(Each.formula, Each.peak_bytes, Each.exact) + ", " + saving(Each, peak_bytes) + "\n";
  }
  if (advice.empty())
    Text += "\nNo change of a single line lowers the peak.\n";
  for (const Note &Each : notes)
    Text += "\n  " + Each.text + "\n";
  return Text;
}

std::string AdviceList::sarif(const std::string &Root) const {
  using Json = nlohmann::ordered_json;
  Json Rules = Json::array(), Results = Json::array();
  for (std::string_view Name : names_of<Remedy>)
    Rules.push_back({{"id", "memory-" + std::string(Name)}});
  for (const Advice &Each : advice)
    Results.push_back(
        {{"ruleId", "memory-" + std::string(name_of(Each.remedy))},
         {"ruleIndex", static_cast<unsigned>(Each.remedy)},
         {"level", "note"},
         {"kind", "informational"},
         {"rank", peak_bytes ? 100.0 * static_cast<double>(Each.saved_bytes) / static_cast<double>(peak_bytes) : 0.0},
         {"message",
          {{"text", operator_name + ": " + Each.text + ": the peak is then " +
                        figure(Each.formula, Each.peak_bytes, Each.exact) + ", " + saving(Each, peak_bytes)}}},
         {"locations", Json::array({sarif::location(pathFrom(Root, Each.file), Each.line, 0)})},
         {"properties",
          {{"operator", operator_name},
           {"peakBytes", Each.peak_bytes},
           {"savedBytes", Each.saved_bytes},
           {"exact", Each.exact},
           {"supposed", Each.supposed}}}});
  return sarif::document(Root, std::move(Rules), std::move(Results), Json::array(), 0);
}

} // namespace memshape::v1
