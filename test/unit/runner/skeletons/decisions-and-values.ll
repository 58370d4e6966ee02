; Decision 0, asked n times, makes a block of 100 bytes where it is 1; decision 1 is an integer: a block of so many bytes.

declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare i32 @memshape_sk_decide(i32, i32)
declare i64 @memshape_sk_value(i32, i64)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
entry:
  %n = load i64, ptr %shape
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %answer = call i32 @memshape_sk_decide(i32 0, i32 0)
  %yes = icmp ne i32 %answer, 0
  br i1 %yes, label %make, label %latch
make:
  %block = call ptr @memshape_sk_alloc(i64 100, i64 0, i32 0, i32 1)
  br label %latch
latch:
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %done, label %loop
done:
  %count = call i64 @memshape_sk_value(i32 1, i64 7)
  %more = call ptr @memshape_sk_alloc(i64 %count, i64 0, i32 1, i32 1)
  ret void
}
