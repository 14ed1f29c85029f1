#include "file.c"
#include "objects.c"
#include "calls.c"
#include "resolve.c"

static __thread int starting __attribute__((tls_model("initial-exec"))); // or ending: the thread may have the lock
static struct thread *ended; // states of threads that ended, for others

static void thread_ended(void *data) {
  struct thread *t = data;
  starting = 1;
  me = NULL;
  if (t->chunk && load(alive) == 1 && t->generation == generation) running(t)->function = 0; // not the parent's
  t->device = 0, t->levels = t->busy = 0;
  lock(&shared.writing);
  t->next = ended, ended = t;
  unlock(&shared.writing);
  starting = 0;
}

static unsigned key; // of the thread's state, so that thread_ended is called
static int (*set_specific)(unsigned, const void *);

static struct thread *new_thread(void) {
  if (starting) return NULL; // a call of a signal handler
  starting = 1;
  lock(&shared.writing);
  struct thread *t = ended;
  if (t) ended = t->next;
  unlock(&shared.writing);
  if (t) {
    t->taken = 1;
    memset(t->pages, 0, sizeof t->pages);
  } else {
    t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (t == MAP_FAILED) return starting = 0, NULL;
    t->generation = generation;
  }
  me = t;
  starting = 0;
  if (set_specific) set_specific(key, t);
  return t;
}

// Calls the HIP function of a name, and returns 0 if it succeeds.
static int ask_hip(const char *name, void *a, int b) {
  int (*f)(void *, int) = find_real(name, 0, NULL);
  return f ? f(a, b) : -1;
}

static int set_device(int device) { return ask_hip("hipSetDevice", (void *)(intptr_t)device, 0); }

// Writes the version of a library.
static void library_facts(enum library library) {
  char text[512] = "", name[64];
  const char *prefix = library == ROCBLAS ? "rocblas" : "rocsolver";
  snprintf(name, sizeof name, "%s_get_version_string", prefix);
  int (*version)(char *, size_t) = find_real(name, 0, NULL);
  if (version && version(text, sizeof text) == 0) {
    const char *file = file_of((uintptr_t)version);
    snprintf(name, sizeof name, "%s.version", prefix);
    fact(name, text);
    snprintf(name, sizeof name, "%s.path", prefix);
    fact(name, file ? file : "");
  }
}

// Writes the version of HIP and the devices.
static void device_facts(void) {
  char text[64], name[64];
  int count = 0;
  if (ask_hip("hipRuntimeGetVersion", &count, 0) == 0) {
    snprintf(text, sizeof text, "%d.%d.%d", count / 10000000, count / 100000 % 100, count % 100000);
    fact("hip.version", text);
  }
  static char properties[8192]; // hipDeviceProp_tR0600, whose fields are at these places in HIP 6 and 7
  int current = 0;
  if (ask_hip("hipGetDeviceCount", &count, 0) != 0 || ask_hip("hipGetDevice", &current, 0) != 0) return;
  for (int i = 0; i < count && i < 16; i++) {
    if (ask_hip("hipGetDevicePropertiesR0600", properties, i) != 0) return;
    snprintf(name, sizeof name, "device.%d.arch", i);
    fact(name, properties + 1160);
    snprintf(name, sizeof name, "device.%d.name", i);
    fact(name, properties);
    uint64_t bytes;
    memcpy(&bytes, properties + 288, sizeof bytes);
    snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
    snprintf(name, sizeof name, "device.%d.memory", i);
    fact(name, text);
    size_t available, total;
    int (*memory)(size_t *, size_t *) = find_real("hipMemGetInfo", 0, NULL);
    if (!memory || i != current && set_device(i) != 0) continue;
    int failed = memory(&available, &total);
    if (i != current && set_device(current) != 0 || failed) continue;
    snprintf(text, sizeof text, "%zu", available);
    snprintf(name, sizeof name, "device.%d.free", i);
    fact(name, text);
  }
}

