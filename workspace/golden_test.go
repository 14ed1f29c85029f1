package workspace_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/hip/trace"
	"roclua/workspace"
	"roclua/workspace/status"
)

// The recorded answers in testdata come from the real libraries on a HIP runtime without a GPU. A folder named by the
// environment variable ROCLUA_GOLDEN is read too: further recordings, PROFILE/sequences*.jsonl and shortage*.jsonl.

// recorded are the releases whose libraries gave the recorded answers: every release needs some.
var recorded = release.Names()

// goldenFiles lists the files of one kind for a profile.
func goldenFiles(t *testing.T, profile, kind string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", profile, kind+"*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded %s of %s (%v); see \"Add a release\" in CONTRIBUTING.md", kind, profile, err)
	}
	if fresh := os.Getenv("ROCLUA_GOLDEN"); fresh != "" {
		more, err := filepath.Glob(filepath.Join(fresh, profile, kind+"*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	return files
}

// readGolden decodes every line of a file.
func readGolden[T any](t *testing.T, path string, each func(line int, v *T)) int {
	t.Helper()
	return readSample(t, path, 1, each)
}

// readSample is readGolden for one in so many lines: the others are counted, but not decoded.
func readSample[T any](t *testing.T, path string, share int, each func(line int, v *T)) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 16<<20)
	n := 0
	for lines.Scan() {
		if n++; n%share != 0 {
			continue
		}
		v := new(T)
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.UseNumber() // bytes of HIP calls stay whole numbers
		if err := decoder.Decode(v); err != nil {
			t.Fatalf("%s:%d: %v", path, n, err)
		}
		each(n, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return n
}

// recording is one recorded run of operations on one handle.
type recording struct {
	Seed int
	Env  map[string]string
	Ops  []operation
}

type operation struct {
	Op     string
	Args   map[string]json.Number
	Status *string
	Size   uint64
	Null   bool
	Value  *bool
	Held   *uint64 `json:"device_memory_size"`
	HIP    [][]any // absent where roclua verify has recorded

	Nulls    []string              // arguments that were null
	Scalars  map[string][2]float64 // scalars that are not 1
	Distinct bool                  // no two arrays had the same address
}

// Bytes of the matrices and of the user-owned workspace that were allocated before each recorded handle was made.
const (
	matrixBytes    = 48 << 20
	workspaceBytes = 16 << 20
)

func TestSequences(t *testing.T) {
	for _, profile := range recorded {
		for _, file := range goldenFiles(t, profile, "sequences") {
			t.Run(profile+"/"+filepath.Base(file), func(t *testing.T) {
				failed := 0
				n := readGolden(t, file, func(line int, s *recording) {
					if err := openFor(t, profile, s, capacity(s.Env)).playAll(s); err != nil {
						failed++
						if failed <= 5 {
							t.Errorf("sequence %d (seed %d, %v): %v", line, s.Seed, s.Env, err)
						}
					}
				})
				t.Logf("%d of %d sequences agree", n-failed, n)
			})
		}
	}
}

// player replays a sequence.
type player struct {
	rt      *hip.Runtime
	profile *workspace.Profile
	env     map[string]string
	handle  workspace.Handle
	matrix  driver.Ptr
	scratch driver.Ptr
	traced  int // HIP calls of the last recorded operation
}

// openFor makes a device of some bytes, with the allocations that were made before the handle.
func openFor(t *testing.T, profileName string, s *recording, bytes uint64) *player {
	t.Helper()
	profile, err := workspace.FindProfile(profileName)
	if err != nil {
		t.Fatal(err)
	}
	rt := open(t, archOf(s.Env), bytes)
	p := &player{rt: rt, profile: profile}
	p.matrix, _ = rt.Device().Malloc(matrixBytes)
	p.scratch, _ = rt.Device().Malloc(workspaceBytes)
	rt.Trace()
	return p
}

// playAll replays a sequence and returns the first difference.
func (p *player) playAll(s *recording) error {
	p.env = s.Env
	for i := range s.Ops {
		op := &s.Ops[i]
		err := p.play(op)
		if err == nil {
			err = p.compare(op)
		}
		if err != nil {
			return differs(i, op, err)
		}
	}
	return nil
}

func differs(i int, op *operation, err error) error {
	return fmt.Errorf("operation %d, %s %v: %w", i, op.Op, op.Args, err)
}

func archOf(env map[string]string) string {
	if a, ok := env["STUBHIP_ARCH"]; ok {
		return a
	}
	return "gfx90a"
}

func capacity(env map[string]string) uint64 {
	if text, ok := env["STUBHIP_CAPACITY"]; ok {
		n, _ := strconv.ParseUint(text, 10, 64)
		return n
	}
	return 64 << 30
}

// outcome is the result of an operation: its status, and the size or truth value of operations that return one.
type outcome struct {
	status status.Status
	size   uint64
	value  bool
}

// do runs an operation. An error status is an outcome; a call that would end the process is an error.
func (p *player) do(op *operation) (a outcome, err error) {
	h := p.handle
	switch op.Op {
	case "create_handle":
		p.handle, err = workspace.Create(p.rt.Device(), workspace.Config{Profile: p.profile, Environment: p.env})
	case "destroy_handle":
		err = h.Destroy()
	case "set_device_memory_size":
		err = h.SetDeviceMemorySize(op.Size)
	case "set_workspace":
		address := p.scratch
		if op.Null {
			address = 0
		}
		err = h.SetWorkspace(address, op.Size)
	case "set_pointer_mode":
		err = h.SetPointerMode(int64(op.Size))
	case "start":
		err = h.StartQuery()
	case "stop":
		a.size, err = h.StopQuery(false)
		var unknown *workspace.Unknown
		if errors.As(err, &unknown) {
			err = nil // the query ends
		}
	case "is_managing":
		a.value = h.IsManaging()
	case "is_user_managing":
		a.value = h.IsUserManaging()
	default:
		r, ok := routine.Lookup(op.Op)
		if !ok {
			return a, fmt.Errorf("no such routine in the table")
		}
		var out workspace.Outcome
		args := arguments(r, op.Args, p.matrix, p.scratch)
		op.setPointers(args)
		out, err = h.Call(args)
		a.status = out.Status
	}
	if e, ok := err.(*workspace.Error); ok {
		a.status, err = e.Status, nil
	}
	return a, err
}

// play runs an operation and compares its outcome.
func (p *player) play(op *operation) error {
	a, err := p.do(op)
	switch {
	case err != nil:
		return err
	case op.Status != nil && a.status.Short() != *op.Status:
		return fmt.Errorf("status %s, the library returned %s", a.status.Short(), *op.Status)
	case op.Op == "stop" && a.status.OK() && a.size != op.Size:
		return fmt.Errorf("the query returns %d, the library %d", a.size, op.Size)
	case strings.HasPrefix(op.Op, "is_") && (op.Value == nil || a.value != *op.Value):
		return fmt.Errorf("%v, the library returned %v", a.value, op.Value)
	}
	return nil
}

// arguments fills a call as the recording did: the recorded integers, scalars of one, and valid addresses.
func arguments(r *routine.Routine, values map[string]json.Number, matrix, small driver.Ptr) *routine.Args {
	a := r.New()
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, 1)
		case p.Kind == routine.Output:
			a.SetInt(p.Slot, routine.Host)
		case p.Slot == routine.Ipiv || p.Slot == routine.Info:
			a.SetPtr(p.Slot, uint64(small))
		case p.Kind.IsPointer():
			a.SetPtr(p.Slot, uint64(matrix))
		case p.Kind == routine.Real:
			v, _ := values[p.Name].Float64()
			a.SetReal(p.Slot, v)
		default:
			v, _ := values[p.Name].Int64()
			a.SetInt(p.Slot, v)
		}
	}
	return a
}

