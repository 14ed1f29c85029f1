package device

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/luabind/vm/memory"
)

// graphBox is a hipGraph_t in Lua.
type graphBox struct {
	graph *hip.Graph
	fills []fill
}

// graphExecBox is a hipGraphExec_t in Lua.
type graphExecBox struct {
	exec  *hip.GraphExec
	fills []fill
}

// Describe implements vm.Describer.
func (*graphBox) Describe() string { return "a graph" }

// Describe implements vm.Describer.
func (*graphExecBox) Describe() string { return "an executable graph" }

const (
	graphType     = "roclua.graph"
	graphExecType = "roclua.graph_exec"
)

// openGraphs declares the types of graphs.
func openGraphs(e *engine.Engine) {
	e.VM.NewType(graphType, map[string]lua.LGFunction{
		"__tostring": engine.Text(e.VM, func(*graphBox) string { return "graph" }),
	})
	e.VM.NewType(graphExecType, map[string]lua.LGFunction{
		"__tostring": engine.Text(e.VM, func(*graphExecBox) string { return "executable graph" }),
	})
}

func readGraph(c *engine.Call, p *api.Param, v lua.LValue) *graphBox {
	if v == lua.LNil {
		return &graphBox{graph: c.Device().Current().NullGraph()}
	}
	return engine.Object[*graphBox](c, p, v)
}

func readGraphExec(c *engine.Call, p *api.Param, v lua.LValue) *graphExecBox {
	if v == lua.LNil {
		return &graphExecBox{exec: c.Device().Current().NullGraphExec()}
	}
	return engine.Object[*graphExecBox](c, p, v)
}

func hipGraphInstantiate(c *engine.Call, g *graphBox) error {
	e, err := g.graph.Instantiate()
	return c.Return(err, c.VM.Object(graphExecType, &graphExecBox{e, g.fills}))
}

func hipGraphLaunch(c *engine.Call, e *graphExecBox, stream *hip.Stream) error {
	if id := stream.Captured(); id != 0 {
		addFills(c, id, e.fills...)
		return e.exec.Launch(stream)
	}
	for _, f := range e.fills {
		f.array.BeforeFilling(c.Fn.C, stream)
	}
	if err := e.exec.Launch(stream); err != nil {
		return err
	}
	for _, f := range e.fills {
		f.array.FilledBy(f.copy.LaunchedOn(stream))
	}
	return nil
}

func hipGraphDestroy(_ *engine.Call, g *graphBox) error { return g.graph.Destroy() }

func hipGraphExecDestroy(_ *engine.Call, e *graphExecBox) error { return e.exec.Destroy() }

// nodeFields is how many fields a node has.
const nodeFields = 7

func hipGraphGetNodes(c *engine.Call, g *graphBox) error {
	nodes, err := g.graph.Nodes()
	c.VM.Meter().Reserve(c.L, memory.RecordBytes(len(nodes), nodeFields))
	list := c.L.CreateTable(len(nodes), 0)
	for _, n := range nodes {
		list.Append(nodeTable(c, n))
	}
	return c.Return(err, list)
}

func nodeTable(c *engine.Call, n driver.Node) *lua.LTable {
	after := c.L.CreateTable(len(n.After), 0)
	for _, i := range n.After {
		after.Append(lua.LNumber(i + 1))
	}
	return c.NewRecord("graph_node", lua.LNumber(n.Type), text(n.Call),
		engine.Given(n.Call != "", lua.LString(n.Origin)), engine.Given(n.Bytes != 0, lua.LNumber(n.Bytes)),
		c.Pointer(n.Ptr), after)
}
