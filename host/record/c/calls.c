// What a call is recorded with. The format is described in package recording.
#include "recorder.h"

#define CALL_ROOM 1536 // bytes of the records of a call with a new function and a new shape, at most
enum { FUNCTION_RECORD = 1, SHAPE_RECORD, CALL_RECORD, THREAD_RECORD };

static uint8_t *put(uint8_t *p, uint64_t v) {
  for (; v >= 0x80; v >>= 7) *p++ = v | 0x80;
  *p++ = v;
  return p;
}

static uint8_t *put_signed(uint8_t *p, int64_t v) { return put(p, (uint64_t)v << 1 ^ v >> 63); }

// Writes a record at the end of a chunk. It counts when used is stored.
static void put_record(struct thread *t, uint8_t kind, const uint8_t *body, size_t n) {
  uint8_t *p = t->chunk + t->used;
  *p++ = kind;
  p = put(p, n);
  memcpy(p, body, n);
  t->used = p + n - t->chunk;
}

static uint64_t program[2]; // the addresses of its last segments, between which is no gap

static int find_program(struct dl_phdr_info *info, size_t size, void *unused) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uint64_t from = info->dlpi_addr + p->p_vaddr & -4096, to = info->dlpi_addr + p->p_vaddr + p->p_memsz;
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_R)) continue;
    if (from != (program[1] + 4095 & -4096)) program[0] = from;
    program[1] = to;
  }
  return 1; // the program is the first
}

// The bytes of a rocblas_datatype.
static unsigned datatype_bytes(uint64_t type) {
  static const uint8_t bytes[] = {[0] = 2, 4, 8, 4, 8, 16, [10] = 1, 1, 4, 4, 2, 2, 8, 8, 2, 4, 1, 1};
  return type >= 150 && type - 150 < sizeof bytes ? bytes[type - 150] : 0;
}

// The arguments of a call in the order of the signature.
struct arguments {
  const struct frame *f;
  int integers, reals, words;
};

// Letter w is a part of a structure in memory.
static uint64_t next_integer(struct arguments *a, char letter) {
  return letter != 'w' && a->integers < 6 ? a->f->integers[a->integers++] : a->f->stack[a->words++];
}

static uint64_t argument(const struct frame *f, int index) {
  return index < 6 ? f->integers[index] : f->stack[index - 6];
}

static const char *signature_of(const struct function *fn) { return texts + fn->signature; }

static int64_t status_of(const struct frame *f) {
  switch (signature_of(f->function)[0]) {
  case 'r':
  case 'i': return (int32_t)f->result;
  case 'b': return (uint8_t)f->result;
  }
  return 0;
}

static enum kind kind_of(char letter) {
  switch (letter | 32) {
  case 'h': return HANDLES;
  case 's': return STREAMS;
  case 'e': return EVENTS;
  }
  return GRAPHS;
}

// Reports whether a call has an event as an argument.
static int has_event(const struct frame *f, const struct function *fn) {
  struct arguments a = {f};
  for (const char *s = signature_of(fn) + 1; *s; s++)
    if (next_integer(&a, *s) && *s == 'e') return 1;
  return 0;
}

// Reports whether a function has read its scalars: it succeeded, and all sizes are positive.
static int reads_scalars(const struct frame *f) {
  struct arguments a = {f};
  if (status_of(f) != 0) return 0;
  for (const char *s = signature_of(f->function) + 1; *s; s++) {
    if (*s == 'f' || *s == 'd') continue;
    uint64_t x = next_integer(&a, *s);
    if (*s == 'i' && (int32_t)x <= 0 || *s == 'l' && (int64_t)x <= 0) return 0;
    if (*s == 'x') s++;
  }
  return 1;
}

// Copies memory, and returns 0 if it cannot be read. A library does not read every scalar, so the address may be
// anything, and memory that was readable once may be gone. The program's own segments stay, and so does the stack of
// the call. The kernel copies what else the function may not have read, and what is on a page that was not read before.
static int copy(struct thread *t, const struct frame *f, uint8_t *to, uint64_t address, size_t bytes) {
  int safe = address - program[0] < program[1] - program[0] && program[1] - address >= bytes;
  uint64_t page = (address >> 12) + 1, *known = &t->pages[page % 8];
  if (!safe && *known == page && (address + bytes - 1) >> 12 == page - 1)
    safe = address - (uint64_t)f < 1 << 20 || reads_scalars(f);
  if (likely(safe)) return memcpy(to, (void *)address, bytes), 1;
  struct iovec in = {to, bytes}, from = {(void *)address, bytes};
  if (process_vm_readv(getpid(), &in, 1, &from, 1, 0) != (ssize_t)bytes) return 0;
  *known = page;
  return 1;
}

