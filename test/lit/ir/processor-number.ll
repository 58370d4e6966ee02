; The number of the processor that asks is no fact of a machine, whether the whole answer is frozen on the way or not.
; RUN: %opt -passes='memshape-operator<op>,memshape-slice' -S %s 2>&1 >/dev/null | FileCheck %s
; CHECK: "decisions": [
; CHECK: "effect": "condition_in_size"
; CHECK: "kind": "branch"

declare ptr @malloc(i64)
@kept = global ptr null

define void @op(i32 %n) {
  %all = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},0,2"(i32 1, i32 0)
  %frozen = freeze { i32, i32, i32, i32 } %all
  %number = extractvalue { i32, i32, i32, i32 } %frozen, 1
  %odd = and i32 %number, 16777216
  %is = icmp eq i32 %odd, 0
  %bytes = select i1 %is, i64 10, i64 20
  %block = call ptr @malloc(i64 %bytes)
  store ptr %block, ptr @kept
  ret void
}
