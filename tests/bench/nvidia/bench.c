// The same calls as bench.lua from C: cc -O2 bench.c -ldl && ./a.out FOLDER_OF_LIBRARIES OP,N,BATCH,REPEAT ...
// The libraries are opened by dlopen so that no CUDA headers are needed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *cudart, *cublas, *cusolver;
#define RT(name) ((int (*)())dlsym(cudart, name))
#define BL(name) ((int (*)())dlsym(cublas, name))
#define SO(name) ((int (*)())dlsym(cusolver, name))
#define CHECK(call) do { int e_ = (call); if (e_) { fprintf(stderr, "%s:%d: error %d\n", __FILE__, __LINE__, e_); exit(1); } } while (0)

enum { ROUNDS = 7 };
static void *blas, *solver, *start, *stop;

static void *allocate(size_t bytes) {
  void *p = NULL;
  CHECK(RT("cudaMalloc")(&p, bytes));
  CHECK(RT("cudaMemset")(p, 0, bytes));
  return p;
}

static void *open_library(const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  void *lib = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!lib) { fprintf(stderr, "%s\n", dlerror()); exit(1); }
  return lib;
}

// A diagonally dominant matrix for each problem.
static void *matrices(int single, long n, long batch) {
  size_t element = single ? 4 : 8, bytes = element * n * n;
  char *p = allocate(bytes * batch), *host = malloc(bytes);
  srand(1);
  for (long i = 0; i < n * n; i++) {
    double v = n <= 2048 ? 2.0 * rand() / RAND_MAX - 1 : 0;
    if (i % (n + 1) == 0) v = n <= 2048 ? v + 2 * n : 1;
    if (single) ((float *)host)[i] = v; else ((double *)host)[i] = v;
  }
  for (long b = 0; b < batch; b++) CHECK(RT("cudaMemcpy")(p + b * bytes, host, bytes, 1));
  free(host);
  return p;
}

static void *pointers(char *p, size_t distance, long batch) {
  void **host = malloc(8 * batch), *d = allocate(8 * batch);
  for (long b = 0; b < batch; b++) host[b] = p + b * distance;
  CHECK(RT("cudaMemcpy")(d, host, 8 * batch, 1));
  free(host);
  return d;
}

struct call { const char *op; long n, batch; int single, scratch; void *a, *b, *c, *ipiv, *info, *work, *pa, *pb, *graph; };

// The functions, looked up once: a look-up takes a part of the time of a small call.
static struct { void *dgemm, *sgemm, *dgemms, *sgemms; int (*getrf)(), (*getrs)(), (*getrfs)(), (*getrss)(), (*launch)(); } fn;

static void look_up(void) {
  fn.dgemm = BL("cublasDgemm_v2"), fn.sgemm = BL("cublasSgemm_v2");
  fn.dgemms = BL("cublasDgemmStridedBatched"), fn.sgemms = BL("cublasSgemmStridedBatched");
  fn.getrf = SO("cusolverDnDgetrf"), fn.getrs = SO("cusolverDnDgetrs");
  fn.launch = RT("cudaGraphLaunch");
  fn.getrfs = BL("cublasDgetrfBatched"), fn.getrss = BL("cublasDgetrsBatched");
}

static const double one = 1, zero = 0;
static const float onef = 1, zerof = 0;

static void run(struct call *k) {
  int n = k->n, hostinfo;
  if (k->graph) CHECK(fn.launch(k->graph, NULL));
  else if (strstr(k->op, "gemm")) {
    const void *al = k->single ? (void *)&onef : (void *)&one, *be = k->single ? (void *)&zerof : (void *)&zero;
    if (k->batch == 1) CHECK(((int (*)(void *, int, int, int, int, int, const void *, void *, int, void *, int, const void *, void *, int))(k->single ? fn.sgemm : fn.dgemm))(blas, 0, 0, n, n, n, al, k->a, n, k->b, n, be, k->c, n));
    else CHECK(((int (*)(void *, int, int, int, int, int, const void *, void *, int, long long, void *, int, long long, const void *, void *, int, long long, int))(k->single ? fn.sgemms : fn.dgemms))(blas, 0, 0, n, n, n, al, k->a, n, (long long)n * n, k->b, n, (long long)n * n, be, k->c, n, (long long)n * n, (int)k->batch));
  } else if (!strcmp(k->op, "dgetrf")) {
    if (k->batch == 1) CHECK(fn.getrf(solver, n, n, k->a, n, k->work, k->ipiv, k->info));
    else CHECK(fn.getrfs(blas, n, k->pa, n, k->ipiv, k->info, (int)k->batch));
  } else {
    if (k->batch == 1) CHECK(fn.getrs(solver, 0, n, 1, k->a, n, k->ipiv, k->b, n, k->info));
    else CHECK(fn.getrss(blas, 0, n, 1, k->pa, n, k->ipiv, k->pb, n, &hostinfo, (int)k->batch));
  }
}

