; Elements that data picks are appended to an array that doubles. Both loops advance one iterator, so that no more is
; appended than lies between its start and its end; and where the array has a capacity, it has a block.
; RUN: %opt -passes='memshape-operator<op>,memshape-count-blocks,memshape-simplify<root>' -S %s | FileCheck %s

define dso_local void @op(ptr %x, i64 range(i64 1, 1000000) %n) {
start:
  %end = getelementptr inbounds float, ptr %x, i64 %n
  br label %outer

outer:
  %from = phi ptr [ %x, %start ], [ %next, %push ]
  %length = phi i64 [ 0, %start ], [ %longer, %push ]
  %capacity = phi i64 [ 0, %start ], [ %now, %push ]
  %block = phi ptr [ inttoptr (i64 4 to ptr), %start ], [ %held, %push ]
  br label %inner

inner:
  %at = phi ptr [ %from, %outer ], [ %next, %look ]
  %done = icmp eq ptr %at, %end
  br i1 %done, label %exit, label %look

look:
  %next = getelementptr inbounds i8, ptr %at, i64 4
  %value = load float, ptr %at, align 4
  %unwanted = fcmp ule float %value, 0.0
  br i1 %unwanted, label %inner, label %wanted

wanted:
  %full = icmp eq i64 %length, %capacity
  br i1 %full, label %grow, label %push

grow:
  %twice = shl nuw nsw i64 %capacity, 1
  %more = call i64 @llvm.umax.i64(i64 %twice, i64 4)
  %bytes = shl nuw nsw i64 %more, 2
  %empty = icmp eq i64 %capacity, 0
  br i1 %empty, label %first, label %again

first:
  %fresh = call ptr @memshape_sk_alloc(i64 %bytes, i64 0, i32 0, i32 0)
  br label %push

again:
  %larger = call ptr @memshape_sk_realloc(ptr %block, i64 %bytes, i32 0, i32 0)
  br label %push

push:
  %now = phi i64 [ %capacity, %wanted ], [ %more, %first ], [ %more, %again ]
  %held = phi ptr [ %block, %wanted ], [ %fresh, %first ], [ %larger, %again ]
  %place = getelementptr inbounds float, ptr %held, i64 %length
  store float %value, ptr %place, align 4
  %longer = add nuw nsw i64 %length, 1
  br label %outer

exit:
  ret void
}

declare i64 @llvm.umax.i64(i64, i64)
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare ptr @memshape_sk_realloc(ptr, i64, i32, i32)

; CHECK: define internal void @ceiling(ptr %{{.*}}, i64 {{.*}}%[[N:.*]])
; CHECK-NOT: smul
; CHECK-NOT: i64 9223372036854775807, i64 0, i32 0
; CHECK: call ptr @memshape_sk_alloc(i64 %
