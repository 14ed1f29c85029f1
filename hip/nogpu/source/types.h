// The types of HIP 6 and 7 that the runtime uses, with their binary layout. AMD's headers need not be installed. With
// HIP_HEADERS the runtime is compiled with those headers instead, which checks its declarations.
#ifndef TYPES_H
#define TYPES_H
#include <stddef.h>
#include <stdint.h>
#ifdef HIP_HEADERS
#define __HIP_PLATFORM_AMD__ 1
#include <hip/hip_runtime_api.h>
#else

typedef int hipJitOption;
typedef enum {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInvalidSymbol = 13,
  hipErrorInvalidDevice = 101,
  hipErrorInvalidHandle = 400,
  hipErrorIllegalState = 401,
  hipErrorNotReady = 600,
  hipErrorPeerAccessAlreadyEnabled = 704,
  hipErrorPeerAccessNotEnabled = 705,
  hipErrorContextIsDestroyed = 709,
  hipErrorNotSupported = 801,
  hipErrorStreamCaptureUnsupported = 900,
  hipErrorStreamCaptureInvalidated = 901,
  hipErrorStreamCaptureMerge = 902,
  hipErrorStreamCaptureUnmatched = 903,
  hipErrorStreamCaptureUnjoined = 904,
  hipErrorStreamCaptureIsolation = 905,
  hipErrorStreamCaptureImplicit = 906,
  hipErrorCapturedEvent = 907,
  hipErrorStreamCaptureWrongThread = 908,
} hipError_t;

typedef enum {
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4,
} hipMemcpyKind;

typedef enum { hipMemoryTypeUnregistered = 0, hipMemoryTypeDevice = 2 } hipMemoryType;

typedef enum {
  hipDeviceAttributeManagedMemory = 24,
  hipDeviceAttributeMaxThreadsPerBlock = 56,
  hipDeviceAttributeMultiprocessorCount = 63,
  hipDeviceAttributeMaxSharedMemoryPerBlock = 74,
  hipDeviceAttributeWarpSize = 87,
  hipDeviceAttributeMemoryPoolsSupported = 88,
  hipDeviceAttributeCudaCompatibleEnd = 9999,
  hipDeviceAttributeAmdSpecificBegin = 10000,
  hipDeviceAttributeAmdSpecificEnd = 19999,
} hipDeviceAttribute_t;

typedef enum {
  hipMemPoolAttrReleaseThreshold = 4,
  hipMemPoolAttrReservedMemCurrent = 5,
  hipMemPoolAttrUsedMemCurrent = 7,
} hipMemPoolAttr;

typedef enum {
  hipStreamCaptureModeGlobal = 0,
  hipStreamCaptureModeThreadLocal = 1,
  hipStreamCaptureModeRelaxed = 2,
} hipStreamCaptureMode;

typedef enum {
  hipStreamCaptureStatusNone = 0,
  hipStreamCaptureStatusActive = 1,
  hipStreamCaptureStatusInvalidated = 2,
} hipStreamCaptureStatus;

typedef enum {
  hipGraphNodeTypeKernel = 0,
  hipGraphNodeTypeMemcpy = 1,
  hipGraphNodeTypeMemset = 2,
  hipGraphNodeTypeHost = 3,
  hipGraphNodeTypeGraph = 4,
  hipGraphNodeTypeMemAlloc = 10,
  hipGraphNodeTypeMemFree = 11,
} hipGraphNodeType;

typedef enum { hipGraphExecUpdateSuccess = 0 } hipGraphExecUpdateResult;
typedef enum { hipFuncCachePreferNone = 0 } hipFuncCache_t;
typedef enum { hipFuncAttributeMaxDynamicSharedMemorySize = 8 } hipFuncAttribute;
typedef enum { hipMemAdviseSetReadMostly = 1 } hipMemoryAdvise;

enum { hipStreamNonBlocking = 1 };

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
typedef struct ihipMemPoolHandle_t *hipMemPool_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef void (*hipHostFn_t)(void *data);

typedef struct {
  uint32_t x, y, z;
} dim3;

typedef struct {
  hipMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
} hipPointerAttribute_t;

typedef struct {
  char unused[104];
  size_t bytesize;
  void *dptr;
} hipMemAllocNodeParams;

typedef struct {
  char name[256];
  char unused1[32];
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
  size_t totalConstMem;
  int major, minor;
  char unused2[20];
  int multiProcessorCount;
  char unused3[192];
  int pciBusID;
  char unused4[36];
  int maxThreadsPerMultiProcessor;
  char unused5[532];
  char gcnArchName[256];
  char unused6[56];
} hipDeviceProp_tR0600;
#endif

// The layout, with either headers.
#define OFFSET(type, field, want) _Static_assert(offsetof(type, field) == want, #field)
_Static_assert(sizeof(hipDeviceProp_tR0600) == 1472, "size of hipDeviceProp_tR0600");
_Static_assert(sizeof(hipPointerAttribute_t) == 32, "size of hipPointerAttribute_t");
_Static_assert(sizeof(hipMemAllocNodeParams) == 120, "size of hipMemAllocNodeParams");
OFFSET(hipDeviceProp_tR0600, totalGlobalMem, 288);
OFFSET(hipDeviceProp_tR0600, warpSize, 308);
OFFSET(hipDeviceProp_tR0600, maxThreadsPerBlock, 320);
OFFSET(hipDeviceProp_tR0600, clockRate, 348);
OFFSET(hipDeviceProp_tR0600, major, 360);
OFFSET(hipDeviceProp_tR0600, multiProcessorCount, 388);
OFFSET(hipDeviceProp_tR0600, pciBusID, 584);
OFFSET(hipDeviceProp_tR0600, maxThreadsPerMultiProcessor, 624);
OFFSET(hipDeviceProp_tR0600, gcnArchName, 1160);
OFFSET(hipMemAllocNodeParams, bytesize, 104);
OFFSET(hipPointerAttribute_t, devicePointer, 8);
#endif
