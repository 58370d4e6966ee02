; Members of std::string that the library has.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; for ceilings
;
; std::basic_string<char> of libstdc++: a pointer, a length, and room for 15 characters or the capacity. A skeleton calls
; these for real; a bound is counted from what they allocate. What has to be longer gets at least twice the capacity, in
; a block that is filled before the old one goes.

@memshape_creating = private constant [24 x i8] c"basic_string::_M_create\00", align 1
@memshape_replacing = private constant [25 x i8] c"basic_string::_M_replace\00", align 1
@memshape_replacing_characters = private constant [29 x i8] c"basic_string::_M_replace_aux\00", align 1
declare void @_ZSt20__throw_length_errorPKc(ptr)
declare i64 @llvm.umin.i64(i64, i64)
declare ptr @_Znwm(i64)
declare void @_ZdlPv(ptr)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define internal i64 @memshape_string_length(ptr %s) {
  %length.at = getelementptr inbounds i8, ptr %s, i64 8
  %length = load i64, ptr %length.at, align 8
  ret i64 %length
}

define internal i64 @memshape_string_capacity(ptr %s) {
  %text = load ptr, ptr %s, align 8
  %room = getelementptr inbounds i8, ptr %s, i64 16
  %short = icmp eq ptr %text, %room
  br i1 %short, label %inside, label %block
inside:
  ret i64 15
block:
  %capacity = load i64, ptr %room, align 8
  ret i64 %capacity
}

; What is behind so many characters is no part of the string.
define internal void @memshape_string_end(ptr %s, i64 %length) {
  %length.at = getelementptr inbounds i8, ptr %s, i64 8
  store i64 %length, ptr %length.at, align 8
  %text = load ptr, ptr %s, align 8
  %end = getelementptr inbounds i8, ptr %text, i64 %length
  store i8 0, ptr %end, align 1
  ret void
}

define internal void @memshape_string_set_block(ptr %s, ptr %block, i64 %capacity) {
  store ptr %block, ptr %s, align 8
  %room = getelementptr inbounds i8, ptr %s, i64 16
  store i64 %capacity, ptr %room, align 8
  ret void
}

; What stands behind the first Old of the characters from Place on stands behind the first New of them.
define internal void @memshape_string_shift(ptr %s, i64 %place, i64 %old, i64 %new) {
  %length = call i64 @memshape_string_length(ptr %s)
  %before = add i64 %old, %place
  %rest = sub i64 %length, %before
  %text = load ptr, ptr %s, align 8
  %at = getelementptr inbounds i8, ptr %text, i64 %place
  %to = getelementptr inbounds i8, ptr %at, i64 %new
  %from = getelementptr inbounds i8, ptr %at, i64 %old
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %rest, i1 false)
  ret void
}

; The length with New characters in place of Old ones.
define internal i64 @memshape_string_length_with(ptr %s, i64 %old, i64 %new, ptr %function) "memshape-throws" {
  %length = call i64 @memshape_string_length(ptr %s)
  %most = add i64 %old, 9223372036854775806
  %left = sub i64 %most, %length
  %beyond = icmp ult i64 %left, %new
  br i1 %beyond, label %throw, label %fits
throw:
  call void @_ZSt20__throw_length_errorPKc(ptr %function)
  unreachable
fits:
  %more = sub i64 %new, %old
  %with = add i64 %more, %length
  ret i64 %with
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %this, ptr %cap, i64 %old) "memshape-throws" {
entry:
  %wanted = load i64, ptr %cap, align 8
  %beyond = icmp ugt i64 %wanted, 9223372036854775806
  br i1 %beyond, label %throw, label %look
throw:
  call void @_ZSt20__throw_length_errorPKc(ptr @memshape_creating)
  unreachable
look:
  %grows = icmp ugt i64 %wanted, %old
  br i1 %grows, label %compare, label %make
compare:
  %double = shl nuw i64 %old, 1
  %less = icmp ult i64 %wanted, %double
  br i1 %less, label %twice, label %make
twice:
  %most = call i64 @llvm.umin.i64(i64 %double, i64 9223372036854775806)
  store i64 %most, ptr %cap, align 8
  br label %make
make:
  %capacity = load i64, ptr %cap, align 8
  %bytes = add i64 %capacity, 1
  %block = call ptr @_Znwm(i64 %bytes)
  ret ptr %block
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s) {
  %text = load ptr, ptr %s, align 8
  %room = getelementptr inbounds i8, ptr %s, i64 16
  %short = icmp eq ptr %text, %room
  br i1 %short, label %done, label %free
free:
  call void @_ZdlPv(ptr %text)
  br label %done
done:
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %pos, i64 %len1, ptr %t, i64 %len2) "memshape-throws" {
  %cap = alloca i64, align 8
  %length = call i64 @memshape_string_length(ptr %s)
  %before = add i64 %len1, %pos
  %rest = sub i64 %length, %before
  %more = sub i64 %len2, %len1
  %wanted = add i64 %more, %length
  store i64 %wanted, ptr %cap, align 8
  %old = call i64 @memshape_string_capacity(ptr %s)
  %block = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap, i64 %old)
  %text = load ptr, ptr %s, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %text, i64 %pos, i1 false)
  %at = getelementptr inbounds i8, ptr %block, i64 %pos
  %given = icmp ne ptr %t, null
  br i1 %given, label %put, label %move
