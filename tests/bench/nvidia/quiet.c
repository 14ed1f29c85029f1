// CUDA's runtime, cuBLAS and cuSOLVER as far as the benchmark uses them, on host memory and without computing. With
// it, the benchmark shows what a call costs in addition to the libraries and the device, on any machine.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUIET(name) int name(void) { return 0; }

struct event { struct timespec at; };

int cudaRuntimeGetVersion(int *v) { *v = 13000; return 0; }
int cudaDriverGetVersion(int *v) { *v = 13000; return 0; }
int cudaGetDeviceCount(int *n) { *n = 1; return 0; }
int cudaDeviceGetAttribute(int *v, int number, int device) { *v = number == 75 ? 9 : number == 115; return 0; }
int cudaMemGetInfo(uint64_t *free, uint64_t *total) { *free = *total = 1ull << 34; return 0; }
int cudaGetDeviceProperties(char *p, int device) { strcpy(p, "quiet"); return 0; }
int cudaMalloc(void **p, size_t n) { return (*p = aligned_alloc(256, (n + 255) / 256 * 256)) ? 0 : 2; }
int cudaFree(void *p) { free(p); return 0; }
int cudaMemcpy(void *to, const void *from, size_t n, int kind) { memmove(to, from, n); return 0; }
int cudaMemcpyAsync(void *to, const void *from, size_t n, int kind, void *s) { memmove(to, from, n); return 0; }
int cudaMemset(void *p, int v, size_t n) { memset(p, v, n); return 0; }
int cudaMemsetAsync(void *p, int v, size_t n, void *s) { memset(p, v, n); return 0; }
int cudaStreamCreateWithFlags(void **s, unsigned flags) { *s = malloc(1); return 0; }
int cudaEventCreate(void **e) { *e = malloc(sizeof(struct event)); return 0; }
int cudaEventCreateWithFlags(void **e, unsigned flags) { return cudaEventCreate(e); }
int cudaEventDestroy(void *e) { free(e); return 0; }
int cudaEventRecord(struct event *e, void *s) { clock_gettime(CLOCK_MONOTONIC, &e->at); return 0; }
int cudaEventElapsedTime(float *ms, struct event *a, struct event *b) {
  *ms = (b->at.tv_sec - a->at.tv_sec) * 1e3 + (b->at.tv_nsec - a->at.tv_nsec) / 1e6;
  return 0;
}
static int capturing;
int cudaStreamBeginCapture(void *s, int mode) { capturing = 1; return 0; }
int cudaStreamEndCapture(void *s, void **graph) { capturing = 0; *graph = malloc(1); return 0; }
int cudaStreamGetCaptureInfo(void *s, int *status, uint64_t *id) { *status = capturing, *id = 1; return 0; }
int cudaGraphGetNodes(void *graph, void **nodes, size_t *n) { if (nodes) *nodes = graph; *n = 1; return 0; }
int cudaGraphNodeGetType(void *node, int *type) { *type = 0; return 0; }
int cudaGraphNodeGetDependencies(void *node, void **list, void *edges, size_t *n) { *n = 0; return 0; }
int cudaGraphInstantiateWithFlags(void **executable, void *graph, uint64_t flags) { *executable = graph; return 0; }
int cusolverDnDgetrf_bufferSize(void *h, int m, int n, void *a, int lda, int *size) { *size = 64; return 0; }
int cublasGetProperty(int which, int *v) { *v = which ? 0 : 13; return 0; }
int cusolverGetProperty(int which, int *v) { *v = which ? 0 : 12; return 0; }
int cublasCreate_v2(void **h) { *h = malloc(1); return 0; }
int cusolverDnCreate(void **h) { *h = malloc(1); return 0; }

QUIET(cudaGetLastError) QUIET(cudaPeekAtLastError) QUIET(cudaSetDevice) QUIET(cudaDeviceSynchronize)
QUIET(cudaStreamDestroy) QUIET(cudaStreamSynchronize) QUIET(cudaStreamQuery) QUIET(cudaStreamWaitEvent)
QUIET(cudaGraphLaunch) QUIET(cudaGraphDestroy) QUIET(cudaGraphExecDestroy)
QUIET(cudaThreadExchangeStreamCaptureMode) QUIET(cudaDeviceGetDefaultMemPool) QUIET(cudaMemPoolTrimTo) QUIET(cudaEventSynchronize) QUIET(cudaEventQuery)
QUIET(cublasDestroy_v2) QUIET(cusolverDnDestroy) QUIET(cublasSetStream_v2) QUIET(cusolverDnSetStream)
QUIET(cublasSetWorkspace_v2) QUIET(cublasSetPointerMode_v2)
QUIET(cublasDgemm_v2) QUIET(cublasSgemm_v2) QUIET(cublasDgemmStridedBatched) QUIET(cublasSgemmStridedBatched)
QUIET(cublasDgetrfBatched) QUIET(cublasDgetrsBatched) QUIET(cusolverDnDgetrf) QUIET(cusolverDnDgetrs)
