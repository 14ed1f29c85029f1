// A HIP, or a rocBLAS with rocSOLVER and hipBLAS, whose calls do nothing but allocate and return statuses.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
typedef void *pointer;

#ifdef HIP
int hipGetDeviceCount(int *n) { return *n = 1, 0; }
int hipRuntimeGetVersion(int *v) { return *v = 60443484, 0; }
int hipSetDevice(int d) { return d > 7; }
static int current;
int hipGetDevice(int *d) { return *d = current, 0; }
int hipCtxSetCurrent(pointer c) { return current = (intptr_t)c, 0; }
int hipMemGetInfo(size_t *free, size_t *total) { return *free = 1000, *total = 2000, 0; }
int hipGetDevicePropertiesR0600(char *p, int d) {
  memset(p, 0, 1472);
  strcpy(p, "no GPU");
  strcpy(p + 1160, "gfx90a");
  *(uint64_t *)(p + 288) = 1 << 30;
  return 0;
}
int hipMemPoolSetAttribute(pointer pool, int attribute, void *value) { return 0; }
int hipGetLastError(void) {
  static int error = 98;
  int last = error;
  return error = 0, last;
}
int hipMalloc(pointer *p, size_t n) { return *p = malloc(1), 0; }
int hipFree(pointer p) { return free(p), 0; }
typedef struct { size_t width, height, depth; } extent;
typedef struct { unsigned x, y, z; } dim3;
int hipMalloc3D(pointer *p, extent e) { return *p = NULL, e.width != 2 || e.height != 3 || e.depth != 4; }
int hipExtLaunchKernel(pointer f, dim3 grid, dim3 block, pointer *args, size_t bytes, pointer s, pointer start,
                       pointer stop, int flags) {
  return grid.x != 1 || grid.z != 3 || block.x != 4 || block.z != 6 || bytes != 7 || flags != 8;
}
static int wait_for_device(void) { return 0; }
int hipGetProcAddress(const char *name, pointer *function, int version, uint64_t flags, int *status) {
  *function = strcmp(name, "hipDeviceSynchronize") ? NULL : (pointer)wait_for_device;
  return *function ? 0 : 1;
}
int hipStreamCreate(pointer *s) { return *s = malloc(8), 0; }
int hipStreamDestroy(pointer s) { return free(s), 0; }
int hipStreamSynchronize(pointer s) { return s == (pointer)400 ? 400 : 0; }
#else
int hipMalloc(pointer *, size_t), hipFree(pointer), hipStreamSynchronize(pointer);

int rocblas_get_version_string(char *text, size_t n) { return strcpy(text, VERSION), 0; }
int rocblas_create_handle(pointer *h) { return hipMalloc(h, 32 << 20); }
int rocblas_destroy_handle(pointer h) { return h ? hipFree(h) : 1; }
int rocblas_set_stream(pointer h, pointer s) { return 0; }
int rocblas_set_pointer_mode(pointer h, int mode) { return 0; }
int rocblas_set_workspace(pointer h, pointer p, size_t n) { return 0; }
int rocblas_start_device_memory_size_query(pointer h) { return 0; }
int rocblas_stop_device_memory_size_query(pointer h, size_t *n) { return *n = 4096, 0; }
void (*fake_hook)(void); // called for n = -77
int rocblas_dscal(pointer h, int n, const double *alpha, double *x, int incx) {
  if (n == -77) fake_hook();
  return n == COPY ? 3 : n < 0 ? 6 : 0;
}
int rocblas_gemm_ex(pointer h, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int at, int lda,
                    const void *b, int bt, int ldb, const void *beta, const void *c, int ct, int ldc, void *d, int dt,
                    int ldd, int compute, int algo, int solution, unsigned flags) {
  return solution == 7 && flags == 9 && ldd == 5 && ta == 111 && compute == 151 ? 0 : 12;
}
static size_t sum_of(size_t count, va_list sizes) {
  size_t sum = 0;
  for (size_t i = 1; i <= count; i++) sum += i * va_arg(sizes, size_t);
  return sum;
}
int rocblas_set_optimal_device_memory_size_impl(pointer h, size_t count, ...) {
  va_list sizes;
  va_start(sizes, count);
  return h ? sum_of(count, sizes) : 1;
}
int rocblas_device_malloc_alloc(pointer h, pointer *res, size_t count, ...) {
  va_list sizes;
  va_start(sizes, count);
  *res = (pointer)64;
  return sum_of(count, sizes) != 1 * 10 + 2 * 20 + 3 * 30 + 4 * 40 + 5 * 50 + 6 * 60 + 7 * 70;
}
int rocblas_device_malloc_free(pointer p) { return p != (pointer)64; }
// It allocates, as a handle that grows.
int rocsolver_dgetrf(pointer h, int m, int n, double *a, int lda, int *ipiv, int *info) {
  pointer p;
  rocblas_set_pointer_mode(h, 1);
  rocblas_set_pointer_mode(h, 0);
  hipStreamSynchronize(NULL);
  if (m == -1) return hipStreamSynchronize((pointer)400);
  return hipMalloc(&p, 4096 * (size_t)n) ? 5 : 0;
}
int rocsolver_ssyevx(pointer h, int evect, int range, int uplo, int n, float *a, int lda, float vl, float vu, int il,
                     int iu, float abstol, int *nev, float *w, float *z, int ldz, int *ifail, int *info) {
  return vl == 0.5f && vu == 1.5f && abstol == 0.25f && il == 3 && ldz == 44 && info == (int *)8 ? 0 : 12;
}
int hipsolverCreate(pointer *h) { return rocblas_create_handle(h); }
int hipsolverSetStream(pointer h, pointer s) { return rocblas_set_stream(h, s); }
int hipsolverDestroy(pointer h) { return rocblas_destroy_handle(h); }
int hipsolverDnDgetrf_bufferSize(pointer h, int m, int n, double *a, int lda, int *work) { return *work = 77, 0; }
int hipblasDscal(pointer h, int n, const double *alpha, double *x, int incx) {
  int status = rocblas_dscal(h, n, alpha, x, incx);
  return status ? rocblas_dscal(h, n, alpha, x, incx) : 0;
}
#endif
