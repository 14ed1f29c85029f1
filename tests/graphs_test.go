package tests

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"roclua/hip/release"
	"roclua/host"
)

// capturedCalls makes one call of the table in "roclua docs graphs" during a stream capture. The metric cell is its
// entry in the table.
const capturedCalls = `
local rocblas, rocsolver, hip = require "rocblas", require "rocsolver", require "hip"
return {
  schemes = "any",
  params = { row = "" },
  run = function(t)
    local stream = hip.stream_create_with_flags(hip.stream_non_blocking)
    t:defer(hip.stream_destroy, stream)
    local handle = t.handle
    os.setenv("ROCBLAS_STREAM_ORDER_ALLOC", t.scheme == "stream_ordered" and "1" or "0")
    if t.row == "rocblas_destroy_handle" then
      handle = rocblas.create_handle()
      if t.scheme == "user_owned" then
        local workspace = hip.malloc(64)
        t:defer(hip.free, workspace)
        rocblas.set_workspace(handle, workspace, 64)
      end
    end
    local A = hip.malloc(8 * 512 * 512)
    t:defer(hip.free, A)
    hip.memset(A, 0, 8 * 512 * 512)
    local x = hip.malloc(4096)
    t:defer(hip.free, x)
    hip.memset(x, 0, 4096)
    local workspace
    if t.row == "gesvd, which waits" and t.scheme ~= "managed" and t.scheme ~= "stream_ordered" then
      workspace = hip.malloc(2^24)
      t:defer(hip.free, workspace)
      t:defer(rocblas.set_workspace, handle, nil, 0)
      if t.scheme == "user_owned" then
        rocblas.set_workspace(handle, workspace, 2^24)
      else
        rocblas.set_device_memory_size(handle, 2^24)
      end
    end
    if t.row == "it needs more memory" then
      if t.scheme == "user_owned" then
        rocblas.set_workspace(handle, x, 64)
        t:defer(rocblas.set_workspace, handle, nil, 0)
      else
        local grows = t.scheme == "managed" or t.scheme == "stream_ordered"
        rocblas.set_device_memory_size(handle, grows and 0 or 64)
      end
    end
    local captured = not t.row:find("set_stream") and not t.row:find("destroy")
    if captured then
      t:defer(rocblas.set_stream, handle, nil)
      rocblas.set_stream(handle, stream)
    end
    hip.stream_begin_capture(stream, hip.stream_capture_mode_global)
    local status
    if t.row == "rocblas_create_handle" then
      local other
      other, status = rocblas.try.create_handle()
      if other then t:defer(rocblas.destroy_handle, other) end
    elseif t.row == "a reduction to the host" then
      local _
      _, status = rocblas.try.dasum(handle, 512, x, 1)
    elseif t.row == "gesvd, which waits" then
      status = rocsolver.try.dgesvd(handle, 194, 194, 64, 64, A, 64, x, nil, 1, nil, 1, x + 1024, 201, x + 2048)
    elseif t.row == "rocblas_set_stream" then
      local other = hip.stream_create()
      t:defer(hip.stream_destroy, other)
      t:defer(rocblas.set_stream, handle, nil)
      status = rocblas.set_stream(handle, other)
    elseif t.row == "rocblas_set_workspace" then
      t:defer(rocblas.set_workspace, handle, nil, 0)
      status = rocblas.try.set_workspace(handle, A, 2^20)
    elseif t.row == "set_device_memory_size" then
      status = rocblas.try.set_device_memory_size(handle, 2^20)
      -- In stream order the graph frees the memory too: a handle that has it could not be destroyed.
      if t.scheme == "stream_ordered" then rocblas.try.set_device_memory_size(handle, 0) end
    elseif t.row == "rocblas_destroy_handle" then
      status = rocblas.destroy_handle(handle)
    else
      status = rocblas.try.dtrmv(handle, rocblas.fill_lower, rocblas.operation_none, rocblas.diagonal_unit, 512, A, 512,
        x, 1)
    end
    local graph = hip.try.stream_end_capture(stream)
    t:metric("cell", tostring(status):gsub("rocblas_status_", "") .. (graph and "" or " *"))
    if graph then hip.graph_destroy(graph) end
  end,
}`

