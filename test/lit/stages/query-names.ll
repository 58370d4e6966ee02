; A question for a workspace gets the name of the function that answers it.
; RUN: %opt -passes='memshape-operator<op>,memshape-query-names' -S %s | %says "call void @dsyev_(ptr %%n)"

define void @op(ptr %n) {
  call void @memshape.query.dsyev_(ptr %n)
  ret void
}
declare void @memshape.query.dsyev_(ptr)

