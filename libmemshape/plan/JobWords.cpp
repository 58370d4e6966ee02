// A worker's request in the words of job systems.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/text/Figures.h"

#include <algorithm>
#include <iterator>

namespace memshape {

namespace {

constexpr std::uint64_t MiB = 1 << 20, MB = 1'000'000, GB = 1000 * MB;

/// What a system counts memory in, and what a worker says to it: $M are so many units, $T its threads, $W the workers,
/// $L the number of the last one, from 0.
struct JobSystem {
  std::string_view Name;
  std::uint64_t Unit; ///< bytes
  std::string_view Words;
  std::string_view Comment = "# ";
};
constexpr JobSystem Systems[] = {
    {"slurm", MiB, "#SBATCH --array=0-$L\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=$T\n#SBATCH --mem=$MM\n"},
    {"htcondor", MiB, "request_cpus = $T\nrequest_memory = $MM\nqueue $W\n"},
    {"snakemake", MB, "threads: $T\nresources:\n    mem_mb=$M\n"},
    {"nextflow", MiB, "cpus $T\nmemory '$M MB'\n", "// "}, // its MB are 2^20 bytes
    {"kubernetes", MiB,
     "resources:\n  requests:\n    memory: $MMi\n    cpu: \"$T\"\n  limits:\n    memory: $MMi\n    cpu: \"$T\"\n"},
    {"ray", 1, "@ray.remote(num_cpus=$T, memory=$M)\n"},
    {"galaxy", GB, "cores: $T\nmem: $M\n"}, // Total Perspective Vortex
};

std::string numberOf(std::int64_t Count, const char *What) { return std::to_string(Count) + " " + plural(What, Count); }

} // namespace

std::string jobSystems(std::string_view Between, std::string_view Last) {
  std::string Text;
  for (const JobSystem &Each : Systems)
    Text.append(&Each == Systems ? "" : &Each == std::end(Systems) - 1 ? Last : Between).append(Each.Name);
  return Text;
}

v1::Expected<std::string> inWordsOf(const std::string &System, const v1::Plan &Of) {
  const auto *Asked =
      std::find_if(std::begin(Systems), std::end(Systems), [&](const JobSystem &Each) { return Each.Name == System; });
  if (Asked == std::end(Systems))
    return v1::Error{v1::ErrorCode::arguments,
                     "there is no format '" + System + "'; there are text, json, " + jobSystems(", ", " and ")};
  const std::uint64_t Bytes = Of.worker_upper_bytes.value_or(Of.worker_expected_bytes);
  std::string Text = std::string(Asked->Comment) + Of.operator_name + ": " + numberOf(Of.tasks, "task") + " on " +
                     numberOf(Of.workers, "worker") + "; each worker holds at most " + std::to_string(Bytes) +
                     " bytes\n";
  for (std::size_t At = 0; At < Asked->Words.size(); ++At)
    switch (const char Letter = Asked->Words[At] == '$' ? Asked->Words[++At] : '\0') {
    case 'M': Text += std::to_string(Bytes / Asked->Unit + (Bytes % Asked->Unit != 0)); break;
    case 'T': Text += std::to_string(Of.threads); break;
    case 'W':
    case 'L': Text += std::to_string(Of.workers - (Letter == 'L')); break;
    default: Text += Asked->Words[At];
    }
  return Text;
}

} // namespace memshape