// Writes what decides the memory of handles. What can be long is last.
static void handle_facts(void) {
  char name[256];
  device_facts();
  note_unknown();
  for (char **v = environ; v && *v; v++) {
    static const char *const prefixes[] = {"ROCBLAS_", "HIPBLAS_", "HIPSOLVER_", "TENSILE_"};
    const char *value = strchr(*v, '=');
    for (size_t i = 0; value && i < sizeof prefixes / sizeof *prefixes; i++) {
      if (!begins(*v, prefixes[i])) continue;
      snprintf(name, sizeof name, "env.%.*s", (int)(value - *v), *v);
      fact(name, value + 1);
    }
  }
}

// Follows what a call changes.
static void follow(struct thread *t, struct frame *f) {
  struct object *o;
  uint64_t first = f->integers[0], second = f->integers[1];
  int failed = (int32_t)f->result != 0;
  switch (f->function->special) {
  case SET_STREAM:
    if (!failed && (o = object_of(HANDLES, first))) o->stream = number_of(STREAMS, second);
    break;
  case SET_POINTER_MODE:
    if (!failed && (o = object_of(HANDLES, first))) o->mode = second;
    break;
  case SET_DEVICE:
    if (!failed) t->device = (int)first;
    break;
  case CONTEXT:
    if (!failed) ask_hip("hipGetDevice", &t->device, 0);
    break;
  case DESTROY: // the number is of no use from before the call, because another thread may be given the address
    if (failed && (o = place_of(kind_of(signature_of(f->function)[1]), first)) && load(&o->number) == 0)
      store(&o->number, f->object);
    break;
  case GET_PROC_ADDRESS:
    if (!failed && second) {
      int number = find_function((const char *)first);
      if (number >= 0 && *(void **)second) *(void **)second = wrap(number, *(void **)second);
      else if (number < 0) note((const char *)first);
    }
  }
}

// Returns how many arguments of a variadic function are in memory. The number of sizes is the argument before them.
static uint32_t words_of_sizes(const struct function *fn, const struct frame *f) {
  size_t before = strlen(signature_of(fn)) - 2;
  uint64_t words = before + f->integers[before - 1];
  return words <= 6 ? 0 : words < 64 ? words - 6 : 58;
}

// Begins a call and returns the function to call.
void *roclua_enter(struct frame *f) __attribute__((used));
void *roclua_enter(struct frame *f) {
  const struct function *fn = f->function = function_of(f->wrapper);
  void *function = load(&real[f->wrapper]);
  f->words = fn->words;
  if (unlikely(fn->special == VARIADIC)) f->words = words_of_sizes(fn, f);
  f->thread = NULL;
  if (unlikely(!function)) {
    if (!libc_dlsym) find_dlsym();
    function = real_function(f, f->stack[-1]);
  }
  if (unlikely(!pattern[0])) return function;
  if (unlikely(load(alive) != 1)) after_fork();
  struct thread *t = me;
  if (unlikely(!t) && !(t = new_thread())) return function;
  if (unlikely(t->busy) || fn->kind == LAUNCH && !has_event(f, fn)) return function;
  if (unlikely(t->generation != generation))
    t->chunk = NULL, t->number = t->slot = t->sequence = t->taken = 0, t->clock = 0, t->generation = generation;
  while (unlikely(t->levels && t->frames[t->levels - 1] <= f)) t->levels--; // left by an exception or longjmp
  if (unlikely(t->levels == LEVELS)) return function;
  struct level outer = {0}, *l = &f->level;
  if (t->levels) outer = t->level[t->levels - 1];
  l->depth = outer.depth + outer.record;
  l->hip = fn->library == HIP;
  l->inside = outer.inside || fn->library == ROCBLAS || fn->library == ROCSOLVER;
  l->routine = outer.routine || fn->kind == ROUTINE;
  l->record = fn->kind && !(outer.inside && !l->hip) && !outer.hip && state != OFF;
  l->failure = l->record && (fn->kind == FAILURE || outer.routine && (fn->kind == WAIT || fn->kind == COPY));
  l->record -= l->failure;
  f->object = f->waits = f->copies = 0, f->handle = NULL;
  char first = signature_of(fn)[1];
  if (first == 'h' || fn->special == DESTROY) {
    struct object *o = object_of(kind_of(first), f->integers[0]);
    if (first == 'h') f->handle = o;
    if (o) f->object = fn->special == DESTROY ? __atomic_exchange_n(&o->number, 0, __ATOMIC_ACQ_REL) : load(&o->number);
  }
  f->levels = t->levels++;
  t->level[f->levels] = *l;
  t->frames[f->levels] = f;
  f->thread = t;
  f->start = now(CLOCK_MONOTONIC);
  if (l->record) put_running(t, f);
  return function;
}

