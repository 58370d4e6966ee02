; Numbers that are read from streams.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; Characters of a number are gathered in a string with room for 56 of them, before its end (num_get's do_get). Nothing is
; gathered from a stream that has come to its end.

; unless stringstreamIc stringbufIc
; with T=f
; with T=d
; with T=e

define ptr @_ZNSi10_M_extractI$TEERSiRT_(ptr %stream, ptr %number) {
  %ended = call i32 @memshape_outcome()
  %none = icmp ne i32 %ended, 0
  br i1 %none, label %given, label %gather
gather:
  %text = call ptr @malloc(i64 57)
  %long = call i32 @memshape_outcome()
  %more = icmp ne i32 %long, 0
  br i1 %more, label %grow, label %done
grow:
  call void @"a number of more than 56 characters, read from a stream"(ptr %number)
  br label %done
done:
  call void @free(ptr %text)
  br label %given
given:
  call void @memshape_received(ptr %number)
  ret ptr %stream
}

define ptr @_ZNSirsER$T(ptr %stream, ptr %number) {
  %same = call ptr @_ZNSi10_M_extractI$TEERSiRT_(ptr %stream, ptr %number)
  ret ptr %same
}
