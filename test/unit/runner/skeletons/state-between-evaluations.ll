; Counts its calls in plain, thread-local and constructed data: any memory of an earlier evaluation would make the block larger.
; Reads tensor 5, which must be zeros, and writes to it.

@plain = internal global i64 0
@local = internal thread_local global i64 10
@made = internal global i64 0
@table = internal global ptr null
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @construct, ptr null }]
declare ptr @llvm.threadlocal.address.p0(ptr)
define internal void @construct() {
  store i64 100, ptr @made
  %t = call ptr @memshape_sk_alloc(i64 8, i64 0, i32 0, i32 0)
  store ptr %t, ptr @table
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare ptr @memshape_sk_tensor(i32)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
  %a = load i64, ptr @plain
  %slot = call ptr @llvm.threadlocal.address.p0(ptr @local)
  %b = load i64, ptr %slot
  %c = load i64, ptr @made
  %table = load ptr, ptr @table
  %d = load i64, ptr %table
  %tensor = call ptr @memshape_sk_tensor(i32 5)
  %far = getelementptr i64, ptr %tensor, i64 123456789
  %e = load i64, ptr %far
  %a2 = add i64 %a, 1
  store i64 %a2, ptr @plain
  %b2 = add i64 %b, 1
  store i64 %b2, ptr %slot
  %c2 = add i64 %c, 1
  store i64 %c2, ptr @made
  store i64 %a2, ptr %table
  store i64 1, ptr %far
  %again = call ptr @memshape_sk_tensor(i32 5)
  %same = icmp eq ptr %again, %tensor
  %moved = select i1 %same, i64 0, i64 1000
  %s1 = add i64 %a, %b
  %s2 = add i64 %s1, %c
  %s3 = add i64 %s2, %d
  %s4 = add i64 %s3, %e
  %s5 = add i64 %s4, %moved
  %block = call ptr @memshape_sk_alloc(i64 %s5, i64 0, i32 0, i32 0)
  ret void
}
