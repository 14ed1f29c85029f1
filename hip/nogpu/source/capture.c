// Stream capture of the HIP runtime without a GPU: which calls a capture permits, with the errors of HIP, and the nodes
// of its graph.

struct node {
  hipGraphNodeType type;
  void *to;         // of a copy or a fill; of a memory node the memory
  const void *from; // NULL for a fill
  size_t pitch, frompitch, width, rows;
  int value;
  int after[32], depends;
  hipHostFn_t fn; // of a host node, with its argument
  void *data;
  int device; // of a memory node
};

struct graph {
  struct node *nodes;
  int allocates; // a node allocates memory
  int count, room;
  int destroyed, instantiated;
};

struct capture {
  unsigned long long id;
  hipStreamCaptureMode mode;
  pthread_t thread;
  struct stream *origin;
  struct graph *graph;
  hipStreamCaptureStatus status; // none after its end
  struct capture *next;          // of those that have not ended
};

struct stream {
  int device;
  int nonblocking;
  struct capture *capture; // NULL while it is not captured
  int tail[32], tails;     // the nodes that the next one depends on
  hipGraphNode_t last[32]; // the same, for a caller that asks for them
};

struct event {
  int device;
  struct timespec time;
  struct capture *capture; // in which it was recorded last
  int after[32], depends;
};

struct exec {
  struct graph *graph;
  int destroyed;
};

static struct capture *captures;
static struct stream **streams;
static int stream_count;
static struct graph **graphs;
static int graph_count;
static unsigned long long capture_ids;
static __thread hipStreamCaptureMode thread_mode = hipStreamCaptureModeGlobal;

static struct stream gone = {.nonblocking = 1}; // every stream that was destroyed

// The own streams of a thread, one for each device. They are of no list.
static __thread struct stream per_thread[MOST_DEVICES];

// The legacy stream is the null stream, whose structure is NULL.
static struct stream *stream_of(hipStream_t s) {
  if (s == (hipStream_t)1) return NULL;
  if (s == (hipStream_t)2) return per_thread[current].device = current, &per_thread[current];
  if (!s) return NULL;
  struct stream *found = &gone;
  for (int i = 0; i < stream_count; i++)
    if (streams[i] == (struct stream *)s) found = streams[i];
  return found;
}

// The null stream is the current device's.
static int device_of_stream(hipStream_t s) { return stream_of(s) ? stream_of(s)->device : current; }

// Whether a stream of this thread is in a capture; if so, takes it out on request.
static int captures_own(const struct capture *c, int take_out) {
  int any = 0;
  for (int i = 0; i < MOST_DEVICES; i++)
    if (per_thread[i].capture == c) any = 1, per_thread[i].capture = take_out ? NULL : per_thread[i].capture;
  return any;
}

static hipStreamCaptureStatus status_of(hipStream_t s) {
  struct stream *st = stream_of(s);
  return st && st->capture ? st->capture->status : hipStreamCaptureStatusNone;
}

static void add_stream(struct stream *s) {
  streams = realloc(streams, (stream_count + 1) * sizeof *streams);
  streams[stream_count++] = s;
}

static struct graph *new_graph(void) {
  struct graph *g = calloc(1, sizeof *g);
  graphs = realloc(graphs, (graph_count + 1) * sizeof *graphs);
  graphs[graph_count++] = g;
  return g;
}

// Whether a node of a graph allocates memory at an address.
static int allocated_in_graph(void *p) {
  int found = 0;
  for (int i = 0; i < graph_count; i++)
    for (int j = 0; graphs[i]->allocates && j < graphs[i]->count && !(graphs[i]->destroyed && !graphs[i]->instantiated); j++)
      found |= graphs[i]->nodes[j].type == hipGraphNodeTypeMemAlloc && graphs[i]->nodes[j].to == p;
  return found;
}

