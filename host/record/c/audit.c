// An audit library (LD_AUDIT) for what LD_PRELOAD does not reach: references of libraries that are loaded with
// RTLD_DEEPBIND or by dlmopen. It redirects them to the recorder's wrappers. It uses no C library: the loader would
// load a second one for it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>

static struct link_map *recorder;
static uintptr_t (*redirect)(const char *, uintptr_t);
static int started; // the objects of the start are bound; the recorder is relocated

static int same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static int ends(const char *text, const char *end) {
  const char *last = 0;
  for (; text && *text; text++)
    if (same(text, end)) last = text;
  return last != 0;
}

// Returns the address of a function that an object defines, or 0.
static uintptr_t defined_in(const struct link_map *map, const char *name) {
  const ElfW(Sym) *symbols = 0;
  const char *strings = 0;
  const uint32_t *gnu = 0;
  for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
    uintptr_t at = d->d_un.d_ptr;
    if (at < map->l_addr) at += map->l_addr;
    if (d->d_tag == DT_SYMTAB) symbols = (void *)at;
    if (d->d_tag == DT_STRTAB) strings = (void *)at;
    if (d->d_tag == DT_GNU_HASH) gnu = (void *)at;
  }
  if (!symbols || !strings || !gnu || !gnu[0]) return 0;
  uint32_t hash = 5381;
  for (const char *c = name; *c; c++) hash = hash * 33 + (uint8_t)*c;
  const uint32_t *buckets = gnu + 4 + gnu[2] * (sizeof(uintptr_t) / 4), *chain = buckets + gnu[0];
  for (uint32_t i = buckets[hash % gnu[0]]; i >= gnu[1]; i++) {
    uint32_t have = chain[i - gnu[1]];
    if ((have | 1) == (hash | 1) && symbols[i].st_shndx != SHN_UNDEF && same(strings + symbols[i].st_name, name))
      return map->l_addr + symbols[i].st_value;
    if (have & 1) break;
  }
  return 0;
}

unsigned la_version(unsigned version) { return version < 2 ? version : 2; }

unsigned la_objopen(struct link_map *map, Lmid_t space, uintptr_t *cookie) {
  *cookie = (uintptr_t)map;
  if (space == LM_ID_BASE && ends(map->l_name, "/" RECORDER)) recorder = map;
  return LA_FLG_BINDTO | LA_FLG_BINDFROM;
}

void la_activity(uintptr_t *cookie, unsigned flag) {
  if (flag != LA_ACT_CONSISTENT || started || !recorder) return;
  started = 1;
  redirect = (void *)defined_in(recorder, "roclua_redirect");
}

uintptr_t la_symbind64(ElfW(Sym) * symbol, unsigned index, uintptr_t *from, uintptr_t *to, unsigned *flags,
                       const char *name) {
  const struct link_map *user = (void *)*from;
  if (!started || !redirect || *to == (uintptr_t)recorder || user == recorder) return symbol->st_value;
  int ours = name[0] == 'r' && name[1] == 'o' && name[2] == 'c' || name[0] == 'h' && name[1] == 'i' && name[2] == 'p';
  if (!ours || defined_in(user, name)) return symbol->st_value; // another interposer calls the function behind it
  return redirect(name, symbol->st_value);
}
