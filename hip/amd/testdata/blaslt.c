// A library in the place of hipBLASLt and HIP, with one device. A product wants 4*m*n*15 bytes for a kernel that splits
// k by 15, if k is at least 1024, and otherwise nothing. With fewer bytes it has a kernel that does not split k, but for
// the epilogue gelu_aux_bias; for gelu it has none. The names of kernels have the arguments, unless
// FAKE_NAMES is set. With FAKE_NO_DEVICE there is no device, and with FAKE_CRASH the library crashes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_set(const char *variable) {
  const char *text = getenv(variable);
  return text && *text;
}

int hipGetDeviceCount(int *n) { return *n = !is_set("FAKE_NO_DEVICE"), 0; }
int hipSetDevice(int d) { return 0; }
int hipGetLastError(void) { return 0; }
int hipMemGetInfo(size_t *free, size_t *total) { return *free = *total = 1 << 30, 0; }
int hipDeviceGetAttribute(int *v, int attribute, int d) { return *v = attribute == 63 ? 100 : 0, 0; }

int hipGetDevicePropertiesR0600(char *p, int d) {
  memset(p, 0, 1472);
  strcpy(p, "a fake device");
  strcpy(p + 1160, "gfx90a:sramecc+:xnack-");
  return 0;
}

typedef struct { int kind; uint64_t at[200], m[6]; char set[200]; } object; // an object of any kind
static int live;

static int make(object **o, int kind) {
  *o = calloc(1, sizeof **o);
  (*o)->kind = kind;
  return live++, 0;
}

static int end(object *o, int kind) { return o->kind == kind ? live--, free(o), 0 : 3; }

static int set(object *o, int kind, int attribute, const void *value, size_t bytes) {
  if (o->kind != kind || attribute >= 200 || bytes > 8) return 3;
  o->at[attribute] = 0;
  memcpy(&o->at[attribute], value, bytes);
  return o->set[attribute] = 1, 0;
}

int hipblasLtCreate(void **h) {
  if (is_set("FAKE_CRASH")) abort();
  return *h = (void *)7, 0;
}
int hipblasLtDestroy(void *h) { return h == (void *)7 && live == 0 ? 0 : 3; }
int hipblasLtGetVersion(void *h, int *v) { return *v = 100203, 0; }

int hipblasLtMatmulDescCreate(object **o, int compute, int scale) {
  if (compute == 0) return 7;
  make(o, 1);
  return (*o)->m[0] = compute, (*o)->m[1] = scale, 0;
}
int hipblasLtMatmulDescDestroy(object *o) { return end(o, 1); }
int hipblasLtMatmulDescSetAttribute(object *o, int a, const void *v, size_t n) { return set(o, 1, a, v, n); }

int hipblasLtMatrixLayoutCreate(object **o, int type, uint64_t rows, uint64_t columns, int64_t lead) {
  make(o, 2);
  return (*o)->m[0] = type, (*o)->m[1] = rows, (*o)->m[2] = columns, (*o)->m[3] = lead, 0;
}
int hipblasLtMatrixLayoutDestroy(object *o) { return end(o, 2); }
int hipblasLtMatrixLayoutSetAttribute(object *o, int a, const void *v, size_t n) { return set(o, 2, a, v, n); }

int hipblasLtMatmulPreferenceCreate(object **o) { return make(o, 3); }
int hipblasLtMatmulPreferenceDestroy(object *o) { return end(o, 3); }
int hipblasLtMatmulPreferenceSetAttribute(object *o, int a, const void *v, size_t n) { return set(o, 3, a, v, n); }

typedef struct {
  struct { int solution; char others[12]; uint64_t workspace; } algorithm;
  uint64_t bytes;
  int status;
  float waves;
  int reserved[4];
} result;

static char arguments[2000];

static void add(object *o) {
  char *to = arguments + strlen(arguments);
  for (int i = 0; i < (o->kind == 2 ? 4 : 2); i++) to += sprintf(to, "%s%llu", i ? "," : " ", (unsigned long long)o->m[i]);
  for (int i = 0; i < 200; i++)
    if (o->set[i]) to += sprintf(to, " %d=%llu", i, (unsigned long long)o->at[i]);
}

int hipblasLtMatmulAlgoGetHeuristic(void *h, object *desc, object *a, object *b, object *c, object *d, object *limit,
                                    int most, result *r, int *count) {
  uint64_t k = desc->at[0] == 111 ? a->m[2] : a->m[1], bytes = k < 1024 ? 0 : 4 * d->m[1] * d->m[2] * 15;
  if (h != (void *)7 || limit->kind != 3 || most != 1) return 3;
  if (desc->at[2] == 32 || desc->at[2] == 164 && limit->at[1] < bytes) return *count = 0, 0;
  arguments[0] = 0;
  add(desc), add(a), add(b), add(c), add(d);
  int split = bytes > 0 && limit->at[1] >= bytes;
  r->algorithm.solution = 40 + split;
  r->algorithm.workspace = limit->at[1];
  r->bytes = split ? bytes : 0;
  return r->status = 0, *count = 1, 0;
}

struct text { char *address; size_t length; char small[16]; };

struct text *name_of(struct text *t, void *h, int *solution)
    __asm__("_ZN13hipblaslt_ext23getSolutionNameFromAlgoB5cxx11EPvR22_hipblasLtMatmulAlgo_t");
struct text *name_of(struct text *t, void *h, int *solution) {
  char name[3000];
  int n = sprintf(name, "Cijk_MT96x64x64_SN_GSU%d_WG32%s", *solution == 41 ? 15 : 1, arguments);
  if (is_set("FAKE_NAMES")) n = sprintf(name, "s%d", *solution);
  t->address = n < 16 ? t->small : malloc(n + 1);
  memcpy(t->address, name, n + 1);
  return t->length = n, t;
}

void release(void *p) __asm__("_ZdlPv");
void release(void *p) { free(p); }
