package replay_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"testing"
	"time"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/function"
	"roclua/hip/routine"
	"roclua/host/config"
	"roclua/host/recording"
	"roclua/host/recording/recordingtest"
	"roclua/host/replay"
	"roclua/workspace"
	"roclua/workspace/footprint"
	"roclua/workspace/status"
)

// tape makes a recording, call after call.
type tape struct {
	t      testing.TB
	w      recordingtest.Writer
	now    time.Duration
	thread int
	outer  *recording.Call  // gets the calls until it ends; nil for none
	rows   int64            // of the solutions, at least
	device int              // that is the current one
	archs  []string         // of the devices; nil for one device
	arrays map[string]int64 // addresses of arrays by name; others have none
	called func(*routine.Args)

	target                  *config.Target     // whose devices are used; nil for devices with any memory
	profile                 string             // of the replay; "" is rocm-7.2
	time                    map[string]float64 // of the devices; nil for real time
	scheme                  string             // instead of the program's
	bytes                   uint64             // of the scheme
	oneWorkspace, elsewhere bool               // see replay.Options; elsewhere is another release than the recorded one
}

func newTape(t testing.TB) *tape {
	return &tape{t: t, thread: 1, w: recordingtest.Writer{Process: recording.Process{PID: 7, Ended: true,
		Facts: map[string]string{"rocblas.version": "5.2.0", "device.0.arch": "gfx90a"}}}}
}

// call makes a call of a microsecond, with the calls inside it.
func (r *tape) call(name, signature string, args []recording.Value, st status.Status,
	inside ...*recording.Call,
) *recording.Call {
	c := &recording.Call{Function: &recording.Function{Name: name, Signature: signature}, Thread: r.thread,
		Start: r.now, End: r.now + time.Microsecond, Args: args, Status: int(st), Inside: inside, Device: r.device}
	for i, v := range args {
		if v.Letter == function.Handle {
			c.Handle = int(v.Int)
		}
		if v.Letter == function.Stream {
			c.Stream = int(v.Int)
		}
		if v.Letter.IsResult() {
			c.Results = append(c.Results, uint64(args[i].Int))
			args[i].Int = 0
		}
	}
	r.now += 2 * time.Microsecond
	if r.outer != nil {
		r.outer.Inside = append(r.outer.Inside, c)
	}
	return c
}

// add makes a call and puts it on the tape, unless it is inside another one.
func (r *tape) add(name, signature string, args []recording.Value, st status.Status, inside ...*recording.Call) {
	c := r.call(name, signature, args, st, inside...)
	if r.outer == nil {
		r.w.Add(c)
	}
}

// in makes calls inside one of another library.
func (r *tape) in(name string, calls func(), args ...recording.Value) {
	signature := "r"
	for _, a := range args {
		signature += string(a.Letter)
	}
	c := r.call(name, signature, args, 0)
	r.outer = c
	calls()
	r.outer = nil
	c.End = r.now
	r.w.Add(c)
}

func value(letter function.Kind, v int64) recording.Value {
	return recording.Value{Letter: letter, Int: v}
}

// hip returns a HIP call with one argument.
func (r *tape) hip(name string, letter function.Kind, v int64) *recording.Call {
	outer := r.outer
	r.outer = nil
	defer func() { r.outer = outer }()
	return r.call(name, "r"+string(letter), []recording.Value{value(letter, v)}, 0)
}

func (r *tape) malloc(address, bytes int64, result status.Status) *recording.Call {
	outer := r.outer
	r.outer = nil
	defer func() { r.outer = outer }()
	return r.call("hipMalloc", "rMz", []recording.Value{value('M', address), value('z', bytes)}, result)
}

// runtime puts a HIP call on the tape.
func (r *tape) runtime(name string, args ...recording.Value) {
	signature := "r"
	for _, a := range args {
		signature += string(a.Letter)
	}
	r.add(name, signature, args, 0)
}

