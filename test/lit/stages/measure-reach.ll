; Beside the operator stands a function that tells, for each pointer, how many bytes of it are used.
; RUN: %opt -passes='memshape-operator<op>,memshape-measure-reach,memshape-entry' -S %s | FileCheck %s

define dso_local void @op(ptr noalias %in, i64 %n, ptr noalias %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i32, ptr %in, i64 %i
  %value = load i32, ptr %from
  %to = getelementptr inbounds i8, ptr %out, i64 12
  store i32 %value, ptr %to
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 7
  br i1 %again, label %loop, label %end
end:
  ret void
}

; CHECK: define void @memshape_skeleton(
; CHECK: call void @op(
; CHECK-NEXT: call void @memshape.reach(ptr null, i64 %{{.*}}, ptr null)
; CHECK: define internal void @memshape.reach(
; CHECK-NEXT: call void @memshape_sk_result(i32 0, i64 28)
; CHECK-NEXT: call void @memshape_sk_result(i32 1, i64 16)
; CHECK-NEXT: ret void
