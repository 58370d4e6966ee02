; A loop that only counts is computed away.
; RUN: %opt -passes='memshape-operator<op>,memshape-counting-loops' -S %s | FileCheck %s

define i64 @op(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %more, %loop ]
  %more = add i64 %sum, 3
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  ret i64 %more
}

; CHECK: define i64 @op(
; CHECK-NOT: phi
; CHECK: [[TIMES:%.*]] = call i64 @llvm.umax.i64(i64 %n, i64 1)
; CHECK-NEXT: [[SUM:%.*]] = mul i64 [[TIMES]], 3
; CHECK-NEXT: ret i64 [[SUM]]