func (r *tape) create(h, address int64) {
	r.add("rocblas_create_handle", "rH", []recording.Value{value('H', h)}, 0, r.malloc(address, 32<<20, 0))
}

func (r *tape) handle(name string, h int64, args ...recording.Value) {
	signature := "rh"
	for _, a := range args {
		signature += string(a.Letter)
	}
	r.add(name, signature, append([]recording.Value{value('h', h)}, args...), 0)
}

// solve calls dtrsm of order n, which needs more than 32 MiB from 4097 on, on a stream.
func (r *tape) solve(h, n int64, stream int, st status.Status, inside ...*recording.Call) {
	r.routine("rocblas_dtrsm", h, n, stream, st, inside...)
}

// routine calls a routine of order n.
func (r *tape) routine(name string, h, n int64, stream int, st status.Status, inside ...*recording.Call) {
	rt, _ := routine.Lookup(name)
	one := binary.LittleEndian.AppendUint64(nil, math.Float64bits(1))
	if rt.Family.Name == "gemm_ex" {
		one = binary.LittleEndian.AppendUint32(nil, math.Float32bits(1))
	}
	args := []recording.Value{value('h', h)}
	signature := "rh"
	for i := range rt.Params {
		v := recording.Value{Letter: 'i', Int: max(n, r.rows)}
		switch p := &rt.Params[i]; {
		case p.Name == "n":
			v.Int = n
		case p.Kind == routine.Scalar:
			v = recording.Value{Letter: 'a', Scalar: one}
		case p.Kind.IsPointer():
			v = recording.Value{Letter: 'p'}
			if address := r.arrays[p.Name]; address != 0 {
				v = value('m', address)
			}
		case p.Kind.IsEnum():
			v.Int = cmp.Or(map[string]int64{"side": 142, "transA": 112}[p.Name], routine.Legal(p.Kind)[0])
			if p.Kind == routine.Datatype {
				v.Int = map[bool]int64{true: routine.DatatypeF32, false: routine.DatatypeF16}[p.Name == "compute_type"]
			}
		}
		args, signature = append(args, v), signature+string(v.Letter)
	}
	c := r.call(name, signature, args, st, inside...)
	c.Stream = stream
	if r.outer == nil {
		r.w.Add(c)
	}
}

// run replays the tape. The model knows the needs of calls.
func (r *tape) run() *replay.Result {
	r.t.Helper()
	for i, arch := range r.archs {
		r.w.Process.Facts[fmt.Sprintf("device.%d.arch", i)] = arch
	}
	data := r.w.Bytes()
	f, err := recording.New(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		r.t.Fatal(err)
	}
	profile, err := workspace.FindProfile(cmp.Or(r.profile, "rocm-7.2"))
	if err != nil {
		r.t.Fatal(err)
	}
	target := footprint.Target{Profile: profile, Arch: "gfx90a"}
	archs := r.archs
	if archs == nil {
		archs = []string{"gfx90a"}
	}
	devices := replay.Config(archs)
	if r.target != nil {
		devices = replay.Devices(f, *r.target, false)
	}
	devices.RealTime, devices.Time = r.time == nil, r.time
	rt, err := hip.Open("cpu", devices)
	if err != nil {
		r.t.Fatal(err)
	}
	defer rt.Close()
	o := replay.Options{Profile: profile, Recorded: !r.elsewhere && r.scheme == "", Scheme: r.scheme, Bytes: r.bytes,
		OneWorkspace: r.oneWorkspace}
	if r.scheme == "" {
		o.Need = func(_ *replay.Handle, _ replay.Place, a *routine.Args) uint64 {
			if r.called != nil {
				r.called(a)
			}
			e, _ := footprint.ExecutedNeed(target, a)
			return e.Bytes
		}
	}
	result, err := replay.Run(r.t.Context(), f, rt, o)
	if err != nil {
		r.t.Fatal(err)
	}
	return result
}
