//===- FileStreamBodies.cpp - File streams of the C++ library -------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As libstdc++ has them: an open stream holds a FILE of the C library, which it does not transfer through, and a buffer
// of BUFSIZ, 8192 bytes (filebuf's _M_allocate_internal_buffer). Of an object the skeleton has what headers use inline:
// the table that tells where basic_ios is, in that the state and the pointer to the character table, how many
// characters were read last, and the FILE. The state is data: any operation may have failed.
//
//===----------------------------------------------------------------------===//

#include "LibraryBodies.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace memshape {

static constexpr char OfBuffer[] = R"(
@memshape_characters = constant { [56 x i8], i8, [512 x i8] } { [56 x i8] zeroinitializer, i8 1, [512 x i8] zeroinitializer }
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @memshape_prepare(ptr %base) {
  call void @llvm.memset.p0.i64(ptr %base, i8 0, i64 264, i1 false)
  %characters = getelementptr i8, ptr %base, i64 240
  store ptr @memshape_characters, ptr %characters
  %at = getelementptr i8, ptr %base, i64 32
  %state = call i32 @memshape_outcome()
  store i32 %state, ptr %at
  ret void
}

define void @memshape_fill(ptr %file) {
  %stream = call ptr @memshape_open()
  store ptr %stream, ptr %file
  %buffer = getelementptr i8, ptr %file, i64 8
  store ptr null, ptr %buffer
  %closed = icmp eq ptr %stream, null
  br i1 %closed, label %done, label %opened
opened:
  %block = call ptr @malloc(i64 8192)
  store ptr %block, ptr %buffer
  br label %done
done:
  ret void
}

define void @memshape_empty_out(ptr %file) {
  %at = getelementptr i8, ptr %file, i64 8
  %buffer = load ptr, ptr %at
  call void @free(ptr %buffer)
  store ptr null, ptr %at
  %stream = load ptr, ptr %file
  call void @free(ptr %stream)
  store ptr null, ptr %file
  ret void
}

define ptr @_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  %file = getelementptr i8, ptr %this, i64 104
  call void @memshape_empty_out(ptr %file)
  call void @memshape_fill(ptr %file)
  %stream = load ptr, ptr %file
  %closed = icmp eq ptr %stream, null
  %result = select i1 %closed, ptr null, ptr %this
  ret ptr %result
}

define ptr @_ZNSt13basic_filebufIcSt11char_traitsIcEE5closeEv(ptr %this) {
  %file = getelementptr i8, ptr %this, i64 104
  %stream = load ptr, ptr %file
  %closed = icmp eq ptr %stream, null
  call void @memshape_empty_out(ptr %file)
  %result = select i1 %closed, ptr null, ptr %this
  ret ptr %result
}

define i1 @_ZNKSt12__basic_fileIcE7is_openEv(ptr %file) {
  %stream = load ptr, ptr %file
  %open = icmp ne ptr %stream, null
  ret i1 %open
}
)";

/// Characters of a number are gathered in a string with room for 56 of them, before its end (num_get's do_get).
static constexpr char OfNumber[] = R"(
define ptr @_ZNSi10_M_extractI$TEERSiRT_(ptr %stream, ptr %number) {
  %text = call ptr @malloc(i64 57)
  %long = call i32 @memshape_outcome()
  %more = icmp ne i32 %long, 0
  br i1 %more, label %grow, label %done
grow:
  call void @"a number of more than 56 characters, read from a stream"(ptr %number)
  br label %done
done:
  call void @free(ptr %text)
  call void @memshape_received(ptr %number)
  ret ptr %stream
}

define ptr @_ZNSirsER$T(ptr %stream, ptr %number) {
  %same = call ptr @_ZNSi10_M_extractI$TEERSiRT_(ptr %stream, ptr %number)
  ret ptr %same
}
)";

/// How long text is that is read from a stream, nobody knows.
static constexpr char OfText[] = R"(
declare void @memshape_received(ptr)
declare void @"a number of more than 56 characters, read from a stream"(ptr)
declare void @"text read from a stream"(ptr)

define ptr @_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_(ptr %stream, ptr %text, i8 %end) {
  call void @"text read from a stream"(ptr %text)
  ret ptr %stream
}

define ptr @_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE(ptr %stream, ptr %text) {
  call void @"text read from a stream"(ptr %text)
  ret ptr %stream
}

