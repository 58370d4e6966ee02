// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/commands/BudgetIo.h"
#include "libmemshape/text/Figures.h"

#include <nlohmann/json.hpp>

namespace memshape {

using Json = nlohmann::ordered_json;

static std::uint64_t above(std::uint64_t Bytes, std::uint64_t Budget) { return Bytes > Budget ? Bytes - Budget : 0; }

/// Why the figures hold.
static const char *beyondEvidence(const BudgetIo &Io) {
  return Io.Exact ? "the source proves the peak" : "the bounds of the peak, less the budget";
}

static const char *displacedEvidence(const BudgetIo &Io) {
  return Io.Displaced.Upper == 0 ? "the peak is within the budget"
         : Io.Displaced.Upper    ? "a byte that is allocated displaces one byte at most, the first of the budget none"
                                 : "what is allocated over the call has no bound";
}

static const char *writtenEvidence(const BudgetIo &Io) {
  return Io.Written.Upper ? "the peak is within the budget"
                          : "at the peak so much is elsewhere; how often it is used again, allocations do not say";
}

static Json rangeJson(const BudgetIo::Range &Of, const char *Evidence) {
  return {
      {"lower_bytes", Of.Lower}, {"upper_bytes", Of.Upper ? Json(*Of.Upper) : Json(nullptr)}, {"evidence", Evidence}};
}

static std::vector<std::string> row(const std::string &What, std::optional<std::uint64_t> Bytes,
                                    const std::string &Remark) {
  if (!Bytes)
    return {What, "no bound", "", Remark};
  return {What, inUnits(*Bytes), grouped(*Bytes) + " bytes", Remark};
}

BudgetIo ioOf(const v1::Heap &Heap, std::uint64_t Budget) {
  BudgetIo Io{
      .Budget = Budget, .Peak = Heap.peak_bytes, .Exact = Heap.exact, .Beyond = {}, .Displaced = {}, .Written = {}};
  Io.Beyond.Lower = above(Heap.lower_bytes, Budget);
  Io.BeyondExpected = above(Heap.peak_bytes, Budget);
  if (Heap.upper_bytes)
    Io.Beyond.Upper = above(*Heap.upper_bytes, Budget);
  Io.Displaced.Lower = Io.Written.Lower = Io.Beyond.Lower;
  if (Io.Beyond.Upper == 0)
    Io.Displaced.Upper = Io.Written.Upper = 0;
  else if (Heap.exact)
    Io.Displaced.Upper = above(Heap.total_bytes, Budget);
  return Io;
}

Json budgetJson(const BudgetIo &Io) {
  Json Out = Json::object();
  Out["budget_bytes"] = Io.Budget;
  Out["beyond"] = rangeJson(Io.Beyond, beyondEvidence(Io));
  Out["beyond"]["expected_bytes"] = Io.BeyondExpected;
  Out["displaced"] = rangeJson(Io.Displaced, displacedEvidence(Io));
  Out["written"] = rangeJson(Io.Written, writtenEvidence(Io));
  return Out;
}

std::string budgetText(const BudgetIo &Io) {
  const std::string Title = "\nWithin a budget of " + grouped(Io.Budget) + " bytes\n";
  if (Io.Written.Upper)
    return Title + "  nothing has to leave: the peak is within the budget\n";
  std::vector<std::vector<std::string>> Rows;
  if (Io.Exact)
    Rows.push_back(row("beyond it at the peak", Io.BeyondExpected, "exact"));
  else {
    Rows.push_back(row("beyond it at the peak", Io.BeyondExpected, "expected"));
    Rows.push_back(row("  at least", Io.Beyond.Lower, ""));
    Rows.push_back(row("  at most", Io.Beyond.Upper, ""));
  }
  Rows.push_back(row("displaced at most", Io.Displaced.Upper, displacedEvidence(Io)));
  Rows.push_back(row("written at least", Io.Written.Lower, "and read back as far as it is used again"));
  Rows.push_back(row("written at most", Io.Written.Upper, "how often it is used again, allocations do not say"));
  return Title + aligned(Rows, {1, 2}, 2);
}

} // namespace memshape
