; A number that a call at another shape may have left is marked where it is used.
; RUN: %opt -passes='memshape-operator<op>,memshape-kept-state' -S %s | FileCheck %s

@kept = internal global i64 0
define void @op(i64 %n) {
  %was = load i64, ptr @kept
  %block = call ptr @memshape_sk_alloc(i64 %was, i64 0, i32 0, i32 1)
  call void @memshape_sk_free(ptr %block)
  store i64 %n, ptr @kept
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)

; CHECK: define void @op(
; CHECK-NEXT: call void @memshape_sk_recall(i32 0, i32 0)
; CHECK-NEXT: %was = load i64, ptr @kept
