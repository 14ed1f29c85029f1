// Sixteen threads with a handle and a stream each, and four threads that share a handle, one after the other.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int hipMalloc(void **, size_t), hipFree(void *), hipStreamCreate(void **), hipStreamDestroy(void *);
int hipStreamSynchronize(void *), rocblas_create_handle(void **), rocblas_destroy_handle(void *);
int rocblas_set_stream(void *, void *), rocblas_set_workspace(void *, void *, size_t);
int rocblas_dtrsm(void *, int, int, int, int, int, int, const double *, double *, int, double *, int);
int rocsolver_dgetrf(void *, int, int, double *, int, int *, int *);
int rocsolver_dpotrf(void *, int, int, double *, int, int *);
static void *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double *a, *b;
static int *pivots;

static void solve(void *handle, int n) {
  const double one = 1;
  rocsolver_dgetrf(handle, n, n, a, n, pivots, pivots);
  rocsolver_dpotrf(handle, 121, n, a, n, pivots);
  rocblas_dtrsm(handle, 141, 121, 111, 131, n, n, &one, a, n, b, n);
}

static void *work(void *number) {
  long k = (long)number;
  void *handle, *stream, *workspace;
  rocblas_create_handle(&handle);
  hipStreamCreate(&stream);
  rocblas_set_stream(handle, stream);
  for (int n = 50; n < 2600; n += 150 + 10 * k) solve(handle, n);
  hipMalloc(&workspace, 1 << 20);
  rocblas_set_workspace(handle, workspace, 1 << 20);
  for (int n = 100; n < 2000; n += 300) solve(handle, n);
  rocblas_destroy_handle(handle);
  hipFree(workspace);
  for (int i = 0; k < 4 && i < 5; i++) {
    pthread_mutex_lock(&lock);
    rocblas_set_stream(shared, stream);
    solve(shared, 700 * (i + 1));
    hipStreamSynchronize(stream);
    rocblas_set_stream(shared, NULL);
    pthread_mutex_unlock(&lock);
  }
  hipStreamDestroy(stream);
  return NULL;
}

int main(void) {
  pthread_t threads[16];
  hipMalloc((void **)&a, 128 << 20);
  hipMalloc((void **)&b, 128 << 20);
  hipMalloc((void **)&pivots, 1 << 20);
  rocblas_create_handle(&shared);
  for (long k = 0; k < 16; k++) pthread_create(&threads[k], NULL, work, (void *)k);
  for (int k = 0; k < 16; k++) pthread_join(threads[k], NULL);
  rocblas_destroy_handle(shared);
  return puts("done") < 0;
}
