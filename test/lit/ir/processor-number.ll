; The number of the processor that asks is no fact of a machine, whether the whole answer is frozen on the way or not,
; and in whatever order the statement names its registers.
; RUN: %opt -passes='memshape-operator<frozen>,memshape-slice' -S %s 2>&1 >/dev/null | FileCheck %s
; RUN: %opt -passes='memshape-operator<turned>,memshape-slice' -S %s 2>&1 >/dev/null | FileCheck %s
; RUN: %opt -passes='memshape-operator<handedOn>,memshape-slice' -S %s 2>&1 >/dev/null | FileCheck %s
; RUN: %opt -passes='memshape-operator<alone>,memshape-slice' -S %s 2>&1 >/dev/null | FileCheck %s
; RUN: %opt -passes='memshape-operator<moved>,memshape-slice' -S %s 2>&1 >/dev/null | FileCheck %s
; RUN: %opt -passes='memshape-operator<size>,memshape-slice' -S %s 2>&1 >/dev/null | %says '"decisions": []'
; CHECK: "decisions": [
; CHECK: "effect": "condition_in_size"
; CHECK: "kind": "branch"

declare ptr @malloc(i64)
@kept = global ptr null

define internal void @take(i32 %number) alwaysinline {
  %odd = and i32 %number, 16777216
  %is = icmp eq i32 %odd, 0
  %bytes = select i1 %is, i64 10, i64 20
  %block = call ptr @malloc(i64 %bytes)
  store ptr %block, ptr @kept
  ret void
}

define void @frozen(i32 %n) {
  %all = call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},0,2"(i32 1, i32 0)
  %frozen = freeze { i32, i32, i32, i32 } %all
  %number = extractvalue { i32, i32, i32, i32 } %frozen, 1
  call void @take(i32 %number)
  ret void
}

define void @turned(i32 %n) {
  %all = call { i32, i32, i32, i32 } asm "cpuid", "={bx},={ax},={cx},={dx},{cx},{ax}"(i32 0, i32 1)
  %number = extractvalue { i32, i32, i32, i32 } %all, 0
  call void @take(i32 %number)
  ret void
}

; As <cpuid.h> asks.
define void @handedOn(i32 %n) {
  %all = call { i32, i32, i32, i32 } asm "xchgq %rbx, ${1:q}\0Acpuid\0Axchgq %rbx, ${1:q}", "={ax},=r,={cx},={dx},0"(i32 1)
  %number = extractvalue { i32, i32, i32, i32 } %all, 1
  call void @take(i32 %number)
  ret void
}

define void @moved(i32 %n) {
  %number = call i32 asm "cpuid\0Amov %ebx, %eax", "={ax},{ax},~{bx},~{cx},~{dx}"(i32 1)
  call void @take(i32 %number)
  ret void
}

define void @alone(i32 %n) {
  %number = call i32 asm "cpuid", "={bx},{ax},~{cx},~{dx}"(i32 1)
  call void @take(i32 %number)
  ret void
}

; All processors of a machine have the same features.
define void @size(i32 %n) {
  %all = call { i32, i32, i32, i32 } asm "cpuid", "={bx},={ax},={cx},={dx},{cx},{ax}"(i32 0, i32 1)
  %features = extractvalue { i32, i32, i32, i32 } %all, 3
  call void @take(i32 %features)
  ret void
}
