// For other machines nothing is done.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For other machines nothing is done
//
// flags: -m32
// flags: -mx32
// flags: --target=aarch64-linux-gnu
// flags: --target=armv7-linux-gnueabihf
// flags: --target=riscv64-linux-gnu
// flags: --target=powerpc64le-linux-gnu
// flags: --target=s390x-linux-gnu
// flags: --target=mips64-linux-gnu
// flags: --target=loongarch64-linux-gnu
// flags: --target=wasm32-unknown-unknown
// flags: --target=bpf
// flags: --target=nvptx64-nvidia-cuda
// flags: --target=amdgcn-amd-amdhsa
// flags: --target=x86_64-apple-darwin
// flags: --target=x86_64-pc-windows-msvc
// flags: --target=i686-w64-mingw32
// flags: --target=aarch64-apple-darwin
// flags: --target=sparc64-linux-gnu
// flags: --target=hexagon-unknown-linux
// flags: --target=avr
// flags: --target=msp430
// flags: --target=spirv64-unknown-unknown -S
// flags: --target=x86_64-unknown-freebsd
// flags: --target=x86_64-none-elf -mcmodel=kernel

typedef __SIZE_TYPE__ Size;
void *malloc(Size);
void free(void *);

int last(int n) {
  int *Work = malloc((Size)n * sizeof(int));
  int Last = Work ? Work[n - 1] : 0;
  free(Work);
  return Last;
}
