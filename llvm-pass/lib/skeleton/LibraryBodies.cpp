//===- LibraryBodies.cpp - Functions of the C library that allocate -------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryBodies.h"
#include "Summaries.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace memshape {

/// As glibc has them. memshape_outcome is data, 0 where all goes well.
///
/// A stream is 472 bytes from when it is opened until it is closed. The first transfer gives it a buffer as large as a
/// block of the file system, 4096 bytes on all that are common (libio/filedoalloc.c). Of the stream the skeleton uses
/// what <stdio.h> uses inline - flags at 0, ends of what is buffered at 8, 16, 40 and 48 -, the buffer at 56, and at 72
/// the block that goes when it is closed.
///
/// qsort merges in a block of its own where that has 1024 bytes and takes no more than a quarter of the memory
/// (stdlib/msort.c); elements above 32 bytes are sorted through pointers. It is stable, as the exchange sort here is.
static constexpr char Bodies[] = R"(
@stdin = external global ptr
@stdout = external global ptr
@stderr = external global ptr
declare ptr @malloc(i64)
declare void @free(ptr)
declare i64 @strlen(ptr)
declare i64 @strnlen(ptr, i64)
declare i64 @sysconf(i32)
declare i32 @memshape_outcome()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define ptr @strdup(ptr %text) {
  %length = call i64 @strlen(ptr %text)
  %bytes = add i64 %length, 1
  %copy = call ptr @malloc(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %text, i64 %bytes, i1 false)
  ret ptr %copy
}

define ptr @strndup(ptr %text, i64 %most) {
  %length = call i64 @strnlen(ptr %text, i64 %most)
  %bytes = add i64 %length, 1
  %copy = call ptr @malloc(i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %text, i64 %length, i1 false)
  %end = getelementptr i8, ptr %copy, i64 %length
  store i8 0, ptr %end
  ret ptr %copy
}

define void @qsort(ptr %base, i64 %count, i64 %size, ptr %compare) {
entry:
  %whole = mul i64 %count, %size
  %large = icmp ugt i64 %size, 32
  %pointers = shl i64 %count, 4
  %through = add i64 %pointers, %size
  %room = select i1 %large, i64 %through, i64 %whole
  %short = icmp ult i64 %room, 1024
  br i1 %short, label %sort, label %ask
ask:
  %pages = call i64 @sysconf(i32 85)
  %page = call i64 @sysconf(i32 30)
  %needed = udiv i64 %room, %page
  %quarter = sdiv i64 %pages, 4
  %much = icmp ugt i64 %needed, %quarter
  br i1 %much, label %sort, label %merge
merge:
  %block = call ptr @malloc(i64 %room)
  br label %sort
sort:
  %held = phi ptr [ null, %entry ], [ null, %ask ], [ %block, %merge ]
  call void @memshape_exchange(ptr %base, i64 %whole, i64 %size, ptr %compare)
  call void @free(ptr %held)
  ret void
}

define void @memshape_exchange(ptr %base, i64 %whole, i64 %size, ptr %compare) {
entry:
  %spare = alloca i8, i64 %size, align 16
  br label %pass
pass:
  %end = phi i64 [ %whole, %entry ], [ %last, %passed ]
  %last = sub i64 %end, %size
  %more = icmp ugt i64 %end, %size
  br i1 %more, label %pair, label %done
pair:
  %at = phi i64 [ 0, %pass ], [ %next, %paired ]
  %next = add nuw i64 %at, %size
  %left = getelementptr inbounds nuw i8, ptr %base, i64 %at
  %right = getelementptr inbounds nuw i8, ptr %base, i64 %next
  %order = call i32 %compare(ptr %left, ptr %right)
  %wrong = icmp sgt i32 %order, 0
  br i1 %wrong, label %exchange, label %paired
exchange:
  call void @llvm.memcpy.p0.p0.i64(ptr %spare, ptr %left, i64 %size, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %left, ptr %right, i64 %size, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %right, ptr %spare, i64 %size, i1 false)
  br label %paired
paired:
  %again = icmp ult i64 %next, %last
  br i1 %again, label %pair, label %passed
passed:
  br label %pass
done:
  ret void
}

define ptr @memshape_open() {
  %file = call ptr @malloc(i64 472)
  %outcome = call i32 @memshape_outcome()
  %fails = icmp ne i32 %outcome, 0
  br i1 %fails, label %closed, label %opened
closed:
  call void @free(ptr %file)
  ret ptr null
opened:
  %flags = call i32 @memshape_outcome()
  store i32 %flags, ptr %file
  call void @memshape_empty(ptr %file)
  ret ptr %file
}

