; Members of std::string that the library has.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; for ceilings
;
; std::basic_string<char> of libstdc++: a pointer, a length, and room for 15 characters or the capacity. A skeleton calls
; these for real; a bound is counted from what they allocate. What has to be longer gets at least twice the capacity, in
; a block that is filled before the old one goes.

%string = type { ptr, i64, %storage }
%storage = type { i64, [8 x i8] }
@memshape_creating = private constant [24 x i8] c"basic_string::_M_create\00", align 1
@memshape_replacing = private constant [25 x i8] c"basic_string::_M_replace\00", align 1
@memshape_replacing_characters = private constant [29 x i8] c"basic_string::_M_replace_aux\00", align 1
declare void @_ZSt20__throw_length_errorPKc(ptr)
declare i64 @llvm.umin.i64(i64, i64)
declare ptr @_Znwm(i64)
declare void @_ZdlPv(ptr)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %this, ptr %cap, i64 %old) "memshape-throws" {
entry:
  %0 = load i64, ptr %cap, align 8
  %cmp = icmp ugt i64 %0, 9223372036854775806
  br i1 %cmp, label %if.then, label %if.end

if.then:
  call void @_ZSt20__throw_length_errorPKc(ptr @memshape_creating)
  unreachable

if.end:
  %cmp1 = icmp ugt i64 %0, %old
  br i1 %cmp1, label %land.lhs.true, label %if.end8

land.lhs.true:
  %mul = shl nuw i64 %old, 1
  %cmp2 = icmp ult i64 %0, %mul
  br i1 %cmp2, label %if.then3, label %if.end8

if.then3:
  %twice = call i64 @llvm.umin.i64(i64 %mul, i64 9223372036854775806)
  store i64 %twice, ptr %cap, align 8
  br label %if.end8

if.end8:
  %1 = load i64, ptr %cap, align 8
  %add = add i64 %1, 1
  %call = call ptr @_Znwm(i64 %add)
  ret ptr %call
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s) {
entry:
  %0 = load ptr, ptr %s, align 8
  %1 = getelementptr inbounds i8, ptr %s, i64 16
  %cmp.not = icmp eq ptr %0, %1
  br i1 %cmp.not, label %if.end, label %if.then

if.then:
  call void @_ZdlPv(ptr %0)
  br label %if.end

if.end:
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %pos, i64 %len1, ptr %t, i64 %len2) "memshape-throws" {
entry:
  %cap = alloca i64, align 8
  %n = getelementptr inbounds i8, ptr %s, i64 8
  %0 = load i64, ptr %n, align 8
  %1 = add i64 %len1, %pos
  %sub1 = sub i64 %0, %1
  %add = sub i64 %len2, %len1
  %sub3 = add i64 %add, %0
  store i64 %sub3, ptr %cap, align 8
  %2 = load ptr, ptr %s, align 8
  %3 = getelementptr inbounds i8, ptr %s, i64 16
  %cmp.i = icmp eq ptr %2, %3
  br i1 %cmp.i, label %_ZL8capacityP1S.exit, label %cond.false.i

cond.false.i:
  %4 = load i64, ptr %3, align 8
  br label %_ZL8capacityP1S.exit

_ZL8capacityP1S.exit:
  %cond.i = phi i64 [ %4, %cond.false.i ], [ 15, %entry ]
  %call4 = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap, i64 %cond.i)
  %tobool.not = icmp eq i64 %pos, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:
  %5 = load ptr, ptr %s, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %call4, ptr %5, i64 %pos, i1 false)
  br label %if.end

if.end:
  %tobool5 = icmp ne ptr %t, null
  %tobool6 = icmp ne i64 %len2, 0
  %or.cond = and i1 %tobool5, %tobool6
  br i1 %or.cond, label %if.then7, label %if.end8

if.then7:
  %add.ptr = getelementptr inbounds i8, ptr %call4, i64 %pos
  call void @llvm.memcpy.p0.p0.i64(ptr %add.ptr, ptr %t, i64 %len2, i1 false)
  br label %if.end8

if.end8:
  %tobool9.not = icmp eq i64 %0, %1
  br i1 %tobool9.not, label %if.end16, label %if.then10

