// Stream capture and graphs of the HIP runtime without a GPU: which calls a capture permits, with the errors of HIP, and
// graphs with their nodes. A launch makes the copies of a graph and allocates and frees its memory; kernels do not run.
// hip.c includes this file.

struct node {
  hipGraphNodeType type;
  void *to;         // of a copy or a fill; of a memory node the memory
  const void *from; // NULL for a fill
  size_t pitch, frompitch, width, rows;
  int value;
  int after[32], depends;
  hipHostFn_t fn; // of a host node, with its argument
  void *data;
};

struct graph {
  struct node *nodes;
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
  int nonblocking;
  struct capture *capture; // NULL while it is not captured
  int tail[32], tails;     // the nodes that the next one depends on
};

struct event {
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

static __thread struct stream per_thread;

// The legacy stream is the null stream, whose structure is NULL.
static struct stream *stream_of(hipStream_t s) {
  if (s == (hipStream_t)1) return NULL;
  if (s == (hipStream_t)2) return &per_thread;
  for (int i = 0; s && i < stream_count; i++)
    if (streams[i] == (struct stream *)s) return streams[i];
  return s ? &gone : NULL;
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
  graphs = realloc(graphs, (graph_count + 1) * sizeof *graphs);
  return graphs[graph_count++] = calloc(1, sizeof(struct graph));
}

// Whether a node of a graph allocates memory at an address.
static int allocated_in_graph(void *p) {
  for (int i = 0; i < graph_count; i++)
    for (int j = 0; j < graphs[i]->count && !(graphs[i]->destroyed && !graphs[i]->instantiated); j++)
      if (graphs[i]->nodes[j].type == hipGraphNodeTypeMemAlloc && graphs[i]->nodes[j].to == p) return 1;
  return 0;
}

// Whether an address is in memory of a graph that no launch has allocated.
static int unallocated(const void *p) {
  for (struct block *b = blocks; b; b = b->next)
    if ((char *)p >= b->base && (char *)p < b->base + b->bytes) return 0;
  for (int i = 0; i < graph_count; i++)
    for (int j = 0; j < graphs[i]->count; j++) {
      struct node *n = &graphs[i]->nodes[j];
      if (n->type == hipGraphNodeTypeMemAlloc && (char *)p >= (char *)n->to && (char *)p < (char *)n->to + n->width) return 1;
    }
  return 0;
}

// The captures that a call of this thread concerns.
enum which { UNSAFE, EVERY, BLOCKING };

static int has_blocking_stream(const struct capture *c) {
  for (int i = 0; i < stream_count; i++)
    if (streams[i]->capture == c && !streams[i]->nonblocking) return 1;
  return 0;
}

static int concerns(const struct capture *c, enum which which) {
  switch (which) {
  case EVERY: return 1;
  case BLOCKING: return c->status == hipStreamCaptureStatusActive && has_blocking_stream(c);
  }
  if (c->mode == hipStreamCaptureModeRelaxed || thread_mode == hipStreamCaptureModeRelaxed) return 0;
  return pthread_equal(c->thread, pthread_self()) || c->mode == hipStreamCaptureModeGlobal && thread_mode == hipStreamCaptureModeGlobal;
}

// Invalidates the captures that a call concerns; returns the error, or success if there are none.
static hipError_t forbid(enum which which, hipError_t error) {
  hipError_t result = hipSuccess;
  pthread_mutex_lock(&lock);
  for (struct capture *c = captures; c; c = c->next)
    if (concerns(c, which)) {
      c->status = hipStreamCaptureStatusInvalidated;
      result = error;
    }
  pthread_mutex_unlock(&lock);
  return result;
}

static hipError_t invalidate(struct capture *c, hipError_t error) {
  c->status = hipStreamCaptureStatusInvalidated;
  return error;
}

static hipError_t unsafe_call(void) { return forbid(UNSAFE, hipErrorStreamCaptureUnsupported); }

// A wait for a stream or a query of it.
static hipError_t stream_wait_allowed(hipStream_t s) {
  if (!stream_of(s)) return forbid(BLOCKING, hipErrorStreamCaptureImplicit);
  if (stream_of(s)->capture) return invalidate(stream_of(s)->capture, hipErrorStreamCaptureUnsupported);
  return unsafe_call();
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
  st->tail[0] = g->count++;
  st->tails = 1;
  return 1;
}

static hipError_t captured_kernel(hipStream_t s) {
  hipError_t error;
  captured(s, (struct node){.type = hipGraphNodeTypeKernel}, &error, 0);
  return error;
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  if (!mode || *mode < hipStreamCaptureModeGlobal || *mode > hipStreamCaptureModeRelaxed) return returned(hipErrorInvalidValue);
  hipStreamCaptureMode before = thread_mode;
  thread_mode = *mode;
  *mode = before;
  return returned(hipSuccess);
}

hipError_t hipStreamBeginCapture(hipStream_t s, hipStreamCaptureMode mode) {
  if (!stream_of(s)) return returned(hipErrorStreamCaptureUnsupported);
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed) return returned(hipErrorInvalidValue);
  struct stream *st = stream_of(s);
  if (st == &gone) return returned(hipErrorContextIsDestroyed);
  if (st->capture) return returned(hipErrorIllegalState);
  struct capture *c = calloc(1, sizeof *c);
  *c = (struct capture){++capture_ids, mode, pthread_self(), st, new_graph(), hipStreamCaptureStatusActive, NULL};
  st->capture = c;
  st->tails = 0;
  pthread_mutex_lock(&lock);
  c->next = captures;
  captures = c;
  pthread_mutex_unlock(&lock);
  return returned(hipSuccess);
}