// Whether an address is in memory of a graph that no launch has allocated.
static int unallocated(const void *p) {
  int inside = 0;
  for (int i = 0; i < graph_count && !inside; i++)
    for (int j = 0; graphs[i]->allocates && j < graphs[i]->count; j++) {
      struct node *n = &graphs[i]->nodes[j];
      char *base = n->to;
      inside |= n->type == hipGraphNodeTypeMemAlloc && (char *)p >= base && (char *)p < base + n->width;
    }
  return inside && !around(p);
}

// The captures that a call of this thread concerns. OWN are the captures of the thread and GLOBAL those of all threads,
// unless their mode permits the call.
enum which { OWN, GLOBAL, EVERY, BLOCKING };

static int has_blocking_stream(const struct capture *c) {
  for (int i = 0; i < stream_count; i++)
    if (streams[i]->capture == c && !streams[i]->nonblocking) return 1;
  return captures_own(c, 0); // it synchronizes with the null stream
}

static int concerns(const struct capture *c, enum which which) {
  switch (which) {
  case OWN: return c->mode != hipStreamCaptureModeRelaxed && pthread_equal(c->thread, pthread_self());
  case GLOBAL: return c->mode == hipStreamCaptureModeGlobal;
  case EVERY: return 1;
  case BLOCKING: return c->status == hipStreamCaptureStatusActive && has_blocking_stream(c);
  }
}

// Whether a call concerns a capture.
static int concerned(enum which which) {
  int any = 0;
  for (struct capture *c = captures; c; c = c->next) any |= concerns(c, which);
  return any;
}

// Invalidates the captures that a call concerns; returns the error, or success if there are none.
static hipError_t forbid(enum which which, hipError_t error) {
  hipError_t result = hipSuccess;
  for (struct capture *c = captures; c; c = c->next)
    if (concerns(c, which)) {
      c->status = hipStreamCaptureStatusInvalidated;
      result = error;
    }
  return result;
}

static hipError_t invalidate(struct capture *c, hipError_t error) {
  c->status = hipStreamCaptureStatusInvalidated;
  return error;
}

// A potentially unsafe call. The captures of other threads count only if the thread has none.
static hipError_t unsafe_call(void) {
  if (thread_mode == hipStreamCaptureModeRelaxed) return hipSuccess;
  hipError_t error = forbid(OWN, hipErrorStreamCaptureUnsupported);
  if (error || thread_mode != hipStreamCaptureModeGlobal) return error;
  return forbid(GLOBAL, hipErrorStreamCaptureUnsupported);
}

// A wait for work that is not captured, or a query of it. The captures of the thread count only if none is global. HIP 6
// looks for global captures in both modes of the thread.
static hipError_t outside_wait(void) {
  if (thread_mode == hipStreamCaptureModeRelaxed) return hipSuccess;
  hipError_t error = hipSuccess;
  if (HIP_RELEASE < 7 || thread_mode == hipStreamCaptureModeGlobal)
    error = forbid(GLOBAL, hipErrorStreamCaptureUnsupported);
  return error ? error : forbid(OWN, hipErrorStreamCaptureUnsupported);
}

// A wait for a stream or a query of it.
static hipError_t stream_wait_allowed(hipStream_t s) {
  if (!stream_of(s)) return forbid(BLOCKING, hipErrorStreamCaptureImplicit);
  if (stream_of(s)->capture) return invalidate(stream_of(s)->capture, hipErrorStreamCaptureUnsupported);
  return outside_wait();
}

// Work of a stream: 1 if it is captured, with its error or the new node, and 0 if it runs now.
static int captured(hipStream_t s, struct node n, hipError_t *error, int pooled) {
  *error = hipSuccess;
  if (!stream_of(s)) {
    if (!pooled) *error = forbid(BLOCKING, hipErrorStreamCaptureImplicit);
    return *error != hipSuccess;
  }
  struct stream *st = stream_of(s);
  if (!st->capture) return 0;
  if (st->capture->status != hipStreamCaptureStatusActive) return *error = hipErrorStreamCaptureInvalidated, 1;
  struct graph *g = st->capture->graph;
  if (g->count == g->room) g->nodes = realloc(g->nodes, (g->room = 2 * g->room + 16) * sizeof n);
  memcpy(n.after, st->tail, sizeof n.after);
  n.depends = st->tails;
  g->nodes[g->count] = n;
  g->allocates |= n.type == hipGraphNodeTypeMemAlloc;
  st->tail[0] = g->count++;
  st->tails = 1;
  return 1;
}

