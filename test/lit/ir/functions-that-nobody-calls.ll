; What a virtual function that nobody calls would do is no matter: here it puts another function into the slot.
; RUN: %opt -passes='memshape-operator<op>,memshape-resolve' -S %s | FileCheck %s

@slot = internal global ptr null
@table = internal constant [2 x ptr] [ptr @twice, ptr @change]
define i64 @op(i64 %n) {
  store ptr @table, ptr @slot
  call void @count(i64 %n)
  %functions = load ptr, ptr @slot
  %function = load ptr, ptr %functions
  %result = call i64 %function(i64 %n)
  ret i64 %result
}
define internal i64 @twice(i64 %n) {
  %twice = shl i64 %n, 1
  ret i64 %twice
}
define internal i64 @change(i64 %n) {
  %new = call ptr @found()
  store ptr %new, ptr @slot
  ret i64 0
}
declare ptr @found()
declare void @count(i64)

; CHECK: define {{.*}}@op(
; CHECK: [[TWICE:%.*]] = shl i64 %n, 1
; CHECK: ret i64 [[TWICE]]
