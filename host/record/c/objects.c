// Numbers of handles, streams, events and graphs. A table without locks has them by their addresses. Places are never
// given up: allocators use addresses again, and an address that is used again gets a new number.
#include "recorder.h"

#define OBJECTS 32768 // a power of two
#define PROBES 64

struct object {
  uint64_t key;     // address and kind; 0 for none
  uint32_t number;  // 0 after the object was destroyed
  uint32_t stream;  // of a handle
  uint32_t mode;    // pointer mode of a handle
};
static struct object objects[OBJECTS];
static uint32_t last_number[KINDS] = {[STREAMS] = 2}; // hipStreamLegacy is 1, hipStreamPerThread is 2

// Returns the place of an address, or NULL if the table is full there.
static struct object *place_of(enum kind kind, uint64_t address) {
  uint64_t key = address * KINDS + kind + 1, at = key * 0x9e3779b97f4a7c15u >> 40;
  for (int i = 0; i < PROBES; i++) {
    struct object *o = &objects[(at + i) % OBJECTS];
    uint64_t have = load(&o->key);
    if (have == key || have == 0 && (swap(&o->key, 0, key) || load(&o->key) == key)) return o;
  }
  return NULL;
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
