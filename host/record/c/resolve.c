// Finding the functions behind the wrappers, and wrapping what dlsym returns.
#include "recorder.h"

extern const char roclua_wrappers[];
#define WRAPPERS (FUNCTIONS + ALIASES)

static void *real[WRAPPERS];             // functions by wrapper; NULL before they are found
static uint32_t alias_of[ALIASES];       // numbers of the functions of aliases
static uint32_t aliases;                 // that are taken
static void *(*libc_dlsym)(void *, const char *);
static void *(*libc_dlopen)(const char *, int);
static void *next_dlsym, *next_dlvsym;   // of another interposer, or of the C library

static void *wrapper_of(uint32_t number) { return (void *)(roclua_wrappers + 16 * (uint64_t)number); }

static const struct function *function_of(uint32_t wrapper) {
  return &functions[wrapper < FUNCTIONS ? wrapper : alias_of[wrapper - FUNCTIONS]];
}

// The functions of the C library are not used here: a sanitizer that begins replaces them, and asks dlsym for its own.
static int begins(const char *text, const char *with) {
  while (*with && *text == *with) text++, with++;
  return *with == 0;
}

static int same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static int contains(const char *text, const char *part) {
  while (*text && !begins(text, part)) text++;
  return *text != 0;
}

static uint32_t hash_of(const char *name) {
  uint32_t h = 5381;
  while (*name) h = h * 33 + (uint8_t)*name++;
  return h;
}

// Returns the number of a function of the table, or -1.
static int find_function(const char *name) {
  if (!begins(name, "roc") && !begins(name, "hip")) return -1;
  for (uint32_t at = hash_of(name) % NAMES;; at = (at + 1) % NAMES) {
    if (names[at] == 0) return -1;
    if (same(texts + functions[names[at] - 1].name, name)) return names[at] - 1;
  }
}

// What is read of a loaded object's dynamic section.
struct object_symbols {
  const ElfW(Sym) * symbols;
  const char *strings;
  const uint32_t *gnu, *sysv;
  const ElfW(Rela) * relocations, *imports; // without and with PLT
  size_t sizes[2], relative;                // bytes of both, and of the first ones those that have no symbol
};

static struct object_symbols symbols_of(ElfW(Addr) base, const ElfW(Dyn) * dynamic) {
  struct object_symbols o = {0};
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    ElfW(Addr) at = dynamic->d_un.d_ptr;
    if (at < base) at += base; // the loader does not change a section that is only read
    switch (dynamic->d_tag) {
    case DT_SYMTAB: o.symbols = (void *)at; break;
    case DT_STRTAB: o.strings = (void *)at; break;
    case DT_GNU_HASH: o.gnu = (void *)at; break;
    case DT_HASH: o.sysv = (void *)at; break;
    case DT_RELA: o.relocations = (void *)at; break;
    case DT_JMPREL: o.imports = (void *)at; break;
    case DT_RELASZ: o.sizes[0] = dynamic->d_un.d_val; break;
    case DT_PLTRELSZ: o.sizes[1] = dynamic->d_un.d_val; break;
    case DT_RELACOUNT: o.relative = dynamic->d_un.d_val; break;
    }
  }
  return o;
}

static int defines(const struct object_symbols *o, uint32_t index, const char *name) {
  const ElfW(Sym) *s = &o->symbols[index];
  return s->st_shndx != SHN_UNDEF && s->st_value && same(o->strings + s->st_name, name);
}

// Returns the address of a function that an object defines, or 0.
static ElfW(Addr) defined_in(ElfW(Addr) base, const ElfW(Dyn) * dynamic, const char *name) {
  struct object_symbols o = symbols_of(base, dynamic);
  if (!o.symbols || !o.strings) return 0;
  if (o.gnu && o.gnu[0]) {
    const uint32_t *buckets = o.gnu + 4 + o.gnu[2] * (sizeof(ElfW(Addr)) / 4), *chain = buckets + o.gnu[0];
    uint32_t hash = hash_of(name), i = buckets[hash % o.gnu[0]];
    if (i < o.gnu[1]) return 0;
    for (;; i++) {
      uint32_t have = chain[i - o.gnu[1]];
      if ((have | 1) == (hash | 1) && defines(&o, i, name)) return base + o.symbols[i].st_value;
      if (have & 1) return 0;
    }
  }
  for (uint32_t i = 0; o.sysv && i < o.sysv[1]; i++)
    if (defines(&o, i, name)) return base + o.symbols[i].st_value;
  return 0;
}