// Threads launch kernels without the lock while nothing is captured.
static hipError_t captured_kernel(hipStream_t s) {
  hipError_t error;
  if (!__atomic_load_n(&captures, __ATOMIC_ACQUIRE)) return hipSuccess;
  HOLD;
  captured(s, (struct node){.type = hipGraphNodeTypeKernel}, &error, 0);
  return error;
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  if (!mode || *mode < hipStreamCaptureModeGlobal ||
      *mode > hipStreamCaptureModeRelaxed) return returned(hipErrorInvalidValue);
  hipStreamCaptureMode before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return returned(hipSuccess);
}

hipError_t hipStreamBeginCapture(hipStream_t s, hipStreamCaptureMode mode) {
  HOLD;
  struct stream *st = stream_of(s);
  if (!st) return returned(hipErrorStreamCaptureUnsupported);
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) return returned(hipErrorInvalidValue);
  if (st == &gone) return returned(hipErrorContextIsDestroyed);
  if (st->capture) return returned(hipErrorIllegalState);
  struct capture *c = calloc(1, sizeof *c);
  *c = (struct capture){++capture_ids, mode, pthread_self(), st, new_graph(), hipStreamCaptureStatusActive, captures};
  st->capture = c;
  __atomic_store_n(&captures, c, __ATOMIC_RELEASE);
  st->tails = 0;
  return returned(hipSuccess);
}

// Takes all streams out of a capture. Events may still refer to it.
static void end_capture(struct capture *c) {
  for (struct capture **at = &captures; *at; at = &(*at)->next)
    if (*at == c) {
      __atomic_store_n(at, c->next, __ATOMIC_RELEASE);
      break;
    }
  for (int i = 0; i < stream_count; i++)
    if (streams[i]->capture == c) streams[i]->capture = NULL;
  captures_own(c, 1);
  c->status = hipStreamCaptureStatusNone;
}

// Takes a stream that is destroyed out of its capture, which ends if it began in the stream.
static void remove_stream(struct stream *s) {
  if (s == &gone) return;
  if (s->capture && s->capture->origin == s) end_capture(s->capture);
  for (int i = 0; i < stream_count; i++)
    if (streams[i] == s) streams[i] = streams[--stream_count];
  free(s);
}

// Whether every node without successor is one of the last ones of the first stream.
static int joined(struct capture *c) {
  struct graph *g = c->graph;
  char *followed = calloc(g->count + 1, 1);
  for (int i = 0; i < g->count; i++)
    for (int k = 0; k < g->nodes[i].depends; k++) followed[g->nodes[i].after[k]] = 1;
  for (int k = 0; k < c->origin->tails; k++) followed[c->origin->tail[k]] = 1;
  int missing = 0;
  for (int i = 0; i < g->count; i++) missing += !followed[i];
  free(followed);
  return !missing;
}

hipError_t hipStreamEndCapture(hipStream_t s, hipGraph_t *graph) {
  HOLD;
  if (!graph) return returned(hipErrorInvalidValue);
  *graph = NULL;
  struct capture *c = stream_of(s) ? stream_of(s)->capture : NULL;
  if (!c) return returned(hipErrorIllegalState);
  if (c->origin != stream_of(s)) return returned(hipErrorStreamCaptureUnmatched);
  if (c->mode != hipStreamCaptureModeRelaxed && !pthread_equal(c->thread, pthread_self()))
    return returned(hipErrorStreamCaptureWrongThread);
  int invalid = c->status == hipStreamCaptureStatusInvalidated, whole = joined(c);
  c->graph->destroyed = invalid || !whole;
  end_capture(c);
  if (invalid) return returned(hipErrorStreamCaptureInvalidated);
  if (!whole) return returned(hipErrorStreamCaptureUnjoined);
  *graph = (hipGraph_t)c->graph;
  return returned(hipSuccess);
}

