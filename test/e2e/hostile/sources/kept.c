// Sizes from what calls, callers and others leave behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Given away: the caller writes to the first two integers.
NUMBER(given_block, gives) { static int *kept$; if (!kept$) { kept$ = (int *)calloc(4, 4); kept$[0] = 3; } *given = kept$; return (unsigned)kept$[0] & 63; }
NUMBER(given_middle_of_block, gives) { static int *kept$; if (!kept$) { kept$ = (int *)calloc(16, 4); kept$[9] = 3; } *given = kept$ + 8;
  return (unsigned)kept$[9] & 63; }
NUMBER(given_variable, gives) { static int level$[2] = {3, 4}; *given = level$; return (unsigned)level$[1] & 63; }
struct record$ { int values[2]; struct record$ *next; }; static struct record$ *first$;
NUMBER(given_record_that_leads, gives) { if (!first$) { first$ = (struct record$ *)calloc(1, sizeof *first$);
  first$->next = (struct record$ *)calloc(1, sizeof *first$); first$->next->values[1] = 3; } *given = first$->next;
  return (unsigned)first$->next->values[1] & 63; }
NUMBER(left_block) { static int *kept$; if (!kept$) { kept$ = (int *)calloc(4, 4); kept$[1] = 3; } leave(text, kept$); return (unsigned)kept$[1] & 63; }
NUMBER(left_once) { static int *kept$; if (!kept$) { kept$ = (int *)calloc(4, 4); kept$[1] = 3; leave(text, kept$); } return (unsigned)kept$[1] & 63; }
NUMBER(left_by_data) { static int *kept$; if (!kept$) { kept$ = (int *)calloc(4, 4); kept$[1] = 3; } if (AT(ints, 1) & 1) leave(text, kept$);
  return (unsigned)kept$[1] & 63; }
static int *kept$;
static NOINLINE int *get$(void) { if (!kept$) { kept$ = (int *)calloc(4, 4); kept$[1] = 3; } return kept$; }
NUMBER(left_by_function) { leave(text, get$()); return (unsigned)get$()[1] & 63; }
NUMBER(left_from_table) { static int *table$[4]; int **p = &table$[n & 3]; if (!*p) { *p = (int *)calloc(4, 4); (*p)[0] = 3; } leave(text, *p);
  return (unsigned)table$[n & 3][0] & 63; }
NUMBER(left_then_replaced) { static int *kept$, *old$; if (!kept$) { kept$ = (int *)calloc(4, 4); leave(text, kept$); old$ = kept$;
  kept$ = (int *)calloc(4, 4); kept$[0] = 5; } return (unsigned)(old$[0] + kept$[0]) & 63; }
NUMBER(given_as_number, gives) { static int *kept$; if (!kept$) { kept$ = (int *)calloc(4, 4); kept$[1] = 3; } uintptr_t at = (uintptr_t)kept$ ^ 0x5555;
  *given = (void *)(at ^ 0x5555); return (unsigned)kept$[1] & 63; }
struct handle$ { int *values, count; }; static struct handle$ handle$;
EXPORTED struct handle$ hostile_handle$(void) { return handle$; }
ELSEWHERE(struct handle$ { int *values, count; }; EXPORTED struct handle$ hostile_handle$(void);
  SET { if (hostile_handle$().values) hostile_handle$().values[1] = value & 63; })
NUMBER(given_in_record_by_accessor) { if (!handle$.values) { handle$.values = (int *)calloc(4, 4); handle$.values[1] = 3; }
  return (unsigned)handle$.values[1] & 63; }
static int *kept$;
EXPORTED void hostile_copy_address$(void *to) { memcpy(to, &kept$, sizeof kept$); }
ELSEWHERE(EXPORTED void hostile_copy_address$(void *to); SET { int *p; hostile_copy_address$(&p); if (p) p[1] = value & 63; })
NUMBER(given_by_copied_address) { if (!kept$) { kept$ = (int *)calloc(4, 4); kept$[1] = 3; } return (unsigned)kept$[1] & 63; }
int *hostile_shared$;
ELSEWHERE(extern int *hostile_shared$; SET { if (hostile_shared$) hostile_shared$[1] = value & 63; })
NUMBER(kept_in_public_pointer) { if (!hostile_shared$) { hostile_shared$ = (int *)calloc(4, 4); hostile_shared$[1] = 3; }
  return (unsigned)hostile_shared$[1] & 63; }