// A search through the loaded objects.
struct search {
  const char *name;
  const char *object;   // part of the file name of the objects to search; NULL for all
  uintptr_t inside;     // an address in the object to find; 0 for none
  ElfW(Addr) found;
  const char *file;     // of the object that has the address
};

static int visit(struct dl_phdr_info *info, size_t size, void *data) {
  struct search *s = data;
  const ElfW(Dyn) *dynamic = NULL;
  int own = 0, has = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    ElfW(Addr) from = info->dlpi_addr + p->p_vaddr;
    if (p->p_type == PT_DYNAMIC) dynamic = (void *)from;
    if (p->p_type != PT_LOAD) continue;
    own |= (uintptr_t)roclua_wrappers - from < p->p_memsz;
    has |= s->inside - from < p->p_memsz;
  }
  if (s->inside) return has ? s->file = info->dlpi_name, 1 : 0;
  if (own || s->object && !contains(info->dlpi_name, s->object)) return 0;
  s->found = defined_in(info->dlpi_addr, dynamic, s->name);
  return s->found != 0;
}

static void *in_objects(const char *name, const char *object) {
  struct search s = {.name = name, .object = object};
  dl_iterate_phdr(visit, &s);
  return (void *)s.found;
}

// Returns the file of the object that has an address; "" is the program.
static const char *file_of(uintptr_t address) {
  struct search s = {.inside = address};
  return dl_iterate_phdr(visit, &s) ? s.file : NULL;
}

static char asked[2048]; // names of functions that the table lacks, before the file is open

// Writes the name of a function of HIP that the table lacks.
static void note(const char *name) {
  char key[128];
  if (!begins(name, "hip") || name[3] < 'A' || name[3] > 'Z' || strlen(name) > 100 || find_function(name) >= 0) return;
  for (const char *i = ignored; *i; i += strlen(i) + 1)
    if (same(i, name)) return;
  if (!in_objects(name, "/libamdhip64")) return;
  snprintf(key, sizeof key, "unknown.%s", name);
  if (load(&state) == OPEN) {
    if (!strstr((char *)header + FACTS, key)) fact(key, "");
  } else if (strlen(asked) + strlen(name) + 2 < sizeof asked) {
    strcat(strcat(asked, name), "\n");
  }
}

static int note_imports(struct dl_phdr_info *info, size_t size, void *unused) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    struct object_symbols o = symbols_of(info->dlpi_addr, (void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    const ElfW(Rela) *all[] = {o.relocations, o.imports};
    for (int k = 0; k < 2 && o.symbols && o.strings; k++)
      for (size_t n = k ? 0 : o.relative; all[k] && n < o.sizes[k] / sizeof *all[k]; n++) {
        const ElfW(Sym) *s = &o.symbols[ELF64_R_SYM(all[k][n].r_info)];
        if (s->st_shndx == SHN_UNDEF && s->st_name) note(o.strings + s->st_name);
      }
  }
  return 0;
}

// Writes the names of the functions that the table lacks and that loaded objects use, or that were asked for.
static void note_unknown(void) {
  char *rest = asked;
  for (char *name = strsep(&rest, "\n"); rest; name = strsep(&rest, "\n")) note(name);
  asked[0] = 0;
  dl_iterate_phdr(note_imports, NULL);
}

static int is_wrapper(const void *p) { return (uintptr_t)p - (uintptr_t)roclua_wrappers < 16 * (uint64_t)WRAPPERS; }

// Keeps the object of a function loaded, because its address is kept.
static void pin(void *function) {
  const char *file = file_of((uintptr_t)function);
  if (file && *file && libc_dlopen) libc_dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
}

