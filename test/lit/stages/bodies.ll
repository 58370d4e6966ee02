; A function of the C library that allocates gets a body, which the later stages see.
; RUN: %opt -passes='memshape-operator<op>,memshape-bodies' -S %s | FileCheck %s

define ptr @op(ptr %text, i64 %n) {
  %copy = call ptr @strndup(ptr %text, i64 %n)
  ret ptr %copy
}
declare ptr @strndup(ptr, i64)

; CHECK: define ptr @op(
; CHECK: call ptr @memshape.body.strndup(ptr %text, i64 %n)
; CHECK: define internal ptr @memshape.body.strndup(
; CHECK: call ptr @malloc(
; CHECK: call void @llvm.memcpy
