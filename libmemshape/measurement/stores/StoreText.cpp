// The figures of a store as text and as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/stores/StoreWatch.h"

#include "libmemshape/measurement/record/RunText.h"

#include <limits>

namespace memshape {
using Json = nlohmann::ordered_json;

constexpr std::uint64_t Unlimited = std::numeric_limits<std::uint64_t>::max();

static std::string rate(const char *What, double Count, double Bytes) {
  return format("%s %.1f/s (%s/s)", What, Count, inUnits(Bytes).c_str());
}
static std::string sum(const char *What, std::uint64_t Count, std::uint64_t Bytes) {
  return std::string(What) + " " + grouped(Count) + " (" + inUnits(Bytes) + ")";
}

static double hitRate(const StoreRecord &Of) { return static_cast<double>(Of.hits) / static_cast<double>(Of.uses); }

static std::string hits(const StoreRecord &Of) {
  return Of.uses ? format("hits %.1f %%", 100 * hitRate(Of)) : "no uses";
}

static const char *stateOf(const StoreLook &Of) { return Of.Now.ended ? "closed" : Of.Alive ? "in use" : "left over"; }

std::string storePlaces(const StoreRecord &Of) {
  return grouped(Of.resident) + " in memory, " + grouped(Of.executors - Of.resident) + " away, " +
         inUnits(Of.resident_bytes) + (Of.budget_bytes == Unlimited ? "" : " of " + inUnits(Of.budget_bytes));
}

std::string storeTraffic(const StoreLook &Of) {
  const std::string Reads =
      Of.Rates ? rate("reads", Of.Rates->Reads, Of.Rates->ReadBytes) : sum("reads", Of.Now.reads, Of.Now.read_bytes);
  const std::string Writes = Of.Rates ? rate("writes", Of.Rates->Writes, Of.Rates->WrittenBytes)
                                      : sum("writes", Of.Now.writes, Of.Now.written_bytes);
  return Reads + "  " + Writes + "  " + hits(Of.Now);
}

std::string storeLine(const StoreRecord &Of) {
  return grouped(Of.executors) + " executors of " + inUnits(Of.executor_bytes) + ", " + inUnits(Of.peak_bytes) +
         " at most" + (Of.budget_bytes == Unlimited ? ", no budget" : " with a budget of " + inUnits(Of.budget_bytes)) +
         "; " + grouped(Of.evictions) + " evictions, " + sum("reads", Of.reads, Of.read_bytes) + ", " +
         sum("writes", Of.writes, Of.written_bytes) + ", " + hits(Of) +
         (Of.uses ? " of " + grouped(Of.uses) + " uses" : "");
}

Json storeJson(const StoreRecord &Of) {
  return {{"pid", Of.pid},
          {"budget_bytes", Of.budget_bytes == Unlimited ? Json(nullptr) : Json(Of.budget_bytes)},
          {"executors", Of.executors},
          {"executor_bytes", Of.executor_bytes},
          {"resident", Of.resident},
          {"resident_bytes", Of.resident_bytes},
          {"away", Of.executors - Of.resident},
          {"peak_bytes", Of.peak_bytes},
          {"evictions", Of.evictions},
          {"reads", Of.reads},
          {"read_bytes", Of.read_bytes},
          {"writes", Of.writes},
          {"written_bytes", Of.written_bytes},
          {"uses", Of.uses},
          {"hits", Of.hits},
          {"hit_rate", Of.uses ? Json(hitRate(Of)) : Json(nullptr)}};
}

Json storeJson(const StoreLook &Of) {
  Json To = storeJson(Of.Now);
  To["folder"] = Of.Folder;
  To["state"] = stateOf(Of);
  const auto Rate = [&](double StoreRates::*Member) { return Of.Rates ? Json((*Of.Rates).*Member) : Json(nullptr); };
  To["reads_per_s"] = Rate(&StoreRates::Reads);
  To["read_bytes_per_s"] = Rate(&StoreRates::ReadBytes);
  To["writes_per_s"] = Rate(&StoreRates::Writes);
  To["written_bytes_per_s"] = Rate(&StoreRates::WrittenBytes);
  return To;
}

} // namespace memshape
