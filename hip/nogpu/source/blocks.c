// Device memory: a list of blocks, and their sum for each device.
#define MOST_DEVICES 16

struct block {
  char *base;
  size_t bytes;
  int device;
  int of_graph; // the graph keeps the addresses
  struct block *next;
};
static struct block *blocks;
static size_t held[MOST_DEVICES], bound;
static size_t doomed; // number of the next allocation that fails, 0 for none

// The current device of a thread.
static __thread int current;

// Returns the part of a variable that is for a device, from a list such as "gfx90a,gfx942": the last one is for all
// further devices.
static const char *setting(const char *variable, int device) {
  const char *text = getenv(variable), *next;
  for (; text && device > 0 && (next = strchr(text, ',')); device--) text = next + 1;
  return text;
}

static size_t capacity(int device) {
  const char *text = setting("HIP_CAPACITY", device);
  size_t bytes = __atomic_load_n(&bound, __ATOMIC_RELAXED); // without the lock
  return text ? strtoull(text, NULL, 0) : bytes ? bytes : (size_t)64 << 30;
}

// Removes all blocks and sets the capacity, before the next sequence.
void roclua_hip_reset(size_t bytes) {
  HOLD;
  while (blocks) {
    struct block *b = blocks;
    blocks = b->next;
    if (!b->of_graph) munmap(b->base, b->bytes);
    free(b);
  }
  memset(held, 0, sizeof held);
  logged = doomed = 0;
  __atomic_store_n(&bound, bytes, __ATOMIC_RELAXED);
}

// Makes only the n-th allocation from now fail.
void roclua_hip_fail(size_t n) {
  HOLD;
  doomed = n;
}

// Memory takes no room until it is written, so a device can have more than the host.
static void *reserve_memory(size_t bytes) {
  void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

// Adds a block to a device if there is room for it.
static int insert(int device, char *base, size_t bytes, int of_graph) {
  size_t limit = doomed && --doomed == 0 ? 0 : capacity(device);
  if (!base || bytes > limit || held[device] > limit - bytes) return 0;
  struct block *b = malloc(sizeof *b);
  *b = (struct block){base, bytes, device, of_graph, blocks};
  blocks = b;
  held[device] += bytes;
  return 1;
}

static struct block **find_place(void *p) {
  for (struct block **at = &blocks; p && *at; at = &(*at)->next)
    if ((*at)->base == p) return at;
  return NULL;
}

static int find(void *p) { return find_place(p) != NULL; }

// Returns the block with an address inside, or NULL.
static struct block *around(const void *p) {
  for (struct block *b = blocks; b; b = b->next)
    if ((char *)p >= b->base && (char *)p < b->base + b->bytes) return b;
  return NULL;
}

// Returns the device whose memory an address is in, otherwise another one.
static int device_of(const void *p, int other) {
  struct block *b = around(p);
  return b ? b->device : other;
}

// Removes the block that begins at an address, if there is one.
static int release(void *p) {
  struct block **at = find_place(p);
  if (!at) return 0;
  struct block *b = *at;
  *at = b->next;
  held[b->device] -= b->bytes;
  if (!b->of_graph) munmap(b->base, b->bytes);
  free(b);
  return 1;
}

// Removes the blocks of a device, except those of graphs.
static void release_all(int device) {
  struct block *next;
  for (struct block *b = blocks; b; b = next) {
    next = b->next;
    if (b->device == device && !b->of_graph) release(b->base);
  }
}
