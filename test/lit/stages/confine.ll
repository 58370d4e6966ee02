; A call that reaches out of the process is taken out: a mark counts it.
; RUN: %opt -passes='memshape-operator<op>,memshape-confine' -S %s | FileCheck %s

define i32 @op(ptr %command) {
  %status = call i32 @system(ptr %command)
  ret i32 %status
}
declare i32 @system(ptr)

; CHECK: define i32 @op(
; CHECK-NEXT: call void @memshape_sk_unknown(i32 0)
; CHECK-NEXT: ret i32 0
