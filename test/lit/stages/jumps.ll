; setjmp returns once, with zero; longjmp ends the evaluation.
; RUN: %opt -passes='memshape-operator<op>,memshape-jumps' -S %s | FileCheck %s

define i32 @op(ptr %buffer, i64 %n) {
  %again = call i32 @_setjmp(ptr %buffer) returns_twice
  %bad = icmp eq i64 %n, 0
  br i1 %bad, label %jump, label %go
jump:
  call void @longjmp(ptr %buffer, i32 1)
  unreachable
go:
  ret i32 %again
}
declare i32 @_setjmp(ptr)
declare void @longjmp(ptr, i32)

; CHECK: define i32 @op(
; CHECK-NOT: setjmp
; CHECK: br i1 %bad, label %jump, label %go
; CHECK: jump:
; CHECK: call void @memshape_sk_leave(i32 2)
; CHECK: go:
; CHECK: ret i32 0
