; What an unknown function writes, or one that is never executed, may hold pointers, also where it keeps nothing: the way
; on which they are used stays.
; RUN: split-file %s %t
; RUN: %opt -passes='memshape-summaries<%t/make.json>,memshape-operator<op>,memshape-resolve' -S %t/op.ll | FileCheck %s
; RUN: %opt -passes='memshape-summaries<%t/open.json>,memshape-operator<op>,memshape-resolve' -S %t/op.ll | FileCheck %s

; CHECK: define {{.*}}@op(
; CHECK: call void @make(
; CHECK-NOT: memshape_sk_leave
; CHECK: call void @count(
; CHECK: ret void

;--- make.json
{"schema": "memshape.libraries/1",
 "libraries": [{"name": "l", "functions": [{"names": ["make"], "treatment": "unknown", "writes": [0]}]}]}

;--- open.json
{"schema": "memshape.libraries/1",
 "libraries": [{"name": "l", "functions": [{"names": ["make"], "treatment": "forbidden", "writes": [0]}]}]}

;--- op.ll
define void @op(i64 %n) {
  %made = alloca ptr
  %large = icmp sgt i64 %n, 100
  br i1 %large, label %make, label %end

make:
  call void @make(ptr %made)
  %place = load ptr, ptr %made
  %number = load i64, ptr %place
  call void @count(i64 %number)
  br label %end

end:
  ret void
}
declare void @make(ptr)
declare void @count(i64)