// TestTableOfGraphs compares the table with calls under every scheme on every release.
func TestTableOfGraphs(t *testing.T) {
	text, err := os.ReadFile("../host/topics/graphs.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, rows := tableOfGraphs(t, string(text))
	folder := t.TempDir()
	config := "[[scenario]]\nscript = \"calls.lua\"\nmatrix = { row = [\"" + strings.Join(rows, `", "`) + "\"] }\n"
	for _, profile := range release.Names() {
		config += "[[target]]\nprofile = \"" + profile + "\"\n"
	}
	for name, content := range map[string]string{"calls.lua": capturedCalls, "roclua.toml": config} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	args := []string{"run", "--out", "json", "--quiet", filepath.Join(folder, "roclua.toml")}
	host.Main(args, testEnv(&stdout, &stderr))
	var report struct {
		Cases []struct {
			ID, Scheme, Profile, Outcome string
			Params                       struct{ Row string }
			Metrics                      []struct{ Value any }
			Error                        *struct{ Message string }
		}
	}
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	compared := 0
	for _, c := range report.Cases {
		have := "nothing"
		switch {
		case c.Outcome == "skipped":
			continue
		case len(c.Metrics) == 1:
			have, _ = c.Metrics[0].Value.(string)
		case c.Error != nil && strings.Contains(c.Error.Message, "would abort the process"):
			have = "aborts"
		}
		compared++
		if w := want(c.Params.Row, c.Scheme, c.Profile); have != w {
			t.Errorf("%s: %s, the table says %s", c.ID, have, w)
		}
	}
	if compared < 60 {
		t.Errorf("only %d calls are compared: %s", compared, stderr.String())
	}
}

var notes = regexp.MustCompile(` \(\d\)`)

// tableOfGraphs reads the table: the names of its rows, and the cells by row, scheme and release.
func tableOfGraphs(t *testing.T, text string) (want func(row, scheme, profile string) string, rows []string) {
	t.Helper()
	cells := map[string][]string{}
	_, table, _ := strings.Cut(text, "\n  call  ")
	table, _, _ = strings.Cut(table, "\n\n")
	for line := range strings.Lines(table) {
		list := regexp.MustCompile(` {2,}`).Split(strings.TrimSpace(notes.ReplaceAllString(line, "")), -1)
		if len(list) >= 5 && list[0] != "managed" {
			cells[list[0]] = list[1:]
			rows = append(rows, list[0])
		}
	}
	return func(row, scheme, profile string) string {
		columns := map[string]int{"managed": 0, "preallocated": 1, "manual": 1, "user_owned": 2, "stream_ordered": 3}
		column := columns[scheme]
		if profile == "rocm-7.1" && (column != 2 || row == "rocblas_create_handle" || row == "set_device_memory_size") {
			column = 3
		}
		return cells[row][column]
	}, rows
}

// recordedCapture is a recorded sequence with one operation during a stream capture.
type recordedCapture struct {
	Env map[string]string
	Ops []recordedOperation
}

type recordedOperation struct {
	Op, Status, Captures string
	Size                 uint64
	Stream, Mode         int
	Args                 map[string]any
}

// drawn reports whether the operation is a call with drawn arguments: calls in the table have order 200.
func (op *recordedOperation) drawn() bool {
	n, ok := op.Args["n"].(float64)
	return ok && n != 200
}

// smallest is a memory size too small for the calls in the table; larger sizes are sufficient.
const smallest = 64

// scheme returns the scheme of the handle, and whether its memory is too small for the calls in the table.
func (c *recordedCapture) scheme() (name string, small bool) {
	if size, ok := c.Env["ROCBLAS_DEVICE_MEMORY_SIZE"]; ok && size != "0" {
		return "preallocated", size == fmt.Sprint(smallest)
	} else if ok {
		return "managed", true
	}
	for i := range c.Ops {
		if c.Ops[i].Op != "create_handle" || i+1 == len(c.Ops) {
			continue
		}
		switch first := &c.Ops[i+1]; first.Op {
		case "set_device_memory_size":
			return "manual", first.Size == smallest
		case "set_workspace":
			return "user_owned", first.Size == smallest
		}
	}
	if c.Env["ROCBLAS_STREAM_ORDER_ALLOC"] != "" {
		return "stream_ordered", false
	}
	return "managed", false
}

// capturedStream is the captured stream in the table's recorded cases.
const capturedStream = 2

// rows finds the table rows covered by the sequence, with the operation of each.
func (c *recordedCapture) rows() map[string]*recordedOperation {
	list := map[string]*recordedOperation{}
	_, small := c.scheme()
	begun, handle := false, -1 // the handle's stream; -1 before the handle exists
	for i := range c.Ops {
		op := &c.Ops[i]
		own := handle == capturedStream
		switch {
		case op.Op == "stream_end_capture" || op.Op == "event_record" || op.Op == "set_pointer_mode" || op.drawn():
			return list
		case op.Op == "stream_begin_capture" && (op.Stream != capturedStream || op.Mode != 0 || begun):
			return nil
		case op.Op == "stream_begin_capture":
			begun = true
		case op.Op == "create_handle" && begun && c.Env["ROCBLAS_DEVICE_MEMORY_SIZE"] == "0":
			return nil // it allocates nothing
		case op.Op == "create_handle" && begun:
			list["rocblas_create_handle"] = op
		case op.Op == "create_handle":
			handle = 0
		case op.Op == "set_stream" && begun && handle > 0 && !own && op.Stream != capturedStream &&
			op.Stream != handle && op.Stream != 0:
			list["rocblas_set_stream"] = op
		case op.Op == "set_stream":
			handle = op.Stream
		case !begun:
		case op.Op == "destroy_handle" && own:
			list["rocblas_destroy_handle"] = op
		case op.Op == "set_workspace" && own && op.Size != 0 && !small:
			list["rocblas_set_workspace"] = op
		case op.Op == "set_device_memory_size" && own && op.Size != 0 && !small:
			list["set_device_memory_size"] = op
		case op.Op == "rocblas_dasum" && own && !small:
			list["a reduction to the host"] = op
		case op.Op == "rocblas_dtrmv" && own && small:
			list["it needs more memory"] = op
		case op.Op == "rocblas_dtrmv" && own:
			list["its workspace fits"] = op
		case op.Op == "rocsolver_dgesvd" && own && !small:
			list["gesvd, which waits"] = op
		}
	}
	return list
}

// notRecorded are the cells that no recorded capture covers: three schemes create handles alike, and no memory is too
// small for stream-ordered allocation.
var notRecorded = map[string]bool{"rocblas_create_handle/manual": true, "rocblas_create_handle/user_owned": true,
	"it needs more memory/stream_ordered": true}

// TestTableOfGraphsIsRecorded compares the table with the libraries' recorded behaviour on the HIP runtime without a
// GPU.
func TestTableOfGraphsIsRecorded(t *testing.T) {
	text, err := os.ReadFile("../host/topics/graphs.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, rows := tableOfGraphs(t, string(text))
	for _, profile := range []string{"rocm-6.4", "rocm-7.2"} {
		shown := map[string]bool{}
		for _, c := range recordedCaptures(t, profile) {
			scheme, _ := c.scheme()
			for row, op := range c.rows() {
				have := op.Status
				if strings.Contains(op.Captures, "2") {
					have += " *"
				}
				if w := want(row, scheme, profile); have != w {
					t.Errorf("%s, %s, %s: %s, the table says %s", profile, scheme, row, have, w)
				}
				shown[row+"/"+scheme] = true
			}
		}
		for _, row := range rows {
			for _, scheme := range []string{"managed", "preallocated", "manual", "user_owned", "stream_ordered"} {
				if !shown[row+"/"+scheme] && !notRecorded[row+"/"+scheme] {
					t.Errorf("%s, %s: no recorded capture shows %q", profile, scheme, row)
				}
			}
		}
	}
}

// recordedCaptures reads the recorded captures of a release.
func recordedCaptures(t *testing.T, profile string) []*recordedCapture {
	t.Helper()
	f, err := os.Open(filepath.Join("../workspace/testdata", profile, "captures.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var list []*recordedCapture
	for decoder := json.NewDecoder(r); ; {
		c := &recordedCapture{}
		if err := decoder.Decode(c); err == io.EOF {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
}
