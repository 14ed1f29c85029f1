// Threads that call every function of the runtime, for the thread sanitizer.
#include "hip.c"

static pthread_barrier_t together;

// Captures that no other call may invalidate.
static void *capture(void *memory) {
  hipStream_t stream;
  hipGraph_t graph;
  for (int k = 0; k < 200; k++) {
    hipStreamCreateWithFlags(&stream, 1);
    hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed);
    for (int i = 0; i < (k ? 5 : 600); i++) hipMemsetAsync(memory, 1, 64, stream);
    if (hipStreamEndCapture(stream, &graph)) abort();
    hipGraphDestroy(graph);
    hipStreamDestroy(stream);
  }
  return NULL;
}

static void *use(void *memory) {
  for (int i = 0; i < 30; i++) {
    hipStream_t stream;
    hipEvent_t event;
    void *p;
    if (hipStreamCreate(&stream) || hipEventCreate(&event) || hipMalloc(&p, 64)) abort();
    for (int k = 0; k < 50; k++)
      if (hipMemcpyAsync(p, p, 64, hipMemcpyDefault, stream)) abort();
    if (hipEventRecord(event, stream)) abort();
    if (hipStreamSynchronize(stream) || hipFree(p) || hipEventDestroy(event) || hipStreamDestroy(stream)) abort();
  }
  return NULL;
}

static char resets, zeroes, shadow[64]; // functions and a variable of a module

static void called(void *count) { ++*(_Atomic int *)count; }

static void call_devices(void) {
  int n, device, attribute;
  char id[16];
  hipDeviceProp_tR0600 properties;
  hipMemPool_t pool;
  uint64_t value = 5;
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  hipGetDeviceCount(&n), hipGetDevice(&device), hipSetDevice(0), hipDeviceGetPCIBusId(id, sizeof id, 0);
  hipDeviceSetCacheConfig(hipFuncCachePreferNone), hipDeviceCanAccessPeer(&n, 0, 1);
  hipDeviceEnablePeerAccess(1, 0), hipDeviceDisablePeerAccess(1), hipRuntimeGetVersion(&n), hipDriverGetVersion(&n);
  hipDeviceGetAttribute(&attribute, hipDeviceAttributeWarpSize, 0), hipGetDevicePropertiesR0600(&properties, 0);
  hipDeviceGetDefaultMemPool(&pool, 0), hipMemPoolTrimTo(pool, 0);
  hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &value);
  hipMemPoolGetAttribute(pool, hipMemPoolAttrReleaseThreshold, &value);
  hipThreadExchangeStreamCaptureMode(&mode);
  hipInit(0), hipDeviceGet(&device, 0), hipDeviceGetName(id, sizeof id, 0), hipDeviceTotalMem(&value, 0);
  hipDeviceGetStreamPriorityRange(&n, &attribute);
  rsmi_init(0), rsmi_num_monitor_devices((uint32_t *)&n), rsmi_dev_pci_id_get(0, &value), rsmi_shut_down();
  rsmi_dev_gpu_clk_freq_get(0, 0, id), rsmi_dev_gpu_metrics_info_get(0, id), rsmi_dev_metrics_xcd_counter_get(0, NULL);
  hipGetErrorName(hipGetLastError()), hipGetErrorString(hipExtGetLastError()), hipPeekAtLastError();
}

