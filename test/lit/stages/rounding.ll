; What the program computes while it runs is not computed where its constants meet; a pragma may reorder sums.
; RUN: %opt -passes='memshape-operator<op>,memshape-rounding' -S %s | FileCheck %s

define double @op(double %x, i64 %n) {
; CHECK: %[[X:.+]] = call double @llvm.arithmetic.fence.f64(double %x)
; CHECK-NEXT: %quotient = fdiv double %[[X]], 3.000000e+00
; CHECK-NEXT: %more = fadd double %quotient, 1.000000e+00
; CHECK-NEXT: fneg double %more
entry:
  %quotient = fdiv double %x, 3.0
  %more = fadd double %quotient, 1.0
  %less = fneg double %more
  br label %loop
loop:
; CHECK: fmul reassoc double
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %product = phi double [ %less, %entry ], [ %next, %loop ]
  %next = fmul double %product, 2.0
  %j = add i64 %i, 1
  %again = icmp slt i64 %j, %n
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  ret double %next
}
; CHECK: "denormal-fp-math"="dynamic,dynamic"
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