if.then10:
  %add.ptr11 = getelementptr inbounds i8, ptr %call4, i64 %pos
  %add.ptr12 = getelementptr inbounds i8, ptr %add.ptr11, i64 %len2
  %6 = load ptr, ptr %s, align 8
  %add.ptr14 = getelementptr inbounds i8, ptr %6, i64 %pos
  %add.ptr15 = getelementptr inbounds i8, ptr %add.ptr14, i64 %len1
  call void @llvm.memcpy.p0.p0.i64(ptr %add.ptr12, ptr %add.ptr15, i64 %sub1, i1 false)
  br label %if.end16

if.end16:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  store ptr %call4, ptr %s, align 8
  %7 = load i64, ptr %cap, align 8
  store i64 %7, ptr %3, align 8
  ret void
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr %t, i64 %n) "memshape-throws" {
entry:
  %n1 = getelementptr inbounds i8, ptr %s, i64 8
  %0 = load i64, ptr %n1, align 8
  %add = add i64 %0, %n
  %1 = load ptr, ptr %s, align 8
  %2 = getelementptr inbounds i8, ptr %s, i64 16
  %cmp.i = icmp eq ptr %1, %2
  br i1 %cmp.i, label %_ZL8capacityP1S.exit, label %cond.false.i

cond.false.i:
  %3 = load i64, ptr %2, align 8
  br label %_ZL8capacityP1S.exit

_ZL8capacityP1S.exit:
  %cond.i = phi i64 [ %3, %cond.false.i ], [ 15, %entry ]
  %cmp.not = icmp ugt i64 %add, %cond.i
  br i1 %cmp.not, label %if.else, label %if.then

if.then:
  %tobool.not = icmp eq i64 %n, 0
  br i1 %tobool.not, label %if.end5, label %if.then2

if.then2:
  %add.ptr = getelementptr inbounds i8, ptr %1, i64 %0
  call void @llvm.memcpy.p0.p0.i64(ptr %add.ptr, ptr %t, i64 %n, i1 false)
  br label %if.end5

if.else:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %0, i64 0, ptr %t, i64 %n)
  br label %if.end5

if.end5:
  store i64 %add, ptr %n1, align 8
  %4 = load ptr, ptr %s, align 8
  %arrayidx.i = getelementptr inbounds i8, ptr %4, i64 %add
  store i8 0, ptr %arrayidx.i, align 1
  ret ptr %s
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_replaceEmmPKcm(ptr %s, i64 %pos, i64 %len1, ptr %t, i64 %len2) "memshape-throws" {
entry:
  %n.i = getelementptr inbounds i8, ptr %s, i64 8
  %0 = load i64, ptr %n.i, align 8
  %sub.neg.i = add i64 %len1, 9223372036854775806
  %sub1.i = sub i64 %sub.neg.i, %0
  %cmp.i37 = icmp ult i64 %sub1.i, %len2
  br i1 %cmp.i37, label %if.then.i, label %_ZL11checkLengthP1SmmPKc.exit

if.then.i:
  call void @_ZSt20__throw_length_errorPKc(ptr @memshape_replacing)
  unreachable

_ZL11checkLengthP1SmmPKc.exit:
  %add = sub i64 %len2, %len1
  %sub = add i64 %add, %0
  %1 = load ptr, ptr %s, align 8
  %2 = getelementptr inbounds i8, ptr %s, i64 16
  %cmp.i = icmp eq ptr %1, %2
  br i1 %cmp.i, label %_ZL8capacityP1S.exit, label %cond.false.i

cond.false.i:
  %3 = load i64, ptr %2, align 8
  br label %_ZL8capacityP1S.exit

_ZL8capacityP1S.exit:
  %cond.i = phi i64 [ %3, %cond.false.i ], [ 15, %_ZL11checkLengthP1SmmPKc.exit ]
  %cmp.not = icmp ugt i64 %sub, %cond.i
  br i1 %cmp.not, label %if.else, label %if.then

if.then:
  %add.ptr = getelementptr inbounds i8, ptr %1, i64 %pos
  %4 = add i64 %len1, %pos
  %tobool.not = icmp eq i64 %0, %4
  %cmp4.not = icmp eq i64 %len1, %len2
  %or.cond = or i1 %cmp4.not, %tobool.not
  br i1 %or.cond, label %if.end, label %if.then5

if.then5:
  %sub3 = sub i64 %0, %4
  %add.ptr6 = getelementptr inbounds i8, ptr %add.ptr, i64 %len2
  %add.ptr7 = getelementptr inbounds i8, ptr %add.ptr, i64 %len1
  call void @llvm.memmove.p0.p0.i64(ptr %add.ptr6, ptr %add.ptr7, i64 %sub3, i1 false)
  br label %if.end

if.end:
  %tobool8.not = icmp eq i64 %len2, 0
  br i1 %tobool8.not, label %if.end11, label %if.then9

if.then9:
  call void @llvm.memmove.p0.p0.i64(ptr %add.ptr, ptr %t, i64 %len2, i1 false)
  br label %if.end11

if.else:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %pos, i64 %len1, ptr %t, i64 %len2)
  br label %if.end11

