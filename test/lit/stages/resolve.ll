; A call through a pointer that can reach one function only becomes direct, and is inlined. Where that shows a call of
; malloc, the runner is asked.
; RUN: %opt -passes='memshape-operator<op>,memshape-resolve' -S %s | FileCheck %s

@table = internal constant ptr @twice
define i64 @op(i64 %n) {
  %slot = alloca ptr
  store ptr @twice, ptr %slot
  call void @opaque(ptr null)
  %function = load ptr, ptr %slot
  %result = call i64 %function(i64 %n)
  %block = call ptr @malloc(i64 %n)
  call void @opaque(ptr %block)
  ret i64 %result
}
define internal i64 @twice(i64 %n) {
  %twice = shl i64 %n, 1
  ret i64 %twice
}
declare void @opaque(ptr)
declare ptr @malloc(i64)

; CHECK: define {{.*}}@op(
; CHECK: call void @opaque(
; CHECK-NOT: call
; CHECK: [[TWICE:%.*]] = shl i64 %n, 1
; CHECK: call {{.*}}@memshape_sk_alloc(
; CHECK: ret i64 [[TWICE]]
