// A HIP runtime without a device, rocBLAS and rocSOLVER in one library. sscal behaves like the real function.
// dscal does not check x, cscal ends the process if n is over 300, and zscal does not exist.

#include <stdlib.h>
#include <string.h>

#define OK(name, ...) int name(__VA_ARGS__) { return 0; }
OK(hipSetDevice, int d)
OK(hipDeviceSynchronize, void)
OK(hipStreamSynchronize, void *s)
OK(hipMemcpyAsync, void *to, const void *from, size_t n, int kind, void *s)
OK(hipMemsetAsync, void *p, int v, size_t n, void *s)
OK(hipStreamDestroy, void *s)
OK(hipEventDestroy, void *e)
OK(hipGetLastError, void)
OK(hipPeekAtLastError, void)
int hipStreamCreateWithFlags(void **s, unsigned flags) { *s = malloc(8); return 0; }
int hipEventCreateWithFlags(void **e, unsigned flags) { *e = malloc(8); return 0; }
int hipEventCreate(void **e) { *e = malloc(8); return 0; }
int hipStreamIsCapturing(void *s, int *state) { *state = 0; return 0; }
int hipGetDeviceCount(int *n) { *n = 1; return 0; }
int hipRuntimeGetVersion(int *v) { *v = 70200000; return 0; }
int hipDeviceGetAttribute(int *v, int a, int d) { *v = 1; return 0; }
int hipMemGetInfo(size_t *unused, size_t *total) { *unused = *total = 1ul << 34; return 0; }
int hipMalloc(void **p, size_t n) { *p = calloc(n, 1); return *p ? 0 : 2; }
int hipFree(void *p) { free(p); return 0; }
int hipGetDevicePropertiesR0600(char *p, int d) {
	strcpy(p, "none");
	strcpy(p + 1160, "gfx90a:sramecc+");
	memcpy(p + 288, &(size_t){1ul << 34}, 8);
	return 0;
}

int rocblas_get_version_string(char *s, size_t n) { strcpy(s, getenv("FAKE_ROCBLAS") ?: "5.2.0.fake"); return 0; }
int rocsolver_get_version_string(char *s, size_t n) { strcpy(s, "3.32.0.fake"); return 0; }

struct handle { int querying, mode; };
int rocblas_create_handle(struct handle **h) { *h = calloc(sizeof **h, 1); return 0; }
int rocblas_destroy_handle(struct handle *h) { free(h); return 0; }
int rocblas_get_device_memory_size(struct handle *h, size_t *n) {
	 *n = atol(getenv("FAKE_MEMORY") ?: "32") << 20; return 0; }
int rocblas_get_pointer_mode(struct handle *h, int *mode) { *mode = h->mode; return 0; }
int rocblas_set_pointer_mode(struct handle *h, int mode) { h->mode = mode; return 0; }
int rocblas_start_device_memory_size_query(struct handle *h) { h->querying = 1; return 0; }
int rocblas_stop_device_memory_size_query(struct handle *h, size_t *n) { h->querying = *n = 0; return 0; }

static int scal(struct handle *h, int n, const void *alpha, int one, void *x, int incx) {
	if (h->querying) return 10;
	if (n <= 0 || incx <= 0) return 0;
	if (!alpha) return 3;
	return one && !h->mode || x ? 0 : 3;
}
int rocblas_sscal(struct handle *h, int n, float *alpha, float *x, int incx) {
	return scal(h, n, alpha, alpha && *alpha == 1, x, incx);
}
int rocblas_dscal(struct handle *h, int n, double *alpha, double *x, int incx) {
	return scal(h, n, alpha, 1, x, incx);
}
int rocblas_cscal(struct handle *h, int n, float *alpha, float *x, int incx) {
	if (!h->querying && n > 300) abort();
	return scal(h, n, alpha, alpha && alpha[0] == 1 && alpha[1] == 0, x, incx);
}
