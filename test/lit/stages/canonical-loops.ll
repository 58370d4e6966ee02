; A loop gets one block in front of it, and exits of its own.
; RUN: %opt -passes='memshape-operator<op>,memshape-canonical-loops' -S %s | FileCheck %s

define i64 @op(i64 %n, i1 %long) {
entry:
  br i1 %long, label %loop, label %other
other:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ 5, %other ], [ %next, %loop ]
  %next = add nuw nsw i64 %i, 1
  %value = load volatile i64, ptr null
  %more = icmp slt i64 %value, %n
  br i1 %more, label %loop, label %end
end:
  ret i64 %next
}

; CHECK: entry:
; CHECK-NEXT: [[START:%.*]] = select i1 %long, i64 0, i64 5
; CHECK-NEXT: br label %loop
; CHECK: phi i64 {{.*}}[ [[START]], %entry ]