static void call_memory(hipStream_t stream, char *host) {
  void *p, *q, *pinned;
  size_t bytes, total;
  hipPointerAttribute_t attributes;
  hipMalloc(&p, 64), hipMemPtrGetInfo(p, &bytes), hipHostAlloc(&pinned, 64, 0), hipHostFree(pinned), hipMallocManaged(&q, 64, 1), hipFree(q), hipMallocAsync(&q, 64, stream);
  hipPointerGetAttributes(&attributes, p), hipMemGetInfo(&bytes, &total), hipMemAdvise(p, 64, 1, 0);
  hipHostMalloc(&pinned, 64, 0), hipHostGetDevicePointer(&pinned, pinned, 0), hipHostFree(pinned);
  hipHostRegister(host, 64, 0), hipHostUnregister(host);
  hipMemcpy(host, host + 64, 64, 4), hipMemcpy2D(host, 8, host + 64, 8, 8, 2, 4), hipMemset(host, 1, 64);
  hipMemcpyAsync(host, host + 64, 64, 4, stream), hipMemcpy2DAsync(host, 8, host + 64, 8, 8, 2, 4, stream);
  hipMemsetAsync(host, 1, 64, stream), hipMemcpyWithStream(host, host + 64, 64, 4, stream);
  hipMemcpyPeerAsync(host, 0, host + 64, 0, 64, stream);
  __hipRegisterVar(NULL, host, "v", "v", 0, 64, 0, 0);
  hipMemcpyToSymbol(shadow, host, 64, 0, 1), hipMemcpyFromSymbol(host, shadow, 64, 0, 2);
  int n = 4, zero = 0, columns = 2;
  int64_t stride = 8;
  void *reset[] = {&p, &n, &zero, &zero}, *clear[] = {&n, &columns, &p, &zero, &n, &stride};
  dim3 one = {1, 1, 1};
  hipLaunchKernel(&resets, one, one, reset, 0, stream), hipLaunchKernel(&zeroes, one, one, clear, 0, stream);
  hipFreeAsync(q, stream), hipFree(p);
}

static void call_kernels(hipStream_t stream) {
  void **module = __hipRegisterFatBinary(NULL);
  hipModule_t loaded;
  hipFunction_t function;
  dim3 one = {1, 1, 1};
  size_t shared;
  int blocks;
  __hipRegisterFunction(module, &blocks, "f", "_Z10reset_infoIiiEvPT_iii", 0, 0, 0, 0, 0, 0);
  __hipPushCallConfiguration(one, one, 0, stream), __hipPopCallConfiguration(&one, &one, &shared, &stream);
  hipLaunchCooperativeKernel(&shared, one, one, NULL, 0, stream);
  hipModuleLoad(&loaded, "m"), hipModuleLoadData(&loaded, "m"), hipModuleGetFunction(&function, loaded, "f");
  hipExtModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL, NULL, NULL, 0);
  hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 64, 0);
  hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &shared, 64, 0);
  hipFuncSetAttribute(&shared, hipFuncAttributeMaxDynamicSharedMemorySize, 0), hipModuleUnload(loaded);
  hipExtLaunchKernel(&shared, one, one, NULL, 0, stream, NULL, NULL, 0), hipModuleLoadDataEx(&loaded, "m", 0, 0, 0);
  hipModuleLoadFatBinary(&loaded, "m"), hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL);
  hipModuleLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL);
  hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, 64, 0, 0);
  hipModuleOccupancyMaxPotentialBlockSize(&blocks, &blocks, function, 0, 0);
  hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &blocks, function, 0, 0, 0);
  void *managed;
  __hipRegisterManagedVar(module, &managed, "v", "v", 2, 1), free(managed);
  __hipUnregisterFatBinary(module);
}

static void call_streams(hipStream_t stream) {
  hipStream_t other;
  hipEvent_t from, to;
  float ms;
  _Atomic int count = 0;
  unsigned flags;
  hipStreamCreateWithPriority(&other, 0, 0), hipStreamGetFlags(other, &flags), hipStreamDestroy(other);
  hipStreamCreate(&other), hipGetStreamDeviceId(other), hipEventCreate(&from), hipEventCreateWithFlags(&to, 0);
  hipEventRecord(from, stream), hipStreamWaitEvent(other, from, 0), hipLaunchHostFunc(other, called, &count);
  hipMemsetAsync(&ms, 0, sizeof ms, other), hipEventRecord(to, other), hipEventQuery(to), hipStreamQuery(other);
  hipDeviceSynchronize(), hipEventSynchronize(to);
  if (hipStreamSynchronize(other) || !count) abort(); // the thread's mode permits it
  hipEventElapsedTime(&ms, from, to), hipEventDestroy(from), hipEventDestroy(to), hipStreamDestroy(other);
}