define void @memshape_empty(ptr %file) {
  %read = getelementptr i8, ptr %file, i64 8
  store ptr null, ptr %read
  %filled = getelementptr i8, ptr %file, i64 16
  store ptr null, ptr %filled
  %write = getelementptr i8, ptr %file, i64 40
  store ptr null, ptr %write
  %full = getelementptr i8, ptr %file, i64 48
  store ptr null, ptr %full
  %buffer = getelementptr i8, ptr %file, i64 56
  store ptr null, ptr %buffer
  %own = getelementptr i8, ptr %file, i64 72
  store ptr null, ptr %own
  ret void
}

define i1 @memshape_is_passing(ptr %file) {
  %in = load ptr, ptr @stdin
  %out = load ptr, ptr @stdout
  %err = load ptr, ptr @stderr
  %none = icmp eq ptr %file, null
  %isin = icmp eq ptr %file, %in
  %isout = icmp eq ptr %file, %out
  %iserr = icmp eq ptr %file, %err
  %a = or i1 %none, %isin
  %b = or i1 %isout, %iserr
  %c = or i1 %a, %b
  ret i1 %c
}

define void @memshape_transfer(ptr %file, i64 %size, i64 %count) {
  %bytes = mul i64 %size, %count
  %nothing = icmp eq i64 %bytes, 0
  br i1 %nothing, label %done, label %some
some:
  %passing = call i1 @memshape_is_passing(ptr %file)
  br i1 %passing, label %done, label %look
look:
  %buffer = getelementptr i8, ptr %file, i64 56
  %held = load ptr, ptr %buffer
  %has = icmp ne ptr %held, null
  br i1 %has, label %done, label %make
make:
  %block = call ptr @malloc(i64 4096)
  store ptr %block, ptr %buffer
  %own = getelementptr i8, ptr %file, i64 72
  store ptr %block, ptr %own
  br label %done
done:
  ret void
}

define void @memshape_buffer(ptr %file, ptr %buffer, i32 %mode) {
  %passing = call i1 @memshape_is_passing(ptr %file)
  br i1 %passing, label %done, label %look
look:
  %given = icmp ne ptr %buffer, null
  %none = icmp eq i32 %mode, 2
  %instead = or i1 %given, %none
  br i1 %instead, label %set, label %done
set:
  %own = getelementptr i8, ptr %file, i64 72
  %held = load ptr, ptr %own
  call void @free(ptr %held)
  store ptr null, ptr %own
  %at = getelementptr i8, ptr %file, i64 56
  store ptr %file, ptr %at
  br label %done
done:
  ret void
}

define i32 @fclose(ptr %file) {
  %outcome = call i32 @memshape_outcome()
  %passing = call i1 @memshape_is_passing(ptr %file)
  br i1 %passing, label %done, label %close
close:
  %own = getelementptr i8, ptr %file, i64 72
  %held = load ptr, ptr %own
  call void @free(ptr %held)
  call void @free(ptr %file)
  br label %done
done:
  ret i32 %outcome
}

define ptr @fopen(ptr %name, ptr %mode) {
  %file = call ptr @memshape_open()
  ret ptr %file
}

define ptr @fopen64(ptr %name, ptr %mode) {
  %file = call ptr @memshape_open()
  ret ptr %file
}

define ptr @fdopen(i32 %number, ptr %mode) {
  %file = call ptr @memshape_open()
  ret ptr %file
}

define ptr @tmpfile() {
  %file = call ptr @memshape_open()
  ret ptr %file
}

define ptr @tmpfile64() {
  %file = call ptr @memshape_open()
  ret ptr %file
}

define ptr @opendir(ptr %name) {
  %outcome = call i32 @memshape_outcome()
  %fails = icmp ne i32 %outcome, 0
  br i1 %fails, label %closed, label %opened
closed:
  ret ptr null
opened:
  %directory = call ptr @malloc(i64 32816)
  ret ptr %directory
}

define i32 @closedir(ptr %directory) {
  %outcome = call i32 @memshape_outcome()
  call void @free(ptr %directory)
  ret i32 %outcome
}
)";

