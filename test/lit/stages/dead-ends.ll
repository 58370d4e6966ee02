; What is done on a way from which the operator never returns goes.
; RUN: %opt -passes='memshape-operator<op>,memshape-dead-ends' -S %s | FileCheck %s

define void @op(i64 %n) {
  %bad = icmp eq i64 %n, 0
  br i1 %bad, label %end, label %go
end:
  call void @message(i64 %n)
  call void @abort()
  unreachable
go:
  ret void
}
declare void @message(i64)
declare void @abort() noreturn

; CHECK: br i1 %bad, label %end, label %go
; CHECK: end:
; CHECK-NEXT: unreachable
; CHECK: go:
; CHECK-NEXT: ret void
