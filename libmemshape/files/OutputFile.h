// Output that is there as a whole or not at all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include <memshape/checkpoint/descriptor.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace memshape {

/// A file that is written beside its place and renamed, so that nobody sees half of it and a failure leaves what was
/// there before. Opened early, it finds an unwritable place before the work is done.
class OutputFile {
public:
  /// What is at Path and not a regular file (a pipe, /dev/stdout) is written directly. A symbolic link stays one.
  static Result<OutputFile> open(const std::string &Path);
  ~OutputFile();
  OutputFile(OutputFile &&Other) noexcept;
  OutputFile &operator=(OutputFile &&) = delete;

  /// Writes Text and moves the file to its place. Once only.
  std::optional<Failure> commit(std::string_view Text);

private:
  OutputFile(std::string Path, std::string Target, std::string Draft, int Number)
      : Path(std::move(Path)), Target(std::move(Target)), Draft(std::move(Draft)), Opened(Number) {}

  std::string Path;              ///< as the user wrote it
  std::string Target;            ///< Path without symbolic links
  std::string Draft;             ///< the file that becomes Target; empty where Path itself is written, and after commit
  checkpoint::Descriptor Opened; ///< -1 after commit
};

/// Closes Descriptor, too; the reason where something went wrong, or 0.
int writeAndClose(int Descriptor, std::string_view Text);

/// open() and commit() at once.
std::optional<Failure> writeOutput(const std::string &Path, std::string_view Text);

/// Makes a folder and those above it where they are missing, for this user alone. Where it cannot be made, whoever
/// writes there learns it.
void makePrivateFolder(const std::filesystem::path &Path);

/// The reason why lines could not be appended to Path; makes nothing.
std::optional<Failure> checkAppendable(const std::string &Path);

/// Appends Line and a newline in one write, so that lines of concurrent runs do not mix. A file that is made is private:
/// lines of runs hold command lines.
std::optional<Failure> appendLine(const std::string &Path, std::string_view Line);

} // namespace memshape