struct list$ { struct list$ *next; int value; }; static struct list$ *list$;
EXPORTED void hostile_visit$(void (*visit)(int *)) { for (struct list$ *l = list$; l; l = l->next) visit(&l->value); }
ELSEWHERE(EXPORTED void hostile_visit$(void (*visit)(int *)); static int to$; static void change$(int *value) { *value = to$; } SET { to$ = value & 63;
  hostile_visit$(change$); })
NUMBER(given_to_visitor) { if (!list$) { list$ = (struct list$ *)calloc(1, sizeof *list$); list$->value = 3; } return (unsigned)list$->value & 63; }

// Changed by each call, seen only after many of them.
NUMBER(each_fifth_call) { static int calls$; return ++calls$ % 5 ? 3 : 40; }
NUMBER(each_eighth_call_in_block) { static int *calls$; if (!calls$) calls$ = (int *)calloc(1, 4); return ++*calls$ % 8 ? 3 : 40; }
struct engine$ { struct { unsigned calls; } *inner; }; static struct engine$ *engine$;
NUMBER(each_tenth_call_behind_two_pointers) { if (!engine$) { engine$ = (struct engine$ *)calloc(1, sizeof *engine$);
  engine$->inner = (__typeof__(engine$->inner))calloc(1, sizeof *engine$->inner); } return ++engine$->inner->calls % 10 ? 3 : 40; }
struct node$ { struct node$ *next; int value; }; static struct node$ *head$;
NUMBER(list_emptied_at_ten) { struct node$ *l = (struct node$ *)malloc(sizeof *l); l->value = ints[0]; l->next = head$; head$ = l; int kept = 0;
  for (l = head$; l; l = l->next) ++kept; out[0] += (float)head$->value; if (kept > 9) while (head$) { l = head$->next; free(head$); head$ = l; } return 3; }
struct node$ { struct node$ *next; int count; }; static struct node$ *head$;
NUMBER(list_counted_in_its_head) { struct node$ *l = (struct node$ *)malloc(sizeof *l); l->count = head$ ? head$->count + 1 : 1; l->next = head$; head$ = l;
  out[0] += (float)l->count; if (l->count == 12) while (head$) { l = head$->next; free(head$); head$ = l; } return 3; }
NUMBER(ring_of_buffers) { static float *ring$[6]; static unsigned at$; free(ring$[at$ % 6]); ring$[at$ % 6] = (float *)calloc(at$ % 6 + 1, 4);
  ring$[at$ % 6][0] = in[0]; out[0] += ring$[at$ % 6][0]; ++at$; return 3; }
struct ring$ { unsigned at; int sizes[9]; }; static struct ring$ *ring$;
NUMBER(ring_of_sizes) { if (!ring$) { ring$ = (struct ring$ *)calloc(1, sizeof *ring$); ring$->sizes[7] = 40; }
  return (unsigned)ring$->sizes[ring$->at++ % 9] + 3; }
static struct entry$ { int key, used; float *block; } *entries$; static int clock$;
NUMBER(cache_of_the_last_two) { if (!entries$) entries$ = (struct entry$ *)calloc(2, sizeof *entries$);
  struct entry$ *e = entries$[0].block && entries$[0].key == n ? entries$ : entries$[1].block && entries$[1].key == n ? entries$ + 1 : 0;
  if (!e) { e = entries$[0].used <= entries$[1].used ? entries$ : entries$ + 1; free(e->block); e->block = (float *)calloc((unsigned)n + 1, 4); e->key = n; }
  e->used = ++clock$; e->block[0] += 1; out[0] += e->block[0]; return 3; }
static struct { unsigned char generation; float *block; } *kept$;
NUMBER(generation_that_wraps) { if (!kept$) kept$ = (__typeof__(kept$))calloc(1, sizeof *kept$); if (!(++kept$->generation & 15)) { free(kept$->block);
  kept$->block = 0; } if (!kept$->block) kept$->block = (float *)calloc(40, 4); kept$->block[1] += 1; out[0] += kept$->block[1]; return 3; }
NUMBER(random_state_in_block) { static unsigned *state$; if (!state$) { state$ = (unsigned *)malloc(4); *state$ = 1; } *state$ ^= *state$ << 13;
  *state$ ^= *state$ >> 17; *state$ ^= *state$ << 5; return *state$ % 40; }
static struct random_data state$; static char buffer$[64]; static int begun$;
NUMBER(random_of_library_in_static) { int v; if (!begun$) { begun$ = 1; initstate_r(7, buffer$, sizeof buffer$, &state$); } random_r(&state$, &v);
  return (unsigned)v % 40; }
