// Graphs: their nodes, instances and launches.
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count) {
  HOLD;
  struct graph *g = (struct graph *)graph;
  if (!g || g->destroyed || !count) return returned(hipErrorInvalidValue);
  for (int i = 0; nodes && i < g->count && i < *count; i++) nodes[i] = (hipGraphNode_t)&g->nodes[i];
  *count = g->count;
  return returned(hipSuccess);
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType *type) {
  HOLD;
  return returned((*type = ((struct node *)node)->type, hipSuccess));
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t *list, size_t *count) {
  HOLD;
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
  HOLD;
  struct node *n = (struct node *)node;
  memset(p, 0, sizeof *p);
  p->bytesize = n->width;
  p->dptr = n->to;
  return returned(n->type == hipGraphNodeTypeMemAlloc ? hipSuccess : hipErrorInvalidValue);
}

hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void *to) {
  HOLD;
  return returned((*(void **)to = ((struct node *)node)->to, hipSuccess));
}

static int has_memory(struct graph *g) {
  for (int i = 0; i < g->count; i++)
    if (g->nodes[i].type == hipGraphNodeTypeMemAlloc || g->nodes[i].type == hipGraphNodeTypeMemFree) return 1;
  return 0;
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t *exec, hipGraph_t graph, unsigned long long flags) {
  HOLD;
  struct graph *g = (struct graph *)graph;
  if (!exec || !g || g->destroyed) return returned(hipErrorInvalidValue);
  if (g->instantiated && has_memory(g)) return returned(hipErrorNotSupported);
  g->instantiated = 1;
  struct exec *e = calloc(1, sizeof *e);
  e->graph = g;
  *exec = (hipGraphExec_t)e;
  return returned(hipSuccess);
}

hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *failed, char *log,
                               size_t room) {
  return hipGraphInstantiateWithFlags(exec, graph, 0);
}

hipError_t hipGraphExecUpdate(hipGraphExec_t exec, hipGraph_t graph, hipGraphNode_t *failed,
                              hipGraphExecUpdateResult *result) {
  HOLD;
  struct exec *e = (struct exec *)exec;
  struct graph *g = (struct graph *)graph;
  if (!e || e->destroyed || !g || g->destroyed || !result) return returned(hipErrorInvalidValue);
  e->graph = g;
  g->instantiated = 1;
  *result = hipGraphExecUpdateSuccess;
  return returned(hipSuccess);
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  HOLD;
  struct graph *g = (struct graph *)graph;
  if (!g) return returned(hipErrorInvalidValue);
  if (g->destroyed) return returned(hipErrorIllegalState);
  return returned((g->destroyed = 1, hipSuccess));
}

hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
  HOLD;
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
  return NULL;
}

// Queues a node, if it is a function or there are others; otherwise returns 0.
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

// Waits for the queue, meanwhile without the lock.
static hipError_t finish(hipError_t error) {
  while (!error && queue) pthread_cond_wait(&queue_changed, &lock);
  return error;
}

// Reports whether the queue is empty.
static hipError_t ready(hipError_t error) {
  if (!error && queue) error = hipErrorNotReady;
  return error;
}

hipError_t hipLaunchHostFunc(hipStream_t s, hipHostFn_t fn, void *data) {
  HOLD;
  struct node n = {.type = hipGraphNodeTypeHost, .fn = fn, .data = data};
  hipError_t error;
  if (!fn) return returned(hipErrorInvalidValue);
  return returned(captured(s, n, &error, 0) ? error : run_in_order(&n));
}

static hipError_t run(struct node *n) {
  switch (n->type) {
  case hipGraphNodeTypeMemcpy:
    for (size_t i = 0; i < n->rows; i++)
      memmove((char *)n->to + i * n->pitch, (const char *)n->from + i * n->frompitch, n->width);
    return hipSuccess;
  case hipGraphNodeTypeMemset: return memset(n->to, n->value, n->width), hipSuccess;
  case hipGraphNodeTypeMemAlloc: return insert(n->device, n->to, n->width, 1) ? hipSuccess : hipErrorOutOfMemory;
  case hipGraphNodeTypeMemFree: return release(n->to) ? hipSuccess : hipErrorInvalidValue;
  default: return hipSuccess;
  }
}

hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t s) {
  HOLD;
  struct exec *e = (struct exec *)exec;
  if (!e || e->destroyed) return returned(hipErrorInvalidValue);
  struct graph *g = e->graph;
  hipError_t result = hipSuccess;
  int is_captured = status_of(s) != hipStreamCaptureStatusNone;
  if (is_captured && has_memory(g)) return returned(hipErrorNotSupported);
  if (captured(s, (struct node){.type = hipGraphNodeTypeGraph}, &result, 0)) return returned(result);
  for (int i = 0; i < g->count; i++)
    if (g->nodes[i].type == hipGraphNodeTypeMemAlloc && find(g->nodes[i].to)) result = hipErrorInvalidValue;
  for (int i = 0; i < g->count && result == hipSuccess; i++) result = run_in_order(&g->nodes[i]);
  return returned(result);
}
