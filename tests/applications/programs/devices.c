// Threads on all devices: each has a handle on its device, uses it while another device is current, and copies between
// devices. One handle is used on the null streams of all devices.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
int hipMalloc(void **, size_t), hipFree(void *), hipStreamCreate(void **), hipStreamDestroy(void *);
int hipStreamSynchronize(void *), hipDeviceSynchronize(void), hipSetDevice(int), hipGetDeviceCount(int *);
int hipMemcpyPeerAsync(void *, int, const void *, int, size_t, void *), hipDeviceEnablePeerAccess(int, unsigned);
int rocblas_create_handle(void **), rocblas_destroy_handle(void *), rocblas_set_stream(void *, void *);
int rocblas_start_device_memory_size_query(void *), rocblas_stop_device_memory_size_query(void *, size_t *);
int rocblas_set_workspace(void *, void *, size_t), rocblas_set_device_memory_size(void *, size_t);
int rocblas_dtrsm(void *, int, int, int, int, int, int, const double *, double *, int, double *, int);
int rocblas_dtrsv(void *, int, int, int, int, const double *, int, double *, int);
int rocsolver_dgetrf(void *, int, int, double *, int, int *, int *);
int rocsolver_dgeqrf(void *, int, int, double *, int, double *);
static int count;

static void solve(void *handle, int n, double *a, int *pivots) {
  const double one = 1;
  rocsolver_dgetrf(handle, n, n, a, n, pivots, pivots);
  rocsolver_dgeqrf(handle, n, n, a, n, a);
  rocblas_dtrsm(handle, 141, 121, 111, 131, n, n, &one, a, n, a, n);
  rocblas_dtrsv(handle, 121, 111, 131, n, a, n, a, 1);
}

static void *work(void *number) {
  int device = (int)(long)number, other = (device + 1) % count, *pivots;
  void *handle, *stream, *workspace;
  double *a, *b;
  size_t bytes;
  hipSetDevice(device);
  if (other != device) hipDeviceEnablePeerAccess(other, 0);
  hipMalloc((void **)&a, 64 << 20);
  hipMalloc((void **)&pivots, 1 << 20);
  rocblas_create_handle(&handle);
  hipStreamCreate(&stream);
  rocblas_set_stream(handle, stream);
  for (int n = 100; n < 2600; n += 500) solve(handle, n, a, pivots);
  hipSetDevice(other); // the memory grows on the handle's device
  hipMalloc((void **)&b, 64 << 20);
  hipMemcpyPeerAsync(b, other, a, device, 1 << 20, stream);
  for (int n = 2600; n < 7000; n += 700) solve(handle, n, a, pivots);
  rocblas_start_device_memory_size_query(handle);
  solve(handle, 900, a, pivots);
  rocblas_stop_device_memory_size_query(handle, &bytes);
  rocblas_set_device_memory_size(handle, bytes);
  solve(handle, 900, a, pivots);
  hipSetDevice(device);
  hipMalloc(&workspace, 1 << 20);
  rocblas_set_workspace(handle, workspace, 1 << 20);
  for (int n = 100; n < 2000; n += 300) solve(handle, n, a, pivots);
  hipStreamSynchronize(stream);
  rocblas_destroy_handle(handle);
  hipFree(workspace);
  hipFree(a);
  hipFree(b);
  hipStreamDestroy(stream);
  return NULL;
}

int main(void) {
  pthread_t threads[16];
  void *handle;
  double *a;
  int *pivots;
  hipGetDeviceCount(&count);
  hipMalloc((void **)&a, 64 << 20);
  hipMalloc((void **)&pivots, 1 << 20);
  rocblas_create_handle(&handle);
  for (int d = 0; d < count; d++) {
    hipSetDevice(d);
    solve(handle, 1000, a, pivots);
    if (d % 2) hipDeviceSynchronize();
  }
  for (long d = 0; d < count; d++) pthread_create(&threads[d], NULL, work, (void *)d);
  for (int d = 0; d < count; d++) pthread_join(threads[d], NULL);
  rocblas_destroy_handle(handle);
  return puts("done") < 0;
}
