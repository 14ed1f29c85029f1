package topics

import (
	"fmt"
	"io"

	"roclua/host/replay"
)

// finding explains a code of the findings of roclua log and roclua run in recordings.
type finding struct {
	code, about string
	lua         string // the body of a scenario that shows it; "" if scripts cannot
}

// Parts of scenarios: a call that uses workspace, as a function call(x), and its capture as an executable graph.
const (
	luaCall = `  local A, x, y = t:malloc(8 * 64 * 64), t:malloc(8 * 64), t:malloc(8 * 64)
  for p, bytes in pairs { [A] = 8 * 64 * 64, [x] = 8 * 64, [y] = 8 * 64 } do hip.memset(p, 0, bytes) end
  local function call(x) t.handle:dtrmv { uplo = rocblas.fill_lower, n = 64, A = A, x = x } end
`
	luaGraph = `  local stream = t:stream(hip.stream_non_blocking)
  rocblas.set_stream(t.handle, stream)
  hip.stream_begin_capture(stream, hip.stream_capture_mode_relaxed)
  call(x)
`
	luaInstantiate = `  local graph = hip.stream_end_capture(stream)
  t:defer(hip.graph_destroy, graph)
  local exec = hip.graph_instantiate(graph)
  t:defer(hip.graph_exec_destroy, exec)
`
	luaLaunch = `  hip.graph_launch(exec, stream)
  hip.stream_synchronize(stream)
`
	luaWorkspace = `  local p = hip.malloc(1048576)
  rocblas.set_workspace(t.handle, p, 1048576)
`
	luaFree = "  hip.free(p)\n"
	luaWait = "  hip.device_synchronize()\n"
)

// findings are in the order of replay's codes.
var findings = []finding{
	{replay.Unordered, `
Two streams use one workspace, or a workspace is freed in the order of a stream, and nothing makes the later
use wait: the results of both calls can be wrong. Let the stream wait for an event, or the host for the stream,
before the handle changes its stream, or give each stream a workspace. Parts of a block that overlap, and
launched graphs, count, too.`,
		luaCall + `  for _, v in ipairs { x, y } do
    rocblas.set_stream(t.handle, t:stream(hip.stream_non_blocking))
    call(v)
  end
`},
	{replay.Freed, `
A call uses a workspace that the program freed. Set another one before, or free it after the last call.`,
		luaCall + luaWorkspace + luaFree + "  call(x)\n" + luaWait},
	{replay.GraphFreed, `
A launched graph uses memory that was freed, or that its handle has left: the handle grew, got another workspace
or was destroyed after the capture. Set a workspace of the program before the capture, which lives as long as
the graph.`,
		luaCall + luaGraph + luaInstantiate + luaWait + "  rocblas.set_device_memory_size(t.handle, 1048576)\n" +
			luaLaunch},
	{replay.Captured, `
A workspace is freed while a capture uses it, so that no launch of the graph has it.`,
		luaCall + luaWorkspace + luaGraph + luaFree + luaInstantiate + luaLaunch},
	{replay.Threads, `
Two threads are in calls on one handle at the same time. A handle is for one thread at a time: use a handle in
each thread, or a lock. rocBLAS can end the process.`, ""},
	{replay.Beyond, `
A workspace ends behind the block of memory that it is in, as when the units of a size are mistaken. Calls that
use all of it write behind the block.`,
		luaCall + `  rocblas.set_workspace(t.handle, t:malloc(64), 1048576)
  call(x)
` + luaWait},
	{replay.Arrays, `
Two streams use one array, at least one of them writes it, and nothing makes the later one wait.`,
		luaCall + `  for _ = 1, 2 do hip.memset_async(x, 0, 8, t:stream(hip.stream_non_blocking)) end
`},
	{replay.ArrayFreed, `
A call uses an array that the program freed.`,
		luaCall + `  local z = hip.malloc(8 * 64)
  hip.free(z)
  call(z)
` + luaWait},
	{replay.NoMemory, `
An allocation of the program, which succeeded when it was recorded, does not fit in the memory of the device: the
libraries hold more of it, or --device-memory says less. Later calls that use the memory are made as if it were there.`,
		"  hip.malloc(1099511627776)\n"},
	{replay.Repeated, `
hipBLAS makes a call again that returned memory_error: the program pays for two calls. A larger workspace
avoids it.`, ""},
	{replay.Reallocated, `
hipSOLVER unbinds its buffer after a call, so that the next rocSOLVER call on the handle allocates memory,
which the next bound call frees. Pass a buffer to each call.`, ""},
}

func (f *finding) script() string {
	return `local rocblas, hip = require "rocblas", require "hip"
return { schemes = { "managed" }, run = function(t)
` + f.lua + "end }\n"
}

// findFinding returns the finding with a code; nil for none.
func findFinding(code string) *finding {
	for i := range findings {
		if findings[i].code == code {
			return &findings[i]
		}
	}
	return nil
}

func (f *finding) write(w io.Writer) {
	fmt.Fprintf(w, "%s: a finding of roclua log, plan and run in a recording\n%s\n", f.code, f.about)
	if f.lua != "" {
		fmt.Fprintf(w, "\nThis scenario fails for it:\n\n%s", f.script())
	}
}

// Findings returns the codes of findings with the scenarios that show them; "" where scripts cannot.
func Findings() map[string]string {
	scripts := map[string]string{}
	for i := range findings {
		f := &findings[i]
		if scripts[f.code] = ""; f.lua != "" {
			scripts[f.code] = f.script()
		}
	}
	return scripts
}