// Takes all streams out of a capture. Events may still refer to it.
static void end_capture(struct capture *c) {
  pthread_mutex_lock(&lock);
  for (struct capture **at = &captures; *at; at = &(*at)->next)
    if (*at == c) {
      *at = c->next;
      break;
    }
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < stream_count; i++)
    if (streams[i]->capture == c) streams[i]->capture = NULL;
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
  if (!graph) return returned(hipErrorInvalidValue);
  *graph = NULL;
  struct capture *c = stream_of(s) ? stream_of(s)->capture : NULL;
  if (!c) return returned(hipErrorIllegalState);
  if (c->origin != stream_of(s)) return returned(hipErrorStreamCaptureUnmatched);
  if (c->mode != hipStreamCaptureModeRelaxed && !pthread_equal(c->thread, pthread_self())) return returned(hipErrorStreamCaptureWrongThread);
  int invalid = c->status == hipStreamCaptureStatusInvalidated, whole = joined(c);
  c->graph->destroyed = invalid || !whole;
  end_capture(c);
  if (invalid) return returned(hipErrorStreamCaptureInvalidated);
  if (!whole) return returned(hipErrorStreamCaptureUnjoined);
  *graph = (hipGraph_t)c->graph;
  return returned(hipSuccess);
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t s, hipStreamCaptureStatus *status, unsigned long long *id, hipGraph_t *graph, const hipGraphNode_t **nodes,
                                      size_t *count) {
  if (!status) return returned(hipErrorInvalidValue);
  if (stream_of(s) == &gone) return returned(hipErrorContextIsDestroyed);
  if (!stream_of(s))
    for (struct capture *c = captures; c; c = c->next)
      if (concerns(c, BLOCKING)) return returned(hipErrorStreamCaptureImplicit);
  *status = status_of(s);
  if (id && *status == hipStreamCaptureStatusActive) *id = stream_of(s)->capture->id;
  return returned(hipSuccess);
}

hipError_t hipStreamGetCaptureInfo(hipStream_t s, hipStreamCaptureStatus *status, unsigned long long *id) {
  return returned(hipStreamGetCaptureInfo_v2(s, status, id, NULL, NULL, NULL));
}

hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus *status) {
  hipError_t result = hipStreamGetCaptureInfo_v2(s, status, NULL, NULL, NULL, NULL);
  pthread_mutex_lock(&lock);
  if (captures) note("hipStreamIsCapturing %d %d\n", result == hipSuccess ? *status : 0, result);
  pthread_mutex_unlock(&lock);
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

static struct capture *active(struct event *e) { return e->capture && e->capture->status != hipStreamCaptureStatusNone ? e->capture : NULL; }

static hipError_t wait_captured(struct stream *st, struct event *e) {
  struct capture *from = active(e);
  if (from && from->status == hipStreamCaptureStatusInvalidated || st && st->capture && st->capture->status == hipStreamCaptureStatusInvalidated)
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
  return unsafe_call();
}

// Graphs.
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count) {
  struct graph *g = (struct graph *)graph;
  if (!g || g->destroyed || !count) return returned(hipErrorInvalidValue);
  for (int i = 0; nodes && i < g->count && i < *count; i++) nodes[i] = (hipGraphNode_t)&g->nodes[i];
  *count = g->count;
  return returned(hipSuccess);
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type) { return returned((*type = ((struct node *)node)->type, hipSuccess)); }

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *list, size_t *count) {
  struct node *n = (struct node *)node;
  for (int i = 0; i < graph_count; i++) {
    struct graph *g = graphs[i];
    if (n < g->nodes || n >= g->nodes + g->count) continue;
    for (int k = 0; list && k < n->depends; k++) list[k] = (hipGraphNode_t)&g->nodes[n->after[k]];
    *count = n->depends;
    return returned(hipSuccess);
  }
  return returned(hipErrorInvalidValue);
}

hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams *p) {
  struct node *n = (struct node *)node;
  memset(p, 0, sizeof *p);
  p->bytesize = n->width;
  p->dptr = n->to;
  return returned(n->type == hipGraphNodeTypeMemAlloc ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *to) { return returned((*(void **)to = ((struct node *)node)->to, hipSuccess)); }

static int has_memory(struct graph *g) {
  for (int i = 0; i < g->count; i++)
    if (g->nodes[i].type == hipGraphNodeTypeMemAlloc || g->nodes[i].type == hipGraphNodeTypeMemFree) return 1;
  return 0;
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags) {
  struct graph *g = (struct graph *)graph;
  if (!exec || !g || g->destroyed) return returned(hipErrorInvalidValue);
  if (g->instantiated && has_memory(g)) return returned(hipErrorNotSupported);
  g->instantiated = 1;
  struct exec *e = calloc(1, sizeof *e);
  e->graph = g;
  *exec = (hipGraphExec_t)e;
  return returned(hipSuccess);
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  struct graph *g = (struct graph *)graph;
  if (!g) return returned(hipErrorInvalidValue);
  if (g->destroyed) return returned(hipErrorIllegalState);
  return returned((g->destroyed = 1, hipSuccess));
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  struct exec *e = (struct exec *)exec;
  if (!e || e->destroyed) return returned(hipErrorInvalidValue);
  return returned((e->destroyed = 1, hipSuccess));
}

// Functions of streams run in a thread, in the order of their launches. While there are any, later work of all streams
// is queued behind them.
struct later {
  struct node node;
  struct later *next;
};
static struct later *queue;
static pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;

static hipError_t run(struct node *n);

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  for (;;) {
    while (!queue) pthread_cond_wait(&queue_changed, &lock);
    struct later *l = queue;
    if (l->node.type == hipGraphNodeTypeHost) {
      pthread_mutex_unlock(&lock);
      l->node.fn(l->node.data);
      pthread_mutex_lock(&lock);
    } else {
      run(&l->node);
    }
    queue = l->next;
    free(l);
    pthread_cond_broadcast(&queue_changed);
  }
}

// Queues a node, if it is a function or there are others; otherwise returns 0. The caller has the lock.
static int run_later(const struct node *n) {
  static int started;
  if (!queue && n->type != hipGraphNodeTypeHost) return 0;
  struct later *l = malloc(sizeof *l), **end = &queue;
  *l = (struct later){*n, NULL};
  while (*end) end = &(*end)->next;
  *end = l;
  pthread_t thread;
  if (!started++) pthread_create(&thread, NULL, work, NULL);
  pthread_cond_broadcast(&queue_changed);
  return 1;
}

// Runs a node now, or after the functions that have not returned.
static hipError_t run_in_order(struct node *n) { return run_later(n) ? hipSuccess : run(n); }

static hipError_t run_async(struct node n) {
  pthread_mutex_lock(&lock);
  hipError_t result = run_in_order(&n);
  pthread_mutex_unlock(&lock);
  return result;
}

// Waits for the queue.
static hipError_t finish(hipError_t error) {
  pthread_mutex_lock(&lock);
  while (!error && queue) pthread_cond_wait(&queue_changed, &lock);
  pthread_mutex_unlock(&lock);
  return error;
}

// Reports whether the queue is empty.
static hipError_t ready(hipError_t error) {
  pthread_mutex_lock(&lock);
  if (!error && queue) error = hipErrorNotReady;
  pthread_mutex_unlock(&lock);
  return error;
}

hipError_t hipLaunchHostFunc(hipStream_t s, hipHostFn_t fn, void *data) {
  struct node n = {.type = hipGraphNodeTypeHost, .fn = fn, .data = data};
  hipError_t error;
  if (!fn) return returned(hipErrorInvalidValue);
  return returned(captured(s, n, &error, 0) ? error : run_async(n));
}

static hipError_t run(struct node *n) {
  switch (n->type) {
  case hipGraphNodeTypeMemcpy:
    for (size_t i = 0; i < n->rows; i++) memmove((char *)n->to + i * n->pitch, (const char *)n->from + i * n->frompitch, n->width);
    return hipSuccess;
  case hipGraphNodeTypeMemset: return memset(n->to, n->value, n->width), hipSuccess;
  case hipGraphNodeTypeMemAlloc: return insert(n->to, n->width, 1) ? hipSuccess : hipErrorOutOfMemory;
  case hipGraphNodeTypeMemFree: return release(n->to) ? hipSuccess : hipErrorInvalidValue;
  default: return hipSuccess;
  }
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t s) {
  struct exec *e = (struct exec *)exec;
  if (!e || e->destroyed) return returned(hipErrorInvalidValue);
  struct graph *g = e->graph;
  hipError_t result = hipSuccess;
  int is_captured = status_of(s) != hipStreamCaptureStatusNone;
  if (is_captured && has_memory(g)) return returned(hipErrorNotSupported);
  if (captured(s, (struct node){.type = hipGraphNodeTypeGraph}, &result, 0)) return returned(result);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < g->count; i++)
    if (g->nodes[i].type == hipGraphNodeTypeMemAlloc && find(g->nodes[i].to)) result = hipErrorInvalidValue;
  for (int i = 0; i < g->count && result == hipSuccess; i++) result = run_in_order(&g->nodes[i]);
  pthread_mutex_unlock(&lock);
  return returned(result);
}