// setPointers sets the recorded null pointers, scalars and separate arrays.
func (op *operation) setPointers(a *routine.Args) {
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if slices.Contains(op.Nulls, p.Name) {
			a.SetPtr(p.Slot, 0)
		} else if v, ok := op.Scalars[p.Name]; ok {
			a.SetScalar(p.Slot, complex(v[0], v[1]))
		} else if op.Distinct && (p.Kind == routine.Array || p.Kind == routine.ArrayOfArrays) {
			a.SetPtr(p.Slot, a.Ptr(p.Slot)+4096*uint64(p.Slot))
		}
	}
}

// compare checks the handle's size and the HIP calls against the recorded ones.
func (p *player) compare(op *operation) error {
	calls := memoryCalls(p.rt.Trace())
	var want []string
	for _, c := range op.HIP {
		want = append(want, strings.TrimSpace(fmt.Sprintln(c...)))
	}
	if op.HIP != nil && !slices.Equal(calls, want) {
		return fmt.Errorf("HIP calls %q, the library made %q", calls, want)
	}
	if op.Held == nil {
		return nil
	}
	if held, err := p.handle.DeviceMemorySize(); err != nil || held != *op.Held {
		return fmt.Errorf("holds %d bytes (%v), the library %d", held, err, *op.Held)
	}
	return nil
}

