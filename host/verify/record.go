package verify

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// Recorder writes the results of the library as JSON lines, in the format of the model's recorded test data. A nil
// Recorder records nothing.
type Recorder struct{ out *json.Encoder }

// NewRecorder returns a recorder that writes to w.
func NewRecorder(w io.Writer) *Recorder {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return &Recorder{out}
}

// query is the result of a size query: all arrays were null, and scalars were 1.
type query struct {
	Fn     string         `json:"fn"`
	Args   map[string]any `json:"args"`
	Status string         `json:"status"`
	Bytes  uint64         `json:"bytes"`
}

// call is the result of an executed call.
type call struct {
	Fn       string                `json:"fn"`
	Args     map[string]any        `json:"args"`
	Null     []string              `json:"null"`
	Scalars  map[string][2]float64 `json:"scalars,omitempty"`
	Distinct bool                  `json:"distinct"` // no two arrays have the same address
	Device   bool                  `json:"device"`   // device pointer mode
	Status   string                `json:"status"`
	Direct   bool                  `json:"direct,omitempty"` // the next operation followed without another HIP call
	Calls    []string              `json:"calls,omitempty"`  // HIP calls: name, bytes and result
}

func (r *Recorder) record(c *testCase, ops []*sequence.Operation, have []sequence.Result, archs []string) error {
	if r == nil {
		return nil
	}
	if c.call == nil {
		return r.sequence(c, ops, have, archs)
	}
	q := query{Fn: c.routine.CName(), Args: arguments(c.call)}
	row := call{Fn: q.Fn, Args: q.Args, Distinct: true}
	for i, op := range ops {
		switch {
		case op.Call != nil:
			q.Status, row.Status, row.Calls = have[i].Status, have[i].Status, have[i].Calls
		case op.ChangesMode():
			row.Device = true
		case op.StopsQuery() && have[i].Status == "success":
			var err error
			if q.Bytes, err = strconv.ParseUint(have[i].Value, 10, 64); err != nil {
				return errors.New("the library has no size: " + have[i].String())
			}
		}
	}
	if c.kind == Queries {
		return r.out.Encode(q)
	}
	row.Null, row.Scalars = pointers(c.call)
	return r.out.Encode(row)
}

// pointers returns the names of null arguments, and the values of scalars.
func pointers(c *sequence.Call) (null []string, scalars map[string][2]float64) {
	null = []string{}
	for i := range c.Routine.Params {
		switch p := &c.Routine.Params[i]; {
		case c.Null[p.Slot]:
			null = append(null, p.Name)
		case p.Kind == routine.Scalar:
			if scalars == nil {
				scalars = map[string][2]float64{}
			}
			scalars[p.Name] = [2]float64{real(c.Scalars[p.Slot]), imag(c.Scalars[p.Slot])}
		}
	}
	return null, scalars
}

// arguments returns the arguments passed by value, by name.
func arguments(c *sequence.Call) map[string]any {
	list := map[string]any{}
	for i := range c.Routine.Params {
		switch p := &c.Routine.Params[i]; {
		case p.Kind == routine.Real:
			list[p.Name] = c.Reals[p.Slot]
		case !p.Kind.IsPointer():
			list[p.Name] = c.Ints[p.Slot]
		}
	}
	return list
}

// run is a recorded sequence. Its environment has the architecture, under its name in the model's recorded test data.
type run struct {
	Seed uint64            `json:"seed"`
	Env  map[string]string `json:"env"`

	Devices int `json:"devices,omitempty"` // with a handle on each; 0 is one

	Ops []recordedStep `json:"ops"`
}

