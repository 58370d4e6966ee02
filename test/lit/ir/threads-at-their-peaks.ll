; Of blocks of threads there are as many as threads, each with 512 bytes of the C library's; those that outlive their
; thread count as often as they are allocated. Which number a thread takes next is below the limit.
; RUN: %opt -passes='memshape-operator<op>,memshape-count-blocks,memshape-simplify<root>' -S %s | FileCheck %s

define dso_local void @op() {
  %next = alloca i32
  %kept = alloca [8 x ptr]
  store i32 0, ptr %next
  call void asm sideeffect "", "r,r,~{memory}"(ptr %next, ptr %kept)
  br label %start
start:
  %t = phi i32 [ 0, %0 ], [ %another, %end ]
  call void @memshape_sk_spawn(i32 0)
  br label %take
take:
  %row = atomicrmw add ptr %next, i32 1 seq_cst
  %more = icmp slt i32 %row, 8
  br i1 %more, label %use, label %end
use:
  %bytes = zext i32 %row to i64
  %own = call ptr @memshape_sk_alloc(i64 %bytes, i64 0, i32 0, i32 1)
  call void @memshape_sk_free(ptr %own)
  %one = call ptr @memshape_sk_alloc(i64 100, i64 0, i32 0, i32 1)
  %where = getelementptr [8 x ptr], ptr %kept, i64 0, i64 %bytes
  store ptr %one, ptr %where
  br label %take
end:
  %id = call i64 @memshape_sk_spawned(i32 0)
  call void asm sideeffect "", "~{memory}"()
  %another = add nuw nsw i32 %t, 1
  %starts = icmp slt i32 %another, 3
  br i1 %starts, label %start, label %join
join:
  call void @memshape_sk_join(i64 %id)
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)
declare void @memshape_sk_spawn(i32)
declare i64 @memshape_sk_spawned(i32)
declare void @memshape_sk_join(i64)

; 3 * (7 + 512) + 8 * 100
; CHECK: define internal void @ceiling()
; CHECK-NEXT: call ptr @memshape_sk_alloc(i64 2357,
