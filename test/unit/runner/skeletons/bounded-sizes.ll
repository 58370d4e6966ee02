; Decision 0 is an integer from data, which makes a block of 3 to n bytes; where n is above 1000 nothing is known of how
; many. Decision 1 chooses whether there is another block, as large as the greatest of the two bytes in a table.

@table = private constant [4 x i8] c"\05\FF\09\FF"

declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare i32 @memshape_sk_decide(i32, i32)
declare i64 @memshape_sk_bounded_value(i32, i64)
declare i64 @memshape_sk_within(i64, i64, i64)
declare i64 @memshape_sk_extreme(ptr, i64, i64, i64, i32)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
  %n = load i64, ptr %shape
  %known = icmp sle i64 %n, 1000
  %high = select i1 %known, i64 %n, i64 9223372036854775807
  %count = call i64 @memshape_sk_bounded_value(i32 0, i64 0)
  %size = call i64 @memshape_sk_within(i64 %count, i64 3, i64 %high)
  %block = call ptr @memshape_sk_alloc(i64 %size, i64 0, i32 0, i32 1)
  %answer = call i32 @memshape_sk_decide(i32 1, i32 0)
  %more = icmp ne i32 %answer, 0
  br i1 %more, label %another, label %done
another:
  %least = call i64 @memshape_sk_extreme(ptr @table, i64 0, i64 2, i64 2, i32 1)
  %greatest = call i64 @memshape_sk_extreme(ptr @table, i64 -4, i64 3, i64 2, i32 513)
  %other = call i64 @memshape_sk_within(i64 %count, i64 %least, i64 %greatest)
  %second = call ptr @memshape_sk_alloc(i64 %other, i64 0, i32 1, i32 1)
  br label %done
done:
  ret void
}
