// A worker's request in the words of job systems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

namespace {

constexpr std::uint64_t MiB = 1 << 20, MB = 1'000'000;

std::uint64_t wholeUnits(std::uint64_t Bytes, std::uint64_t Unit) { return Bytes / Unit + (Bytes % Unit != 0); }

std::string numberOf(std::int64_t Count, const char *What) { return std::to_string(Count) + " " + plural(What, Count); }

} // namespace

v1::Expected<std::string> inWordsOf(const std::string &System, const v1::Plan &Of) {
  const std::uint64_t Bytes = Of.worker_upper_bytes.value_or(Of.worker_expected_bytes);
  const std::string Threads = std::to_string(Of.threads);
  const std::string Head = "# " + Of.operator_name + ": " + numberOf(Of.tasks, "task") + " on " +
                           numberOf(Of.workers, "worker") + "; each worker holds at most " + std::to_string(Bytes) +
                           " bytes\n";
  // Slurm's M and Kubernetes' Mi are 2^20 bytes, Snakemake's mem_mb are 10^6.
  if (System == "slurm")
    return Head + "#SBATCH --array=0-" + std::to_string(Of.workers - 1) + "\n#SBATCH --ntasks=1\n" +
           "#SBATCH --cpus-per-task=" + Threads + "\n#SBATCH --mem=" + std::to_string(wholeUnits(Bytes, MiB)) + "M\n";
  if (System == "snakemake")
    return Head + "threads: " + Threads + "\nresources:\n    mem_mb=" + std::to_string(wholeUnits(Bytes, MB)) + "\n";
  if (System == "kubernetes") {
    const std::string Memory = "    memory: " + std::to_string(wholeUnits(Bytes, MiB)) + "Mi\n";
    const std::string Processors = "    cpu: \"" + Threads + "\"\n";
    return Head + "resources:\n  requests:\n" + Memory + Processors + "  limits:\n" + Memory + Processors;
  }
  return v1::Error{v1::ErrorCode::arguments,
                   "there is no format '" + System + "'; there are text, json, slurm, snakemake and kubernetes"};
}

} // namespace memshape
