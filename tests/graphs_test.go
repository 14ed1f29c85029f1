package tests

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"roclua/hip/release"
	"roclua/host"
)

// capturedCalls makes one call of the table of "roclua docs graphs" while a stream is captured. The metric cell is what
// the table says about it.
const capturedCalls = `
local rocblas, hip = require "rocblas", require "hip"
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
    elseif t.row == "rocblas_set_stream" then
      local other = hip.stream_create()
      t:defer(hip.stream_destroy, other)
      t:defer(rocblas.set_stream, handle, nil)
      status = rocblas.set_stream(handle, other)
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

// tableOfGraphs reads the table: the names of its rows, and what it says about a row under a scheme of a release.
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
		if profile == "rocm-7.1" && (column != 2 || row == "rocblas_create_handle") {
			column = 3
		}
		return cells[row][column]
	}, rows
}
