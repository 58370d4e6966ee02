; A throw takes the object and what stands in front of it.
; RUN: %opt -passes='memshape-operator<op>,memshape-exceptions' -S %s | FileCheck %s

define void @op(i64 %n) {
  %object = call ptr @__cxa_allocate_exception(i64 16)
  call void @__cxa_throw(ptr %object, ptr null, ptr null)
  unreachable
}
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr)

; CHECK: define void @op(
; CHECK: [[OBJECT:%.*]] = call ptr @memshape_sk_alloc(i64 144,
; CHECK: call void @__cxa_throw(ptr [[OBJECT]],