// Returns a graph with an allocation, a copy and a release; NULL if another thread invalidated the capture.
static hipGraph_t captured_graph(hipStream_t stream, char *host) {
  void *p;
  hipGraph_t graph;
  hipStreamCaptureStatus status;
  unsigned long long id;
  hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed);
  hipMallocAsync(&p, 64, stream), hipMemsetAsync(host, 1, 64, stream), hipFreeAsync(p, stream);
  hipStreamIsCapturing(stream, &status), hipStreamGetCaptureInfo(stream, &status, &id);
  hipStreamGetCaptureInfo_v2(stream, &status, &id, NULL, NULL, NULL);
  hipStreamEndCapture(stream, &graph);
  return graph;
}

static void call_graph(hipGraph_t graph, hipStream_t stream) {
  hipGraphNode_t nodes[3], before[3];
  hipGraphNodeType type;
  hipGraphExec_t exec = NULL;
  hipGraphExecUpdateResult result;
  hipMemAllocNodeParams params;
  size_t count = 3;
  void *p;
  if (hipGraphGetNodes(graph, nodes, &count)) return;
  for (int i = 0; i < count; i++) {
    size_t most = 3;
    hipGraphNodeGetType(nodes[i], &type), hipGraphNodeGetDependencies(nodes[i], before, &most);
    hipGraphMemAllocNodeGetParams(nodes[i], &params), hipGraphMemFreeNodeGetParams(nodes[i], &p);
  }
  hipGraphInstantiate(&exec, graph, NULL, NULL, 0), hipGraphInstantiateWithFlags(&exec, graph, 0);
  hipGraphExecUpdate(exec, graph, NULL, &result), hipGraphLaunch(exec, stream), hipGraphExecDestroy(exec);
}

// Makes all calls. Many fail, because of the captures of other threads.
static void *every(void *unused) {
  char host[128] = "", log[64];
  hipStream_t stream;
  hipStreamCreateWithFlags(&stream, hipStreamNonBlocking);
  hipGraph_t first = captured_graph(stream, host);
  if (!first) abort();
  pthread_barrier_wait(&together); // now no capture is invalidated
  for (int i = 0; i < 6; i++) {
    call_devices();
    call_memory(stream, host);
    call_kernels(stream);
    call_streams(stream);
    call_graph(first, stream);
    hipGraph_t next = captured_graph(stream, host);
    call_graph(next, stream), hipGraphDestroy(next);
    roclua_hip_log(log, sizeof log), roclua_hip_fail(1000);
    if (i % 2) roclua_hip_reset(1 << 30), hipDeviceReset();
  }
  if (hipStreamSynchronize(stream)) abort();
  return NULL;
}

static void run_threads(int n, void *(*f)(void *), void *(*g)(void *), void **argument) {
  pthread_t threads[8];
  for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, i % 2 ? g : f, argument[i / 2]);
  for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
}

int main(void) {
  void *memory[4] = {0};
  fprintf(stderr, "races: begun\n"); // the sanitizer runs here
  __hipRegisterFunction(NULL, &resets, "f", "_Z10reset_infoIiiEvPT_iii", 0, 0, 0, 0, 0, 0);
  __hipRegisterFunction(NULL, &zeroes, "f", "_Z8set_zeroIdPdEvii", 0, 0, 0, 0, 0, 0);
  __hipRegisterVar(NULL, shadow, "v", "v", 0, sizeof shadow, 0, 0);
  setenv("HIP_DEVICES", "2", 1);
  for (int i = 0; i < 3; i++) hipMalloc(&memory[i], 1024);
  run_threads(6, capture, use, memory);
  pthread_barrier_init(&together, NULL, 4);
  run_threads(4, every, every, memory);
}
