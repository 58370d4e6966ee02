; A loop whose iterations allocate and free alike tells the runner how many there are.
; RUN: %opt -passes='memshape-operator<op>,memshape-alike-iterations' -S %s | FileCheck %s

define void @op(i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %block = call ptr @memshape_sk_alloc(i64 24, i64 0, i32 0, i32 1)
  call void @memshape_sk_free(ptr %block)
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)

; CHECK: [[COUNT:%.*]] = add i64 {{.*}}, 1
; CHECK: call void @memshape_sk_turns_begin()
; CHECK: loop:
; CHECK: call ptr @memshape_sk_alloc(
; CHECK: call i32 @memshape_sk_turns(i64 [[COUNT]])
; CHECK: call void @memshape_sk_turns_end()
