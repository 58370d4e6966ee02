// Roles of functions of a document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/LibraryTable.h"
#include "libraries/reader/Members.h"

using namespace llvm;

namespace memshape {

bool LibraryTable::readRole(const json::Value &V, json::Path P) {
  static constexpr std::pair<StringLiteral, Role> Words[] = {{"nothing", Role::Nothing},
                                                             {"lock", Role::Lock},
                                                             {"wait", Role::Waits},
                                                             {"processors", Role::Processors},
                                                             {"start std thread", Role::StartThread},
                                                             {"join std thread", Role::JoinThread},
                                                             {"detach std thread", Role::DetachThread},
                                                             {"make result", Role::MakeResult},
                                                             {"create thread", Role::CreateThread},
                                                             {"join thread", Role::AwaitThread},
                                                             {"once", Role::Once},
                                                             {"once proxy", Role::OnceProxy},
                                                             {"once variable", Role::OnceVariable},
                                                             {"once call", Role::OnceCall},
                                                             {"at thread exit", Role::ThreadExit},
                                                             {"at exit", Role::ProcessExit},
                                                             {"single thread", Role::SingleThreadHint},
                                                             {"set jump", Role::SetJump},
                                                             {"jump", Role::Jump},
                                                             {"terminate", Role::Terminate},
                                                             {"barrier", Role::Barrier},
                                                             {"one", Role::One},
                                                             {"is first", Role::IsFirst},
                                                             {"single", Role::Single},
                                                             {"push threads", Role::PushThreads},
                                                             {"leave serial region", Role::LeaveSerial},
                                                             {"wait for tasks", Role::AwaitTasks},
                                                             {"run task", Role::RunTask},
                                                             {"copy private", Role::CopyPrivate},
                                                             {"set threads", Role::SetThreads},
                                                             {"set levels", Role::SetLevels},
                                                             {"set nested", Role::SetNested},
                                                             {"most threads", Role::MostThreads},
                                                             {"thread", Role::Thread},
                                                             {"threads", Role::Threads},
                                                             {"level", Role::Level},
                                                             {"in parallel", Role::InParallel},
                                                             {"allocate task", Role::TaskMemory},
                                                             {"serial region", Role::SerialRegion},
                                                             {"region", Role::Region},
                                                             {"region if", Role::RegionIf},
                                                             {"static loop", Role::StaticLoop},
                                                             {"dealt loop", Role::DealtLoop},
                                                             {"next part", Role::DealtNext},
                                                             {"dynamic cast", Role::DynamicCast}};
  Members M(V, P);
  SmallVector<std::string, 16> Names;
  Role Which = Role::Nothing;
  if (!M || !readNameList(M, Names, /*Wildcards=*/false) ||
      !readChoice<Role>(M, "role", Words, "expected one of the roles of docs/libraries.md", Which) || !M.noOthers())
    return false;
  for (const std::string &Name : Names)
    Roles.try_emplace(Name, Which);
  return true;
}

} // namespace memshape
