; Works three times on one object through memshape_sk_repeat, which calls the library once; the object counts the real calls,
; and the block at the end is as large. Then meets unknown calls 2, 0 and 2.

declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)
declare void @memshape_sk_repeat(ptr, ptr)
declare void @memshape_sk_unknown(i32)
declare void @library_work(ptr)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
  %object = call ptr @memshape_sk_alloc(i64 8, i64 0, i32 0, i32 0)
  call void @memshape_sk_repeat(ptr @library_work, ptr %object)
  call void @memshape_sk_repeat(ptr @library_work, ptr %object)
  call void @memshape_sk_repeat(ptr @library_work, ptr %object)
  %calls = load i64, ptr %object
  call void @memshape_sk_free(ptr %object)
  %block = call ptr @memshape_sk_alloc(i64 %calls, i64 0, i32 1, i32 0)
  call void @memshape_sk_unknown(i32 2)
  call void @memshape_sk_unknown(i32 0)
  call void @memshape_sk_unknown(i32 2)
  ret void
}
