// What the stores of a run have done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunParts.h"

#include <algorithm>

namespace memshape {

void readStore(const std::filesystem::path &File, Run &R) {
  std::error_code Gone;
  if (std::filesystem::is_empty(File, Gone) || Gone)
    return; // its process ended as it was made
  const Result<StoreRecord> Found = [&]() -> Result<StoreRecord> {
    const Result<StoreFile> Opened = StoreFile::open(File.string(), File.parent_path().string());
    return Opened ? Opened->read() : Result<StoreRecord>(Opened.failure());
  }();
  if (Found)
    R.Stores.push_back(*Found);
  else
    R.Notes.push_back("one store left no readable record");
}

std::vector<StoreRecord> storesOf(const Run &R, std::uint64_t Pid) {
  std::vector<StoreRecord> Found;
  for (const StoreRecord &Each : R.Stores)
    if (Each.pid == Pid)
      Found.push_back(Each);
  return Found;
}

std::vector<StoreRecord> storesOfOthers(const Run &R) {
  std::vector<StoreRecord> Found;
  for (const StoreRecord &Each : R.Stores)
    if (std::none_of(R.Processes.begin(), R.Processes.end(),
                     [&](const RunRecord &Process) { return Process.Pid == Each.pid; }))
      Found.push_back(Each);
  return Found;
}

std::string storeLines(const std::vector<StoreRecord> &Of) {
  std::string Text;
  for (const StoreRecord &Each : Of)
    Text += "  store        " + storeLine(Each) + "\n";
  return Text;
}

} // namespace memshape
