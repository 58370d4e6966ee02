; File streams of the C++ library.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; As libstdc++ has them: an open stream holds a FILE of the C library, which it does not transfer through, and a buffer
; of BUFSIZ, 8192 bytes (filebuf's _M_allocate_internal_buffer). Of an object the skeleton has what headers use inline:
; the table that tells where basic_ios is, in that the state and the pointer to the character table, how many
; characters were read last, and the FILE. The state is data: any operation may have failed.
;
; Streams into memory are objects of the library's own, and what is done to any stream is called for real beside them.
;
; How long text is that is read from a stream, nobody knows.

; unless stringstreamIc stringbufIc

@memshape_characters = constant { [56 x i8], i8, [512 x i8] } { [56 x i8] zeroinitializer, i8 1, [512 x i8] zeroinitializer }

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
