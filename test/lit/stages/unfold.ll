; A body of a library is made plain: loops that ask for it are unrolled, it is inlined where a type is known.
; RUN: %opt -passes='memshape-operator<op>,memshape-unfold' -S %s | FileCheck %s

@type = internal constant i64 24
define internal i64 @memshape.body.of_type(ptr %type, i64 %rank) noinline {
entry:
  %bytes = load i64, ptr %type
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %sum = phi i64 [ 0, %entry ], [ %more, %next ]
  %more = add i64 %sum, %bytes
  %j = add i64 %i, 1
  %again = icmp slt i64 %j, %rank
  br i1 %again, label %next, label %end, !llvm.loop !0
end:
  ret i64 %more
}
define i64 @op(ptr %in, i64 %n) {
; CHECK: ret i64 72
  %own = alloca [64 x i8]
  %meet = call i1 @memshape_overlap(ptr %own, i64 64, ptr %in, i64 0, i64 %n)
  %three = select i1 %meet, i64 %n, i64 3
  %sum = call i64 @memshape.body.of_type(ptr @type, i64 %three)
  ret i64 %sum
}
declare i1 @memshape_overlap(ptr, i64, ptr, i64, i64)
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
