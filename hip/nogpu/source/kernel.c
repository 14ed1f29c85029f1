// Kernels can be registered and launched, and most do nothing.
static __thread struct {
  dim3 grid, block;
  size_t shared;
  hipStream_t stream;
} launch;

hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, hipStream_t s) {
  launch.grid = grid, launch.block = block, launch.shared = shared, launch.stream = s;
  return returned(hipSuccess);
}

hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *s) {
  *grid = launch.grid, *block = launch.block, *shared = launch.shared, *s = launch.stream;
  return returned(hipSuccess);
}

void **__hipRegisterFatBinary(const void *data) {
  static void *module;
  return &module;
}

void __hipUnregisterFatBinary(void **module) {}

// A managed variable is memory that its pointer leads to.
void __hipRegisterManagedVar(void *module, void **pointer, void *initial, const char *name, size_t bytes,
                             unsigned alignment) {
  if ((*pointer = calloc(1, bytes)) && initial) memcpy(*pointer, initial, bytes);
}

void __hipRegisterFunction(void **module, const void *host, char *device, const char *name, unsigned threads,
                           void *a, void *b, void *c, void *d, int *e) {
  HOLD;
  register_zeros(host, name);
}

hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t s) {
  run_zeros(function, grid.z, args, s);
  return returned(captured_kernel(s));
}

hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, unsigned shared,
                                      hipStream_t s) {
  return returned(captured_kernel(s));
}

hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t lx, uint32_t ly,
                                    uint32_t lz, size_t shared,
                                    hipStream_t s, void **args, void **extra, hipEvent_t start, hipEvent_t stop,
                                        uint32_t flags) {
  return returned(captured_kernel(s));
}

// The events of a launch are recorded around it.
hipError_t hipExtLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, hipStream_t s,
                              hipEvent_t start, hipEvent_t stop, int flags) {
  hipError_t error = start ? hipEventRecord(start, s) : hipSuccess;
  if (!error) error = hipLaunchKernel(function, grid, block, args, shared, s);
  return returned(error || !stop ? error : hipEventRecord(stop, s));
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned lx, unsigned ly,
                                 unsigned lz, unsigned shared, hipStream_t s, void **args, void **extra) {
  return returned(captured_kernel(s));
}

hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned lx,
                                            unsigned ly, unsigned lz, unsigned shared, hipStream_t s, void **args) {
  return hipModuleLaunchKernel(f, gx, gy, gz, lx, ly, lz, shared, s, args, NULL);
}

// Modules and functions are not loaded: any number is one.
hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  return returned((*module = (hipModule_t)1, hipSuccess));
}

hipError_t hipModuleLoad(hipModule_t *module, const char *path) {
  return returned((*module = (hipModule_t)1, hipSuccess));
}

hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned n, hipJitOption *options,
                               void **values) {
  return hipModuleLoadData(module, image);
}

hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *image) { return hipModuleLoadData(module, image); }

hipError_t hipModuleUnload(hipModule_t module) { return returned(hipSuccess); }

hipError_t hipModuleGetFunction(hipFunction_t *f, hipModule_t module, const char *name) {
  return returned((*f = (hipFunction_t)1, hipSuccess));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, hipFunction_t f, int size, size_t shared) {
  return returned((*blocks = 1, hipSuccess));
}

hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, hipFunction_t f, int size,
                                                                       size_t shared, unsigned flags) {
  return returned((*blocks = 1, hipSuccess));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, hipFunction_t f, size_t shared, int limit) {
  return returned((*grid = compute_units(), *block = limit > 0 && limit < 1024 ? limit : 1024, hipSuccess));
}

hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, hipFunction_t f, size_t shared,
                                                            int limit, unsigned flags) {
  return hipModuleOccupancyMaxPotentialBlockSize(grid, block, f, shared, limit);
}

hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int size, size_t shared) {
  return returned((*blocks = 1, hipSuccess));
}

hipError_t hipFuncSetAttribute(const void *f, hipFuncAttribute attribute, int value) { return returned(hipSuccess); }
