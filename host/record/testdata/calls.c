// Every kind of argument and of call.
#include "common.h"
int main(void) {
  pointer h, s, p;
  size_t bytes;
  double alpha = 2.5;
  float one = 1, zero = 0;
  CHECK(rocblas_create_handle(&h) == 0);
  CHECK(hipStreamCreate(&s) == 0);
  CHECK(rocblas_set_stream(h, s) == 0);
  CHECK(rocblas_start_device_memory_size_query(h) == 0);
  CHECK(rocsolver_dgetrf(h, 10, 20, NULL, 10, NULL, NULL) == 0);
  CHECK(rocblas_stop_device_memory_size_query(h, &bytes) == 0 && bytes == 4096);
  CHECK(rocblas_set_workspace(h, &bytes, 123) == 0);
  CHECK(rocblas_dscal(h, 5, &alpha, &alpha, 1) == 0);
  CHECK(rocblas_dscal(h, 5, (double *)16, &alpha, 1) == 0); // nothing reads alpha
  CHECK(rocblas_set_pointer_mode(h, 1) == 0);
  CHECK(rocblas_dscal(h, -5, &alpha, NULL, 1) == 6);
  CHECK(rocblas_set_pointer_mode(h, 0) == 0);
  CHECK(rocblas_gemm_ex(h, 111, 112, 1, 2, 3, &one, NULL, 151, 1, NULL, 151, 3, &zero, NULL, 151, 4, NULL, 151, 5, 151,
                        0, 7, 9) == 0);
  CHECK(rocsolver_ssyevx(h, 211, 231, 121, 4, NULL, 4, 0.5f, 1.5f, 3, 4, 0.25f, NULL, NULL, NULL, 44, NULL,
                         (int *)8) == 0);
  CHECK(hipblasDscal(h, -1, &alpha, NULL, 1) == 6);
  int work = 0;
  CHECK(hipsolverDnDgetrf_bufferSize(h, 4, 5, NULL, 4, &work) == 0 && work == 77);
  CHECK(hipsolverCreate(&p) == 0 && hipsolverSetStream(p, s) == 0 && hipsolverDestroy(p) == 0);
  CHECK(rocsolver_dgetrf(h, -1, 0, NULL, 1, NULL, NULL) == 400);
  CHECK(hipMalloc3D(&p, (extent){2, 3, 4}) == 0);
  CHECK(hipExtLaunchKernel(main, (dim3){1, 2, 3}, (dim3){4, 5, 6}, NULL, 7, s, NULL, NULL, 8) == 0); // is not recorded
  CHECK(hipExtLaunchKernel(main, (dim3){1, 2, 3}, (dim3){4, 5, 6}, NULL, 7, s, NULL, &p, 8) == 0);
  CHECK(hipCtxSetCurrent((pointer)2) == 0);
  CHECK(hipCtxSetCurrent(NULL) == 0);
  size_t threshold = 1 << 30;
  CHECK(hipMemPoolSetAttribute(&p, 4, &threshold) == 0);
  CHECK(hipGetLastError() == 98 && hipGetLastError() == 0); // the one without an error is not recorded
  CHECK(rocblas_set_optimal_device_memory_size_impl(h, 0ul) == 0);
  CHECK(rocblas_set_optimal_device_memory_size_impl(h, 1ul, 9ul) == 9);
  CHECK(rocblas_device_malloc_alloc(h, &p, 7ul, 10ul, 20ul, 30ul, 40ul, 50ul, 60ul, 70ul) == 0);
  CHECK(rocblas_device_malloc_free(p) == 0);
  CHECK(hipGetProcAddress("hipDeviceSynchronize", &p, 6, 0, NULL) == 0 && ((int (*)(void))p)() == 0);
  CHECK(hipGetProcAddress("hipNothing", &p, 6, 0, NULL) == 1 && p == NULL);
  hipSetDevice(3);
  CHECK(rocblas_dscal(NULL, 1, NULL, NULL, 1) == 0);
  CHECK(rocblas_destroy_handle(h) == 0);
  CHECK(rocblas_create_handle(&h) == 0);
  puts("done");
  return 42;
}
