; Nobody writes to a table of constants, whoever has its address.
; RUN: %opt -passes='memshape-operator<op>,memshape-resolve' -S %s | FileCheck %s

@table = internal constant [1 x ptr] [ptr @twice]
@other = internal constant [2 x ptr] [ptr @twice, ptr null]
define i64 @op(i64 %n) {
  call void @keep(ptr @table)
  call void @keep(ptr @other)
  %large = icmp sgt i64 %n, 100
  %functions = select i1 %large, ptr @table, ptr @other
  %function = load ptr, ptr %functions
  %result = call i64 %function(i64 %n)
  ret i64 %result
}
define internal i64 @twice(i64 %n) {
  %twice = shl i64 %n, 1
  ret i64 %twice
}
declare void @keep(ptr)

; CHECK: define {{.*}}@op(
; CHECK: [[TWICE:%.*]] = shl i64 %n, 1
; CHECK: ret i64 [[TWICE]]
