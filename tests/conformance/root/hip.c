// A HIP runtime without a GPU. With it the real rocBLAS and rocSOLVER create handles, answer size queries, check
// arguments and manage workspace as on a device. Device memory is host memory with a capacity, streams and events are
// only identifiers, and kernels do not run. A log records the memory calls of the libraries.
//
// Environment: HIP_ARCH is the architecture, HIP_CAPACITY the size of device memory in bytes.
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The log, with one call per line. The test program reads and empties it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char calls[1 << 20];
static size_t logged;

static void note(const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (logged + 128 < sizeof calls) logged += vsnprintf(calls + logged, 128, format, args);
  va_end(args);
}

// Copies the calls since the last read to out, at most room bytes, and returns the number of bytes.
size_t roclua_hip_log(char *out, size_t room) {
  pthread_mutex_lock(&lock);
  size_t n = logged < room ? logged : room;
  memcpy(out, calls, n);
  logged = 0;
  pthread_mutex_unlock(&lock);
  return n;
}

// Device memory: a list of blocks and their sum.
struct block {
  char *base;
  size_t bytes;
  struct block *next;
};
static struct block *blocks;
static size_t held, bound;
static size_t doomed; // number of the next allocation that fails, 0 for none

static size_t capacity(void) {
  const char *text = getenv("HIP_CAPACITY");
  return text ? strtoull(text, NULL, 0) : bound ? bound : (size_t)64 << 30;
}

static const char *arch(void) {
  const char *text = getenv("HIP_ARCH");
  return text ? text : "gfx90a";
}

// Removes all blocks and sets the capacity, before the next sequence.
void roclua_hip_reset(size_t bytes) {
  pthread_mutex_lock(&lock);
  while (blocks) {
    struct block *b = blocks;
    blocks = b->next;
    free(b->base);
    free(b);
  }
  held = logged = doomed = 0;
  bound = bytes;
  pthread_mutex_unlock(&lock);
}

// Makes only the n-th allocation from now fail.
void roclua_hip_fail(size_t n) {
  pthread_mutex_lock(&lock);
  doomed = n;
  pthread_mutex_unlock(&lock);
}

static hipError_t take(void **p, size_t bytes, const char *name) {
  hipError_t result = hipSuccess;
  pthread_mutex_lock(&lock);
  *p = NULL;
  if (bytes > 0) {
    size_t limit = doomed && --doomed == 0 ? 0 : capacity();
    char *base = bytes <= limit && held <= limit - bytes ? aligned_alloc(4096, (bytes + 4095) & ~(size_t)4095) : NULL;
    if (base) {
      struct block *b = malloc(sizeof *b);
      *b = (struct block){base, bytes, blocks};
      blocks = b;
      held += bytes;
      *p = base;
    } else {
      result = hipErrorOutOfMemory;
    }
  }
  note("%s %zu %d\n", name, bytes, result);
  pthread_mutex_unlock(&lock);
  return result;
}

static hipError_t give(void *p, const char *name) {
  hipError_t result = p ? hipErrorInvalidValue : hipSuccess;
  pthread_mutex_lock(&lock);
  for (struct block **at = &blocks; p && *at; at = &(*at)->next)
    if ((*at)->base == p) {
      struct block *b = *at;
      *at = b->next;
      held -= b->bytes;
      free(b->base);
      free(b);
      result = hipSuccess;
      break;
    }
  note("%s 0 %d\n", name, result);
  pthread_mutex_unlock(&lock);
  return result;
}

hipError_t hipMalloc(void **p, size_t bytes) { return take(p, bytes, "hipMalloc"); }
hipError_t hipFree(void *p) { return give(p, "hipFree"); }
hipError_t hipMallocAsync(void **p, size_t bytes, hipStream_t s) { return take(p, bytes, "hipMallocAsync"); }
hipError_t hipFreeAsync(void *p, hipStream_t s) { return give(p, "hipFreeAsync"); }

hipError_t hipHostMalloc(void **p, size_t bytes, unsigned flags) {
  *p = malloc(bytes);
  return *p || !bytes ? hipSuccess : hipErrorOutOfMemory;
}

hipError_t hipHostFree(void *p) {
  free(p);
  return hipSuccess;
}

hipError_t hipMemGetInfo(size_t *unused, size_t *total) {
  pthread_mutex_lock(&lock);
  *total = capacity();
  *unused = *total - held;
  pthread_mutex_unlock(&lock);
  return hipSuccess;
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *a, const void *p) {
  hipError_t result = hipErrorInvalidValue;
  memset(a, 0, sizeof *a);
  pthread_mutex_lock(&lock);
  for (struct block *b = blocks; b; b = b->next)
    if ((char *)p >= b->base && (char *)p < b->base + b->bytes) {
      a->type = hipMemoryTypeDevice;
      a->devicePointer = (void *)p;
      result = hipSuccess;
      break;
    }
  pthread_mutex_unlock(&lock);
  return result;
}

// Copies run immediately: streams have no other work.
hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  if (bytes) memmove(to, from, bytes);
  return hipSuccess;
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t s) { return hipMemcpy(to, from, bytes, kind); }

hipError_t hipMemcpy2D(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows, hipMemcpyKind kind) {
  for (size_t i = 0; i < rows; i++) memmove((char *)to + i * pitch, (const char *)from + i * frompitch, width);
  return hipSuccess;
}

hipError_t hipMemcpy2DAsync(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows, hipMemcpyKind kind, hipStream_t s) {
  return hipMemcpy2D(to, pitch, from, frompitch, width, rows, kind);
}

hipError_t hipMemsetAsync(void *to, int value, size_t bytes, hipStream_t s) {
  memset(to, value, bytes);
  return hipSuccess;
}

// The device.
hipError_t hipGetDeviceCount(int *count) { return *count = 1, hipSuccess; }
hipError_t hipGetDevice(int *device) { return *device = 0, hipSuccess; }
hipError_t hipSetDevice(int device) { return device == 0 ? hipSuccess : hipErrorInvalidDevice; }
hipError_t hipRuntimeGetVersion(int *version) { return *version = 60443484, hipSuccess; }
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device) { return *pool = (hipMemPool_t)1, hipSuccess; }

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t bytes) {
  pthread_mutex_lock(&lock);
  note("hipMemPoolTrimTo %zu 0\n", bytes);
  pthread_mutex_unlock(&lock);
  return hipSuccess;
}

static int wavefront(void) { return strncmp(arch(), "gfx1", 4) == 0 ? 32 : 64; }

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
  switch (attribute) {
  case hipDeviceAttributeWarpSize: *value = wavefront(); break;
  case hipDeviceAttributeMaxThreadsPerBlock: *value = 1024; break;
  case hipDeviceAttributeMaxSharedMemoryPerBlock: *value = 65536; break;
  case hipDeviceAttributeMultiprocessorCount: *value = 104; break;
  case hipDeviceAttributeMemoryPoolsSupported: *value = 1; break;
  default:
    if (attribute > hipDeviceAttributeCudaCompatibleEnd && attribute < hipDeviceAttributeAmdSpecificBegin || (unsigned)attribute > hipDeviceAttributeAmdSpecificEnd ||
        attribute > 200 && attribute <= hipDeviceAttributeCudaCompatibleEnd)
      return hipErrorInvalidValue;
    *value = 0;
  }
  return hipSuccess;
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *p, int device) {
  memset(p, 0, sizeof *p);
  strcpy(p->name, "no GPU");
  snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", arch());
  p->totalGlobalMem = capacity();
  p->sharedMemPerBlock = 65536;
  p->warpSize = wavefront();
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = p->maxThreadsDim[2] = 1024;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65536;
  p->multiProcessorCount = 104;
  p->maxThreadsPerMultiProcessor = 2048;
  p->major = 9;
  p->clockRate = 1700000;
  return hipSuccess;
}

// Streams are identifiers without content.
static long names = 16;
int hipGetStreamDeviceId(hipStream_t s) { return 0; }
hipError_t hipStreamCreateWithFlags(hipStream_t *s, unsigned flags) { return *s = (hipStream_t)(names += 16), hipSuccess; }
hipError_t hipStreamDestroy(hipStream_t s) { return hipSuccess; }
hipError_t hipStreamQuery(hipStream_t s) { return hipSuccess; }
hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned flags) { return hipSuccess; }
hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus *status) { return *status = hipStreamCaptureStatusNone, hipSuccess; }

static hipError_t wait_for(const char *name) {
  pthread_mutex_lock(&lock);
  note("%s 0 0\n", name);
  pthread_mutex_unlock(&lock);
  return hipSuccess;
}

hipError_t hipStreamSynchronize(hipStream_t s) { return wait_for("hipStreamSynchronize"); }
hipError_t hipDeviceSynchronize(void) { return wait_for("hipDeviceSynchronize"); }

// An event has the time at which it was recorded.
hipError_t hipEventCreate(hipEvent_t *e) {
  *e = calloc(1, sizeof(struct timespec));
  return *e ? hipSuccess : hipErrorOutOfMemory;
}

hipError_t hipEventDestroy(hipEvent_t e) {
  free(e);
  return hipSuccess;
}

hipError_t hipEventRecord(hipEvent_t e, hipStream_t s) {
  clock_gettime(CLOCK_MONOTONIC, (struct timespec *)e);
  return hipSuccess;
}

hipError_t hipEventSynchronize(hipEvent_t e) { return hipSuccess; }
hipError_t hipEventQuery(hipEvent_t e) { return hipSuccess; }

hipError_t hipEventElapsedTime(float *ms, hipEvent_t from, hipEvent_t to) {
  struct timespec *a = (struct timespec *)from, *b = (struct timespec *)to;
  if (!a->tv_sec || !b->tv_sec) return hipErrorInvalidHandle;
  *ms = (b->tv_sec - a->tv_sec) * 1e3 + (b->tv_nsec - a->tv_nsec) / 1e6;
  return hipSuccess;
}

// Errors.
hipError_t hipGetLastError(void) { return hipSuccess; }
hipError_t hipExtGetLastError(void) { return hipSuccess; }
hipError_t hipPeekAtLastError(void) { return hipSuccess; }
const char *hipGetErrorName(hipError_t e) { return "hipError"; }
const char *hipGetErrorString(hipError_t e) { return "hipError"; }

// Kernels can be registered and launched, and do nothing.
static __thread struct {
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
} launch;

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t s) {
  launch.grid = grid, launch.block = block, launch.shared = shared, launch.stream = s;
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *s) {
  *grid = launch.grid, *block = launch.block, *shared = launch.shared, *s = launch.stream;
  return hipSuccess;
}

void **__hipRegisterFatBinary(const void *data) {
  static void *module;
  return &module;
}

void __hipUnregisterFatBinary(void **module) {}
void __hipRegisterFunction(void **module, const void *host, char *device, const char *name, unsigned threads, void *a, void *b, void *c, void *d, int *e) {}
hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t s) { return hipSuccess; }

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t lx, uint32_t ly, uint32_t lz, size_t shared,
                                    hipStream_t s, void **args, void **extra, hipEvent_t start, hipEvent_t stop, uint32_t flags) {
  return hipSuccess;
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) { return *module = (hipModule_t)1, hipSuccess; }
hipError_t hipModuleUnload(hipModule_t module) { return hipSuccess; }
hipError_t hipModuleGetFunction(hipFunction_t *f, hipModule_t module, const char *name) { return *f = (hipFunction_t)1, hipSuccess; }
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t f, int size, size_t shared) { return *blocks = 1, hipSuccess; }