if.end11:
  store i64 %sub, ptr %n.i, align 8
  %5 = load ptr, ptr %s, align 8
  %arrayidx.i = getelementptr inbounds i8, ptr %5, i64 %sub
  store i8 0, ptr %arrayidx.i, align 1
  ret ptr %s
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE14_M_replace_auxEmmmc(ptr %s, i64 %pos, i64 %n1, i64 %n2, i8 signext %c) "memshape-throws" {
entry:
  %n.i = getelementptr inbounds i8, ptr %s, i64 8
  %0 = load i64, ptr %n.i, align 8
  %sub.neg.i = add i64 %n1, 9223372036854775806
  %sub1.i = sub i64 %sub.neg.i, %0
  %cmp.i41 = icmp ult i64 %sub1.i, %n2
  br i1 %cmp.i41, label %if.then.i, label %_ZL11checkLengthP1SmmPKc.exit

if.then.i:
  call void @_ZSt20__throw_length_errorPKc(ptr @memshape_replacing_characters)
  unreachable

_ZL11checkLengthP1SmmPKc.exit:
  %add = sub i64 %n2, %n1
  %sub = add i64 %add, %0
  %1 = load ptr, ptr %s, align 8
  %2 = getelementptr inbounds i8, ptr %s, i64 16
  %cmp.i = icmp eq ptr %1, %2
  br i1 %cmp.i, label %_ZL8capacityP1S.exit, label %cond.false.i

cond.false.i:
  %3 = load i64, ptr %2, align 8
  br label %_ZL8capacityP1S.exit

_ZL8capacityP1S.exit:
  %cond.i = phi i64 [ %3, %cond.false.i ], [ 15, %_ZL11checkLengthP1SmmPKc.exit ]
  %cmp.not = icmp ugt i64 %sub, %cond.i
  br i1 %cmp.not, label %if.else, label %if.then

if.then:
  %4 = add i64 %n1, %pos
  %tobool.not = icmp eq i64 %0, %4
  %cmp6.not = icmp eq i64 %n1, %n2
  %or.cond = or i1 %cmp6.not, %tobool.not
  br i1 %or.cond, label %if.end10, label %if.then7

if.then7:
  %sub5 = sub i64 %0, %4
  %add.ptr = getelementptr inbounds i8, ptr %1, i64 %pos
  %add.ptr8 = getelementptr inbounds i8, ptr %add.ptr, i64 %n2
  %add.ptr9 = getelementptr inbounds i8, ptr %add.ptr, i64 %n1
  call void @llvm.memmove.p0.p0.i64(ptr %add.ptr8, ptr %add.ptr9, i64 %sub5, i1 false)
  br label %if.end10

if.else:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %pos, i64 %n1, ptr null, i64 %n2)
  br label %if.end10

if.end10:
  %tobool11.not = icmp eq i64 %n2, 0
  br i1 %tobool11.not, label %if.end15, label %if.then12

if.then12:
  %5 = load ptr, ptr %s, align 8
  %add.ptr14 = getelementptr inbounds i8, ptr %5, i64 %pos
  call void @llvm.memset.p0.i64(ptr %add.ptr14, i8 %c, i64 %n2, i1 false)
  br label %if.end15

