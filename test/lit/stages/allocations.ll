; Allocations and frees become calls of the runner; operator new asks for one byte at least.
; RUN: %opt -passes='memshape-operator<op>,memshape-allocations' -S %s | FileCheck %s

define void @op(i64 %n) {
  %block = call ptr @_Znwm(i64 %n)
  call void @_ZdlPv(ptr %block)
  %aligned = call ptr @_ZnwmSt11align_val_t(i64 %n, i64 256)
  ret void
}
declare ptr @_Znwm(i64)
declare ptr @_ZnwmSt11align_val_t(i64, i64)
declare void @_ZdlPv(ptr)

; CHECK: define void @op(
; CHECK: [[NONE:%.*]] = icmp eq i64 %n, 0
; CHECK-NEXT: [[BYTES:%.*]] = select i1 [[NONE]], i64 1, i64 %n
; CHECK-NEXT: [[BLOCK:%.*]] = call ptr @memshape_sk_alloc(i64 [[BYTES]],
; CHECK-NEXT: call void @memshape_sk_free(ptr [[BLOCK]])
; CHECK: call ptr @memshape_sk_alloc(i64 {{.*}}, i64 256,
; CHECK: ret void
