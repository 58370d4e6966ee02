; n turns; in each a block of 100 bytes comes, and of two blocks that may live from turn to turn, a decision says which
; one is replaced by it. The state: the turn and which slots are filled.

declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)
declare i32 @memshape_sk_decide_at(i32, i32, i32, ptr, i32, ptr)
declare void @memshape_sk_variable(ptr, i64)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
entry:
  %slots = alloca [2 x ptr]
  %live = alloca [1 x i64]
  call void @memshape_sk_variable(ptr %slots, i64 16)
  %n = load i64, ptr %shape
  store ptr null, ptr %slots
  %second = getelementptr ptr, ptr %slots, i64 1
  store ptr null, ptr %second
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  store i64 %i, ptr %live
  %answer = call i32 @memshape_sk_decide_at(i32 0, i32 0, i32 1, ptr %live, i32 1, ptr null)
  %which = zext i32 %answer to i64
  %slot = getelementptr ptr, ptr %slots, i64 %which
  %old = load ptr, ptr %slot
  call void @memshape_sk_free(ptr %old)
  %block = call ptr @memshape_sk_alloc(i64 100, i64 0, i32 0, i32 1)
  store ptr %block, ptr %slot
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %done, label %loop
done:
  %a = load ptr, ptr %slots
  call void @memshape_sk_free(ptr %a)
  %b = load ptr, ptr %second
  call void @memshape_sk_free(ptr %b)
  ret void
}
