// The log, with one call per line. The test program reads and empties it. bdsqr waits in each of its iterations, of
// which there are many, because kernels compute nothing here.
static char calls[64 << 20];
static size_t logged;

// Adds a line.
static void note(const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (logged + 128 < sizeof calls) logged += vsnprintf(calls + logged, 128, format, args);
  va_end(args);
}

// Copies the calls since the last read to out, at most room bytes, and returns the number of bytes.
size_t roclua_hip_log(char *out, size_t room) {
  HOLD;
  size_t n = logged < room ? logged : room;
  memcpy(out, calls, n);
  logged = 0;
  return n;
}

// Records a call for a device, and its result.
static hipError_t log_call(const char *name, int device, size_t bytes, hipError_t result) {
  note("%s %zu %d %d\n", name, bytes, result, device);
  return result;
}
