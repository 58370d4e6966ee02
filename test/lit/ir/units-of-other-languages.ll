; The trees of types of two languages have different roots, and what one unit has written, a unit of another language may
; read. Of one root, an integer is no number with a point. So too where types have sizes (-new-struct-path-tbaa).
; RUN: %opt -passes='memshape-operator<op>,memshape-slice' -S %s 2>/dev/null | FileCheck %s
; RUN: %opt -passes='memshape-operator<data>,memshape-slice' -S %s 2>/dev/null | FileCheck %s --check-prefix=DATA
; RUN: %opt -passes='memshape-operator<alike>,memshape-slice' -S %s 2>/dev/null | FileCheck %s --check-prefix=ALIKE
; RUN: %opt -passes='memshape-operator<sized>,memshape-slice' -S %s 2>/dev/null | FileCheck %s --check-prefix=SIZED
; RUN: %opt -passes='memshape-operator<copied>,memshape-slice' -S %s 2>/dev/null | FileCheck %s --check-prefix=COPIED

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; The length and the address of the block come from a structure that C has filled.
; CHECK: define {{.*}}@fortran(
; CHECK: load ptr
; CHECK: load i64
; CHECK: call {{.*}}@memshape_sk_alloc(i64
define i64 @fortran(ptr %descriptor, i64 %depth) {
entry:
  %inner = load ptr, ptr %descriptor, !tbaa !10
  %bytes = load i64, ptr %inner, !tbaa !13
  %block = call ptr @malloc(i64 %bytes)
  call void @free(ptr %block)
  %more = icmp sgt i64 %depth, 1
  br i1 %more, label %again, label %end
again:
  %less = add i64 %depth, -1
  %rest = call i64 @fortran(ptr %descriptor, i64 %less)
  br label %end
end:
  ret i64 %bytes
}

define void @op(i64 %n, i64 %depth) {
  %extent = alloca i64
  %descriptor = alloca [6 x i64]
  store i64 %n, ptr %extent, !tbaa !2
  store ptr %extent, ptr %descriptor, !tbaa !4
  %sum = call i64 @fortran(ptr %descriptor, i64 %depth)
  ret void
}

; DATA: define {{.*}}@fortran(
; DATA: memshape_sk_{{(bounded_)?}}value
define void @data(i64 %n, i64 %depth, ptr %x) {
  %extent = alloca i64
  %descriptor = alloca [6 x i64]
  %datum = load i64, ptr %x, !tbaa !2
  store i64 %datum, ptr %extent, !tbaa !2
  store ptr %extent, ptr %descriptor, !tbaa !4
  %sum = call i64 @fortran(ptr %descriptor, i64 %depth)
  ret void
}

; Numbers with a point beside the length, at places that nobody knows.
; ALIKE: define {{.*}}@looked(
; ALIKE-NOT: memshape_sk_{{(bounded_)?}}value
; ALIKE: ret i64
define i64 @looked(ptr %bytes, i64 %depth, ptr %x) {
entry:
  %size = load i64, ptr %bytes, !tbaa !2
  %place = getelementptr inbounds double, ptr %bytes, i64 %depth
  %datum = load double, ptr %x, !tbaa !6
  store double %datum, ptr %place, !tbaa !6
  %block = call ptr @malloc(i64 %size)
  call void @free(ptr %block)
  %more = icmp sgt i64 %depth, 1
  br i1 %more, label %again, label %end
again:
  %less = add i64 %depth, -1
  %rest = call i64 @looked(ptr %bytes, i64 %less, ptr %x)
  br label %end
end:
  ret i64 %size
}

define void @alike(i64 %n, i64 %depth, ptr %x) {
  %bytes = call ptr @malloc(i64 4096)
  store i64 %n, ptr %bytes, !tbaa !2
  %sum = call i64 @looked(ptr %bytes, i64 %depth, ptr %x)
  call void @free(ptr %bytes)
  ret void
}

; SIZED: define {{.*}}@measured(
; SIZED-NOT: memshape_sk_{{(bounded_)?}}value
; SIZED: ret i64
define i64 @measured(ptr %bytes, i64 %depth, ptr %x) {
entry:
  %size = load i64, ptr %bytes, !tbaa !23
  %place = getelementptr inbounds double, ptr %bytes, i64 %depth
  %datum = load double, ptr %x, !tbaa !24
  store double %datum, ptr %place, !tbaa !24
  %block = call ptr @malloc(i64 %size)
  call void @free(ptr %block)
  %more = icmp sgt i64 %depth, 1
  br i1 %more, label %again, label %end
again:
  %less = add i64 %depth, -1
  %rest = call i64 @measured(ptr %bytes, i64 %less, ptr %x)
  br label %end
end:
  ret i64 %size
}

define void @sized(i64 %n, i64 %depth, ptr %x) {
  %bytes = call ptr @malloc(i64 4096)
  store i64 %n, ptr %bytes, !tbaa !23
  %sum = call i64 @measured(ptr %bytes, i64 %depth, ptr %x)
  call void @free(ptr %bytes)
  ret void
}

; A copy as bytes keeps what one language has written to be read in the other.
; COPIED: define {{.*}}@fortran(
; COPIED-NOT: memshape_sk_{{(bounded_)?}}value
; COPIED: load i64
; COPIED-NOT: memshape_sk_{{(bounded_)?}}value
; COPIED: ret i64
define void @copied(i64 %n, i64 %depth) {
  %extent = alloca [6 x i64]
  %copy = call ptr @malloc(i64 48)
  %descriptor = alloca [6 x i64]
  store i64 %n, ptr %extent, !tbaa !2
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %extent, i64 48, i1 false)
  store ptr %copy, ptr %descriptor, !tbaa !4
  %sum = call i64 @fortran(ptr %descriptor, i64 %depth)
  call void @free(ptr %copy)
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{!"Simple C++ TBAA"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"long", !1, i64 0}
!4 = !{!5, !5, i64 0}
!5 = !{!"any pointer", !1, i64 0}
!6 = !{!7, !7, i64 0}
!7 = !{!"double", !1, i64 0}
!8 = !{!"root of a Fortran function"}
!9 = !{!"any access", !8, i64 0}
!10 = !{!11, !11, i64 0}
!11 = !{!"descriptor member", !9, i64 0}
!12 = !{!"any data access", !9, i64 0}
!13 = !{!14, !14, i64 0}
!14 = !{!"target data", !12, i64 0}
!20 = !{!0, i64 1, !"omnipotent char"}
!21 = !{!20, i64 8, !"long"}
!22 = !{!20, i64 8, !"double"}
!23 = !{!21, !21, i64 0, i64 8}
!24 = !{!22, !22, i64 0, i64 8}
