; The function that stands for a team hands the work of one thread to the runner.
; RUN: %opt -passes='memshape-operator<op>,memshape-teams' -S %s | FileCheck %s

define void @op(i64 %n) {
  call void @team(i32 4, i64 %n)
  ret void
}
define internal void @team(i32 %threads, i64 %n) "memshape-team" {
  call void @member(i32 0, i64 %n)
  ret void
}
define internal void @member(i32 %thread, i64 %n) "memshape-team-member" {
  ret void
}

; CHECK: define internal void @team(
; CHECK: call void @memshape_sk_team(i32 %threads, ptr @memshape.team_body, ptr
; CHECK: define internal void @memshape.team_body(
; CHECK: call void @member(
