/* Device memory that is mapped by the program.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   cuMemCreate makes physical memory and a handle; cuMemMap maps it at an address. The memory is freed when the handle
   has been released as often as it was given out and the last mapping is gone. Until then, the value of a released
   handle may already stand for other memory. So each piece gets a number of memshape's own. */

#include "device.h"
#include "tables/lock.h"
#include "tables/pool.h"

#include <string.h>

struct piece {
  uint64_t number; /* memshape's number; 0: this entry is free */
  uint64_t handle;
  uint32_t references; /* of the handle; 0: the driver may reuse the handle's value */
  uint32_t mappings;
};

struct mapping {
  uint64_t address, number;
};

/* Grows by doubling. Pieces are 2 MiB and more, so there are few. */
struct table {
  char *items;
  size_t count, capacity;
};

static struct memshape_lock Lock;
static struct table Pieces, Mappings;
static uint64_t LastNumber;

/* A new place at the end of the table, or null. */
static void *append(struct table *table, size_t size) {
  if (table->count == table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 4096 / size;
    char *fresh = memshape_pages(capacity * size);
    if (!fresh)
      return NULL;
    if (table->items) {
      memcpy(fresh, table->items, table->count * size);
      memshape_pages_give(table->items, table->capacity * size);
    }
    table->items = fresh;
    table->capacity = capacity;
  }
  return table->items + size * table->count++;
}

/* The last entry moves to the place of the removed one. */
static void removeAt(struct table *table, size_t size, size_t at) {
  memmove(table->items + at * size, table->items + --table->count * size, size);
}

static struct piece *pieceAt(size_t i) { return (struct piece *)Pieces.items + i; }
static struct mapping *mappingAt(size_t i) { return (struct mapping *)Mappings.items + i; }

static struct piece *pieceOfHandle(uint64_t handle) {
  for (size_t i = 0; i < Pieces.count; ++i)
    if (pieceAt(i)->handle == handle && pieceAt(i)->references)
      return pieceAt(i);
  return NULL;
}

static struct piece *pieceNumbered(uint64_t number) {
  for (size_t i = 0; i < Pieces.count; ++i)
    if (pieceAt(i)->number == number)
      return pieceAt(i);
  return NULL;
}

/* The piece's number when nothing refers to it any more, else 0. */
static uint64_t endIfUnused(struct piece *piece) {
  if (piece->references || piece->mappings)
    return 0;
  uint64_t number = piece->number;
  removeAt(&Pieces, sizeof *piece, (size_t)(piece - pieceAt(0)));
  return number;
}

static void end(uint64_t number) {
  struct memshape_space_block taken;
  if (number)
    memshape_space_take(MEMSHAPE_BY_HANDLE, number, &taken);
}

void memshape_handle_made(uint64_t handle, size_t bytes, const struct memshape_memory_kind *kind, const void *caller) {
  enum { OnDevice = 1 };
  memshape_lock_take(&Lock);
  struct piece *piece = append(&Pieces, sizeof *piece);
  uint64_t number = piece ? ++LastNumber : 0;
  if (piece)
    *piece = (struct piece){number, handle, 1, 0};
  memshape_lock_give(&Lock);
  if (number)
    memshape_space_put(kind->location == OnDevice ? MEMSHAPE_SPACE_DEVICE : MEMSHAPE_SPACE_PINNED, MEMSHAPE_BY_HANDLE,
                       number, bytes, caller);
}

void memshape_handle_retained(uint64_t handle, uint64_t address) {
  memshape_lock_take(&Lock);
  /* The mapping that starts nearest below the address is the one around it. */
  const struct mapping *around = NULL;
  for (size_t i = 0; i < Mappings.count; ++i)
    if (mappingAt(i)->address <= address && (!around || mappingAt(i)->address > around->address))
      around = mappingAt(i);
  struct piece *piece = around ? pieceNumbered(around->number) : NULL;
  if (piece) {
    piece->handle = handle;
    ++piece->references;
  }
  memshape_lock_give(&Lock);
}

void memshape_handle_released(uint64_t handle) {
  memshape_lock_take(&Lock);
  struct piece *piece = pieceOfHandle(handle);
  uint64_t ended = piece ? (--piece->references, endIfUnused(piece)) : 0;
  memshape_lock_give(&Lock);
  end(ended);
}

void memshape_handle_mapped(uint64_t handle, uint64_t address, size_t bytes) {
  memshape_lock_take(&Lock);
  struct piece *piece = pieceOfHandle(handle);
  struct mapping *mapping = piece ? append(&Mappings, sizeof *mapping) : NULL;
  if (mapping) {
    *mapping = (struct mapping){address, piece->number};
    ++piece->mappings;
  }
  memshape_lock_give(&Lock);
}

void memshape_handle_unmapped(uint64_t address, size_t bytes) {
  for (size_t i = 0;;) { /* a range may hold several mappings */
    uint64_t ended = 0;
    memshape_lock_take(&Lock);
    while (i < Mappings.count && mappingAt(i)->address - address >= bytes)
      ++i;
    int found = i < Mappings.count;
    if (found) {
      struct piece *piece = pieceNumbered(mappingAt(i)->number);
      removeAt(&Mappings, sizeof(struct mapping), i);
      if (piece)
        ended = (--piece->mappings, endIfUnused(piece));
    }
    memshape_lock_give(&Lock);
    if (!found)
      return;
    end(ended);
  }
}
