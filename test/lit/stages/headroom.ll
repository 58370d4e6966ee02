; A loop that grows something where its place has come to the end is written twice, once without growth.
; RUN: %opt -passes='memshape-operator<op>,memshape-headroom' -S %s | FileCheck %s

define void @op(i64 %n, i64 %room, ptr %in) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %more ]
  %place = phi i64 [ 0, %entry ], [ %behind, %more ]
  %one = add i64 %place, 3
  %value = load volatile i1, ptr %in
  %full = icmp uge i64 %place, %room
  br i1 %full, label %grow, label %more
grow:
  %new = call ptr @memshape_sk_alloc(i64 %place, i64 0, i32 0, i32 0)
  br label %more
more:
  %behind = select i1 %value, i64 %one, i64 %place
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK: [[MOVES:%.*]] = mul {{.*}}i128 {{.*}}, 3
; CHECK: icmp ult i128 [[MOVES]],
; CHECK: loop.full:
