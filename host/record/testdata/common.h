#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
typedef void *pointer;
typedef struct { size_t width, height, depth; } extent;
typedef struct { unsigned x, y, z; } dim3;
int hipMalloc(pointer *, size_t), hipFree(pointer), hipStreamCreate(pointer *), hipStreamDestroy(pointer);
int hipGetProcAddress(const char *, pointer *, int, uint64_t, int *);
int hipMalloc3D(pointer *, extent), hipCtxSetCurrent(pointer);
int hipExtLaunchKernel(pointer, dim3, dim3, pointer *, size_t, pointer, pointer, pointer, int);
int hipStreamSynchronize(pointer), hipSetDevice(int), hipGetLastError(void), hipMemPoolSetAttribute(pointer, int, void *);
int rocblas_get_version_string(char *, size_t);
int rocblas_create_handle(pointer *), rocblas_destroy_handle(pointer), rocblas_set_stream(pointer, pointer);
int rocblas_set_pointer_mode(pointer, int), rocblas_set_workspace(pointer, pointer, size_t);
int rocblas_start_device_memory_size_query(pointer), rocblas_stop_device_memory_size_query(pointer, size_t *);
int rocblas_dscal(pointer, int, const double *, double *, int);
int rocsolver_dgetrf(pointer, int, int, double *, int, int *, int *);
int rocsolver_ssyevx(pointer, int, int, int, int, float *, int, float, float, int, int, float, int *, float *, float *,
                     int, int *, int *);
int rocblas_set_optimal_device_memory_size_impl(pointer, size_t, ...), rocblas_device_malloc_free(pointer);
int rocblas_device_malloc_alloc(pointer, pointer *, size_t, ...);
int hipsolverCreate(pointer *), hipsolverSetStream(pointer, pointer), hipsolverDestroy(pointer);
int hipsolverDnDgetrf_bufferSize(pointer, int, int, double *, int, int *);
int hipblasDscal(pointer, int, const double *, double *, int);
int rocblas_gemm_ex(pointer, int, int, int, int, int, const void *, const void *, int, int, const void *, int, int,
                    const void *, const void *, int, int, void *, int, int, int, int, int, unsigned);
#define CHECK(x) if (!(x)) { fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x); exit(3); }
