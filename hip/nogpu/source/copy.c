// Copies run immediately, or after functions of streams: there is no other work.
static void copy_rows(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows) {
  for (size_t i = 0; width && i < rows; i++) memmove((char *)to + i * pitch, (const char *)from + i * frompitch,
                                                     width);
}

hipError_t hipMemcpy2D(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows,
                       hipMemcpyKind kind) {
  hipError_t error = forbid(EVERY, hipErrorStreamCaptureImplicit);
  if (width && rows && (!to || !from)) error = error ? error : hipErrorInvalidValue;
  if (!finish(error)) copy_rows(to, pitch, from, frompitch, width, rows);
  return returned(error);
}

hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  return returned(hipMemcpy2D(to, bytes, from, bytes, bytes, 1, kind));
}

hipError_t hipMemcpy2DAsync(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows,
                            hipMemcpyKind kind, hipStream_t s) {
  hipError_t error;
  struct node n = {hipGraphNodeTypeMemcpy, to, from, pitch, frompitch, width, rows};
  if (width && rows && (!to || !from) &&
      status_of(s) != hipStreamCaptureStatusInvalidated) return returned(hipErrorInvalidValue);
  if (captured(s, n, &error, 0)) return returned(error);
  return returned(unallocated(to) || unallocated(from) ? hipErrorInvalidValue : run_async(n));
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t s) {
  return returned(hipMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, s));
}

hipError_t hipMemsetAsync(void *to, int value, size_t bytes, hipStream_t s) {
  hipError_t error;
  struct node n = {.type = hipGraphNodeTypeMemset, .to = to, .value = value, .width = bytes};
  return returned(captured(s, n, &error, 0) ? error : run_async(n));
}

hipError_t hipMemcpyWithStream(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t s) {
  hipError_t error = stream_wait_allowed(s);
  if (bytes && (!to || !from)) error = error ? error : hipErrorInvalidValue;
  if (!finish(error)) copy_rows(to, bytes, from, bytes, bytes, 1);
  return returned(error);
}

hipError_t hipMemcpyPeerAsync(void *to, int device, const void *from, int from_device, size_t bytes, hipStream_t s) {
  if (!exists(device) || !exists(from_device)) return returned(hipErrorInvalidDevice);
  return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, s);
}

hipError_t hipMemset(void *to, int value, size_t bytes) {
  hipError_t error = forbid(EVERY, hipErrorStreamCaptureImplicit);
  if (bytes && !to) error = error ? error : hipErrorInvalidValue;
  if (!finish(error) && bytes) memset(to, value, bytes);
  return returned(error);
}

// Variables of kernels, by the address of their shadow on the host.
static struct variable {
  const void *shadow;
  char *memory;
  size_t bytes;
  struct variable *next;
} *variables;

void __hipRegisterVar(void **module, void *shadow, char *host, char *name, int external, size_t bytes, int constant,
                      int global) {
  struct variable *v = malloc(sizeof *v);
  pthread_mutex_lock(&lock);
  *v = (struct variable){shadow, calloc(1, bytes), bytes, variables};
  variables = v;
  pthread_mutex_unlock(&lock);
}

// Returns the memory of a variable behind an offset; NULL if there are not so many bytes.
static char *in_variable(const void *symbol, size_t offset, size_t bytes) {
  char *found = NULL;
  pthread_mutex_lock(&lock);
  for (struct variable *v = variables; v && !found; v = v->next)
    if (v->shadow == symbol && offset <= v->bytes && bytes <= v->bytes - offset) found = v->memory + offset;
  pthread_mutex_unlock(&lock);
  return found;
}

hipError_t hipMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, hipMemcpyKind kind) {
  char *to = in_variable(symbol, offset, bytes);
  return to ? hipMemcpy(to, from, bytes, kind) : returned(hipErrorInvalidSymbol);
}

hipError_t hipMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  const char *from = in_variable(symbol, offset, bytes);
  return from ? hipMemcpy(to, from, bytes, kind) : returned(hipErrorInvalidSymbol);
}
