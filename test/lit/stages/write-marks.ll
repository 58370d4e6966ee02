; In front of the loop stands the range that all its iterations write.
; RUN: %opt -passes='memshape-operator<op>,memshape-write-marks' -S %s | FileCheck %s

define void @op(i64 %n) {
entry:
  %block = call ptr @memshape_sk_alloc(i64 4096, i64 0, i32 0, i32 1)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr inbounds i64, ptr %block, i64 %i
  store i64 %i, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)

; CHECK: entry:
; CHECK: %block = call ptr @memshape_sk_alloc(i64 4096, i64 0, i32 0, i32 5)
; CHECK: [[TIMES:%.*]] = call i64 @llvm.smax.i64(i64 %n, i64 1)
; CHECK: call void @memshape_sk_touch(ptr {{.*}}, i64 8, i64 8, i64 [[TIMES]])
; CHECK: loop:
; CHECK: store i64 %i,