/// The argument of a function of <stdio.h> that is the stream it reads or writes; -1 for other functions.
static int streamOf(StringRef Name) {
  static const StringMap<int> Streams = [] {
    StringMap<int> S;
    auto Add = [&](int Argument, std::initializer_list<const char *> Functions) {
      for (const char *Function : Functions)
        S[Function] = Argument;
    };
    Add(0, {"fgetc", "getc", "fgetc_unlocked", "getc_unlocked", "_IO_getc", "__uflow", "__underflow"});
    Add(0, {"fscanf", "vfscanf", "__isoc99_fscanf", "__isoc99_vfscanf", "__isoc23_fscanf", "__isoc23_vfscanf"});
    Add(0, {"fprintf", "vfprintf", "__fprintf_chk", "__vfprintf_chk"});
    Add(0, {"fseek", "fseeko", "fseeko64", "fsetpos", "fsetpos64", "rewind"});
    Add(1, {"fputs", "fputs_unlocked", "fputc", "putc", "fputc_unlocked", "putc_unlocked", "ungetc", "__overflow"});
    Add(2, {"fgets", "fgets_unlocked"});
    Add(3, {"fread", "fwrite", "fread_unlocked", "fwrite_unlocked"});
    return S;
  }();
  auto At = Streams.find(Name);
  return At == Streams.end() ? -1 : At->second;
}

static bool isProcessStream(const Value *V) {
  const auto *Load = dyn_cast<LoadInst>(V);
  const auto *G = Load ? dyn_cast<GlobalVariable>(Load->getPointerOperand()) : nullptr;
  return G && G->isDeclaration() && (G->getName() == "stdout" || G->getName() == "stderr" || G->getName() == "stdin");
}

/// Before each transfer, what it does to a stream's buffer.
static void tellTransfers(Module &M) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *Long = Type::getInt64Ty(C), *Int = Type::getInt32Ty(C);
  Type *Nothing = Type::getVoidTy(C);
  FunctionCallee Transfer = M.getOrInsertFunction("memshape_transfer", Nothing, Ptr, Long, Long);
  FunctionCallee Buffer = M.getOrInsertFunction("memshape_buffer", Nothing, Ptr, Ptr, Int);
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic())
        continue;
      IRBuilder<> B(Call);
      StringRef Name = Callee->getName();
      if (Name == "setvbuf" && Call->arg_size() == 4)
        B.CreateCall(Buffer, {Call->getArgOperand(0), Call->getArgOperand(1), Call->getArgOperand(2)});
      else if (Name == "setbuf" && Call->arg_size() == 2)
        B.CreateCall(Buffer, {Call->getArgOperand(0), Call->getArgOperand(1), B.getInt32(2)});
      const int At = streamOf(Name);
      if (At < 0 || unsigned(At) >= Call->arg_size() || isProcessStream(Call->getArgOperand(At)))
        continue;
      Value *File = Call->getArgOperand(At);
      const bool Counts = At == 3;
      Value *Size = Counts ? Call->getArgOperand(1) : B.getInt64(1);
      Value *Count = Counts ? Call->getArgOperand(2) : B.getInt64(1);
      if (File->getType()->isPointerTy() && Size->getType() == Long && Count->getType() == Long)
        B.CreateCall(Transfer, {File, Size, Count});
    }
}

static std::unique_ptr<Module> parseBodies(LLVMContext &C) {
  static const std::string Text = Bodies + bodiesOfFileStreams();
  SMDiagnostic Problem;
  const bool Discards = C.shouldDiscardValueNames(); // which the reader of texts refuses
  C.setDiscardValueNames(false);
  std::unique_ptr<Module> Parsed = parseAssemblyString(Text, Problem, C);
  C.setDiscardValueNames(Discards);
  if (!Parsed)
    report_fatal_error(Twine("memshape: bodies of libraries: ") + Problem.getMessage());
  return Parsed;
}

/// Streams into memory are objects of the library's own, and what is done to any stream is called for real.
static bool hasTextStreams(const Module &M) {
  return any_of(M.global_values(), [](const GlobalValue &G) {
    return G.getName().contains("stringstreamIc") || G.getName().contains("stringbufIc");
  });
}

/// F computes what it returns and leaves nothing else behind. How often the library calls it depends on the data and on
/// how it sorts.
static bool onlyComputes(const Function &F, SmallPtrSetImpl<const Function *> &Seen) {
  if (!Seen.insert(&F).second)
    return true;
  if (F.isDeclaration())
    return is_contained({Treatment::Compute, Treatment::Inspect}, summaryOf(F).How) || F.isIntrinsic();
  auto isOwn = [](const Value *Pointer) { return isa<AllocaInst>(getUnderlyingObject(Pointer)); };
  return all_of(instructions(F), [&](const Instruction &I) {
    if (const auto *Store = dyn_cast<StoreInst>(&I))
      return isOwn(Store->getPointerOperand());
    if (const auto *Fill = dyn_cast<MemIntrinsic>(&I))
      return isOwn(Fill->getRawDest());
    if (const auto *Call = dyn_cast<CallBase>(&I))
      return Call->getCalledFunction() && onlyComputes(*Call->getCalledFunction(), Seen);
    return !I.isAtomic();
  });
}