// Writes the scalar at an address: its size and its bytes, 255 and the address of one in device memory, or 0 if it
// cannot be read.
static uint8_t *put_scalar(struct thread *t, const struct frame *f, uint8_t *p, uint64_t address, unsigned bytes,
                           int host) {
  if (!host) return *p = 255, put_signed(p + 1, address);
  if (!bytes || !copy(t, f, p + 1, address, bytes)) return *p = 0, p + 1;
  *p = bytes;
  return p + 1 + bytes;
}

struct addresses {
  uint64_t list[ADDRESSES];
  int n;
};

// Writes what calls with equal arguments share except addresses, and returns the end.
static uint8_t *put_shape(struct thread *t, const struct frame *f, uint8_t *p, struct addresses *addresses) {
  const struct function *fn = f->function;
  uint8_t values[400], *v = values;
  struct arguments a = {f};
  uint64_t mask = 0, bit = 1, count = 0;
  uint32_t handle = 0, stream = 0;
  int host = 1;
  for (const char *s = signature_of(fn) + 1; *s; s++) {
    if (*s == 'f' || *s == 'd') {
      int n = *s == 'f' ? 4 : 8; // a float is in the lower half
      memcpy(v, &f->reals[a.reals++], n);
      v += n;
      continue;
    }
    uint64_t x = next_integer(&a, *s);
    switch (*s) {
    case 'i': v = put_signed(v, (int32_t)x); continue;
    case 'u': v = put_signed(v, (uint32_t)x); continue;
    case 'l':
    case 'w':
    case 'z': v = put_signed(v, count = x); continue;
    case 'y': // as many sizes as the argument before
      for (uint64_t sum = 0, i = 0;; x = next_integer(&a, *s)) {
        if (i++ < count) sum += (x + 63) & ~63ull;
        if (i < count && (a.integers < 6 || a.words < f->words)) continue; // no more than the function was given
        v = put_signed(v, sum);
        break;
      }
      continue;
    case 'h': {
      struct object *o = f->handle ? f->handle : object_of(HANDLES, x);
      if (o) handle = f->handle ? f->object : load(&o->number), stream = o->stream, host = o->mode == 0;
      continue;
    }
    case 's':
    case 'e':
    case 'g': {
      uint32_t number = fn->special == DESTROY ? f->object : number_of(kind_of(*s), x);
      if (*s == 's') stream = number;
      v = put_signed(v, number);
      continue;
    }
    }
    if (!x) mask |= bit;
    bit <<= 1;
    switch (*s) {
    case 'm': addresses->list[addresses->n++] = x; break;
    case '2':
    case '4':
    case '8': if (x) v = put_scalar(t, f, v, x, *s - '0', host); break;
    case '9': if (x) v = put_scalar(t, f, v, x, 16, host); break;
    case 'x': // the type is the argument with this index
      s++;
      if (x) v = put_scalar(t, f, v, x, datatype_bytes((uint32_t)argument(f, *s - 'A')), host);
    }
  }
  p = put(p, fn - functions);
  p = put(p, handle);
  p = put(p, t->device);
  p = put(p, stream);
  p = put(p, mask);
  memcpy(p, values, v - values);
  return p + (v - values);
}

// Writes the record of a function that the chunk does not have.
static void put_function(struct thread *t, const struct function *fn) {
  uint32_t number = fn - functions;
  if (t->known[number / 32] >> number % 32 & 1) return;
  t->known[number / 32] |= 1u << number % 32;
  uint8_t body[256], *p = put(body, number);
  for (const char *s = signature_of(fn); *s; s++) {
    *p++ = *s >= '0' && *s <= '9' || *s == 'x' ? 'a' : *s == 'y' || *s == 'w' ? 'z' : *s;
    if (*s == 'x') s++;
  }
  *p++ = 0;
  size_t n = strlen(texts + fn->name);
  memcpy(p, texts + fn->name, n);
  put_record(t, FUNCTION_RECORD, body, p + n - body);
}