put:
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %t, i64 %len2, i1 false)
  br label %move
move:
  %to = getelementptr inbounds i8, ptr %at, i64 %len2
  %from = getelementptr inbounds i8, ptr %text, i64 %before
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %rest, i1 false)
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  %capacity = load i64, ptr %cap, align 8
  call void @memshape_string_set_block(ptr %s, ptr %block, i64 %capacity)
  ret void
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr %t, i64 %n) "memshape-throws" {
  %length = call i64 @memshape_string_length(ptr %s)
  %wanted = add i64 %length, %n
  %capacity = call i64 @memshape_string_capacity(ptr %s)
  %full = icmp ugt i64 %wanted, %capacity
  br i1 %full, label %grow, label %put
put:
  %text = load ptr, ptr %s, align 8
  %at = getelementptr inbounds i8, ptr %text, i64 %length
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %t, i64 %n, i1 false)
  br label %done
grow:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %length, i64 0, ptr %t, i64 %n)
  br label %done
done:
  call void @memshape_string_end(ptr %s, i64 %wanted)
  ret ptr %s
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_replaceEmmPKcm(ptr %s, i64 %pos, i64 %len1, ptr %t, i64 %len2) "memshape-throws" {
  %wanted = call i64 @memshape_string_length_with(ptr %s, i64 %len1, i64 %len2, ptr @memshape_replacing)
  %capacity = call i64 @memshape_string_capacity(ptr %s)
  %full = icmp ugt i64 %wanted, %capacity
  br i1 %full, label %grow, label %put
put:
  call void @memshape_string_shift(ptr %s, i64 %pos, i64 %len1, i64 %len2)
  %text = load ptr, ptr %s, align 8
  %at = getelementptr inbounds i8, ptr %text, i64 %pos
  call void @llvm.memmove.p0.p0.i64(ptr %at, ptr %t, i64 %len2, i1 false)
  br label %done
grow:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %pos, i64 %len1, ptr %t, i64 %len2)
  br label %done
done:
  call void @memshape_string_end(ptr %s, i64 %wanted)
  ret ptr %s
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE14_M_replace_auxEmmmc(ptr %s, i64 %pos, i64 %n1, i64 %n2, i8 signext %c) "memshape-throws" {
  %wanted = call i64 @memshape_string_length_with(ptr %s, i64 %n1, i64 %n2, ptr @memshape_replacing_characters)
  %capacity = call i64 @memshape_string_capacity(ptr %s)
  %full = icmp ugt i64 %wanted, %capacity
  br i1 %full, label %grow, label %put
put:
  call void @memshape_string_shift(ptr %s, i64 %pos, i64 %n1, i64 %n2)
  br label %fill
grow:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %pos, i64 %n1, ptr null, i64 %n2)
  br label %fill
fill:
  %text = load ptr, ptr %s, align 8
  %at = getelementptr inbounds i8, ptr %text, i64 %pos
  call void @llvm.memset.p0.i64(ptr %at, i8 %c, i64 %n2, i1 false)
  call void @memshape_string_end(ptr %s, i64 %wanted)
  ret ptr %s
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_assignERKS4_(ptr %s, ptr %t) "memshape-throws" {
  %cap = alloca i64, align 8
  %same = icmp eq ptr %s, %t
  br i1 %same, label %done, label %look
look:
  %length = call i64 @memshape_string_length(ptr %t)
  %old = call i64 @memshape_string_capacity(ptr %s)
  %full = icmp ugt i64 %length, %old
  br i1 %full, label %grow, label %put
grow:
  store i64 %length, ptr %cap, align 8
  %block = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap, i64 %old)
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  %capacity = load i64, ptr %cap, align 8
  call void @memshape_string_set_block(ptr %s, ptr %block, i64 %capacity)
  br label %put
put:
  %to = load ptr, ptr %s, align 8
  %from = load ptr, ptr %t, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %length, i1 false)
  call void @memshape_string_end(ptr %s, i64 %length)
  br label %done
done:
  ret void
}