/// The same of what each call of Sort is given to compare with.
static bool sortsByComputing(const Function &Sort) {
  return all_of(Sort.users(), [&](const User *U) {
    const auto *Call = dyn_cast<CallBase>(U);
    if (!Call || Call->getCalledFunction() != &Sort || Call->arg_size() != 4)
      return false;
    const auto *Compare = dyn_cast<Function>(Call->getArgOperand(3)->stripPointerCasts());
    SmallPtrSet<const Function *, 8> Seen;
    return Compare && !Compare->isDeclaration() && onlyComputes(*Compare, Seen);
  });
}

/// What M calls and does not have, by a name that may have a body.
static SmallVector<Function *, 8> missing(Module &M) {
  static const StringSet<> Names = {"strdup", "strndup", "qsort",     "fclose",  "fopen",   "fopen64",
                                    "fdopen", "tmpfile", "tmpfile64", "opendir", "closedir"};
  static constexpr StringLiteral OfStreams[] = {"_ZNSt14basic_ifstreamIc",  "_ZNSt14basic_ofstreamIc",
                                                "_ZNSt13basic_fstreamIc",   "_ZNKSt14basic_ifstreamIc",
                                                "_ZNKSt14basic_ofstreamIc", "_ZNKSt13basic_fstreamIc",
                                                "_ZNSt13basic_filebufIc",   "_ZNKSt12__basic_fileIc",
                                                "_ZNSi10_M_extractI",       "_ZNSirsER",
                                                "_ZSt7getlineIc",           "_ZStrsIcSt11char_traitsIcESaIcE"};
  const bool FileStreams = !hasTextStreams(M);
  SmallVector<Function *, 8> Missing;
  for (Function &F : M) {
    const StringRef Name = F.getName();
    const auto Begins = [&](StringRef Prefix) { return Name.starts_with(Prefix); };
    if (Name == "qsort" && !sortsByComputing(F))
      continue;
    if (F.isDeclaration() && !F.use_empty() && (Names.contains(Name) || (FileStreams && any_of(OfStreams, Begins))))
      Missing.push_back(&F);
  }
  return Missing;
}

bool giveLibraryBodies(Module &M) {
  for (auto [Internal, Plain] : {std::pair("__strdup", "strdup"), std::pair("__strndup", "strndup")})
    if (Function *F = M.getFunction(Internal); F && F->isDeclaration())
      F->replaceAllUsesWith(M.getOrInsertFunction(Plain, F->getFunctionType()).getCallee());
  const SmallVector<Function *, 8> Missing = missing(M);
  if (Missing.empty())
    return false;
  std::unique_ptr<Module> Source = parseBodies(M.getContext());
  Source->setDataLayout(M.getDataLayout());
  Source->setTargetTriple(M.getTargetTriple());
  std::vector<std::string> Offered; // before the names are taken
  for (const GlobalValue &G : Source->global_values())
    if (!G.isDeclaration())
      Offered.push_back(G.getName().str());
  for (Function &Body : *Source)
    if (Function *F = M.getFunction(Body.getName());
        !Body.isDeclaration() && F && F->isDeclaration() &&
        (!is_contained(Missing, F) || F->getFunctionType() != Body.getFunctionType()))
      Body.deleteBody(); // not wanted, or another function of that name
  bool Opens = false;
  for (Function *F : Missing) {
    const Function *Body = Source->getFunction(F->getName());
    if (!Body || Body->isDeclaration())
      continue;
    Opens |= F->getReturnType()->isPointerTy() && F->getName() != "opendir" && !F->getName().starts_with("str") &&
             !F->getName().starts_with("_Z");
    // What was known of the library's function need not hold for ours.
    F->setAttributes(AttributeList());
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == F)
        Call->setAttributes(AttributeList());
  }
  if (Opens)
    tellTransfers(M);
  Linker::linkModules(M, std::move(Source), Linker::LinkOnlyNeeded);
  for (const std::string &Name : Offered)
    if (GlobalValue *G = M.getNamedValue(Name); G && !G->isDeclaration()) {
      G->setLinkage(GlobalValue::InternalLinkage);
      G->setName("memshape.body." + Name); // no pass may take it for the library's function
      if (auto *F = dyn_cast<Function>(G))
        F->setDoesNotThrow();
    }
  return Opens;
}

} // namespace memshape