// Returns the function that a caller would have without the recorder, or NULL: the next one in the global scope, one in
// the libraries of the caller, or the one in any library.
static void *find_real(const char *name, uintptr_t caller, int *global) {
  if (global) *global = 0;
  if (!libc_dlsym || !libc_dlopen) return in_objects(name, NULL);
  void *p = libc_dlsym(RTLD_NEXT, name);
  if (global) *global = p != NULL;
  if (p) return p;
  const char *file = caller ? file_of(caller) : NULL;
  void *object = file && *file ? libc_dlopen(file, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  if (object) p = libc_dlsym(object, name);
  return p && !is_wrapper(p) ? p : in_objects(name, NULL);
}

static void *missing(const char *name) {
  char text[256];
  int n = snprintf(text, sizeof text, "roclua record: symbol lookup error: undefined symbol: %s\n", name);
  if (write(2, text, n) < 0) _exit(127);
  _exit(127);
}

// Returns the function that a wrapper calls.
void *real_function(const struct frame *f, uintptr_t caller) {
  const char *name = texts + function_of(f->wrapper)->name;
  // A function of a library that is not in the global scope is kept by the address that the call returns to.
  struct object *site = place_in(&sites, caller * 8191 + f->wrapper + 1);
  void *known = site ? load(&site->function) : NULL;
  if (known) return known;
  int global;
  void *p = find_real(name, caller, &global);
  if (!p) return missing(name);
  pin(p);
  if (global) store(&real[f->wrapper], p);
  else if (site) store(&site->function, p);
  return p;
}

// Returns the wrapper of a function at an address: an alias if other calls to the function go elsewhere.
static void *wrap(uint32_t number, void *function) {
  void *have = load(&real[number]);
  if (!have && libc_dlsym(RTLD_NEXT, texts + functions[number].name) == function) store(&real[number], have = function);
  if (have == function) return wrapper_of(number);
  uint32_t taken = load(&aliases);
  for (uint32_t i = 0; i < taken && i < ALIASES; i++)
    if (alias_of[i] == number && load(&real[FUNCTIONS + i]) == function) return wrapper_of(FUNCTIONS + i);
  uint32_t i = add(&aliases, 1);
  if (i >= ALIASES) return function;
  alias_of[i] = number;
  store(&real[FUNCTIONS + i], function);
  return wrapper_of(FUNCTIONS + i);
}

static void find_dlsym(void) {
  libc_dlsym = in_objects("dlsym", "/libc.so");
  libc_dlopen = in_objects("dlopen", "/libc.so");
  if (!libc_dlsym) { // before glibc 2.34 it is in a library that the program may not have loaded
    void *(*load_internal)(const char *, int) = in_objects("__libc_dlopen_mode", "/libc.so");
    const int by_program = 0x80000000;
    if (load_internal) load_internal("libdl.so.2", RTLD_NOW | by_program);
    libc_dlsym = in_objects("dlsym", "/libdl.so");
    libc_dlopen = in_objects("dlopen", "/libdl.so");
  }
  if (!libc_dlsym || !libc_dlopen) return;
  next_dlsym = libc_dlsym(RTLD_NEXT, "dlsym");
  next_dlvsym = libc_dlsym(RTLD_NEXT, "dlvsym");
}

// Returns what dlsym(object, name) returns, or sets jump to the function that decides.
static void *look_up(void *object, const char *name, const char *version, uintptr_t caller, void **jump) {
  if (unlikely(!libc_dlsym)) find_dlsym();
  *jump = NULL;
  int number = !pattern[0] || !name || object == RTLD_NEXT ? -1 : find_function(name);
  if (number < 0) {
    if (pattern[0] && name) note(name);
    *jump = version ? next_dlvsym : next_dlsym;
    return NULL;
  }
  if (object == RTLD_DEFAULT) {
    if (find_real(name, caller, NULL)) return wrapper_of(number);
    return libc_dlsym(RTLD_NEXT, name); // sets the text of dlerror
  }
  void *p;
  if (version) p = ((void *(*)(void *, const char *, const char *))next_dlvsym)(object, name, version);
  else p = ((void *(*)(void *, const char *))next_dlsym)(object, name);
  if (!p) return NULL;
  if (!is_wrapper(p)) return wrap(number, p);
  return find_real(name, caller, NULL) ? p : libc_dlsym(RTLD_NEXT, name);
}

void *roclua_dlsym(void *object, const char *name, void *unused, uintptr_t caller, void **jump) __attribute__((used));
void *roclua_dlsym(void *object, const char *name, void *unused, uintptr_t caller, void **jump) {
  return look_up(object, name, NULL, caller, jump);
}

void *roclua_dlvsym(void *object, const char *name, const char *version, uintptr_t caller, void **jump)
    __attribute__((used));
void *roclua_dlvsym(void *object, const char *name, const char *version, uintptr_t caller, void **jump) {
  return look_up(object, name, version, caller, jump);
}

// The audit library calls it for a reference that preloading does not reach. It returns the wrapper.
__attribute__((visibility("default"))) uintptr_t roclua_redirect(const char *name, uintptr_t function) {
  int number = find_function(name);
  if (number < 0 || !libc_dlsym || is_wrapper((void *)function)) return function;
  return (uintptr_t)wrap(number, (void *)function);
}