// recordedStep is one operation of a recorded sequence. HIP calls are recorded if the runtime reports them.
type recordedStep struct {
	Op       string                `json:"op"`
	Args     map[string]any        `json:"args,omitempty"`
	Nulls    []string              `json:"nulls,omitempty"`    // null arguments
	Distinct bool                  `json:"distinct,omitempty"` // no two arrays have the same address
	Scalars  map[string][2]float64 `json:"scalars,omitempty"`
	Size     *uint64               `json:"size,omitempty"`
	Null     bool                  `json:"null,omitempty"`
	Value    *bool                 `json:"value,omitempty"`
	Status   string                `json:"status"`
	Direct   bool                  `json:"direct,omitempty"` // the next operation followed without another HIP call
	Held     *uint64               `json:"device_memory_size,omitempty"`

	Handle   int      `json:"handle,omitempty"` // its number, from 0
	Device   *int     `json:"device,omitempty"` // of set_device
	Stream   *int     `json:"stream,omitempty"`
	Event    *int     `json:"event,omitempty"`
	Mode     *int     `json:"mode,omitempty"`
	Nodes    string   `json:"nodes,omitempty"`    // memory allocated and freed by a captured graph
	Captures string   `json:"captures,omitempty"` // the hipStreamCaptureStatus of each stream afterwards
	Calls    []string `json:"calls,omitempty"`    // HIP calls: name, bytes and result
}

// stepNames maps operations to their names in recordings, if different from the function names.
var stepNames = map[string]string{"start_device_memory_size_query": "start", "stop_device_memory_size_query": "stop",
	"is_managing_device_memory": "is_managing", "is_user_managing_device_memory": "is_user_managing"}

// sequence records the results of a sequence, up to the first operation without a result. Reads of modes are not
// recorded.
func (r *Recorder) sequence(c *testCase, ops []*sequence.Operation, have []sequence.Result, archs []string) error {
	if same := slices.Compact(slices.Clone(archs)); len(same) == 1 {
		archs = same
	}
	s := run{Seed: c.seed, Env: map[string]string{"STUBHIP_ARCH": strings.Join(archs, ",")}}
	for _, op := range c.ops {
		s.Devices = max(s.Devices, op.Devices)
		maps.Copy(s.Env, op.Env)
	}
	for i, result := range have {
		if !ops[i].ReadsMode() && !result.Absent {
			s.Ops = append(s.Ops, stepOf(ops[i], result))
		}
	}
	return r.out.Encode(s)
}

func stepOf(op *sequence.Operation, result sequence.Result) recordedStep {
	x := recordedStep{Op: cmp.Or(stepNames[op.Name], op.Name), Status: result.Status, Null: op.Null,
		Direct: op.Direct, Handle: op.Handle}
	if op.CName() == "hipSetDevice" {
		x.Device = &op.Device
	}
	x.Captures, x.Calls = result.States, result.Calls
	if strings.Trim(x.Captures, "0 ") == "" {
		x.Captures = ""
	}
	x.addStreams(op)
	if held, err := strconv.ParseUint(result.Held, 10, 64); err == nil {
		x.Held = &held
	}
	switch value := result.Value; {
	case op.Call != nil:
		x.Op, x.Args, x.Distinct = op.CName(), arguments(op.Call), true
		x.Nulls, x.Scalars = pointers(op.Call)
	case op.Name == "fill":
		x.Size = &op.Size
	case op.IsHIP():
		x.Nodes = value
	case op.StopsQuery():
		if bytes, err := strconv.ParseUint(value, 10, 64); err == nil {
			x.Size = &bytes
		}
	case strings.HasPrefix(op.Name, "is_"):
		truth := value == "true"
		x.Value = &truth
	case strings.HasPrefix(op.Name, "set_") && x.Stream == nil:
		x.Size = &op.Size
	}
	return x
}

// addStreams records the stream, the event and the mode of an operation, if any.
func (x *recordedStep) addStreams(op *sequence.Operation) {
	if !op.UsesStreams() {
		return
	}
	x.Stream = &op.Stream
	switch op.CName() {
	case "hipEventRecord", "hipStreamWaitEvent":
		x.Event = &op.Event
	case "hipStreamBeginCapture":
		mode := int(op.Mode)
		x.Mode = &mode
	}
}
