; Calls a library for real; shape 0 says what, shape 1 is a number of bytes. The library and the skeleton free and grow each
; other's blocks.

declare void @library_free(ptr)
declare ptr @library_make(i64)
declare ptr @library_grow(ptr, i64)
declare void @library_cache(i64)
declare void @library_threads(i64)
declare void @library_abort()
declare void @library_exit()
declare void @library_exit_silently()
declare void @library_throw()
declare void @library_print()
declare void @library_write()
declare ptr @memshape_sk_alloc(i64, i64, i32, i32)
declare ptr @memshape_sk_realloc(ptr, i64, i32, i32)
declare void @memshape_sk_free(ptr)

define void @memshape_skeleton(ptr %shape, ptr %settings) {
  %what = load i64, ptr %shape
  %second = getelementptr i64, ptr %shape, i64 1
  %n = load i64, ptr %second
  switch i64 %what, label %done [
    i64 0, label %ours
    i64 1, label %theirs
    i64 2, label %grow_ours
    i64 3, label %grow_theirs
    i64 4, label %cache
    i64 5, label %threads
    i64 6, label %abort
    i64 7, label %exit
    i64 8, label %throw
    i64 9, label %print
    i64 10, label %write
    i64 11, label %exit_silently
  ]
ours:
  %a = call ptr @memshape_sk_alloc(i64 %n, i64 0, i32 0, i32 0)
  call void @library_free(ptr %a)
  br label %done
theirs:
  %b = call ptr @library_make(i64 %n)
  call void @memshape_sk_free(ptr %b)
  br label %done
grow_ours:
  %c = call ptr @memshape_sk_alloc(i64 %n, i64 0, i32 0, i32 0)
  %n2 = mul i64 %n, 2
  %d = call ptr @library_grow(ptr %c, i64 %n2)
  br label %done
grow_theirs:
  %e = call ptr @library_make(i64 %n)
  %n3 = mul i64 %n, 3
  %f = call ptr @memshape_sk_realloc(ptr %e, i64 %n3, i32 1, i32 0)
  br label %done
cache:
  call void @library_cache(i64 %n)
  br label %done
threads:
  call void @library_threads(i64 %n)
  br label %done
abort:
  call void @library_abort()
  br label %done
exit:
  call void @library_exit()
  br label %done
throw:
  call void @library_throw()
  br label %done
print:
  call void @library_print()
  br label %done
write:
  call void @library_write()
  br label %done
exit_silently:
  call void @library_exit_silently()
  br label %done
done:
  ret void
}
