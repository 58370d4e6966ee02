; n times: a block of 24 bytes, a block of 200 bytes, both freed. The cost of a pair is measured with it.

declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
entry:
  %n = load i64, ptr %shape
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = call ptr @memshape_sk_alloc(i64 24, i64 0, i32 0, i32 0)
  %b = call ptr @memshape_sk_alloc(i64 200, i64 0, i32 1, i32 0)
  call void @memshape_sk_free(ptr %a)
  call void @memshape_sk_free(ptr %b)
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %done, label %loop
done:
  ret void
}
