; A variable of which each thread has its own becomes a plain one.
; RUN: %opt -passes='memshape-operator<op>,memshape-thread-locals' -S %s | FileCheck %s

@kept = internal thread_local global i64 0
define i64 @op(i64 %n) {
  %where = call ptr @llvm.threadlocal.address.p0(ptr @kept)
  %was = load i64, ptr %where
  store i64 %n, ptr %where
  ret i64 %was
}
declare ptr @llvm.threadlocal.address.p0(ptr)

; CHECK: @kept = internal global i64 0
; CHECK: define i64 @op(
; CHECK: %was = load i64, ptr @kept
; CHECK: store i64 %n, ptr @kept
