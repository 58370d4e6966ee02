// How the runner calls a skeleton.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ceiling/Reach.h"
#include "data-flow/WriteMarks.h"
#include "memshape/SkeletonAbi.h"
#include "runner-calls/RunnerCalls.h"
#include "skeleton/Stages.h"
#include "threads/Threads.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace memshape {

/// A member of an argument that nothing reads. What is not known of may read it.
static bool mayStayUnread(const SkeletonState &State, const ParameterFact &P, const Argument &A) {
  return P.Name.find('.') != std::string::npos && A.use_empty() &&
         none_of(State.Facts.Unknowns, [](const SkeletonUnknown &U) {
           return U.Reason == CallReason::NoBody || U.Reason == CallReason::Replaceable ||
                  U.Reason == CallReason::NoTarget || U.Reason == CallReason::AnybodysFunction ||
                  U.Reason == CallReason::Caught;
         });
}

bool leavesUnbuilt(SkeletonState &State) {
  for (auto [I, P] : enumerate(State.Op.Fact.Parameters))
    if (P.Role == ParameterRole::Object && !State.Root->getArg(State.Op.argumentOf(I)->getArgNo())->use_empty())
      return State.fail("it reads behind '" + P.Name +
                        "', which is an object: wrap the operator in a function that builds it from shape symbols");
  return true;
}

/// void memshape_skeleton(const int64_t *shape, const double *settings)
bool addEntry(Module &M, SkeletonState &State) {
  Function *const Root = State.Root;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  auto *Entry = Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr}, false), GlobalValue::ExternalLinkage,
                                 SkeletonEntry, M);
  IRBuilder<> B(BasicBlock::Create(C, "", Entry));
  SmallVector<Value *, 8> Arguments(Root->arg_size());
  for (Argument &A : Root->args())
    if (A.hasStructRetAttr()) {
      AllocaInst *Slot = B.CreateAlloca(A.getParamStructRetType());
      Slot->setAlignment(Align(64));
      B.CreateStore(Constant::getNullValue(A.getParamStructRetType()), Slot);
      Arguments[A.getArgNo()] = Slot;
    }
  if (!leavesUnbuilt(State))
    return false;
  unsigned Shape = 0, Setting = 0, Tensor = 0;
  SmallVector<unsigned, 8> Unused;
  for (unsigned I = 0; I != State.Op.Fact.Parameters.size(); ++I) {
    unsigned Number = State.Op.argumentOf(I)->getArgNo();
    Type *T = Root->getArg(Number)->getType();
    Value *&V = Arguments[Number];
    const ParameterFact &P = State.Op.Fact.Parameters[I];
    if ((P.Role == ParameterRole::Shape || P.Role == ParameterRole::Setting) &&
        mayStayUnread(State, P, *Root->getArg(Number)))
      State.Facts.Unread.push_back(P.Name);
    switch (P.Role) {
    case ParameterRole::Shape:
      V = B.CreateTrunc(B.CreateLoad(B.getInt64Ty(), B.CreateConstGEP1_64(B.getInt64Ty(), Entry->getArg(0), Shape++)),
                        T);
      break;
    case ParameterRole::Setting: {
      Value *D = B.CreateLoad(B.getDoubleTy(), B.CreateConstGEP1_64(B.getDoubleTy(), Entry->getArg(1), Setting++));
      if (T->isIntegerTy()) // a truth value, or an enumeration
        V = P.Signed ? B.CreateFPToSI(D, T) : B.CreateFPToUI(D, T);
      else
        V = B.CreateFPCast(D, T);
      break;
    }
    default:
      // A runner that hands out no tensor need not look for what was left in one.
      if (Root->getArg(Number)->use_empty()) {
        V = Constant::getNullValue(T);
        Unused.push_back(Number);
        ++Tensor;
      } else if (Tensor < MEMSHAPE_SK_NAMED_TENSORS && onlyMarked(*Root->getArg(Number))) {
        V = B.CreateIntToPtr(B.getInt64(MEMSHAPE_SK_TENSOR_NAMES + (uint64_t(Tensor++) << MEMSHAPE_SK_TENSOR_BITS)), T);
        Unused.push_back(Number);
      } else {
        V = B.CreateCall(runnerFunction(M, RunnerCall::Tensor), {B.getInt32(Tensor++)});
      }
      break;
    }
  }
  for (unsigned Number : Unused)
    for (Attribute::AttrKind Promise :
         {Attribute::NonNull, Attribute::NoUndef, Attribute::Dereferenceable, Attribute::Alignment})
      Root->removeParamAttr(Number, Promise);
  announceThreadLocals(M, B);
  if (areTensorsMarked(M))
    B.CreateCall(runnerFunction(M, RunnerCall::Touch),
                 {Constant::getNullValue(B.getPtrTy()), B.getInt64(0), B.getInt64(0), B.getInt64(0)});
  CallInst *Call = B.CreateCall(Root, Arguments);
  Call->setAttributes(Root->getAttributes());
  if (State.Reach && !Linker::linkModules(M, std::move(State.Reach))) {
    Function *Reach = M.getFunction(ReachName);
    for (auto [Given, Taken] : zip(Arguments, Reach->args()))
      Given = Taken.getType()->isPointerTy() ? Constant::getNullValue(Taken.getType()) : Given;
    State.Simplify.thorough(*Reach);
    B.CreateCall(Reach, Arguments);
    Reach->setLinkage(GlobalValue::InternalLinkage);
  }
  B.CreateRetVoid();
  Root->setLinkage(GlobalValue::InternalLinkage);
  return true;
}

} // namespace memshape
