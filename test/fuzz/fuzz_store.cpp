// Damaged stores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first byte says how much of the rest, in parts of 255, is the file; what follows is the log beside it. Every
// document that is found counts as a record, so that what is read is not held up by checksums.

#include "libmemshape/history/Salvage.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace memshape;

namespace {

/// A store and its log, which go with the process.
struct Files {
  Files() {
    if (!::mkdtemp(Folder.data()))
      std::abort();
  }
  ~Files() {
    std::error_code Ignored;
    std::filesystem::remove_all(Folder, Ignored);
  }
  std::string store() const { return Folder + "/store"; }
  std::string log() const { return store() + "-wal"; }
  std::string Folder = (std::filesystem::temp_directory_path() / "memshape-fuzz-XXXXXX").string();
};

void write(const std::string &Path, std::string_view Bytes) {
  std::ofstream(Path, std::ios::binary | std::ios::trunc) << Bytes;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  static const Files Kept;
  if (Size == 0)
    return 0;
  const std::string_view Rest(reinterpret_cast<const char *>(Data + 1), Size - 1);
  const std::size_t Cut = Rest.size() * Data[0] / 255;
  write(Kept.store(), Rest.substr(0, Cut));
  write(Kept.log(), Rest.substr(Cut));
  std::uint64_t Taken = 0;
  const Salvaged Found = salvage(
      Kept.store(), [](std::string_view, std::int64_t) { return true; },
      [&](std::string_view) {
        ++Taken;
        return true;
      });
  if (Found.Records != Taken)
    std::abort();
  return 0;
}
