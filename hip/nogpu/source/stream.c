// Streams have no work except functions: other calls are done when they return.
int hipGetStreamDeviceId(hipStream_t s) {
  HOLD;
  return device_of_stream(s);
}

hipError_t hipStreamCreateWithFlags(hipStream_t *s, unsigned flags) {
  HOLD;
  struct stream *st = calloc(1, sizeof *st);
  st->device = current;
  st->nonblocking = flags & hipStreamNonBlocking;
  *s = (hipStream_t)st;
  add_stream(st);
  return returned(hipSuccess);
}

hipError_t hipStreamCreate(hipStream_t *s) { return hipStreamCreateWithFlags(s, 0); }

// Streams have one priority.
hipError_t hipStreamCreateWithPriority(hipStream_t *s, unsigned flags, int priority) {
  return hipStreamCreateWithFlags(s, flags);
}

hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = 0;
  return returned(hipSuccess);
}

hipError_t hipStreamGetFlags(hipStream_t s, unsigned *flags) {
  HOLD;
  struct stream *st = stream_of(s);
  if (!flags || st == &gone) return returned(flags ? hipErrorContextIsDestroyed : hipErrorInvalidValue);
  return returned((*flags = st && st->nonblocking ? hipStreamNonBlocking : 0, hipSuccess));
}

hipError_t hipStreamDestroy(hipStream_t s) {
  HOLD;
  remove_stream(stream_of(s));
  return returned(hipSuccess);
}

hipError_t hipStreamQuery(hipStream_t s) {
  HOLD;
  hipError_t error = ready(stream_wait_allowed(s));
  return returned(captures ? log_call("hipStreamQuery", device_of_stream(s), 0, error) : error);
}

hipError_t hipStreamSynchronize(hipStream_t s) {
  HOLD;
  return returned(log_call("hipStreamSynchronize", device_of_stream(s), 0, finish(stream_wait_allowed(s))));
}

hipError_t hipDeviceSynchronize(void) {
  HOLD;
  hipError_t error = forbid(EVERY, hipErrorStreamCaptureUnsupported);
  return returned(log_call("hipDeviceSynchronize", current, 0, finish(error)));
}

hipError_t hipStreamWaitEvent(hipStream_t s, hipEvent_t e, unsigned flags) {
  HOLD;
  struct event *ev = (struct event *)e;
  if (active(ev) || status_of(s) != hipStreamCaptureStatusNone) return returned(wait_captured(stream_of(s), ev));
  return returned(stream_of(s) ? hipSuccess : forbid(BLOCKING, hipErrorStreamCaptureImplicit));
}

// An event has the time at which it was recorded.
hipError_t hipEventCreate(hipEvent_t *e) {
  struct event *ev = calloc(1, sizeof *ev);
  if (ev) ev->device = current;
  *e = (hipEvent_t)ev;
  return returned(ev ? hipSuccess : hipErrorOutOfMemory);
}

hipError_t hipEventCreateWithFlags(hipEvent_t *e, unsigned flags) { return hipEventCreate(e); }

hipError_t hipEventDestroy(hipEvent_t e) {
  HOLD;
  free(e);
  return returned(hipSuccess);
}

hipError_t hipEventRecord(hipEvent_t e, hipStream_t s) {
  HOLD;
  struct event *ev = (struct event *)e;
  if (status_of(s) != hipStreamCaptureStatusNone) return returned(record_captured(ev, s));
  hipError_t error = stream_of(s) ? hipSuccess : forbid(BLOCKING, hipErrorStreamCaptureImplicit);
  if (error) return returned(error);
  if (ev->device != device_of_stream(s)) return returned(hipErrorInvalidHandle);
  ev->capture = NULL;
  clock_gettime(CLOCK_MONOTONIC, &ev->time);
  return returned(hipSuccess);
}

hipError_t hipEventSynchronize(hipEvent_t e) {
  HOLD;
  return returned(finish(event_wait_allowed((struct event *)e)));
}

hipError_t hipEventQuery(hipEvent_t e) {
  HOLD;
  return returned(ready(event_wait_allowed((struct event *)e)));
}


hipError_t hipEventElapsedTime(float *ms, hipEvent_t from, hipEvent_t to) {
  HOLD;
  if (((struct event *)from)->device != ((struct event *)to)->device) return returned(hipErrorInvalidHandle);
  struct timespec *a = &((struct event *)from)->time, *b = &((struct event *)to)->time;
  if (!a->tv_sec || !b->tv_sec) return returned(hipErrorInvalidHandle);
  *ms = (b->tv_sec - a->tv_sec) * 1e3 + (b->tv_nsec - a->tv_nsec) / 1e6;
  return returned(hipSuccess);
}
