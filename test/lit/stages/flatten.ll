; What is called is inlined; a way that ends in a throw ends the evaluation.
; RUN: %opt -passes='memshape-operator<op>,memshape-flatten' -S %s | FileCheck %s

define i64 @op(i64 %n) personality ptr null {
  %big = call i64 @twice(i64 %n)
  %bad = icmp sgt i64 %big, 100
  br i1 %bad, label %throw, label %good
throw:
  call void @__cxa_throw(ptr null, ptr null, ptr null)
  unreachable
good:
  ret i64 %big
}
define internal i64 @twice(i64 %n) {
  %twice = shl i64 %n, 1
  ret i64 %twice
}
declare void @__cxa_throw(ptr, ptr, ptr)

; CHECK: define i64 @op(
; CHECK: [[TWICE:%.*]] = shl i64 %n, 1
; CHECK: %bad = icmp sgt i64 [[TWICE]], 100
; CHECK: throw:
; CHECK: call void @memshape_sk_leave(i32 5)
; CHECK: good:
; CHECK-NOT: @twice