define ptr @_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE(ptr %stream, ptr %text) {
  call void @"text read from a stream"(ptr %text)
  ret ptr %stream
}
)";

/// $C is the class, $F where its FILE is, $B the part that all streams have.
static constexpr char OfClass[] = R"(
@memshape_table_$C = constant { i64, ptr, ptr, ptr, ptr } { i64 $B, ptr null, ptr null, ptr @_ZNSt$CIcSt11char_traitsIcEED1Ev, ptr @_ZNSt$CIcSt11char_traitsIcEED0Ev }

define void @_ZNSt$CIcSt11char_traitsIcEEC1Ev(ptr %this) {
  %table = getelementptr i8, ptr @memshape_table_$C, i64 24
  store ptr %table, ptr %this
  %file = getelementptr i8, ptr %this, i64 $F
  store ptr null, ptr %file
  %buffer = getelementptr i8, ptr %file, i64 8
  store ptr null, ptr %buffer
  %base = getelementptr i8, ptr %this, i64 $B
  call void @memshape_prepare(ptr %base)
  %taken = call i32 @memshape_outcome()
  %characters = zext i32 %taken to i64
  %last = getelementptr i8, ptr %this, i64 8
  store i64 %characters, ptr %last
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  call void @_ZNSt$CIcSt11char_traitsIcEEC1Ev(ptr %this)
  %file = getelementptr i8, ptr %this, i64 $F
  call void @memshape_fill(ptr %file)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEEC1ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  call void @_ZNSt$CIcSt11char_traitsIcEEC1EPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  %file = getelementptr i8, ptr %this, i64 $F
  call void @memshape_empty_out(ptr %file)
  call void @memshape_fill(ptr %file)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEE4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode) {
  call void @_ZNSt$CIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode(ptr %this, ptr %name, i32 %mode)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEE5closeEv(ptr %this) {
  %file = getelementptr i8, ptr %this, i64 $F
  call void @memshape_empty_out(ptr %file)
  ret void
}

define i1 @_ZNSt$CIcSt11char_traitsIcEE7is_openEv(ptr %this) {
  %file = getelementptr i8, ptr %this, i64 $F
  %open = call i1 @_ZNKSt12__basic_fileIcE7is_openEv(ptr %file)
  ret i1 %open
}

define i1 @_ZNKSt$CIcSt11char_traitsIcEE7is_openEv(ptr %this) {
  %open = call i1 @_ZNSt$CIcSt11char_traitsIcEE7is_openEv(ptr %this)
  ret i1 %open
}

define void @_ZNSt$CIcSt11char_traitsIcEED1Ev(ptr %this) {
  call void @_ZNSt$CIcSt11char_traitsIcEE5closeEv(ptr %this)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEED2Ev(ptr %this, ptr %tables) {
  call void @_ZNSt$CIcSt11char_traitsIcEE5closeEv(ptr %this)
  ret void
}

define void @_ZNSt$CIcSt11char_traitsIcEED0Ev(ptr %this) {
  call void @_ZNSt$CIcSt11char_traitsIcEE5closeEv(ptr %this)
  call void @free(ptr %this)
  ret void
}
)";

/// Text with each $ and letter written out.
static std::string filled(StringRef Text, ArrayRef<std::pair<char, std::string>> Fills) {
  std::string Result;
  while (!Text.empty()) {
    auto [Before, Rest] = Text.split('$');
    Result += Before;
    for (const auto &[Letter, Fill] : Fills)
      if (!Rest.empty() && Rest[0] == Letter)
        Result += Fill;
    Text = Rest.drop_front(!Rest.empty());
  }
  return Result;
}

std::string bodiesOfFileStreams() {
  struct {
    StringRef Class;
    unsigned Buffer, Base; ///< where the object's filebuf and its basic_ios are
  } Classes[] = {{"14basic_ifstream", 16, 256}, {"14basic_ofstream", 8, 248}, {"13basic_fstream", 24, 264}};
  const unsigned FileInBuffer = 104;
  std::string Text = std::string(OfBuffer) + OfText;
  for (const char *Number : {"f", "d", "e"})
    Text += filled(OfNumber, {{'T', Number}});
  for (const auto &Of : Classes)
    Text += filled(OfClass, {{'C', Of.Class.str()}, {'F', utostr(Of.Buffer + FileInBuffer)}, {'B', utostr(Of.Base)}});
  return Text;
}

} // namespace memshape
