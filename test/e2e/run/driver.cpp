// memshape run alone, for its tests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// driver RUNTIME [--kernel] [--exact-peak] [--libraries] [--full] [--json OUT] [--record STORE] [--timeline OUT] [--limit BYTES]
//   -- PROGRAM ARGS...
// The library function behind `memshape run`, with the runtime's path given, so that it is tested without the rest.

#include "libmemshape/measurement/report/RunCommand.h"

#include <iostream>

int main(int Count, char **Arguments) {
  memshape::RunOptions Options;
  int At = 1;
  if (At < Count)
    Options.Runtime = Arguments[At++];
  Options.Kernel = At < Count && std::string(Arguments[At]) == "--kernel";
  At += Options.Kernel;
  Options.ExactPeak = At < Count && std::string(Arguments[At]) == "--exact-peak";
  At += Options.ExactPeak;
  Options.Libraries = At < Count && std::string(Arguments[At]) == "--libraries";
  At += Options.Libraries;
  Options.Full = At < Count && std::string(Arguments[At]) == "--full";
  At += Options.Full;
  for (; At < Count && std::string(Arguments[At]) != "--"; At += 2)
    if (const std::string Name = Arguments[At]; At + 1 == Count)
      break;
    else if (Name == "--limit")
      Options.Limit = std::stoull(Arguments[At + 1]);
    else
      (Name == "--json"       ? Options.JsonOut
       : Name == "--timeline" ? Options.TimelineOut
                              : Options.Record) = Arguments[At + 1];
  if (At < Count)
    Options.Command.assign(Arguments + At + 1, Arguments + Count);
  return memshape::runCommand(Options, std::cout, std::cerr);
}
