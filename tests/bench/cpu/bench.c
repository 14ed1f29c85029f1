// Measures routines of OpenBLAS from C: ./bench OP,N,REPEAT ...
// Prints c,OP,N,SECONDS of one call: the shortest of REPEAT calls, each on the same matrices.
#include <complex.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void function();

static void *library;

static function *find(char kind, const char *name) {
  char symbol[32];
  snprintf(symbol, sizeof symbol, "%c%s_", kind, name);
  function *f = (function *)dlsym(library, symbol);
  if (!f) fprintf(stderr, "no %s\n", symbol), exit(1);
  return f;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static size_t size_of(char kind) {
  return kind == 's' ? 4 : kind == 'z' ? 16 : 8;
}

// Random elements between -1 and 1, and n on the diagonal.
static void *matrix(char kind, int n) {
  size_t parts = kind == 'c' || kind == 'z' ? 2 : 1;
  char *p = malloc(size_of(kind) * n * n);
  for (size_t i = 0; i < parts * n * n; i++) {
    double v = 2.0 * rand() / RAND_MAX - 1;
    if (i / parts % (n + 1) == 0) v = i % parts ? 0 : n;
    if (kind == 's' || kind == 'c') ((float *)p)[i] = v;
    else ((double *)p)[i] = v;
  }
  return p;
}

int main(int argc, char **argv) {
  library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
  for (int i = 1; i < argc; i++) {
    char kind, op[16];
    int n, repeats, info;
    if (sscanf(argv[i], "%c%15[a-z],%d,%d", &kind, op, &n, &repeats) != 4) return 1;
    size_t bytes = size_of(kind) * n * n;
    int lwork = 64 * n, *pivots = malloc(4 * n);
    char *a = matrix(kind, n), *b = matrix(kind, n), *c = malloc(bytes), *tau = malloc(16 * n), *work = malloc(16 * lwork);
    double complex z_one = 1;
    float complex c_one = 1;
    double d_one = 1, d_zero[2] = {0}, shortest = 1e9;
    float s_one = 1;
    void *one = kind == 's' ? (void *)&s_one : kind == 'd' ? (void *)&d_one : kind == 'c' ? (void *)&c_one : &z_one;
    function *f = find(kind, op);
    int is_getri = !strcmp(op, "getri"), solves = !strcmp(op, "getrs");
    if (is_getri || solves) find(kind, "getrf")(&n, &n, a, &n, pivots, &info);
    memset(c, 0, bytes);
    for (int k = -1; k < repeats; k++) {
      memcpy(c, solves || !strcmp(op, "trsm") ? b : a, bytes);
      double start = now();
      if (!strcmp(op, "gemm")) f("N", "N", &n, &n, &n, one, a, &n, b, &n, d_zero, c, &n);
      else if (!strcmp(op, "trsm")) f("L", "L", "N", "N", &n, &n, one, a, &n, c, &n);
      else if (!strcmp(op, "getrf")) f(&n, &n, c, &n, pivots, &info);
      else if (!strcmp(op, "potrf")) f("L", &n, c, &n, &info);
      else if (!strcmp(op, "geqrf")) f(&n, &n, c, &n, tau, work, &lwork, &info);
      else if (!strcmp(op, "getri")) f(&n, c, &n, pivots, work, &lwork, &info);
      else if (solves) f("N", &n, &n, a, &n, pivots, c, &n, &info);
      double seconds = now() - start;
      if (k >= 0 && seconds < shortest) shortest = seconds;
    }
    printf("c,%c%s,%d,%.9f\n", kind, op, n, shortest);
    fflush(stdout);
    free(a), free(b), free(c), free(tau), free(work), free(pivots);
  }
}
