// The devices and their memory pools.
static void copy_arch(char to[64], int device) {
  const char *text = setting("HIP_ARCH", device);
  snprintf(to, 64, "%.*s", text ? (int)strcspn(text, ",") : 6, text ? text : "gfx90a");
}

static int devices(void) {
  const char *text = getenv("HIP_DEVICES");
  int n = text ? atoi(text) : 1;
  return n < 1 ? 1 : n > MOST_DEVICES ? MOST_DEVICES : n;
}

static int compute_units(void) {
  const char *text = getenv("HIP_COMPUTE_UNITS");
  return text ? atoi(text) : 104;
}

static int exists(int device) { return device >= 0 && device < devices(); }

hipError_t hipInit(unsigned flags) { return returned(flags ? hipErrorInvalidValue : hipSuccess); }

hipError_t hipGetDeviceCount(int *count) { return returned((*count = devices(), hipSuccess)); }
hipError_t hipGetDevice(int *device) { return returned((*device = current, hipSuccess)); }

// The log has changes of the device.
hipError_t hipSetDevice(int device) {
  if (!exists(device)) return returned(hipErrorInvalidDevice);
  if (device == current) return returned(hipSuccess);
  HOLD;
  log_call("hipSetDevice", device, 0, hipSuccess);
  return returned((current = device, hipSuccess));
}

hipError_t hipDeviceGetPCIBusId(char *id, int room, int device) {
  if (!id || room < 13 || !exists(device)) return returned(hipErrorInvalidValue);
  return returned((snprintf(id, room, "0000:%02x:00.0", device + 1), hipSuccess));
}

hipError_t hipDeviceSetCacheConfig(hipFuncCache_t config) { return returned(hipSuccess); }

// Access to the memory of other devices. Copies do not need it.
static char peers[MOST_DEVICES][MOST_DEVICES];

hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer) {
  if (!can) return returned(hipErrorInvalidValue);
  if (!exists(device) || !exists(peer)) return returned(hipErrorInvalidDevice);
  return returned((*can = device != peer, hipSuccess));
}

hipError_t hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  HOLD;
  if (flags) return returned(hipErrorInvalidValue);
  if (!exists(peer) || peer == current) return returned(hipErrorInvalidDevice);
  if (peers[current][peer]) return returned(hipErrorPeerAccessAlreadyEnabled);
  return returned((peers[current][peer] = 1, hipSuccess));
}

hipError_t hipDeviceDisablePeerAccess(int peer) {
  HOLD;
  if (!exists(peer) || peer == current) return returned(hipErrorInvalidDevice);
  if (!peers[current][peer]) return returned(hipErrorPeerAccessNotEnabled);
  return returned((peers[current][peer] = 0, hipSuccess));
}

static int version(void) { return HIP_RELEASE < 7 ? 60443484 : 70226015; }

hipError_t hipRuntimeGetVersion(int *v) { return returned((*v = version(), hipSuccess)); }
hipError_t hipDriverGetVersion(int *v) { return returned((*v = version(), hipSuccess)); }

// The number of a pool is the number of its device, plus one.
static int device_of_pool(hipMemPool_t pool) { return (int)(intptr_t)pool - 1; }

hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t *pool, int device) {
  if (!exists(device)) return returned(hipErrorInvalidDevice);
  return returned((*pool = (hipMemPool_t)(intptr_t)(device + 1), hipSuccess));
}

hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t bytes) {
  HOLD;
  if (!exists(device_of_pool(pool))) return returned(hipErrorInvalidValue);
  return returned(log_call("hipMemPoolTrimTo", device_of_pool(pool), bytes, hipSuccess));
}

static int wavefront(int device) {
  char arch[64];
  copy_arch(arch, device);
  return strncmp(arch, "gfx1", 4) == 0 ? 32 : 64;
}

hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
  if (!exists(device)) return returned(hipErrorInvalidDevice);
  switch (attribute) {
  case hipDeviceAttributeWarpSize: *value = wavefront(device); break;
  case hipDeviceAttributeMaxThreadsPerBlock: *value = 1024; break;
  case hipDeviceAttributeMaxSharedMemoryPerBlock: *value = 65536; break;
  case hipDeviceAttributeMultiprocessorCount: *value = compute_units(); break;
  case hipDeviceAttributeManagedMemory:
  case hipDeviceAttributeMemoryPoolsSupported: *value = 1; break;
  default:
    if (attribute > 200 && attribute < hipDeviceAttributeAmdSpecificBegin ||
        (unsigned)attribute > hipDeviceAttributeAmdSpecificEnd)
      return returned(hipErrorInvalidValue);
    *value = 0;
  }
  return returned(hipSuccess);
}

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *p, int device) {
  HOLD;
  if (!exists(device)) return returned(hipErrorInvalidDevice);
  memset(p, 0, sizeof *p);
  strcpy(p->name, "no GPU");
  copy_arch(p->gcnArchName, device);
  p->totalGlobalMem = capacity(device);
  p->sharedMemPerBlock = 65536;
  p->warpSize = wavefront(device);
  p->maxThreadsPerBlock = 1024;
  p->maxThreadsDim[0] = p->maxThreadsDim[1] = p->maxThreadsDim[2] = 1024;
  p->maxGridSize[0] = 2147483647;
  p->maxGridSize[1] = p->maxGridSize[2] = 65536;
  p->multiProcessorCount = compute_units();
  p->maxThreadsPerMultiProcessor = 2048;
  p->major = 9;
  p->clockRate = 1700000;
  p->pciBusID = device + 1;
  return returned(hipSuccess);
}

hipError_t hipDeviceGet(int *device, int ordinal) {
  if (!device || !exists(ordinal)) return returned(device ? hipErrorInvalidDevice : hipErrorInvalidValue);
  return returned((*device = ordinal, hipSuccess));
}

hipError_t hipDeviceGetName(char *name, int room, int device) {
  if (!name || room < 1) return returned(hipErrorInvalidValue);
  if (!exists(device)) return returned(hipErrorInvalidDevice);
  return returned((snprintf(name, room, "no GPU"), hipSuccess));
}

hipError_t hipDeviceTotalMem(size_t *bytes, int device) {
  if (!bytes) return returned(hipErrorInvalidValue);
  if (!exists(device)) return returned(hipErrorInvalidDevice);
  return returned((*bytes = capacity(device), hipSuccess));
}

// The devices as ROCm SMI has them, which needs a driver: benchmarks look for the clock of a device by its place on the
// bus. The clocks are not supported, which is status 2.
int rsmi_init(uint64_t flags) { return 0; }
int rsmi_shut_down(void) { return 0; }
int rsmi_num_monitor_devices(uint32_t *count) { return *count = devices(), 0; }
int rsmi_dev_pci_id_get(uint32_t device, uint64_t *id) { return *id = (uint64_t)(device + 1) << 8, 0; }
int rsmi_dev_gpu_clk_freq_get(uint32_t device, int type, void *clock) { return 2; }
int rsmi_dev_gpu_metrics_info_get(uint32_t device, void *metrics) { return 2; }
int rsmi_dev_metrics_xcd_counter_get(uint32_t device, uint16_t *count) { return 2; }

// The pools have attributes, which decide nothing.
static uint64_t pool_attributes[MOST_DEVICES][9] = {[0 ... MOST_DEVICES - 1] = {0, 1, 1, 1}};

static int wide(hipMemPoolAttr a) { return a >= hipMemPoolAttrReleaseThreshold; }

hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr a, void *value) {
  HOLD;
  if (!exists(device_of_pool(pool)) || a < 1 || a > 8 || a == hipMemPoolAttrReservedMemCurrent ||
      a == hipMemPoolAttrUsedMemCurrent) return returned(hipErrorInvalidValue);
  pool_attributes[device_of_pool(pool)][a] = wide(a) ? *(uint64_t *)value : *(int *)value;
  return returned(hipSuccess);
}

hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr a, void *value) {
  HOLD;
  if (!exists(device_of_pool(pool)) || a < 1 || a > 8) return returned(hipErrorInvalidValue);
  uint64_t is = pool_attributes[device_of_pool(pool)][a];
  if (wide(a)) *(uint64_t *)value = is;
  else *(int *)value = is;
  return returned(hipSuccess);
}
