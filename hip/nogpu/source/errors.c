// The error state of a thread. Since HIP 7 hipGetLastError returns the latest error, which a later success leaves, and
// hipExtGetLastError the result of the latest call. Before, both return the result of the latest call.
static __thread hipError_t last_error, last_result;

// Every function returns through returned.
static hipError_t returned(hipError_t result) {
  last_result = result;
  if (HIP_RELEASE < 7 || result != hipSuccess && result != hipErrorNotReady) last_error = result;
  return result;
}

static hipError_t reset(hipError_t *e) {
  hipError_t before = *e;
  *e = hipSuccess;
  return before;
}

hipError_t hipGetLastError(void) { return reset(&last_error); }
hipError_t hipExtGetLastError(void) { return reset(HIP_RELEASE < 7 ? &last_error : &last_result); }
hipError_t hipPeekAtLastError(void) { return returned(last_error); }

static const struct {
  hipError_t code;
  const char *name, *text;
} errors[] = {
    {hipSuccess, "hipSuccess", "no error"},
    {hipErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hipErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hipErrorInvalidSymbol, "hipErrorInvalidSymbol", "invalid device symbol"},
    {hipErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hipErrorInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    {hipErrorIllegalState, "hipErrorIllegalState", "the operation cannot be performed in the present state"},
    {hipErrorNotReady, "hipErrorNotReady", "device not ready"},
    {hipErrorPeerAccessAlreadyEnabled, "hipErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {hipErrorPeerAccessNotEnabled, "hipErrorPeerAccessNotEnabled", "peer access has not been enabled"},
    {hipErrorContextIsDestroyed, "hipErrorContextIsDestroyed", "context is destroyed"},
    {hipErrorNotSupported, "hipErrorNotSupported", "operation not supported"},
    {hipErrorStreamCaptureUnsupported, "hipErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
    {hipErrorStreamCaptureInvalidated, "hipErrorStreamCaptureInvalidated",
     "operation failed due to a previous error during capture"},
    {hipErrorStreamCaptureMerge, "hipErrorStreamCaptureMerge",
     "operation would result in a merge of separate capture sequences"},
    {hipErrorStreamCaptureUnmatched, "hipErrorStreamCaptureUnmatched",
        "capture was not ended in the same stream as it began"},
    {hipErrorStreamCaptureUnjoined, "hipErrorStreamCaptureUnjoined", "capturing stream has unjoined work"},
    {hipErrorStreamCaptureIsolation, "hipErrorStreamCaptureIsolation",
     "dependency created on uncaptured work in another stream"},
    {hipErrorStreamCaptureImplicit, "hipErrorStreamCaptureImplicit",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {hipErrorCapturedEvent, "hipErrorCapturedEvent",
        "operation not permitted on an event last recorded in a capturing stream"},
    {hipErrorStreamCaptureWrongThread, "hipErrorStreamCaptureWrongThread",
     "attempt to terminate a thread-local capture sequence from another thread"},
};

static int error_row(hipError_t e) {
  for (int i = 0; i < sizeof errors / sizeof *errors; i++)
    if (errors[i].code == e) return i;
  return -1;
}

const char *hipGetErrorName(hipError_t e) { return error_row(e) < 0 ? "hipErrorUnknown" : errors[error_row(e)].name; }
const char *hipGetErrorString(hipError_t e) { return error_row(e) < 0 ? "unknown error" : errors[error_row(e)].text; }