if.end15:
  store i64 %sub, ptr %n.i, align 8
  %6 = load ptr, ptr %s, align 8
  %arrayidx.i = getelementptr inbounds i8, ptr %6, i64 %sub
  store i8 0, ptr %arrayidx.i, align 1
  ret ptr %s
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_assignERKS4_(ptr %s, ptr %t) "memshape-throws" {
entry:
  %cap = alloca i64, align 8
  %cmp = icmp eq ptr %s, %t
  br i1 %cmp, label %return, label %if.end

if.end:
  %n1 = getelementptr inbounds i8, ptr %t, i64 8
  %0 = load i64, ptr %n1, align 8
  %1 = load ptr, ptr %s, align 8
  %2 = getelementptr inbounds i8, ptr %s, i64 16
  %cmp.i24 = icmp eq ptr %1, %2
  br i1 %cmp.i24, label %_ZL8capacityP1S.exit27, label %cond.false.i25

cond.false.i25:
  %3 = load i64, ptr %2, align 8
  br label %_ZL8capacityP1S.exit27

_ZL8capacityP1S.exit27:
  %cond.i26 = phi i64 [ %3, %cond.false.i25 ], [ 15, %if.end ]
  %cmp2 = icmp ugt i64 %0, %cond.i26
  br i1 %cmp2, label %if.then3, label %if.end6

if.then3:
  store i64 %0, ptr %cap, align 8
  br i1 %cmp.i24, label %_ZL8capacityP1S.exit, label %cond.false.i

cond.false.i:
  %4 = load i64, ptr %2, align 8
  br label %_ZL8capacityP1S.exit

_ZL8capacityP1S.exit:
  %cond.i = phi i64 [ %4, %cond.false.i ], [ 15, %if.then3 ]
  %call5 = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap, i64 %cond.i)
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  store ptr %call5, ptr %s, align 8
  %5 = load i64, ptr %cap, align 8
  store i64 %5, ptr %2, align 8
  br label %if.end6

if.end6:
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end10, label %if.then7

if.then7:
  %6 = load ptr, ptr %s, align 8
  %7 = load ptr, ptr %t, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %6, ptr %7, i64 %0, i1 false)
  br label %if.end10

if.end10:
  %n1.i = getelementptr inbounds i8, ptr %s, i64 8
  store i64 %0, ptr %n1.i, align 8
  %8 = load ptr, ptr %s, align 8
  %arrayidx.i = getelementptr inbounds i8, ptr %8, i64 %0
  store i8 0, ptr %arrayidx.i, align 1
  br label %return

return:
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE12_M_constructEmc(ptr %s, i64 %n, i8 signext %c) "memshape-throws" {
entry:
  %cap = alloca i64, align 8
  %cmp = icmp ugt i64 %n, 15
  br i1 %cmp, label %if.then, label %if.end

if.then:
  store i64 %n, ptr %cap, align 8
  %call = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap, i64 0)
  store ptr %call, ptr %s, align 8
  %0 = load i64, ptr %cap, align 8
  %1 = getelementptr inbounds i8, ptr %s, i64 16
  store i64 %0, ptr %1, align 8
  br label %if.end

if.end:
  %tobool.not = icmp eq i64 %n, 0
  br i1 %tobool.not, label %if.end3, label %if.then1

if.then1:
  %2 = load ptr, ptr %s, align 8
  call void @llvm.memset.p0.i64(ptr %2, i8 %c, i64 %n, i1 false)
  br label %if.end3

if.end3:
  %n1.i = getelementptr inbounds i8, ptr %s, i64 8
  store i64 %n, ptr %n1.i, align 8
  %3 = load ptr, ptr %s, align 8
  %arrayidx.i = getelementptr inbounds i8, ptr %3, i64 %n
  store i8 0, ptr %arrayidx.i, align 1
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7reserveEm(ptr %s, i64 %want) "memshape-throws" {
entry:
  %want.addr = alloca i64, align 8
  store i64 %want, ptr %want.addr, align 8
  %0 = load ptr, ptr %s, align 8
  %1 = getelementptr inbounds i8, ptr %s, i64 16
  %cmp.i = icmp eq ptr %0, %1
  br i1 %cmp.i, label %_ZL8capacityP1S.exit, label %cond.false.i

cond.false.i:
  %2 = load i64, ptr %1, align 8
  br label %_ZL8capacityP1S.exit

_ZL8capacityP1S.exit:
  %cond.i = phi i64 [ %2, %cond.false.i ], [ 15, %entry ]
  %cmp.not = icmp ult i64 %cond.i, %want
  br i1 %cmp.not, label %if.end, label %cleanup

if.end:
  %call1 = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %want.addr, i64 %cond.i)
  %3 = load ptr, ptr %s, align 8
  %n = getelementptr inbounds i8, ptr %s, i64 8
  %4 = load i64, ptr %n, align 8
  %add = add i64 %4, 1
  call void @llvm.memcpy.p0.p0.i64(ptr %call1, ptr %3, i64 %add, i1 false)
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  store ptr %call1, ptr %s, align 8
  %5 = load i64, ptr %want.addr, align 8
  store i64 %5, ptr %1, align 8
  br label %cleanup

