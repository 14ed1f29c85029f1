package driver

// captures are the methods of a Device that captures the work of streams in graphs.
type captures interface {
	// BeginCapture implements hipStreamBeginCapture: from now on work that is queued in the stream becomes nodes of a
	// graph and does not run.
	BeginCapture(s Stream, mode CaptureMode) error
	// EndCapture implements hipStreamEndCapture. After an error there is no graph; the stream is no longer captured
	// unless the capture began in another stream.
	EndCapture(s Stream) (Graph, error)
	// CaptureInfo implements hipStreamGetCaptureInfo. The number identifies an active capture in the runtime; it is 0
	// otherwise.
	CaptureInfo(s Stream) (status CaptureStatus, id uint64, err error)
	// ExchangeCaptureMode implements hipThreadExchangeStreamCaptureMode: it sets the mode of the thread and returns
	// the mode before.
	ExchangeCaptureMode(mode CaptureMode) (CaptureMode, error)
	// CheckHostCopy returns the error of a synchronous copy, such as hipMemcpy, while a stream is captured: HIP permits
	// it in no mode.
	CheckHostCopy() error
}

// CaptureMode is a hipStreamCaptureMode. It decides which calls are errors while a stream is captured.
type CaptureMode int

// The modes, numbered as in hip_runtime_api.h. Potentially unsafe calls, such as hipMalloc, are errors: in all threads,
// in the thread that began the capture, and in none.
const (
	CaptureGlobal      CaptureMode = 0
	CaptureThreadLocal CaptureMode = 1
	CaptureRelaxed     CaptureMode = 2
)

// Valid reports whether the mode is one of the three.
func (m CaptureMode) Valid() bool { return m >= CaptureGlobal && m <= CaptureRelaxed }

// CaptureStatus is a hipStreamCaptureStatus.
type CaptureStatus int

// The statuses, numbered as in hip_runtime_api.h. An invalidated capture takes no more work and gives no graph.
const (
	CaptureNone        CaptureStatus = 0
	CaptureActive      CaptureStatus = 1
	CaptureInvalidated CaptureStatus = 2
)

// Graph is captured work.
type Graph interface {
	// Nodes returns the nodes, each after the nodes that it depends on.
	Nodes() ([]Node, error)
	// Instantiate implements hipGraphInstantiate.
	Instantiate() (GraphExec, error)
	// Destroy implements hipGraphDestroy. Executable graphs that were made from the graph stay.
	Destroy() error
}

// GraphExec is an executable graph.
type GraphExec interface {
	// Launch implements hipGraphLaunch: it queues the whole graph in stream order. HIP does not order launches of one
	// graph in different streams. A platform that knows the kernels of a graph calls kernel for each of them and
	// passes it the timer.
	Launch(s Stream, kernel func(Site) Timer) error
	// Destroy implements hipGraphExecDestroy. A launch that is queued still runs.
	Destroy() error
}

// Node is a node of a graph.
type Node struct {
	Type  NodeType
	Site         // the call that was captured; empty where the platform does not know it
	Ptr   Ptr    // memory that a node allocates or frees; otherwise null
	Bytes uint64 // bytes that a node allocates, copies or sets; 0 where the platform does not know them
	After []int  // indices of the nodes that it depends on
}

// NodeType is a hipGraphNodeType.
type NodeType int

// The types of nodes, numbered as in hip_runtime_api.h.
const (
	NodeKernel      NodeType = 0
	NodeMemcpy      NodeType = 1
	NodeMemset      NodeType = 2
	NodeHost        NodeType = 3
	NodeGraph       NodeType = 4
	NodeEmpty       NodeType = 5
	NodeWaitEvent   NodeType = 6
	NodeEventRecord NodeType = 7
	NodeMemAlloc    NodeType = 10
	NodeMemFree     NodeType = 11
)

var nodeNames = map[NodeType]string{
	NodeKernel: "hipGraphNodeTypeKernel", NodeMemcpy: "hipGraphNodeTypeMemcpy", NodeMemset: "hipGraphNodeTypeMemset",
	NodeHost: "hipGraphNodeTypeHost", NodeGraph: "hipGraphNodeTypeGraph", NodeEmpty: "hipGraphNodeTypeEmpty",
	NodeWaitEvent: "hipGraphNodeTypeWaitEvent", NodeEventRecord: "hipGraphNodeTypeEventRecord",
	NodeMemAlloc: "hipGraphNodeTypeMemAlloc", NodeMemFree: "hipGraphNodeTypeMemFree",
}

// Follow returns the memory that launches of a graph leave allocated, and the memory of other graphs that they free, in
// the order of the nodes.
func Follow(nodes []Node) (allocated []Node, freed []Ptr) {
	for _, n := range nodes {
		switch n.Type {
		case NodeMemAlloc:
			allocated = append(allocated, n)
		case NodeMemFree:
			before := len(allocated)
			for i := range allocated {
				if allocated[i].Ptr == n.Ptr {
					allocated = append(allocated[:i], allocated[i+1:]...)
					break
				}
			}
			if len(allocated) == before {
				freed = append(freed, n.Ptr)
			}
		}
	}
	return allocated, freed
}
