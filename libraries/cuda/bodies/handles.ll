; Handles of CUDA's libraries.
; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;
; What they take of the host and of the device is theirs to decide: see closed-libraries.ll.

; with C=cublasCreate_v2 D=cublasDestroy_v2
; with C=cusolverDnCreate D=cusolverDnDestroy
; with C=cusparseCreate D=cusparseDestroy

define i32 @$C(ptr %handle) {
  %host = call i64 @memshape_cuda_area()
  %more = add i64 %host, 8
  %block = call ptr @malloc(i64 %more)
  store ptr %block, ptr %handle
  %device = call i64 @memshape_cuda_area()
  %status = call i32 @cudaMalloc(ptr %block, i64 %device)
  ret i32 %status
}

define i32 @$D(ptr %handle) {
  %block = load ptr, ptr %handle
  %status = call i32 @cudaFree(ptr %block)
  call void @free(ptr %handle)
  ret i32 0
}
