; Each place that allocates gets its number; copies of one call share it.
; RUN: %opt -passes='memshape-operator<op>,memshape-sites' -S %s | FileCheck %s

define void @op(i64 %n) {
  %one = call ptr @memshape_sk_alloc(i64 %n, i64 0, i32 0, i32 1), !memshape.allocator !0
  %other = call ptr @memshape_sk_alloc(i64 8, i64 0, i32 0, i32 1), !memshape.allocator !1
  %again = call ptr @memshape_sk_alloc(i64 9, i64 0, i32 0, i32 1), !memshape.allocator !0
  ret void
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
!0 = !{!"malloc", !"host"}
!1 = !{!"operator new", !"host"}

; CHECK: %one = call ptr @memshape_sk_alloc(i64 %n, i64 0, i32 0, i32 1)
; CHECK: %other = call ptr @memshape_sk_alloc(i64 8, i64 0, i32 1, i32 1)
; CHECK: %again = call ptr @memshape_sk_alloc(i64 9, i64 0, i32 0, i32 1)