NUMBER(erand48_in_static) { static unsigned short seed$[3] = {1, 2, 3}; return (unsigned long)(erand48(seed$) * 40); }
NUMBER(text_that_grows) { static char *text$; if (!text$) text$ = (char *)calloc(1, 64); strcat(text$, "abc"); if (strlen(text$) > 40) text$[0] = 0;
  return strlen(text$); }
NUMBER(arena_with_free_list) { static char *base$, *free$; if (!base$) { base$ = (char *)malloc(640); for (int k = 0; k < 10;
  ++k) *(char **)(base$ + 64 * k) = k < 9 ? base$ + 64 * (k + 1) : 0; free$ = base$; } if (!free$) { free(base$); base$ = 0; return 40; } char *p = free$;
  memcpy(&free$, p, 8); p[8] = text[0]; out[0] += p[8]; return 3; }
NUMBER(bit_set_that_fills) { static unsigned long *bits$; if (!bits$) bits$ = (unsigned long *)calloc(1, 8); if (!~(*bits$ | ~0xffful)) *bits$ = 0;
  *bits$ |= *bits$ + 1; return *bits$ == 0xfff ? 40 : 3; }
NUMBER(halved_when_idle) { static int *kept$, room$; static int idle$; int need = (n & 15) + 16; if (need > room$ || ++idle$ > 11) { free(kept$);
  kept$ = (int *)calloc((unsigned)need, 4); room$ = need; idle$ = 0; } kept$[0] = n; out[0] += (float)kept$[0]; return 3; }
static struct { long at; } *tick$;
NUMBER(tick_compared_with_power) { if (!tick$) tick$ = (__typeof__(tick$))calloc(1, sizeof *tick$); ++tick$->at;
  return (tick$->at & (tick$->at - 1)) == 0 ? 40 : 3; }
struct turn$ { struct turn$ *next; int size; }; static struct turn$ *turn$;
NUMBER(circle_of_records) { if (!turn$) { struct turn$ *last = 0; for (int k = 0; k < 7; ++k) { struct turn$ *t = (struct turn$ *)malloc(sizeof *t);
  t->size = k == 5 ? 40 : 3; t->next = turn$; turn$ = t; if (!last) last = t; } last->next = turn$; } turn$ = turn$->next; return (unsigned)turn$->size; }
NUMBER(swapped_blocks) { static int *left$, *right$; if (!left$) { left$ = (int *)calloc(1, 4); right$ = (int *)calloc(1, 4); *left$ = 3; *right$ = 4; }
  *left$ += 1; if (*left$ > 9) *left$ = 3; int *t = left$; left$ = right$; right$ = t; return (unsigned)*left$ == 8 ? 40 : 3; }
NUMBER(counter_among_characters) { static unsigned char *heap$; if (!heap$) heap$ = (unsigned char *)calloc(9, 1); for (int k = 0; k < 9 && ++heap$[k] == 3;
  ++k) heap$[k] = 0; return heap$[2] == 2 ? 40 : 3; }
NUMBER(sum_that_rounds) { static double *sum$; if (!sum$) sum$ = (double *)calloc(1, 8); *sum$ += 0.1; if (*sum$ > 1) *sum$ -= 1;
  return *sum$ > 0.85 ? 40 : 3; }
NUMBER(resized_a_little_each_call) { static int *kept$; static unsigned count$; kept$ = (int *)realloc(kept$, (++count$ % 13 + 1) * 4); kept$[0] = n;
  out[0] += (float)kept$[0]; return 3; }

// Left by calls of another operator, or by the same one at another shape.
NUMBER(block_of_the_largest) { static int *shared$; if (!shared$) shared$ = (int *)calloc(1, 4); if (n > *shared$) *shared$ = n;
  return (unsigned)*shared$ & 63; }
static struct { int shape, size; } *kept$;
NUMBER(size_of_the_last_shape) { if (!kept$) kept$ = (__typeof__(kept$))calloc(1, sizeof *kept$); unsigned long before = (unsigned)kept$->shape;
  kept$->shape = n; return before & 63; }
NUMBER(log_of_shapes) { static int *log$, count$; if (!log$) log$ = (int *)calloc(64, 4); log$[count$++ & 63] = n; int same = 0; for (int k = 0; k < 64;
  ++k) same += log$[k] == n; return (unsigned)same; }