// memoryCalls formats calls as they were recorded. Copies and fills were not recorded.
func memoryCalls(trace []trace.Call) []string {
	var list []string
	for _, c := range trace {
		switch c.Name {
		case "hipMalloc", "hipMallocAsync":
			list = append(list, fmt.Sprintf("%s %d %d", c.Name, c.Bytes, c.Result))
		case "hipFree", "hipFreeAsync", "hipStreamSynchronize", "hipDeviceSynchronize", "hipMemPoolTrimTo":
			list = append(list, c.Name)
		}
	}
	return list
}

// shortage is one recorded call under a user-owned workspace that may be too small.
type shortage struct {
	Fn        string
	Args      map[string]json.Number
	Needs     uint64
	Workspace uint64
	Status    string
}

func TestShortage(t *testing.T) {
	for _, name := range recorded {
		for _, file := range goldenFiles(t, name, "shortage") {
			t.Run(name+"/"+filepath.Base(file), func(t *testing.T) {
				profile, _ := workspace.FindProfile(name)
				rt := open(t, "gfx90a", 64<<30)
				handle, err := workspace.Create(rt.Device(), workspace.Config{Profile: profile})
				if err != nil {
					t.Fatal(err)
				}
				p, _ := rt.Device().Malloc(768 << 20)
				failed := 0
				n := readGolden(t, file, func(line int, s *shortage) {
					if err := starve(handle, p, s); err != nil {
						if failed++; failed <= 10 {
							t.Errorf("line %d, %s %v with %d bytes: %v", line, s.Fn, s.Args, s.Workspace, err)
						}
					}
				})
				t.Logf("%d of %d calls agree", n-failed, n)
			})
		}
	}
}

func starve(h workspace.Handle, p driver.Ptr, s *shortage) error {
	r, ok := routine.Lookup(s.Fn)
	if !ok {
		return fmt.Errorf("no such routine in the table")
	}
	a := arguments(r, s.Args, p, p)
	if err := h.StartQuery(); err != nil {
		return err
	}
	_, err := h.Call(a)
	needs, stopErr := h.StopQuery(false)
	if err != nil || stopErr != nil {
		return fmt.Errorf("the query fails: %v, %v", err, stopErr)
	}
	if needs != s.Needs {
		return fmt.Errorf("needs %d, the library %d", needs, s.Needs)
	}
	if err := h.SetWorkspace(p+(512<<20), s.Workspace); err != nil {
		return err
	}
	out, err := h.Call(a)
	if e, ok := err.(*workspace.Error); ok {
		out.Status, err = e.Status, nil
	}
	if err == nil && out.Status.Short() != s.Status {
		err = fmt.Errorf("status %s, the library returned %s", out.Status.Short(), s.Status)
	}
	return err
}
