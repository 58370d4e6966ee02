# ===- hostile_sources_memory.py - Sizes from addresses, bits and code -----=== #
#
# Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""More entries of hostile_sources.py: addresses, tensors that are one, rounding, assembly, bits read as another type, generated code."""

SOURCES = r'''
# tensor_address
x = (uintptr_t)in >> 4 & 63;
# tensor_alignment
x = (uintptr_t)in & 63;
# tensor_offset_from_aligned
const float *a = (const float *)(((uintptr_t)in + 63) & ~(uintptr_t)63); x = (unsigned long)(a - in);
# tensor_distance
x = ((uintptr_t)out - (uintptr_t)in) >> 2 & 127;
# tensor_distance_in_ints
x = (unsigned long)((uintptr_t)state - (uintptr_t)ints) / 4 & 31;
# tensor_order
x = (uintptr_t)in < (uintptr_t)out ? 5 : 40;
# tensor_overlap
x = (uintptr_t)in < (uintptr_t)(out + 16) && (uintptr_t)out < (uintptr_t)(in + 1024) ? 33 : 2;
# tensor_same
x = (const void *)in == (const void *)out ? 60 : 7;
# tensor_is_own
+ static float kept$I[8];
x = out == kept$I ? 5 : (uintptr_t)in > (uintptr_t)kept$I ? 9 : 2;
# tensor_xor
x = ((uintptr_t)in ^ (uintptr_t)ints) >> 6 & 63;
# tensor_cancels shape
x = ((uintptr_t)(in + n) - (uintptr_t)in) & 255;
# tensor_cancels_by_xor shape
uintptr_t k = (uintptr_t)out; x = (k ^ (uintptr_t)out) + (unsigned)m;
# tensor_modulo
x = (uintptr_t)text / 8 % 7;
# tensor_as_float
float f = (float)(uintptr_t)in; x = (unsigned long)f >> 24 & 31;
# tensor_as_bytes
unsigned char b[8]; const void *p = in; memcpy(b, &p, 8); x = b[2];
# tensor_through_union
union { const float *p; unsigned short h[4]; } u; u.p = in; x = u.h[1] & 63;
# block_address
char *p = (char *)malloc(24); p[0] = text[0]; x = ((uintptr_t)p >> 4) % 7; out[0] += p[0]; free(p);
# block_page
char *p = (char *)malloc($s + 8); p[0] = text[0]; x = (uintptr_t)p & 4095; out[0] += p[0]; free(p);
# block_low_bits shape
char *p = (char *)malloc($s + 8); p[0] = text[0]; x = ((uintptr_t)p & 7) + (unsigned)n; out[0] += p[0]; free(p);
# block_order
char *p = (char *)malloc(40), *q = (char *)malloc(40); p[0] = text[0]; q[0] = text[1]; x = (uintptr_t)p < (uintptr_t)q ? 5 : 30; out[0] += p[0] + q[0]; free(p); free(q);
# block_distance
char *p = (char *)malloc(40), *q = (char *)malloc(56); p[0] = text[0]; q[0] = text[1]; x = ((uintptr_t)q - (uintptr_t)p) & 1023; out[0] += p[0] + q[0]; free(p); free(q);
# block_reused
char *p = (char *)malloc($s + 20); p[0] = text[0]; out[0] += p[0]; uintptr_t k = (uintptr_t)p; free(p); char *q = (char *)malloc($s + 20); q[0] = text[1]; out[1] += q[0]; x = k == (uintptr_t)q ? 50 : 3; free(q);
# block_moved
char *p = (char *)malloc($s + 20); p[0] = text[0]; uintptr_t k = (uintptr_t)p; char *q = (char *)realloc(p, $s + 400); x = k == (uintptr_t)q ? 44 : 6; out[0] += q[0]; free(q);
# block_printed
char *p = (char *)malloc(16), b[32]; p[0] = text[0]; snprintf(b, sizeof b, "%p", (void *)p); out[0] += p[0]; free(p); x = (unsigned char)b[9] & 31;
# block_printed_length
char *p = (char *)malloc(16), b[32]; p[0] = text[0]; x = (unsigned)snprintf(b, sizeof b, "%p", (void *)p); out[0] += p[0]; free(p);
# block_usable
char *p = (char *)malloc($s + 9); p[0] = text[0]; x = malloc_usable_size(p) > 30 ? 3 : 4; out[0] += p[0]; free(p);
# frame_address
x = (uintptr_t)__builtin_frame_address(0) >> 4 & 31;
# return_address
x = (uintptr_t)__builtin_return_address(0) >> 3 & 31;
# local_address
int local = n; int *volatile p = &local; x = (uintptr_t)p >> 5 & 31; out[0] += (float)*p;
# local_distance
char a[24], b[40]; char *volatile p = a, *volatile q = b; *p = text[0]; *q = text[1]; x = ((uintptr_t)p - (uintptr_t)q) & 255; out[0] += *p + *q;
# frame_to_local
int local = n; int *volatile p = &local; x = ((uintptr_t)__builtin_frame_address(0) - (uintptr_t)p) >> 2 & 63; out[0] += (float)*p;
# alloca_address
char *p = (char *)alloca(($s & 63) + 1); p[0] = text[0]; x = (uintptr_t)p >> 4 & 31; out[0] += p[0];
# alloca_contents shape
char *p = (char *)alloca(($s & 63) + 1); memset(p, 2, ($s & 63) + 1); for (unsigned i = 0; i <= ($s & 63); ++i) x += (unsigned)p[i];
# function_address
+ static void NOINLINE someone$I(float *o) { o[5] += 1; }
x = (uintptr_t)&someone$I >> 4 & 63; someone$I(out);
# function_distance
+ static void NOINLINE one$I(float *o) { o[5] += 1; }
+ static void NOINLINE two$I(float *o) { o[6] += 2; }
x = ((uintptr_t)&two$I - (uintptr_t)&one$I) >> 4 & 63; one$I(out); two$I(out);
# variable_address
+ static float own$I[8];
own$I[n & 7] = 1; x = (uintptr_t)own$I >> 6 & 63;
# variable_distance
+ int left$I = 3, right$I = 4;
left$I += n & 1; right$I += m & 1; x = ((uintptr_t)&right$I - (uintptr_t)&left$I) & 63;
# literal_address
const char *volatile a = "some text", *volatile b = "some text"; x = a == b ? 6 : 27;
# library_address
x = (uintptr_t)&qsort >> 12 & 63;
# stream_address
x = (uintptr_t)stderr >> 4 & 63;
# alias_ints
ints[0] = n & 31; state[0] = 9; x = (unsigned)ints[0];
# alias_ints_later
ints[3] = n & 31; for (int i = 0; i < 6; ++i) state[i] = m + i; x = (unsigned)ints[3] & 63;
# alias_floats
out[0] = (float)(n & 31); float before = out[0]; x = (unsigned)before + (in[0] == before ? 30 : 0);
# alias_characters
ints[2] = n & 31; text[8] = 77; x = (unsigned)ints[2];
# alias_apart shape
ints[0] = n & 31; out[0] = 8.5f; x = (unsigned)ints[0];
# alias_copy
memmove(out, in, 16); out[1] = 20; x = (unsigned long)whole(out[1]) + (in[1] == 20 ? 9 : 0);
# alias_own_table
+ #define TABLE$I hostile_exposed
TABLE$I[4] = n & 31; state[4] = 60; x = (unsigned)TABLE$I[4];
# alias_own_floats
hostile_exposed_floats[3] = (float)(m & 31); out[3] = 50; x = (unsigned long)whole(hostile_exposed_floats[3]);
# alias_kept_tensor
+ static int *last$I;
if (last$I) last$I[5] = 44; state[5] = n & 31; if (last$I) last$I[5] += 1; x = (unsigned)state[5] & 63; last$I = state;
# alias_memmove
state[0] = n & 15; state[1] = 7; memmove(ints + 1, ints, 8); x = (unsigned)state[0] & 63;
# rounded_lrint fenv
x = (unsigned long)lrint(n / 3.0);
# rounded_rint fenv
x = (unsigned long)rint(n * 0.37) + (unsigned long)nearbyintf((float)m / 7.f);
# rounded_division fenv
volatile double d = n; double q = d / 3.0; unsigned long b; memcpy(&b, &q, 8); x = b & 63;
# rounded_to_float fenv
volatile int k = 16777217 + n * 2; float f = (float)k; x = (unsigned long)f & 63;
# rounded_text fenv
char b[40]; snprintf(b, sizeof b, "%.1f", n / 8.0 + 0.05); x = (unsigned char)b[strlen(b) - 1];
# rounded_strtod fenv
double d = strtod("0.1", 0); unsigned long b; memcpy(&b, &d, 8); x = b & 63;
# rounding_mode fenv
x = (unsigned)fegetround() / 1024 + 1;
# rounding_constant fenv
x = (unsigned)(FLT_ROUNDS + 3) * 5;
# rounding_set_here fenv
int old = fegetround(); fesetround(FE_UPWARD); x = (unsigned long)lrint(n / 3.0); fesetround(old);
# rounding_saved fenv
fenv_t e; fegetenv(&e); fesetround(FE_DOWNWARD); volatile double d = n; d = d / 7; fesetenv(&e); x = (unsigned long)rint(d);
# flags_of_caller fenv
x = (unsigned)fetestexcept(FE_DIVBYZERO | FE_OVERFLOW) & 63;
# flags_of_data fenv
feclearexcept(FE_ALL_EXCEPT); volatile float f = AT(in, $s); f = f * 3.3f; x = fetestexcept(FE_INEXACT) ? 31 : 4;
# flags_of_shape fenv
feclearexcept(FE_ALL_EXCEPT); volatile double d = n; d = d / 3.0; x = fetestexcept(FE_INEXACT) ? 31 : 4;
# control_word x86 fenv
x = _mm_getcsr() >> 6 & 127;
# assembly_reads x86
int k; __asm__("movl (%1),%0" : "=r"(k) : "r"(ints) : "memory"); x = (unsigned)k & 63;
# assembly_operand x86
int k; __asm__("movl %1,%0" : "=r"(k) : "m"(ints[3])); x = (unsigned)k & 63;
# assembly_identity x86
int k = n; __asm__("" : "+r"(k)); x = (unsigned)k & 63;
# assembly_adds x86
int k = n; __asm__("addl %1,%0" : "+r"(k) : "r"(ints[2])); x = (unsigned)k & 63;
# assembly_changes_memory x86
+ static int counted$I;
__asm__ volatile("incl %0" : "+m"(counted$I)); x = (unsigned)counted$I & 31;
# assembly_clobber x86
int k = n & 15; int *p = &k; __asm__ volatile("addl $3,(%0)" : : "r"(p) : "memory"); x = (unsigned)k;
# assembly_stack x86
uintptr_t s; __asm__ volatile("movq %%rsp,%0" : "=r"(s)); x = s >> 4 & 31;
# assembly_canary x86
uintptr_t s; __asm__ volatile("movq %%fs:0x28,%0" : "=r"(s)); x = s >> 8 & 31;
# assembly_goto x86
+ static int NOINLINE jumped$I(int v) { __asm__ goto("testl $1,%0; jnz %l[odd]" : : "r"(v) : : odd); return 3; odd: return 29; }
x = (unsigned)jumped$I(ints[1]);
# time_stamp x86
x = __rdtsc() >> 4 & 63;
# time_stamp_processor x86
unsigned a = 0; x = (__rdtscp(&a) >> 4 & 31) + a;
# cycle_counter
x = __builtin_readcyclecounter() & 63;
# flags_register x86
x = __builtin_ia32_readeflags_u64() & 64 ? 20 : 3;
# processor_number x86
unsigned a, b, c, d; __cpuid_count(1, 0, a, b, c, d); x = b >> 24;
# thread_pointer
x = (uintptr_t)__builtin_thread_pointer() >> 6 & 63;
# processor_supports x86
x = __builtin_cpu_supports("avx2") ? 40 : 20;
# pun_ints_as_shorts
int w[4] = {n, m * 70000, 3, 4}; w[2] = AT(ints, 1); short h[8]; memcpy(h, w, sizeof w); x = (unsigned)h[$c & 7] & 63;
# pun_shape_as_shorts shape
int w[4] = {n, m * 70000, 3, 4}; short h[8]; memcpy(h, w, sizeof w); x = (unsigned)h[$c & 7] & 63;
# pun_buffer
int *w = (int *)malloc(64); for (int i = 0; i < 16; ++i) w[i] = i * 70000 + n; w[5] = AT(ints, 2); unsigned char b[64]; memcpy(b, w, 64); for (int i = 16; i < 24; ++i) x += b[i]; free(w);
# pun_union_float
union { float f; unsigned u; } v; v.f = AT(in, $s); x = v.u >> 23 & 63;
# pun_union_shape shape
union { float f; unsigned u; } v; v.f = (float)n; x = v.u >> 20 & 63;
# pun_characters
int w[2] = {n & 31, m}; ((unsigned char *)w)[0] = (unsigned char)text[3]; x = (unsigned)w[0] & 63;
# pun_partial_copy
int w[2] = {n & 31, m}; memcpy((char *)w + 1, text, 2); x = (unsigned)w[0] >> 4 & 63;
# pun_long_of_ints
int w[2] = {n, AT(ints, 4)}; unsigned long l; memcpy(&l, w, 8); x = l >> 30 & 63;
# pun_double_of_long finite
unsigned long l = (unsigned long)(unsigned)AT(ints, 5) << 32 | (unsigned)n; double d; memcpy(&d, &l, 8); x = d > 1.5 ? 30 : 4;
# pun_pointer_parts
char *p = (char *)malloc(16); *p = text[0]; unsigned half[2]; memcpy(half, &p, 8); x = half[0] >> 6 & 63; out[0] += *p; free(p);
# pun_bit_fields
struct { unsigned a : 5, b : 9, c : 18; } f; memset(&f, 0, sizeof f); f.a = (unsigned)n; f.b = (unsigned)AT(ints, 3); f.c = 7; unsigned u; memcpy(&u, &f, 4); x = u >> 3 & 127;
# pun_bit_fields_shape shape
struct { unsigned a : 5, b : 9, c : 18; } f; memset(&f, 0, sizeof f); f.a = (unsigned)n; f.b = (unsigned)m; f.c = 7; x = f.a * 3 + f.b;
# pun_byte_swap
x = __builtin_bswap32((unsigned)AT(ints, $s)) & 63;
# pun_byte_swap_shape shape
x = __builtin_bswap32((unsigned)n * 40503u) & 63;
# pun_endianness shape
unsigned u = 0x01020304u + (unsigned)n; unsigned char b[4]; memcpy(b, &u, 4); x = b[0];
# pun_struct_copy
struct pair { int extent; float value; } p, q; p.extent = n & 31; p.value = AT(in, 3); memcpy(&q, &p, sizeof q); unsigned u; memcpy(&u, (char *)&q + 4, 4); x = (unsigned)q.extent + (u >> 30);
# pun_array_of_records
struct { float v; int k; } r[4]; for (int i = 0; i < 4; ++i) { r[i].v = AT(in, i); r[i].k = n + i; } int w[8]; memcpy(w, r, 32); x = (unsigned)w[($s) & 7] & 63;
# pun_floats_hold_sizes
float f[4] = {(float)n, (float)m, AT(in, 2), 3.f}; float g[4]; memcpy(g, f, 16); x = (unsigned long)whole(g[$c & 3]) & 63;
# pun_shifted_halves
unsigned u = (unsigned)AT(ints, 6); unsigned long l = (unsigned long)u << 32 | (unsigned)m; x = l >> 16 & 0xff;
# pun_masked_away shape
unsigned u = (unsigned)AT(ints, 6); x = ((u << 8 | (unsigned)m) & 0xff) + (u & 0);
# fast_sum shape fast
float s = 0; for (int i = 0; i < n; ++i) s += (float)(i % 7) * 0.1f * 1.1f; x = (unsigned long)(s * 1e4f) % 1000;
# fast_sum_of_array shape fast
float g[64]; for (int i = 0; i < 64; ++i) g[i] = (float)((i * m) % 13) * 0.3f; float s = 0; for (int i = 0; i < (n & 63); ++i) s += g[i] * 1.7f; x = (unsigned long)(s * 1e4f) % 777;
# fast_division shape fast
float s = 0; for (int i = 1; i <= n; ++i) s += 1.0f / (float)(i + m); x = (unsigned long)(s * 1e6f) % 500;
# fast_reassociation shape fast
volatile float v = 1e8f; float b = v, a = (float)n * 0.7f; x = (unsigned long)whole(((a + b) - b) * 4) & 63;
# fast_contraction shape fast
volatile double v = 1.0 / 3; double a = v, b = (double)n / 3; double c = a * b - (double)n / 9; x = c > 0 ? 20 : c < 0 ? 30 : 40;
# fast_sqrt shape fast
float s = 0; for (int i = 0; i < n; ++i) s += sqrtf((float)(i + m)) / (1.f + (float)i); x = (unsigned long)(s * 1e5f) % 333;
# fast_sine shape fast
double s = 0; for (int i = 0; i < n; ++i) s += sin((double)i * m); x = (unsigned long)(fabs(s) * 1e9) % 333;
# fma_of_shape shape
x = (unsigned long)(fma((double)n, 1.1, (double)m / 7) * 1e6) % 200;
# long_double shape
long double d = 1.0L; for (int i = 1; i <= (n & 31); ++i) d += 1.0L / (long double)i; x = (unsigned long)(d * 1e15L) % 300;
# long_double_of_data finite
long double d = (long double)AT(in, $s) * 3.7L; x = d > 1.5L ? 9 : 30;
# quad_precision shape
__float128 d = (__float128)n / 7; x = (unsigned long)(d * 1e6) % 200;
# half_precision x86
_Float16 h = (_Float16)(float)n; x = (unsigned long)(float)(h / (_Float16)3.0f * (_Float16)10.f) & 127;
# alias_kept_block
if (!hostile_kept) hostile_kept = (int *)calloc(1024, 4); hostile_kept[3] = n & 31; state[3] = 50; x = (unsigned)hostile_kept[3];
# alias_record
struct pair { int extent, other; } *p = (struct pair *)ints; p->extent = n & 31; state[0] = 50; x = (unsigned)p->extent;
# text_of_address
char b[40]; snprintf(b, sizeof b, "%p", (const void *)in); for (char *c = b; *c; ++c) x += (unsigned char)*c & 3;
# address_parity_of_blocks
void *p[4]; for (int i = 0; i < 4; ++i) { p[i] = malloc(32); *(char *)p[i] = text[i]; } for (int i = 0; i < 4; ++i) { x += (uintptr_t)p[i] >> 5 & 1; out[i] += *(char *)p[i]; free(p[i]); }
# address_sorted_tensors
const void *p[3] = {in, ints, text}; if ((uintptr_t)p[0] > (uintptr_t)p[1]) { const void *t = p[0]; p[0] = p[1]; p[1] = t; } x = p[0] == (const void *)in ? 9 : 35;
# address_in_a_hash
unsigned long h = 1469598103934665603u; uintptr_t a = (uintptr_t)text; for (int i = 0; i < 8; ++i) h = (h ^ (a >> 8 * i & 255)) * 1099511628211u; x = h >> 40 & 63;
# address_of_row
const float *row = in + n; x = ((uintptr_t)row & 31) / 4;
# address_to_align shape
char *b = (char *)malloc($s + 64), *a = (char *)(((uintptr_t)b + 31) & ~(uintptr_t)31); *a = text[0]; out[0] += *a; free(b); x = (unsigned)n;
# pointer_loop shape
const float *p = in, *e = in + (n & 63); while (p != e) { ++p; ++x; }
# pointer_loop_backwards shape
float w[64]; for (int i = 0; i < 64; ++i) w[i] = 1; const float *p = w + (n & 63); while (p > w) { --p; x += 2; }
# reciprocal_estimate x86
x = (unsigned long)(_mm_cvtss_f32(_mm_rcp_ss(_mm_set_ss((float)n))) * 1e6f) % 500;
# denormal_of_shape fenv
volatile double d = 1e-300 * n; d = d * 1e-15; x = d > 0 ? 30 : 4;
# x87_of_shape x86
long double d; __asm__("fldpi" : "=t"(d)); x = (unsigned long)(d * n) & 127;
# bits_of_carry x86
unsigned long long r; unsigned char c = _addcarry_u64(0, (unsigned long long)n << 60, (unsigned long long)m << 60, &r); x = c + (unsigned)n;
# checksum_instruction x86
__asm__("crc32l %1,%0" : "+r"(*(unsigned *)&x) : "r"(n)); x &= 127;
# blocks_in_order
char *p = (char *)malloc(40), *q = (char *)malloc(40), *r = (char *)malloc(40); *p = text[0]; *q = text[1]; *r = text[2]; x = ((uintptr_t)p < (uintptr_t)q) == ((uintptr_t)q < (uintptr_t)r) ? 5 : 40; out[0] += *p + *q + *r; free(p); free(q); free(r);
# block_in_the_middle
char *b[3]; for (int i = 0; i < 3; ++i) { b[i] = (char *)malloc(40); *b[i] = (char)(i * 9 + 3); } qsort(b, 3, sizeof *b, ordered); x = (unsigned)*b[1]; for (int i = 0; i < 3; ++i) free(b[i]);
# blocks_beside_each_other
char *p = (char *)malloc(40), *q = (char *)malloc(40); *p = text[0]; *q = text[1]; x = (uintptr_t)q - (uintptr_t)p < 4096 ? 5 : 40; out[0] += *p + *q; free(p); free(q);
# rounded_in_the_first_call fenv
+ static long kept$I;
if (!kept$I) { volatile double d = n; kept$I = lrint(d / 3.0 + 0.2); } x = (unsigned long)kept$I;
# rounded_by_instruction fenv x86
x = (unsigned)_mm_cvtss_si32(_mm_set_ss((float)n / 3.0f));
# sign_of_nothing finite
volatile float z = 0; float q = z / z; x = signbit(q) ? 50 : 4;
# sign_of_nothing_from_shape finite
float s = 0; for (int i = 0; i < n; ++i) s += (float)(i - i); float q = s / s; x = signbit(q) ? 50 : 4;
# vector_functions fast
double g[64]; for (int i = 0; i < 64; ++i) g[i] = sin((double)(i * n + m)) * exp((double)(i % 5)); for (int i = 0; i < 64; ++i) { unsigned long b; memcpy(&b, &g[i], 8); x += b & 31; }
# assembly_cpuid_and_time x86
unsigned a = 0, d; __asm__ volatile("cpuid\n\trdtsc" : "+a"(a), "=d"(d) : : "rbx", "rcx"); x = (a ^ d) >> 4 & 63;
# assembly_comment x86
int k; __asm__("movl (%1),%0 # unlike cpuid" : "=r"(k) : "r"(ints) : "memory"); x = (unsigned)k & 63;
# assembly_identity_of_data x86
int k = AT(ints, $s); __asm__("" : "+r"(k)); x = (unsigned)k & 63;
# assembly_output_alone x86
int k = n; __asm__("" : "=r"(k) : "0"(ints[1])); x = (unsigned)k & 63;
# pun_byte_loop
unsigned u = 0; float f = AT(in, $s); for (unsigned k = 0; k < 4; ++k) ((unsigned char *)&u)[k] = ((unsigned char *)&f)[k]; x = u >> 20 & 63;
# pun_bytes_mixed_in
int w[4] = {n, m, 3, 4}; for (int k = 0; k < (n & 7); ++k) ((unsigned char *)w)[k] ^= (unsigned char)text[k]; x = (unsigned)w[0] & 63;
# pun_text_into_ints
int w[8] = {n, m, 3, 4}; WORD(b, $s); strcpy((char *)w, b); x = (unsigned)w[0] >> 3 & 63;
# pun_printed_into_ints
int w[8] = {n, m, 3, 4}; snprintf((char *)w, 12, "%d", AT(ints, $s)); x = (unsigned)w[0] & 63;
# pun_length_in_floats
float f[4] = {1, 2, 3, 4}; int k = n & 31; memcpy(f + 1, &k, 4); f[0] = AT(in, 1); float g[4]; memcpy(g, f, sizeof g); int r; memcpy(&r, g + 1, 4); x = (unsigned)r;
# pun_swapped_records
struct { int extent; float value; } r[2] = {{n & 31, AT(in, 1)}, {m & 31, AT(in, 2)}}; char t[8]; memcpy(t, r, 8); memcpy(r, r + 1, 8); memcpy(r + 1, t, 8); x = (unsigned)r[$c & 1].extent + (r[0].value > 1 ? 30u : 0u);
# variable_array_size
int v[(AT(ints, $s) & 15) + 1]; v[0] = n; x = sizeof v + (unsigned)(v[0] & 1);
# number_beside_data shape
int *a = (int *)calloc(64, 4); a[3] = n; for (int i = 8; i < 40; ++i) a[i] = AT(ints, i); x = (unsigned)a[3]; out[0] += (float)a[9]; free(a);
# number_under_data
int *a = (int *)calloc(64, 4); a[3] = n; for (int i = 40; i > (m & 3); i -= 1) a[i] = AT(ints, i); x = (unsigned)a[3] & 63; out[0] += (float)a[9]; free(a);
# number_where_data_says
int *a = (int *)calloc(64, 4); a[3] = n; a[AT(ints, $s) & 7] = m; x = (unsigned)a[3] & 63; out[0] += (float)a[9]; free(a);
# number_copied_from_data
int *a = (int *)calloc(64, 4); a[3] = n; for (int i = 8; i < 40; ++i) a[i] = AT(ints, i); memmove(a, a + (n & 15), 64); x = (unsigned)a[3] & 63; free(a);
# number_of_grown_array shape
int *a = (int *)malloc(16); a[0] = 1; for (int i = 0; i < n; ++i) { if (a[0] % 3 == 0) a = (int *)realloc(a, 4 * (size_t)(a[0] + 4)); a[a[0]] = AT(ints, i); a[0]++; } x = (unsigned)a[0]; out[0] += (float)a[a[0] - 1]; free(a);
# data_in_moved_block
int *a = (int *)malloc(64); for (int i = 0; i < 16; ++i) a[i] = AT(ints, i); a = (int *)realloc(a, 256); x = (unsigned)a[n & 15] & 63; free(a);
'''