// Captures the call, which becomes the launch of a graph.
static void capture(struct call *k) {
  void *stream, *graph, *executable;
  CHECK(RT("cudaStreamCreateWithFlags")(&stream, 0));
  CHECK(BL("cublasSetStream_v2")(blas, stream));
  CHECK(RT("cudaStreamBeginCapture")(stream, 0));
  run(k);
  CHECK(RT("cudaStreamEndCapture")(stream, &graph));
  CHECK(BL("cublasSetStream_v2")(blas, NULL));
  CHECK(RT("cudaGraphInstantiateWithFlags")(&executable, graph, 0L));
  CHECK(RT("cudaGraphDestroy")(graph));
  CHECK(RT("cudaStreamDestroy")(stream));
  k->graph = executable;
}

static int ascending(const void *a, const void *b) { double d = *(double *)a - *(double *)b; return (d > 0) - (d < 0); }

int main(int argc, char **argv) {
  cudart = open_library(argv[1], "libcudart.so.13");
  open_library(argv[1], "libnvJitLink.so.13");
  open_library(argv[1], "libcublasLt.so.13");
  cublas = open_library(argv[1], "libcublas.so.13");
  open_library(argv[1], "libcusparse.so.12");
  cusolver = open_library(argv[1], "libcusolver.so.12");
  look_up();
  CHECK(BL("cublasCreate_v2")(&blas));
  CHECK(SO("cusolverDnCreate")(&solver));
  CHECK(RT("cudaEventCreate")(&start));
  CHECK(RT("cudaEventCreate")(&stop));
  for (int i = 2; i < argc; i++) {
    char op[32];
    long repeats;
    struct call k = {.op = op};
    if (sscanf(argv[i], "%31[^,],%ld,%ld,%ld", op, &k.n, &k.batch, &repeats) != 4) return 2;
    k.single = op[0] == 's';
    size_t bytes = (k.single ? 4 : 8) * k.n * k.n;
    k.a = matrices(k.single, k.n, k.batch);
    k.ipiv = allocate(4 * k.n * k.batch), k.info = allocate(4 * k.batch);
    if (strstr(op, "gemm")) k.b = matrices(k.single, k.n, k.batch), k.c = allocate(bytes * k.batch);
    else k.b = allocate(8 * k.n * k.batch), k.c = NULL;
    k.pa = pointers(k.a, bytes, k.batch), k.pb = pointers(k.b, 8 * k.n, k.batch);
    CHECK(SO("cusolverDnDgetrf_bufferSize")(solver, (int)k.n, (int)k.n, k.a, (int)k.n, &k.scratch));
    k.work = allocate(8L * k.scratch + 8);
    if (!strcmp(op, "dgetrs")) { k.op = "dgetrf"; run(&k); k.op = op; }
    run(&k);
    if (strstr(op, "_graph")) { capture(&k); run(&k); }
    CHECK(RT("cudaDeviceSynchronize")());
    double seconds[ROUNDS];
    for (int r = 0; r < ROUNDS; r++) {
      float ms;
      CHECK(RT("cudaEventRecord")(start, NULL));
      for (long j = 0; j < repeats; j++) run(&k);
      CHECK(RT("cudaEventRecord")(stop, NULL));
      CHECK(RT("cudaEventSynchronize")(stop));
      CHECK(RT("cudaEventElapsedTime")(&ms, start, stop));
      seconds[r] = ms / 1000 / repeats;
    }
    qsort(seconds, ROUNDS, sizeof *seconds, ascending);
    printf("c,%s,%ld,%ld,%.9f\n", op, k.n, k.batch, seconds[ROUNDS / 2]);
    fflush(stdout);
    if (k.graph) CHECK(RT("cudaGraphExecDestroy")(k.graph));
    void *all[] = {k.a, k.b, k.c, k.ipiv, k.info, k.work, k.pa, k.pb};
    for (int j = 0; j < 8; j++) CHECK(RT("cudaFree")(all[j]));
  }
  return 0;
}
