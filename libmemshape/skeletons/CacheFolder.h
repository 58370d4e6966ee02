// What was worked out before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder of files, each named by a hash of all that its contents depend on. Several processes may use it at once.
// Whatever is wrong with a file or with the folder, it is as if nothing were there: a file that was changed, a folder of
// another user, or one where others may write.

#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace memshape {

/// A name for what depends on everything that was added, in this order. 128 bits, against accidents only.
class CacheKey {
public:
  /// Of contents alone, whoever asks.
  CacheKey() = default;
  /// What names of one Kind stand for depends on the version and on the build of memshape, too.
  explicit CacheKey(std::string_view Kind);

  void add(std::string_view Text);
  void addNumber(std::uint64_t Number);
  /// A file by its size and time: an executable that is part of the answer.
  void addIdentityOf(const char *File);
  std::string text() const;

private:
  void step(unsigned char C);

  /// Two chains of FNV-1a with different starts.
  std::array<std::uint64_t, 2> States = {0xcbf29ce484222325, 0x84222325cbf29ce4};
};

class CacheFolder {
public:
  /// Keeps nothing.
  CacheFolder() = default;
  explicit CacheFolder(std::filesystem::path Folder) : Folder(std::move(Folder)) {}

  /// MEMSHAPE_CACHE names the folder, or is "off"; else memshape in $XDG_CACHE_HOME or $HOME/.cache.
  static CacheFolder ofUser();

  bool keeps() const { return !Folder.empty(); }

  /// The file of this name, unless it is larger than MaxBytes.
  std::optional<std::string> read(const std::string &Key, std::uintmax_t MaxBytes) const;
  /// Readers see a whole file or none; of two writers the later one wins. What was not used for longest goes when there
  /// is too much.
  void write(const std::string &Key, std::string_view Text) const;

private:
  /// Nobody but this user and the superuser can have put anything there.
  bool isOwn() const;
  void dropOldest() const;

  std::filesystem::path Folder; ///< empty: none
};

} // namespace memshape