// Counts a wait or a copy in the enclosing call that is recorded.
static void count_inside(struct thread *t, const struct frame *f) {
  int i = f->levels;
  while (i-- > 0 && !t->level[i].record) continue;
  if (i < 0) return;
  if (f->function->kind == WAIT) t->frames[i]->waits++;
  if (f->function->kind == COPY) t->frames[i]->copies++;
}

// Ends a call.
void roclua_leave(struct frame *f) __attribute__((used));
void roclua_leave(struct frame *f) {
  struct thread *t = f->thread;
  if (!t) return;
  t->busy = 1;
  uint64_t end = now(CLOCK_MONOTONIC);
  int saved = errno;
  t->levels = f->levels;
  if (unlikely(f->function->special)) follow(t, f);
  int64_t status = status_of(f);
  if (f->level.failure && (status == 0 || status == NOT_READY)) {
    count_inside(t, f);
  } else if (f->level.record || f->level.failure) {
    put_call(t, f, end);
    if (f->level.depth < RUNNING && t->chunk && f->level.record) running(t)[f->level.depth].function = 0;
    enum library library = f->function->library;
    int known = library == ROCBLAS || library == ROCSOLVER ? facts_known[library] : 1;
    if (unlikely(!known) && load(&state) == OPEN && !__atomic_exchange_n(&facts_known[library], 1, __ATOMIC_RELAXED))
      library_facts(library);
    // HIP has started when a handle was created.
    if (unlikely(f->function->special == CREATE) && (int32_t)f->result == 0 && load(&state) == OPEN &&
        !__atomic_exchange_n(&facts_known[HIP], 1, __ATOMIC_RELAXED))
      handle_facts();
  }
  errno = saved;
  t->busy = 0;
}

static void copy_variable(char *to, size_t room, const char *name) {
  const char *value = getenv(name);
  if (value && strlen(value) < room) strcpy(to, value);
}

__attribute__((constructor)) static void begin(void) {
  copy_variable(list, sizeof list, "ROCLUA_RECORD_LIST");
  watch_forks();
  dl_iterate_phdr(find_program, NULL);
  find_dlsym();
  int (*make_key)(unsigned *, void (*)(void *)) = libc_dlsym ? libc_dlsym(RTLD_DEFAULT, "pthread_key_create") : NULL;
  if (make_key && make_key(&key, thread_ended) == 0) set_specific = libc_dlsym(RTLD_DEFAULT, "pthread_setspecific");
  copy_variable(pattern, sizeof pattern, "ROCLUA_RECORD");
}

static int find_cuda(struct dl_phdr_info *info, size_t size, void *found) {
  return strstr(info->dlpi_name, "/libcublas") || strstr(info->dlpi_name, "/libcusolver") ||
         strstr(info->dlpi_name, "/libcudart");
}

__attribute__((destructor)) static void end(void) {
  if (load(alive) == 1 && header) {
    note_unknown();
    __atomic_fetch_or((uint32_t *)(header + 36), FLAG_ENDED, __ATOMIC_RELAXED);
  }
  if (pattern[0] && load(alive) == 1 && state == UNUSED && dl_iterate_phdr(find_cuda, NULL))
    add_line("CUDA");
}
