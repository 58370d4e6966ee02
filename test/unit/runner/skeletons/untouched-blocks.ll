; Three blocks of n bytes that nobody touches; their sizes are asked for, two are freed in the other order.

declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)
declare i64 @memshape_sk_block_size(ptr)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
  %n = load i64, ptr %shape
  %a = call ptr @memshape_sk_alloc(i64 %n, i64 64, i32 0, i32 1)
  %b = call ptr @memshape_sk_alloc(i64 %n, i64 64, i32 1, i32 3)
  %size = call i64 @memshape_sk_block_size(ptr %b)
  call void @memshape_sk_free(ptr %a)
  %c = call ptr @memshape_sk_alloc(i64 %size, i64 0, i32 2, i32 1)
  call void @memshape_sk_free(ptr %c)
  ret void
}
