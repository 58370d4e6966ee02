// Options of commands that execute skeletons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/memshape/WorkOptions.h"
#include "libmemshape/processes/WorkLimits.h"
#include "libmemshape/text/ByteSize.h"

namespace memshape {

void addWorkOptions(CLI::App &To, bool &Trust) {
  To.add_flag("--trust", Trust, "execute the code that files bring even where this system gives no sandbox for it");
  To.add_option_function<std::string>(
        "--work-memory",
        [](const std::string &Text) {
          Result<std::uint64_t> Bytes = readByteSize(Text);
          if (!Bytes)
            throw CLI::ValidationError("--work-memory " + Bytes.failure().Message);
          workLimits().Bytes = *Bytes;
        },
        "memory that memshape, and each process that it starts, may take; by default a quarter of the machine's, at "
        "most 4GiB")
      ->type_name("SIZE");
  To.add_option_function<std::vector<std::string>>(
        "--variable", [](const std::vector<std::string> &Names) { workLimits().Variables = Names; },
        "environment variable that the operator may read, beside those that libraries need")
      ->type_name("NAME")
      ->allow_extra_args(false);
}

} // namespace memshape