static hipError_t capture_info(hipStream_t s, hipStreamCaptureStatus *status, unsigned long long *id) {
  if (!status) return hipErrorInvalidValue;
  if (stream_of(s) == &gone) return hipErrorContextIsDestroyed;
  if (!stream_of(s) && concerned(BLOCKING)) return hipErrorStreamCaptureImplicit;
  *status = status_of(s);
  if (id && *status == hipStreamCaptureStatusActive) *id = stream_of(s)->capture->id;
  return hipSuccess;
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t s, hipStreamCaptureStatus *status, unsigned long long *id,
                                      hipGraph_t *graph, const hipGraphNode_t **nodes,
                                      size_t *count) {
  HOLD;
  hipError_t error = capture_info(s, status, id);
  if (error || *status != hipStreamCaptureStatusActive) return returned(error);
  struct stream *st = stream_of(s);
  for (int i = 0; i < st->tails; i++) st->last[i] = (hipGraphNode_t)&st->capture->graph->nodes[st->tail[i]];
  if (graph) *graph = (hipGraph_t)st->capture->graph;
  if (nodes) *nodes = st->last;
  if (count) *count = st->tails;
  return returned(hipSuccess);
}

hipError_t hipStreamGetCaptureInfo(hipStream_t s, hipStreamCaptureStatus *status, unsigned long long *id) {
  HOLD;
  return returned(capture_info(s, status, id));
}

hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus *status) {
  HOLD;
  hipError_t result = capture_info(s, status, NULL);
  if (captures) log_call("hipStreamIsCapturing", device_of_stream(s), result == hipSuccess ? *status : 0, result);
  return returned(result);
}

// Events: a record marks the nodes before it, and a stream that waits for a captured event becomes part of the capture.
static hipError_t record_captured(struct event *e, hipStream_t s) {
  struct stream *st = stream_of(s);
  if (st->capture->status != hipStreamCaptureStatusActive) return hipErrorStreamCaptureInvalidated;
  memcpy(e->after, st->tail, sizeof e->after);
  e->depends = st->tails;
  e->capture = st->capture;
  e->time = (struct timespec){0};
  return hipSuccess;
}

static struct capture *active(struct event *e) {
  return e->capture && e->capture->status != hipStreamCaptureStatusNone ? e->capture : NULL;
}

static hipError_t wait_captured(struct stream *st, struct event *e) {
  struct capture *from = active(e);
  if (from && from->status == hipStreamCaptureStatusInvalidated || st && st->capture &&
      st->capture->status == hipStreamCaptureStatusInvalidated)
    return hipErrorStreamCaptureInvalidated;
  if (!from) return e->time.tv_sec ? invalidate(st->capture, hipErrorStreamCaptureIsolation) : hipSuccess;
  if (!st) return invalidate(from, hipErrorStreamCaptureImplicit);
  if (!st->capture) {
    st->capture = from;
    st->tails = 0;
  } else if (st->capture != from) {
    invalidate(st->capture, 0);
    return invalidate(from, hipErrorStreamCaptureMerge);
  }
  for (int i = 0; i < e->depends; i++) {
    int known = 0;
    for (int j = 0; j < st->tails; j++) known |= st->tail[j] == e->after[i];
    if (!known && st->tails < 32) st->tail[st->tails++] = e->after[i];
  }
  return hipSuccess;
}

static hipError_t event_wait_allowed(struct event *e) {
  if (active(e)) return invalidate(active(e), hipErrorCapturedEvent);
  return outside_wait();
}
