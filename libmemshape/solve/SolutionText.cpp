// Solutions as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/include/memshape/solving.h"
#include "libmemshape/text/Figures.h"
#include "libmemshape/text/MemberJson.h"
#include "libmemshape/text/Split.h"

namespace memshape::v1 {

std::string Solution::json() const {
  std::string Text;
  JsonWriter{Text, ", ", ": "}.value(*this);
  return Text + "\n";
}

std::string Solution::text() const {
  std::string Text = operator_name + "\n\n";
  std::vector<std::vector<std::string>> Rows;
  Rows.push_back(
      {"memory", withBytes(memory_bytes), what == Measure::heap ? "for what the call requests" : "for the process"});
  if (!shape.empty())
    Rows.push_back(
        {"with", joined(shape, ", ", [](const auto &Each) { return Each.first + "=" + std::to_string(Each.second); }),
         ""});
  if (largest)
    Rows.push_back({"largest", symbols.front() + "=" + std::to_string(*largest), withBytes(bytes)});
  if (largest && next)
    Rows.push_back({"next", symbols.front() + "=" + std::to_string(next->value), withBytes(next->bytes)});
  if (largest && !next)
    Rows.push_back({"next", "none", "the greatest value that there is fits, too"});
  for (const auto &[First, Second] : frontier)
    Rows.push_back(
        {Rows.back()[0] == "frontier" || Rows.back()[0].empty() ? "" : "frontier",
         symbols.front() + "=" + std::to_string(First) + ", " + symbols.back() + "=" + std::to_string(Second.value),
         withBytes(Second.bytes)});
  Rows.push_back({"proven", proven ? "yes" : "no", proven ? "" : "not each smaller value was tried"});
  Text += aligned(Rows, {}, 2);
  for (const Note &Each : notes)
    Text += "\n  " + Each.text + "\n";
  return Text;
}

} // namespace memshape::v1
