// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <memshape/out_of_core/files.h>

#include "SpillFiles.h"

#include <map>
#include <mutex>
#include <string>

namespace memshape::out_of_core {

static_assert(Files::page == Alignment);

class Files::State {
public:
  explicit State(const std::filesystem::path &Parent) : OnDisk(Parent, std::make_unique<FileLayer>()) {}

  Spill find(std::uint64_t Number) const {
    const std::lock_guard<std::mutex> Lock(Alone);
    const auto Found = Written.find(Number);
    if (Found == Written.end())
      throw Error(ErrorCode::usage,
                  "there is no file " + std::to_string(Number) + " in " + OnDisk.folder().path().string());
    return Found->second;
  }

  SpillFiles OnDisk;
  mutable std::mutex Alone; ///< of what follows
  std::map<std::uint64_t, Spill> Written;
  std::uint64_t Next = 1;
};

Files::Files(const std::filesystem::path &Folder) : state_(std::make_unique<State>(Folder)) {}
Files::~Files() = default;

std::uint64_t Files::write(std::span<const std::span<const std::byte>> Parts) {
  const std::uint64_t Number = [&] {
    const std::lock_guard<std::mutex> Lock(state_->Alone);
    return state_->Next++;
  }();
  detail::Object Type;
  Type.save = [&](const void *, Writer &To) {
    for (const std::span<const std::byte> Part : Parts)
      To.write(Part.data(), Part.size());
  };
  Spill Made = state_->OnDisk.writeObject(std::to_string(Number) + "-1", nullptr, Type);
  const std::lock_guard<std::mutex> Lock(state_->Alone);
  state_->Written.emplace(Number, std::move(Made));
  return Number;
}

std::uint64_t Files::bytes(std::uint64_t Number) const { return state_->find(Number).Bytes; }

void Files::read(std::uint64_t Number, std::span<std::byte> To) const {
  Spill From = state_->find(Number);
  From.Bytes = padded(From.Bytes); // checksums are those of whole pages
  if (To.size() != From.Bytes || reinterpret_cast<std::uintptr_t>(To.data()) % page != 0)
    throw Error(ErrorCode::usage, "a file is read into " + std::to_string(From.Bytes) + " bytes that begin at a page");
  state_->OnDisk.readBlock(From, To.data());
}

void Files::remove(std::uint64_t Number) {
  const Spill Which = state_->find(Number);
  state_->OnDisk.remove(Which);
  const std::lock_guard<std::mutex> Lock(state_->Alone);
  state_->Written.erase(Number);
}

std::filesystem::path Files::folder() const { return state_->OnDisk.folder().path(); }

} // namespace memshape::out_of_core
