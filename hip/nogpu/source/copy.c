// Copies run immediately, or after functions of streams: there is no other work.
static void copy_rows(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows) {
  for (size_t i = 0; width && i < rows; i++) memmove((char *)to + i * pitch, (const char *)from + i * frompitch,
                                                     width);
}

// A copy for which the host waits.
static hipError_t copy_now(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows) {
  hipError_t error = forbid(EVERY, hipErrorStreamCaptureImplicit);
  if (width && rows && (!to || !from)) error = error ? error : hipErrorInvalidValue;
  if (!finish(error)) copy_rows(to, pitch, from, frompitch, width, rows);
  return error;
}

// A copy in a stream.
static hipError_t copy_later(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows,
                             hipStream_t s) {
  hipError_t error;
  struct node n = {hipGraphNodeTypeMemcpy, to, from, pitch, frompitch, width, rows};
  if (width && rows && (!to || !from) && status_of(s) != hipStreamCaptureStatusInvalidated) return hipErrorInvalidValue;
  if (captured(s, n, &error, 0)) return error;
  return unallocated(to) || unallocated(from) ? hipErrorInvalidValue : run_in_order(&n);
}

hipError_t hipMemcpy2D(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows,
                       hipMemcpyKind kind) {
  HOLD;
  hipError_t error = copy_now(to, pitch, from, frompitch, width, rows);
  return returned(log_call("hipMemcpy2D", current, width * rows, error));
}

hipError_t hipMemcpy(void *to, const void *from, size_t bytes, hipMemcpyKind kind) {
  HOLD;
  return returned(log_call("hipMemcpy", current, bytes, copy_now(to, bytes, from, bytes, bytes, 1)));
}

hipError_t hipMemcpy2DAsync(void *to, size_t pitch, const void *from, size_t frompitch, size_t width, size_t rows,
                            hipMemcpyKind kind, hipStream_t s) {
  HOLD;
  hipError_t error = copy_later(to, pitch, from, frompitch, width, rows, s);
  return returned(log_call("hipMemcpy2DAsync", device_of_stream(s), width * rows, error));
}

hipError_t hipMemcpyAsync(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t s) {
  HOLD;
  hipError_t error = copy_later(to, bytes, from, bytes, bytes, 1, s);
  return returned(log_call("hipMemcpyAsync", device_of_stream(s), bytes, error));
}

hipError_t hipMemsetAsync(void *to, int value, size_t bytes, hipStream_t s) {
  HOLD;
  hipError_t error;
  struct node n = {.type = hipGraphNodeTypeMemset, .to = to, .value = value, .width = bytes};
  if (!captured(s, n, &error, 0)) error = unallocated(to) ? hipErrorInvalidValue : run_in_order(&n);
  return returned(log_call("hipMemsetAsync", device_of_stream(s), bytes, error));
}

hipError_t hipMemcpyWithStream(void *to, const void *from, size_t bytes, hipMemcpyKind kind, hipStream_t s) {
  HOLD;
  hipError_t error = stream_wait_allowed(s);
  if (bytes && (!to || !from)) error = error ? error : hipErrorInvalidValue;
  if (!finish(error)) copy_rows(to, bytes, from, bytes, bytes, 1);
  return returned(log_call("hipMemcpyWithStream", device_of_stream(s), bytes, error));
}

hipError_t hipMemcpyPeerAsync(void *to, int device, const void *from, int from_device, size_t bytes, hipStream_t s) {
  HOLD;
  hipError_t error = hipErrorInvalidDevice;
  if (exists(device) && exists(from_device)) error = copy_later(to, bytes, from, bytes, bytes, 1, s);
  return returned(log_call("hipMemcpyPeerAsync", device_of_stream(s), bytes, error));
}

hipError_t hipMemset(void *to, int value, size_t bytes) {
  HOLD;
  hipError_t error = forbid(EVERY, hipErrorStreamCaptureImplicit);
  if (bytes && !to) error = error ? error : hipErrorInvalidValue;
  if (!finish(error) && bytes) memset(to, value, bytes);
  return returned(log_call("hipMemset", current, bytes, error));
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
  HOLD;
  struct variable *v = malloc(sizeof *v);
  *v = (struct variable){shadow, calloc(1, bytes), bytes, variables};
  variables = v;
}

// Returns the memory of a variable behind an offset; NULL if there are not so many bytes.
static char *in_variable(const void *symbol, size_t offset, size_t bytes) {
  char *found = NULL;
  for (struct variable *v = variables; v && !found; v = v->next)
    if (v->shadow == symbol && offset <= v->bytes && bytes <= v->bytes - offset) found = v->memory + offset;
  return found;
}

hipError_t hipMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, hipMemcpyKind kind) {
  HOLD;
  char *to = in_variable(symbol, offset, bytes);
  hipError_t error = to ? copy_now(to, bytes, from, bytes, bytes, 1) : hipErrorInvalidSymbol;
  return returned(log_call("hipMemcpyToSymbol", current, bytes, error));
}

hipError_t hipMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, hipMemcpyKind kind) {
  HOLD;
  const char *from = in_variable(symbol, offset, bytes);
  hipError_t error = from ? copy_now(to, bytes, from, bytes, bytes, 1) : hipErrorInvalidSymbol;
  return returned(log_call("hipMemcpyFromSymbol", current, bytes, error));
}
