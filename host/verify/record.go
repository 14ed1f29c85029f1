package verify

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace/difftest"
)

// Recorder writes the results of the library as JSON lines, in the form of the recorded results of the model's tests.
// A nil Recorder records nothing.
type Recorder struct {
	zip *gzip.Writer // nil for plain text
	out *json.Encoder
}

// NewRecorder returns a recorder that writes to w, compressed if the name of the file ends in .gz. Close must be
// called.
func NewRecorder(w io.Writer, file string) *Recorder {
	r := &Recorder{}
	if strings.HasSuffix(file, ".gz") {
		r.zip, _ = gzip.NewWriterLevel(w, gzip.BestCompression) // the level is valid
		w = r.zip
	}
	r.out = json.NewEncoder(w)
	r.out.SetEscapeHTML(false)
	return r
}

// Close completes the compressed stream. It does not close the file.
func (r *Recorder) Close() error {
	if r == nil || r.zip == nil {
		return nil
	}
	return r.zip.Close()
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
}

// group records the results of a query or a call.
func (r *Recorder) group(g *group, have []difftest.Result) error {
	if r == nil {
		return nil
	}
	st, bytes := "", uint64(0)
	for i, op := range g.ops {
		if op.Call != nil {
			st = have[i].Status
		}
		if op.StopsQuery() {
			if _, err := fmt.Sscan(have[i].Value, &bytes); err != nil && have[i].Status == "success" {
				return errors.New("the library has no size: " + have[i].String())
			}
		}
	}
	fn := g.routine.CName()
	if g.kind == Queries {
		return r.out.Encode(query{fn, arguments(g.call), st, bytes})
	}
	c := call{Fn: fn, Args: arguments(g.call), Null: []string{}, Distinct: true, Device: len(g.ops) > 1, Status: st}
	for i := range g.routine.Params {
		switch p := &g.routine.Params[i]; {
		case g.call.Null[p.Slot]:
			c.Null = append(c.Null, p.Name)
		case p.Kind == routine.Scalar:
			if c.Scalars == nil {
				c.Scalars = map[string][2]float64{}
			}
			c.Scalars[p.Name] = [2]float64{real(g.call.Scalars[p.Slot]), imag(g.call.Scalars[p.Slot])}
		}
	}
	return r.out.Encode(c)
}

// arguments returns the arguments that are passed by value, by name.
func arguments(c *difftest.Call) map[string]any {
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

// step is one operation of a recorded sequence.
type step struct {
	Op     string         `json:"op"`
	Args   map[string]any `json:"args,omitempty"`
	Status string         `json:"status"`
	Size   *uint64        `json:"size,omitempty"`
	Null   bool           `json:"null,omitempty"`
	Value  *bool          `json:"value,omitempty"`
	Held   *uint64        `json:"device_memory_size,omitempty"`
}

// sequence records nothing yet.
func (r *Recorder) sequence(*group, map[int]difftest.Result) error { return nil }