// Returns the shape of a call, which is in the chunk, and the addresses. A table has the latest shapes.
static struct seen *shape_of(struct thread *t, const struct frame *f, struct addresses *addresses) {
  uint8_t body[480];
  size_t n = put_shape(t, f, body, addresses) - body;
  memset(body + n, 0, 8);
  uint64_t hash = n;
  for (size_t i = 0; i < n; i += 8) {
    uint64_t word;
    memcpy(&word, body + i, 8);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  struct seen *seen = &t->shapes[hash % SEEN];
  if (seen->place && seen->hash == (uint32_t)(hash >> 32)) {
    const uint8_t *have = t->chunk + seen->place + 1; // after the kind
    uint8_t length[4];
    size_t m = put(length, n) - length;
    if (memcmp(have, length, m) == 0 && memcmp(have + m, body, n) == 0) return seen;
  }
  put_function(t, f->function);
  seen->hash = hash >> 32, seen->place = t->used;
  put_record(t, SHAPE_RECORD, body, n);
  memset(t->addresses[seen - t->shapes], 0, sizeof t->addresses[0]);
  return seen;
}

// Writes which addresses are not the ones of the latest call of the shape, and the differences.
static uint8_t *put_addresses(uint8_t *p, const struct addresses *addresses, uint64_t *latest) {
  uint64_t changed = 0;
  if (addresses->n == 0) return p;
  for (int i = 0; i < addresses->n; i++) changed |= (uint64_t)(addresses->list[i] != latest[i]) << i;
  p = put(p, changed);
  for (int i = 0; i < addresses->n; i++) {
    if (changed >> i & 1) p = put_signed(p, addresses->list[i] - latest[i]);
    latest[i] = addresses->list[i];
  }
  return p;
}

static struct running *running(struct thread *t) { return (struct running *)(t->chunk + RUNNING_THREAD + 8); }

// Gives a thread a chunk with room for a call, which keeps the calls that have not ended. It reports whether there is
// one.
static int ready(struct thread *t) {
  if (unlikely(!t->chunk || t->used > CHUNK_BYTES - CALL_ROOM)) {
    struct running kept[RUNNING] = {0};
    if (t->chunk) memcpy(kept, running(t), sizeof kept), memset(running(t), 0, sizeof kept);
    if (!new_chunk(t)) return 0;
    for (int i = 0; i < RUNNING; i++)
      if (kept[i].function) put_function(t, &functions[kept[i].function - 1]);
    memcpy(running(t), kept, sizeof kept);
    store((uint32_t *)(t->chunk + 4), t->used);
  }
  if (unlikely(t->taken)) {
    uint8_t body[32], *p = body;
    t->taken = 0, t->number = add(&shared.threads, 1) + 1;
    p = put(put(p, t->number), syscall(SYS_gettid));
    put_record(t, THREAD_RECORD, body, p - body);
    *(uint32_t *)(t->chunk + RUNNING_THREAD) = t->number;
    store((uint32_t *)(t->chunk + 4), t->used);
  }
  return 1;
}

// Keeps a call that begins in the header of the chunk, so that the recording of a process that is killed shows it.
static void put_running(struct thread *t, const struct frame *f) {
  const struct function *fn = f->function;
  uint32_t number = fn - functions;
  if (f->level.depth >= RUNNING) return;
  if (unlikely(!t->chunk || t->taken || !(t->known[number / 32] >> number % 32 & 1))) {
    int saved = errno;
    t->busy = 1;
    int wrote = ready(t);
    if (wrote) put_function(t, fn), store((uint32_t *)(t->chunk + 4), t->used);
    t->busy = 0, errno = saved;
    if (!wrote) return;
  }
  struct running *r = running(t) + f->level.depth;
  if (f->level.depth + 1 < RUNNING) r[1].function = 0; // of a call that was left by an exception or longjmp
  r->handle = f->object, r->start = f->start;
  store(&r->function, number + 1);
}

// Returns what a call wrote to an out-parameter.
static uint64_t result_of(const struct function *fn, char letter, uint64_t address, int succeeded) {
  if (!address || !succeeded) return 0;
  uint64_t value = letter == 'I' ? *(uint32_t *)address : *(uint64_t *)address;
  switch (letter) {
  case 'H':
  case 'S':
  case 'E':
  case 'G': return fn->library == LAYER ? number_of(HANDLES, value) : created(kind_of(letter), value);
  }
  return value;
}

// Writes a call that ended.
static void put_call(struct thread *t, const struct frame *f, uint64_t end) {
  if (!ready(t)) return;
  uint8_t body[384], *p;
  struct addresses addresses = {.n = 0};
  struct seen *shape = shape_of(t, f, &addresses);
  p = put(body, shape->place);
  p = put(p, f->level.depth);
  p = put(p, end - t->clock);
  p = put(p, end - f->start);
  int64_t status = status_of(f);
  p = put_signed(p, status);
  p = put_addresses(p, &addresses, t->addresses[shape - t->shapes]);
  struct arguments a = {f};
  for (const char *s = signature_of(f->function) + 1; *s; s++) {
    if (*s == 'f' || *s == 'd') continue;
    uint64_t x = next_integer(&a, *s);
    if (*s == 'x') s++;
    else if (*s >= 'A' && *s <= 'Z') p = put(p, result_of(f->function, *s, x, status == 0));
  }
  if (f->waits | f->copies) p = put(put(p, f->waits), f->copies);
  put_record(t, CALL_RECORD, body, p - body);
  t->clock = end;
  uint32_t *counts = (uint32_t *)(t->chunk + 32);
  const struct function *fn = f->function;
  if (fn->kind == ROUTINE) counts[CALLS]++;
  if (fn->special == CREATE && status == 0) counts[HANDLES_CREATED]++;
  if (fn->special == GROW && status == 0 && f->level.routine) counts[GROWTHS]++;
  store((uint32_t *)(t->chunk + 4), t->used);
}
