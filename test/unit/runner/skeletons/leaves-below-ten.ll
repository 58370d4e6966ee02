; A shape below 10 leaves for reason 3 while a block lives; setting 0, rounded, is the size of the block.

declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)
declare void @memshape_sk_leave(i32) noreturn

define void @memshape_skeleton(ptr %shape, ptr %settings) {
  %s = load double, ptr %settings
  %bytes = fptosi double %s to i64
  %block = call ptr @memshape_sk_alloc(i64 %bytes, i64 0, i32 0, i32 1)
  %n = load i64, ptr %shape
  %small = icmp slt i64 %n, 10
  br i1 %small, label %bad, label %good
bad:
  call void @memshape_sk_leave(i32 3)
  unreachable
good:
  call void @memshape_sk_free(ptr %block)
  ret void
}
