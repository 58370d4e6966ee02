; Shape 0 says how: abort, exit, a C++ throw, a failed assertion, std::__throw_length_error, or a division by zero, a null pointer,
; endless recursion, an endless loop, a block freed twice, a site or a decision that nobody announced.

@zero = internal global i64 0
@memshape_sk_work = external global i64
declare void @abort() noreturn
declare void @exit(i32) noreturn
declare void @__cxa_throw(ptr, ptr, ptr) noreturn
declare void @__assert_fail(ptr, ptr, i32, ptr) noreturn
declare void @_ZSt20__throw_length_errorPKc(ptr) noreturn
define internal i64 @recurse(i64 %n) noinline optnone {
  %room = alloca [1000 x i64]
  store volatile i64 %n, ptr %room
  %m = add i64 %n, 1
  %r = call i64 @recurse(i64 %m)
  %s = load volatile i64, ptr %room
  %sum = add i64 %r, %s
  ret i64 %sum
}
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare void @memshape_sk_free(ptr)
declare i32 @memshape_sk_decide(i32, i32)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
  %how = load i64, ptr %shape
  switch i64 %how, label %fine [
    i64 1, label %abort
    i64 2, label %exit
    i64 3, label %throw
    i64 4, label %assert
    i64 5, label %length
    i64 6, label %divide
    i64 7, label %null
    i64 8, label %deep
    i64 9, label %forever
    i64 10, label %twice
    i64 11, label %site
    i64 12, label %decision
    i64 13, label %overflow
    i64 14, label %large
  ]
abort:
  call void @abort()
  unreachable
exit:
  call void @exit(i32 0)
  unreachable
throw:
  call void @__cxa_throw(ptr null, ptr null, ptr null)
  unreachable
assert:
  call void @__assert_fail(ptr null, ptr null, i32 1, ptr null)
  unreachable
length:
  call void @_ZSt20__throw_length_errorPKc(ptr null)
  unreachable
divide:
  %zero = load i64, ptr @zero
  %quotient = sdiv i64 %how, %zero
  store i64 %quotient, ptr @zero
  ret void
null:
  store volatile i64 1, ptr inttoptr (i64 64 to ptr)
  ret void
deep:
  %depth = call i64 @recurse(i64 %how)
  ret void
forever:
  br label %forever2
forever2:
  store volatile i64 1, ptr @zero
  br label %forever2
twice:
  %block = call ptr @memshape_sk_alloc(i64 10, i64 0, i32 0, i32 0)
  call void @memshape_sk_free(ptr %block)
  call void @memshape_sk_free(ptr %block)
  ret void
site:
  %stray = call ptr @memshape_sk_alloc(i64 10, i64 0, i32 4000000000, i32 0)
  ret void
decision:
  %asked = call i32 @memshape_sk_decide(i32 77, i32 0)
  ret void
overflow:
  %left = load i64, ptr @memshape_sk_work
  %less = sub i64 %left, 3000000 ; 1,500 us
  store i64 %less, ptr @memshape_sk_work
  %half = call ptr @memshape_sk_alloc(i64 9223372036854775807, i64 0, i32 0, i32 1)
  %more = call ptr @memshape_sk_alloc(i64 1, i64 0, i32 1, i32 1)
  ret void
large:
  %huge = call ptr @memshape_sk_alloc(i64 90071992547409920, i64 0, i32 1, i32 0)
  ret void
fine:
  ret void
}
