// Numbers of handles, streams, events and graphs. A table without locks has them by their addresses. Places are never
// given up: allocators use addresses again, and an address that is used again gets a new number.
#include "recorder.h"

#define FIRST 32768 // places of the first part of a table, a power of two. Each further part has twice as many.
#define PARTS 20
#define PROBES 16

// An object fills a cache line, because threads write to theirs.
struct object {
  uint64_t key; // of the table; 0 for none
  union {
    struct {
      uint32_t number; // 0 after the object was destroyed
      uint32_t stream; // of a handle
      uint32_t mode;   // pointer mode of a handle
    };
    void *function; // of a call site
  };
} __attribute__((aligned(64)));
struct table {
  struct object *parts[PARTS]; // mapped when the parts before have no place for a key
};
static struct table objects, sites;
// hipStreamLegacy is 1, hipStreamPerThread is 2.
static uint32_t last_number[KINDS] __attribute__((aligned(64))) = {[STREAMS] = 2};

// Returns a part of a table, or NULL if there is no memory.
static struct object *part_of(struct table *t, int index) {
  struct object *part = load(&t->parts[index]), *none = NULL;
  if (likely(part != NULL)) return part;
  size_t bytes = sizeof *part * FIRST << index;
  part = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (part == MAP_FAILED) return NULL;
  if (__atomic_compare_exchange_n(&t->parts[index], &none, part, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return part;
  munmap(part, bytes); // another thread was faster
  return none;
}

// Returns the place of a key, or NULL if there is no memory, which ends the recording.
static struct object *place_in(struct table *t, uint64_t key) {
  uint64_t hash = key * 0x9e3779b97f4a7c15u >> 32;
  for (int i = 0; i < PARTS; i++) {
    struct object *part = part_of(t, i);
    for (int n = 0; part && n < PROBES; n++) {
      struct object *o = &part[(hash + n) % ((uint64_t)FIRST << i)];
      uint64_t have = load(&o->key);
      if (have == key || have == 0 && (swap(&o->key, 0, key) || load(&o->key) == key)) return o;
    }
    if (!part) break;
  }
  stop(ENOMEM, 0);
  return NULL;
}

static struct object *place_of(enum kind kind, uint64_t address) {
  return place_in(&objects, address * KINDS + kind + 1);
}

static uint32_t new_number(enum kind kind) { return add(&last_number[kind], 1) + 1; }

// Returns the object at an address. One that was not seen before gets a number.
static struct object *object_of(enum kind kind, uint64_t address) {
  struct object *o = address ? place_of(kind, address) : NULL;
  if (o && load(&o->number) == 0) {
    uint32_t number = kind == STREAMS && address <= 2 ? address : new_number(kind), none = 0;
    __atomic_compare_exchange_n(&o->number, &none, number, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  return o;
}

// Returns the number of an object; 0 for the null pointer.
static uint32_t number_of(enum kind kind, uint64_t address) {
  struct object *o = object_of(kind, address);
  return o ? load(&o->number) : 0;
}

// Gives a new object a number.
static uint32_t created(enum kind kind, uint64_t address) {
  struct object *o = address ? place_of(kind, address) : NULL;
  if (!o) return 0;
  uint32_t number = new_number(kind);
  o->stream = o->mode = 0;
  store(&o->number, number);
  return number;
}
