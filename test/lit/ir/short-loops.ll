; A loop of few iterations reads the fields that it counts, by an index or by a pointer that walks, and not what lies
; behind them in the same object: three extents stay apart from data. A long loop does not.
; RUN: %opt -passes='memshape-operator<op>,memshape-slice' -S %s 2>/dev/null | FileCheck %s
; RUN: %opt -passes='memshape-operator<long>,memshape-slice' -S %s 2>/dev/null | FileCheck %s --check-prefix=LONG

; CHECK: define {{.*}}@op(
; CHECK-NOT: memshape_sk_{{(bounded_)?}}value
; CHECK: ret void

; LONG: define {{.*}}@long(
; LONG: memshape_sk_{{(bounded_)?}}value

define void @op(i64 %n, ptr %x) {
entry:
  %image = call ptr @malloc(i64 64)
  %second = getelementptr inbounds i8, ptr %image, i64 8
  %third = getelementptr inbounds i8, ptr %image, i64 16
  %mean = getelementptr inbounds i8, ptr %image, i64 40
  store i64 %n, ptr %image
  store i64 2, ptr %second
  store i64 3, ptr %third
  %datum = load i64, ptr %x
  store i64 %datum, ptr %mean
  br label %index

index:
  %i = phi i64 [ 0, %entry ], [ %i.next, %index ]
  %product = phi i64 [ 1, %entry ], [ %product.next, %index ]
  %place = getelementptr inbounds nuw i64, ptr %image, i64 %i
  %extent = load i64, ptr %place
  %product.next = mul i64 %product, %extent
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, 3
  %any = icmp ne i64 %extent, 0
  %on = select i1 %any, i1 %more, i1 false
  br i1 %on, label %index, label %walk

walk:
  %j = phi i64 [ 3, %index ], [ %j.next, %walk ]
  %at = phi ptr [ %image, %index ], [ %at.next, %walk ]
  %sum = phi i64 [ 0, %index ], [ %sum.next, %walk ]
  %walked = load i64, ptr %at
  %sum.next = add i64 %sum, %walked
  %at.next = getelementptr inbounds i8, ptr %at, i64 8
  %j.next = add i64 %j, -1
  %last = icmp eq i64 %j.next, 0
  br i1 %last, label %end, label %walk

end:
  %all = add i64 %product.next, %sum.next
  %block = call ptr @malloc(i64 %all)
  call void @free(ptr %block)
  call void @free(ptr %image)
  ret void
}

define void @long(i64 %n, ptr %x) {
entry:
  %image = call ptr @malloc(i64 64)
  %second = getelementptr inbounds i8, ptr %image, i64 8
  %third = getelementptr inbounds i8, ptr %image, i64 16
  %mean = getelementptr inbounds i8, ptr %image, i64 40
  store i64 %n, ptr %image
  store i64 2, ptr %second
  store i64 3, ptr %third
  %datum = load i64, ptr %x
  store i64 %datum, ptr %mean
  br label %index

index:
  %i = phi i64 [ 0, %entry ], [ %i.next, %index ]
  %product = phi i64 [ 1, %entry ], [ %product.next, %index ]
  %place = getelementptr inbounds nuw i64, ptr %image, i64 %i
  %extent = load i64, ptr %place
  %product.next = mul i64 %product, %extent
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %i.next, 6
  br i1 %more, label %index, label %end

end:
  %block = call ptr @malloc(i64 %product.next)
  call void @free(ptr %block)
  call void @free(ptr %image)
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
