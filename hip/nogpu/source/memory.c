// Allocation of device memory and of host memory.
static hipError_t take(int device, void **p, size_t bytes) {
  hipError_t result = hipSuccess;
  *p = NULL;
  if (bytes > 0) {
    int fits = bytes <= capacity(device) && held[device] <= capacity(device) - bytes;
    char *base = fits ? reserve_memory(bytes) : NULL;
    if (insert(device, base, bytes, 0)) {
      *p = base;
    } else {
      if (base) munmap(base, bytes);
      result = hipErrorOutOfMemory;
    }
  }
  return result;
}

static hipError_t give(void *p) { return !p || release(p) ? hipSuccess : hipErrorInvalidValue; }

hipError_t hipMalloc(void **p, size_t bytes) {
  HOLD;
  hipError_t error = unsafe_call();
  return returned(log_call("hipMalloc", current, bytes, error ? error : take(current, p, bytes)));
}

hipError_t hipMallocManaged(void **p, size_t bytes, unsigned flags) { return returned(hipMalloc(p, bytes)); }

hipError_t hipFree(void *p) {
  HOLD;
  hipError_t error = unsafe_call();
  int device = device_of(p, current);
  return returned(log_call("hipFree", device, 0, finish(error) ? error : give(p)));
}

// Frees what the program and its libraries allocated on the current device.
hipError_t hipDeviceReset(void) {
  HOLD;
  hipError_t error = finish(unsafe_call());
  if (!error) release_all(current);
  return returned(log_call("hipDeviceReset", current, 0, error));
}

// HIP does not check allocations of the null stream while others are captured. The memory is from the pool of the
// stream's device.
hipError_t hipMallocAsync(void **p, size_t bytes, hipStream_t s) {
  HOLD;
  hipError_t error;
  int device = device_of_stream(s);
  if (status_of(s) == hipStreamCaptureStatusNone || bytes == 0) return returned(log_call("hipMallocAsync", device,
      bytes, take(device, p, bytes)));
  if (status_of(s) != hipStreamCaptureStatusActive) return returned(log_call("hipMallocAsync", device, bytes,
      hipErrorStreamCaptureInvalidated));
  *p = bytes <= capacity(device) ? reserve_memory(bytes) : NULL;
  if (!*p) return returned(log_call("hipMallocAsync", device, bytes, hipErrorOutOfMemory));
  captured(s, (struct node){.type = hipGraphNodeTypeMemAlloc, .device = device, .to = *p, .width = bytes}, &error, 1);
  return returned(log_call("hipMallocAsync", device, bytes, error));
}

// Only memory of a graph can be freed in a capture, but HIP looks at a capture that was invalidated first.
hipError_t hipFreeAsync(void *p, hipStream_t s) {
  HOLD;
  hipError_t error;
  int device = device_of(p, device_of_stream(s));
  if (status_of(s) == hipStreamCaptureStatusNone || !p) return returned(log_call("hipFreeAsync", device, 0, give(p)));
  if (status_of(s) == hipStreamCaptureStatusActive && !allocated_in_graph(p))
    return returned(log_call("hipFreeAsync", device, 0, hipErrorInvalidValue));
  captured(s, (struct node){.type = hipGraphNodeTypeMemFree, .to = p}, &error, 1);
  return returned(log_call("hipFreeAsync", device, 0, error));
}

// Host memory for a device begins at a page, which programs rely on.
hipError_t hipHostMalloc(void **p, size_t bytes, unsigned flags) {
  *p = NULL;
  if (bytes && posix_memalign(p, 4096, bytes)) return returned(hipErrorOutOfMemory);
  return returned(hipSuccess);
}

hipError_t hipHostAlloc(void **p, size_t bytes, unsigned flags) { return hipHostMalloc(p, bytes, flags); }

hipError_t hipHostFree(void *p) {
  free(p);
  return returned(hipSuccess);
}

// The device uses host memory by its address.
hipError_t hipHostRegister(void *p, size_t bytes, unsigned flags) {
  return returned(p ? hipSuccess : hipErrorInvalidValue);
}
hipError_t hipHostUnregister(void *p) { return returned(p ? hipSuccess : hipErrorInvalidValue); }
hipError_t hipHostGetDevicePointer(void **to, void *p, unsigned flags) { return returned((*to = p, hipSuccess)); }
hipError_t hipMemAdvise(const void *p, size_t bytes, hipMemoryAdvise advice, int device) {
  return returned(hipSuccess);
}

hipError_t hipMemGetInfo(size_t *unused, size_t *total) {
  HOLD;
  *total = capacity(current);
  *unused = *total - held[current];
  return returned(hipSuccess);
}

hipError_t hipMemPtrGetInfo(void *p, size_t *bytes) {
  HOLD;
  struct block *b = around(p);
  if (!bytes || !b) return returned(hipErrorInvalidValue);
  return returned((*bytes = b->bytes, hipSuccess));
}

hipError_t hipPointerGetAttributes(hipPointerAttribute_t *a, const void *p) {
  HOLD;
  hipError_t result = hipErrorInvalidValue;
  memset(a, 0, sizeof *a);
  struct block *b = around(p);
  if (b) {
    a->type = hipMemoryTypeDevice;
    a->device = b->device;
    a->devicePointer = (void *)p;
    result = hipSuccess;
  }
  return returned(result);
}