cleanup:
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6resizeEmc(ptr %s, i64 %n, i8 signext %c) "memshape-throws" {
entry:
  %n1 = getelementptr inbounds i8, ptr %s, i64 8
  %0 = load i64, ptr %n1, align 8
  %cmp = icmp ult i64 %0, %n
  br i1 %cmp, label %if.then, label %if.else

if.then:
  %sub = sub i64 %n, %0
  %call = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE14_M_replace_auxEmmmc(ptr %s, i64 %0, i64 0, i64 %sub, i8 signext %c)
  br label %if.end7

if.else:
  %cmp5 = icmp ugt i64 %0, %n
  br i1 %cmp5, label %if.then6, label %if.end7

if.then6:
  store i64 %n, ptr %n1, align 8
  %1 = load ptr, ptr %s, align 8
  %arrayidx.i = getelementptr inbounds i8, ptr %1, i64 %n
  store i8 0, ptr %arrayidx.i, align 1
  br label %if.end7

if.end7:
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9push_backEc(ptr %s, i8 signext %c) "memshape-throws" {
entry:
  %n1 = getelementptr inbounds i8, ptr %s, i64 8
  %0 = load i64, ptr %n1, align 8
  %add = add i64 %0, 1
  %1 = load ptr, ptr %s, align 8
  %2 = getelementptr inbounds i8, ptr %s, i64 16
  %cmp.i = icmp eq ptr %1, %2
  br i1 %cmp.i, label %_ZL8capacityP1S.exit, label %cond.false.i

cond.false.i:
  %3 = load i64, ptr %2, align 8
  br label %_ZL8capacityP1S.exit

_ZL8capacityP1S.exit:
  %cond.i = phi i64 [ %3, %cond.false.i ], [ 15, %entry ]
  %cmp = icmp ugt i64 %add, %cond.i
  br i1 %cmp, label %if.then, label %if.end

if.then:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_mutateEmmPKcm(ptr %s, i64 %0, i64 0, ptr null, i64 1)
  br label %if.end

if.end:
  %4 = load ptr, ptr %s, align 8
  %arrayidx = getelementptr inbounds i8, ptr %4, i64 %0
  store i8 %c, ptr %arrayidx, align 1
  store i64 %add, ptr %n1, align 8
  %5 = load ptr, ptr %s, align 8
  %arrayidx.i = getelementptr inbounds i8, ptr %5, i64 %add
  store i8 0, ptr %arrayidx.i, align 1
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE8_M_eraseEmm(ptr %s, i64 %pos, i64 %n) "memshape-throws" {
entry:
  %n1 = getelementptr inbounds i8, ptr %s, i64 8
  %0 = load i64, ptr %n1, align 8
  %1 = add i64 %n, %pos
  %tobool = icmp ne i64 %0, %1
  %tobool3 = icmp ne i64 %n, 0
  %or.cond = and i1 %tobool3, %tobool
  br i1 %or.cond, label %if.then, label %if.end

if.then:
  %sub2 = sub i64 %0, %1
  %2 = load ptr, ptr %s, align 8
  %add.ptr = getelementptr inbounds i8, ptr %2, i64 %pos
  %add.ptr6 = getelementptr inbounds i8, ptr %add.ptr, i64 %n
  call void @llvm.memmove.p0.p0.i64(ptr %add.ptr, ptr %add.ptr6, i64 %sub2, i1 false)
  br label %if.end

if.end:
  %3 = load i64, ptr %n1, align 8
  %sub8 = sub i64 %3, %n
  store i64 %sub8, ptr %n1, align 8
  %4 = load ptr, ptr %s, align 8
  %arrayidx.i = getelementptr inbounds i8, ptr %4, i64 %sub8
  store i8 0, ptr %arrayidx.i, align 1
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED1Ev(ptr %s) "memshape-throws" {
entry:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEED2Ev(ptr %s) "memshape-throws" {
entry:
  call void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE10_M_disposeEv(ptr %s)
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC1ERKS4_(ptr %s, ptr %t) "memshape-throws" {
entry:
  %cap.i = alloca i64, align 8
  %0 = load ptr, ptr %t, align 8
  %n = getelementptr inbounds i8, ptr %t, i64 8
  %1 = load i64, ptr %n, align 8
  %2 = getelementptr inbounds i8, ptr %s, i64 16
  store ptr %2, ptr %s, align 8
  %cmp.i = icmp ugt i64 %1, 15
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:
  store i64 %1, ptr %cap.i, align 8
  %call.i = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap.i, i64 0)
  store ptr %call.i, ptr %s, align 8
  %3 = load i64, ptr %cap.i, align 8
  store i64 %3, ptr %2, align 8
  br label %if.end.i

if.end.i:
  %tobool.not.i = icmp eq i64 %1, 0
  br i1 %tobool.not.i, label %_ZL9constructP1SPKcm.exit, label %if.then2.i

if.then2.i:
  %4 = load ptr, ptr %s, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %4, ptr %0, i64 %1, i1 false)
  br label %_ZL9constructP1SPKcm.exit

_ZL9constructP1SPKcm.exit:
  %n1.i.i = getelementptr inbounds i8, ptr %s, i64 8
  store i64 %1, ptr %n1.i.i, align 8
  %5 = load ptr, ptr %s, align 8
  %arrayidx.i.i = getelementptr inbounds i8, ptr %5, i64 %1
  store i8 0, ptr %arrayidx.i.i, align 1
  ret void
}

define void @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEC2ERKS4_(ptr %s, ptr %t) "memshape-throws" {
entry:
  %cap.i = alloca i64, align 8
  %0 = load ptr, ptr %t, align 8
  %n = getelementptr inbounds i8, ptr %t, i64 8
  %1 = load i64, ptr %n, align 8
  %2 = getelementptr inbounds i8, ptr %s, i64 16
  store ptr %2, ptr %s, align 8
  %cmp.i = icmp ugt i64 %1, 15
  br i1 %cmp.i, label %if.then.i, label %if.end.i

if.then.i:
  store i64 %1, ptr %cap.i, align 8
  %call.i = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm(ptr %s, ptr %cap.i, i64 0)
  store ptr %call.i, ptr %s, align 8
  %3 = load i64, ptr %cap.i, align 8
  store i64 %3, ptr %2, align 8
  br label %if.end.i

if.end.i:
  %tobool.not.i = icmp eq i64 %1, 0
  br i1 %tobool.not.i, label %_ZL9constructP1SPKcm.exit, label %if.then2.i

if.then2.i:
  %4 = load ptr, ptr %s, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %4, ptr %0, i64 %1, i1 false)
  br label %_ZL9constructP1SPKcm.exit

_ZL9constructP1SPKcm.exit:
  %n1.i.i = getelementptr inbounds i8, ptr %s, i64 8
  store i64 %1, ptr %n1.i.i, align 8
  %5 = load ptr, ptr %s, align 8
  %arrayidx.i.i = getelementptr inbounds i8, ptr %5, i64 %1
  store i8 0, ptr %arrayidx.i.i, align 1
  ret void
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc(ptr %s, ptr %t) "memshape-throws" {
entry:
  %call = call i64 @strlen(ptr %t)
  %call1 = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr %t, i64 %call)
  ret ptr %s
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendERKS4_(ptr %s, ptr %t) "memshape-throws" {
entry:
  %0 = load ptr, ptr %t, align 8
  %n = getelementptr inbounds i8, ptr %t, i64 8
  %1 = load i64, ptr %n, align 8
  %call = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm(ptr %s, ptr %0, i64 %1)
  ret ptr %s
}

define ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEmc(ptr %s, i64 %n, i8 signext %c) "memshape-throws" {
entry:
  %n1 = getelementptr inbounds i8, ptr %s, i64 8
  %0 = load i64, ptr %n1, align 8
  %call = call ptr @_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE14_M_replace_auxEmmmc(ptr %s, i64 %0, i64 0, i64 %n, i8 signext %c)
  ret ptr %s
}
