/* Parts of a program's life with a name.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/phases.h"
#include "count/calls.h"
#include "count/start.h"
#include "tables/pool.h"

enum { LongestName = 255 };

/* Kept for as long as the process lives: the table of operators knows it by its address. */
struct phase {
  struct phase *next;
  struct memshape_operator op;
  char name[LongestName + 1];
};
static struct phase *Phases;

/* Last begun first. */
struct open_phase {
  struct open_phase *next;
  struct phase *phase;
  struct memshape_frame *frame;
};
static struct open_phase *Open;

static struct phase *phaseNamed(const char *name) {
  struct phase *phase = Phases;
  size_t length = strnlen(name, LongestName);
  while (phase && (strncmp(phase->name, name, length) != 0 || phase->name[length]))
    phase = phase->next;
  if (!phase && (phase = memshape_pool_get(sizeof *phase))) {
    memset(phase, 0, sizeof *phase);
    memcpy(phase->name, name, length);
    phase->op.name = phase->name;
    phase->op.file = "";
    phase->op.kind = MEMSHAPE_RECORD_PHASE;
    phase->next = Phases;
    Phases = phase;
  }
  return phase;
}

__attribute__((visibility("default"))) void memshape_annotate_phase_begin(const char *name) {
  struct memshape_section section;
  memshape_self.pending = NULL;
  if (!memshape_count_calls(&section))
    return;
  struct open_phase *open = memshape_pool_get(sizeof *open);
  struct phase *phase = open ? phaseNamed(name) : NULL;
  struct memshape_frame *frame = phase ? memshape_window_begin(&phase->op) : NULL;
  if (frame) {
    *open = (struct open_phase){Open, phase, frame};
    Open = open;
  } else if (open) {
    memshape_pool_put(open, sizeof *open);
  }
  memshape_section_leave(&memshape_self, &section);
}

static void end(struct open_phase **place) {
  struct open_phase *open = *place;
  *place = open->next;
  memshape_window_end(open->frame);
  memshape_pool_put(open, sizeof *open);
}

__attribute__((visibility("default"))) void memshape_annotate_phase_end(const char *name) {
  struct memshape_section section;
  memshape_self.pending = NULL;
  if (!memshape_count_calls(&section))
    return;
  struct open_phase **place = &Open;
  while (*place && strncmp((*place)->phase->name, name, LongestName) != 0)
    place = &(*place)->next;
  if (*place)
    end(place);
  memshape_section_leave(&memshape_self, &section);
}

void memshape_phases_end(void) {
  while (Open)
    end(&Open);
}

void memshape_phases_forked(void) {
  for (struct open_phase *open = Open; open; open = open->next)
    memshape_window_forked(open->frame);
}