; A block for so many characters, where the string has no room for them.
define internal void @memshape_string_construct(ptr %s, i64 %n) "memshape-throws" {
  %cap = alloca i64, align 8
  %long = icmp ugt i64 %n, 15
  br i1 %long, label %make, label %done
make:
  store i64 %n, ptr %cap, align 8
  %block = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap, i64 0)
  %capacity = load i64, ptr %cap, align 8
  call void @memshape_string_set_block(ptr %s, ptr %block, i64 %capacity)
  br label %done
done:
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE12_M_constructEmc(ptr %s, i64 %n, i8 signext %c) "memshape-throws" {
  call void @memshape_string_construct(ptr %s, i64 %n)
  %text = load ptr, ptr %s, align 8
  call void @llvm.memset.p0.i64(ptr %text, i8 %c, i64 %n, i1 false)
  call void @memshape_string_end(ptr %s, i64 %n)
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm(ptr %s, i64 %want) "memshape-throws" {
  %cap = alloca i64, align 8
  store i64 %want, ptr %cap, align 8
  %old = call i64 @memshape_string_capacity(ptr %s)
  %full = icmp ult i64 %old, %want
  br i1 %full, label %grow, label %done
grow:
  %block = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap, i64 %old)
  %text = load ptr, ptr %s, align 8
  %length = call i64 @memshape_string_length(ptr %s)
  %bytes = add i64 %length, 1
  call void @llvm.memcpy.p0.p0.i64(ptr %block, ptr %text, i64 %bytes, i1 false)
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  %capacity = load i64, ptr %cap, align 8
  call void @memshape_string_set_block(ptr %s, ptr %block, i64 %capacity)
  br label %done
done:
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6resizeEmc(ptr %s, i64 %n, i8 signext %c) "memshape-throws" {
  %length = call i64 @memshape_string_length(ptr %s)
  %grows = icmp ult i64 %length, %n
  br i1 %grows, label %fill, label %look
fill:
  %more = sub i64 %n, %length
  call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE14_M_replace_auxEmmmc(ptr %s, i64 %length, i64 0, i64 %more, i8 signext %c)
  br label %done
look:
  %shrinks = icmp ugt i64 %length, %n
  br i1 %shrinks, label %cut, label %done
cut:
  call void @memshape_string_end(ptr %s, i64 %n)
  br label %done
done:
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9push_backEc(ptr %s, i8 signext %c) "memshape-throws" {
  %length = call i64 @memshape_string_length(ptr %s)
  %wanted = add i64 %length, 1
  %capacity = call i64 @memshape_string_capacity(ptr %s)
  %full = icmp ugt i64 %wanted, %capacity
  br i1 %full, label %grow, label %put
grow:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %length, i64 0, ptr null, i64 1)
  br label %put
put:
  %text = load ptr, ptr %s, align 8
  %at = getelementptr inbounds i8, ptr %text, i64 %length
  store i8 %c, ptr %at, align 1
  call void @memshape_string_end(ptr %s, i64 %wanted)
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE8_M_eraseEmm(ptr %s, i64 %pos, i64 %n) "memshape-throws" {
  call void @memshape_string_shift(ptr %s, i64 %pos, i64 %n, i64 0)
  %length = call i64 @memshape_string_length(ptr %s)
  %less = sub i64 %length, %n
  call void @memshape_string_end(ptr %s, i64 %less)
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED1Ev(ptr %s) "memshape-throws" {
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED2Ev(ptr %s) "memshape-throws" {
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_(ptr %s, ptr %t) "memshape-throws" {
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC2ERKS4_(ptr %s, ptr %t)
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC2ERKS4_(ptr %s, ptr %t) "memshape-throws" {
  %from = load ptr, ptr %t, align 8
  %length = call i64 @memshape_string_length(ptr %t)
  %room = getelementptr inbounds i8, ptr %s, i64 16
  store ptr %room, ptr %s, align 8
  call void @memshape_string_construct(ptr %s, i64 %length)
  %text = load ptr, ptr %s, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %text, ptr %from, i64 %length, i1 false)
  call void @memshape_string_end(ptr %s, i64 %length)
  ret void
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr %s, ptr %t) "memshape-throws" {
  %length = call i64 @strlen(ptr %t)
  call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr %t, i64 %length)
  ret ptr %s
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendERKS4_(ptr %s, ptr %t) "memshape-throws" {
  %text = load ptr, ptr %t, align 8
  %length = call i64 @memshape_string_length(ptr %t)
  call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr %text, i64 %length)
  ret ptr %s
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEmc(ptr %s, i64 %n, i8 signext %c) "memshape-throws" {
  %length = call i64 @memshape_string_length(ptr %s)
  call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE14_M_replace_auxEmmmc(ptr %s, i64 %length, i64 0, i64 %n, i8 signext %c)
  ret ptr %s
}
