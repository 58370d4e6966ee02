; One block grows n times by 16 bytes, from null; then it is freed.

declare ptr @memshape_sk_realloc(ptr, i64, i32, i32)
declare void @memshape_sk_free(ptr)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
entry:
  %n = load i64, ptr %shape
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %old = phi ptr [ null, %entry ], [ %block, %loop ]
  %next = add i64 %i, 1
  %bytes = mul i64 %next, 16
  %block = call ptr @memshape_sk_realloc(ptr %old, i64 %bytes, i32 0, i32 0)
  store i64 %i, ptr %block
  %last = icmp eq i64 %next, %n
  br i1 %last, label %done, label %loop
done:
  call void @memshape_sk_free(ptr %block)
  ret void
}
