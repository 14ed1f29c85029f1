// The calls of bench.lua from C, linked with the libraries: ./bench WHO REPEAT
// Prints WHO,CALL,SECONDS of one call: the median of several rounds.
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <rocblas/rocblas.h>
#include <rocsolver/rocsolver.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 9 };
static rocblas_handle handle;
static double *memory;

static void query(void) { rocsolver_dgetrf(handle, 1024, 1024, NULL, 1024, NULL, NULL); }

static void gemm(void) {
  const double one = 1, zero = 0;
  rocblas_dgemm(handle, rocblas_operation_none, rocblas_operation_none, 1, 1, 1, &one, memory, 1, memory, 1, &zero,
                memory, 1);
}

static void workspace(void) { rocblas_set_workspace(handle, memory, 1 << 20); }

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void measure(const char *who, const char *name, void (*call)(void), long repeats) {
  double seconds[ROUNDS];
  call();
  for (int i = 0; i < ROUNDS; i++) {
    double start = now();
    for (long k = 0; k < repeats; k++) call();
    seconds[i] = (now() - start) / repeats;
  }
  qsort(seconds, ROUNDS, sizeof *seconds, compare);
  printf("%s,%s,%.12f\n", who, name, seconds[ROUNDS / 2]);
}

int main(int argc, char **argv) {
  const char *who = argv[1];
  long repeats = atol(argv[2]);
  rocblas_create_handle(&handle);
  hipMalloc((void **)&memory, 1 << 20);
  rocblas_start_device_memory_size_query(handle);
  measure(who, "query", query, repeats);
  size_t bytes = 0;
  rocblas_stop_device_memory_size_query(handle, &bytes);
  measure(who, "gemm", gemm, repeats);
  measure(who, "workspace", workspace, repeats);
  if (!bytes) return 1;
}
