package footprint

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"roclua/hip/arch"
	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/hipsolver"
	"roclua/workspace/status"
	"roclua/workspace/tuning"
)

// Target is a release and an architecture.
type Target struct {
	Profile *workspace.Profile
	Arch    string
	Bound   behavior.Bound  // for calls whose need is not known
	Units   int             // compute units of the device; 0 takes them from the table of architectures
	Tuning  *tuning.Library // the rocBLAS tuning files; nil if there are none

	Modes Modes // of the handle

	// Libraries are the versions that decide about known defects, if they are not the ones of the profile; else nil.
	Libraries *release.Versions
}

// Modes are modes of a handle. The zero value is a new handle.
type Modes struct {
	DevicePointers bool   // scalars are in device memory
	Atomics        int8   // 1 if kernels of products may use atomic operations, -1 if not, and 0 as the release has it
	XF32           bool   // products of f32 may use xf32
	Unknown        string // why no kernel of a product is known; "" if kernels are
}

// String returns "rocm-7.2/gfx90a".
func (t Target) String() string { return t.Profile.Name + "/" + t.Arch }

func (t Target) sizing() *behavior.Target {
	a := arch.Of(t.Arch)
	return &behavior.Target{Release: t.Profile.Release, Arch: a, Bound: t.Bound, Products: behavior.Products{
		Tuning: t.Tuning, Device: tuning.Device{Arch: a.Name, ComputeUnits: cmp.Or(t.Units, a.Model().Multiprocessors)},
		Deterministic: t.Modes.Atomics < 0 || t.Modes.Atomics == 0 && !t.Profile.Release.AtomicsAllowed,
		XF32:          t.Modes.XF32, Unknown: t.Modes.Unknown}}
}

// Refusal is the error for a call without a number of bytes.
type Refusal struct {
	Call   int              // 1-based; 0 outside a sequence
	Text   string           // the call as it was written
	Status status.Status    // the library's result, if it returns
	Layer  status.HipSOLVER // instead of Status for functions of hipSOLVER
	Reason string
}

// Result returns the name of the status that the library returns; "" if the size is not known.
func (r *Refusal) Result() string {
	switch {
	case r.Layer != status.HipSOLVERSuccess:
		return r.Layer.String()
	case !r.Status.OK():
		return r.Status.Short()
	}
	return ""
}

// Error returns the call, the status and the reason.
func (r *Refusal) Error() string {
	text := ""
	if r.Call > 0 {
		text = fmt.Sprintf("call %d, %s: ", r.Call, r.Text)
	}
	if result := r.Result(); result != "" {
		text += result + ": "
	}
	return text + r.Reason
}

// Bytes returns the bytes of the sequence on a target at a point of its axes, and the index of the call that decides:
// the first of those that need most.
func (s *Sequence) Bytes(t Target, point []int) (bytes uint64, decides int, err error) {
	target := t.sizing()
	for i := range s.programs {
		d := &s.demand
		if err := s.sizeCall(target, i, s.programs[i].at(s.Axes, point), d); err != nil {
			return 0, i, err
		}
		if total := d.Optimal.Total(); total > bytes {
			bytes, decides = total, i
		}
	}
	return bytes, decides, nil
}

// sizeCall computes the need of call i as a size query does.
func (s *Sequence) sizeCall(t *behavior.Target, i int, a *routine.Args, d *behavior.Demand) error {
	refusal := size(t, a, behavior.Mode{Query: true}, d)
	if refusal == nil {
		return nil
	}
	refusal.Call, refusal.Text = i+1, s.Calls[i].Text
	return refusal
}

// size computes the need of a call, inside a size query or when it is executed.
func size(t *behavior.Target, a *routine.Args, mode behavior.Mode, d *behavior.Demand) *Refusal {
	if a.Routine.Library == routine.HipSOLVER {
		if r := hipsolver.Size(t, a, d); r != nil {
			return &Refusal{Layer: r.Status, Reason: r.Reason}
		}
		return nil
	}
	if refusal := missing(t, a.Routine); refusal != nil {
		return refusal
	}
	mode.SymmetricOfAnyOrder = t.Release.SymmetricOfAnyOrder
	switch decision := behavior.Decide(a, mode); {
	case decision.Refused():
		return &Refusal{Status: decision.Status, Reason: decision.Reason()}
	case decision.Ends(), decision.Effect == behavior.WithoutWorkspace:
		*d = behavior.Demand{}
		return nil
	}
	d.Set(t, a)
	if reason := d.NoSize(); reason != "" {
		return &Refusal{Reason: reason}
	}
	return nil
}

// missing refuses a routine that the release does not export or that does not exist for the architecture.
func missing(t *behavior.Target, r *routine.Routine) *Refusal {
	switch f := r.Family; {
	case f.Without == nil && !f.Float8:
	case !f.ExportedBy(t.Release.Exports()):
		return &Refusal{Reason: t.Release.Name + " does not export " + r.CName()}
	case !f.Exists(t.Arch):
		return &Refusal{Status: status.ArchMismatch, Reason: f.OnlyOn(t.Arch)}
	}
	return nil
}

// NeedOf returns the need of a call.
func NeedOf(t Target, a *routine.Args) (Need, error) {
	var d behavior.Demand
	if refusal := size(t.sizing(), a, behavior.Mode{Query: true}, &d); refusal != nil {
		return Need{}, refusal
	}
	return needOf(&d), nil
}

// ExecutedNeed returns the memory that an executed call allocates, with memory that no size query reports. The error
// for a call that fails before it allocates memory, or whose need is not known, is a Refusal.
func ExecutedNeed(t Target, a *routine.Args) (Need, error) {
	var d behavior.Demand
	target := t.sizing()
	target.Products.Executes = true // a GEMM uses free memory, and never makes a handle grow
	if refusal := size(target, a, behavior.Mode{DevicePointers: t.Modes.DevicePointers}, &d); refusal != nil {
		return Need{}, refusal
	}
	d.Execute()
	return needOf(&d), nil
}

// Need is the memory of a call.
type Need struct {
	Buffers    []behavior.Buffer
	Bytes      uint64 // their sum, each rounded up to 64
	CanDegrade bool   // whether the call also runs, more slowly, with fewer bytes
	Degraded   uint64 // those bytes
	Unreported uint64 // bytes that an executed call also allocates, although no size query reports them
	Unknown    string // why the need is not known; "" if it is
	NoResult   bool   // it is not known because the library's size query has no meaningful result

	Defects []defect.Finding // known ones that concern the call; only in a Footprint

	Returned *hipsolver.Result // of a function of hipSOLVER; nil for routines
	Refused  *Refusal          // why a function of hipSOLVER returns no size; nil if it returns one
}

// Need returns the need of call i on a target at a point, as a size query reports it. A call that hipSOLVER refuses is
// not an error: it has the refusal. The need of a call with an error is unknown if the library's query has no result.
func (s *Sequence) Need(t Target, i int, point []int) (Need, error) {
	var d behavior.Demand
	err := s.sizeCall(t.sizing(), i, s.programs[i].at(s.Axes, point), &d)
	var refusal *Refusal
	if errors.As(err, &refusal) && refusal.Layer != status.HipSOLVERSuccess {
		return Need{Refused: refusal}, nil
	}
	if err != nil && d.Unknown == "" {
		reason := d.NoSize()
		return Need{Unknown: reason, NoResult: reason != ""}, err
	}
	n := needOf(&d)
	if f := s.Calls[i].Routine; f.Library == routine.HipSOLVER && n.Unknown == "" {
		result := hipsolver.ResultOf(t.Profile.Release, f, n.Bytes)
		n.Returned = &result
	}
	return n, nil
}

func needOf(d *behavior.Demand) (n Need) {
	n.Unknown = d.Unknown
	n.Buffers = slices.Grow(n.Buffers, d.Optimal.Len())
	for k := range d.Optimal.Len() {
		n.Buffers = append(n.Buffers, d.Optimal.At(k))
	}
	degraded := d.Degraded()
	n.Bytes, n.Degraded = d.Optimal.Total(), degraded.Total()
	n.Unreported = behavior.Round(d.Unreported.Bytes)
	n.CanDegrade = d.CanDegrade && n.Degraded < n.Bytes
	return n
}

func (s *Sequence) warnings(t Target, i int, point []int, n *Need) []string {
	var list []string
	who := fmt.Sprintf("call %d, %s: ", i+1, s.Calls[i].Routine.UniqueName())
	if text := s.refusedWhenRun(t, i, point); text != "" {
		list = append(list, who+"the query accepts these arguments, but the call itself fails: "+text)
	}
	if n.CanDegrade {
		list = append(list, who+degraded(n, t.Profile.DefaultBytes(t.Arch)))
	}
	if n.Unreported > 0 {
		list = append(list, who+"it allocates "+units.FormatBytes(n.Unreported)+
			" more when it runs, which no size query reports: in a workspace of the reported size it returns "+
			"memory_error")
	}
	if text := s.smallerNeedsMore(t, i, point, n.Bytes); text != "" {
		list = append(list, who+text)
	}
	return list
}

func degraded(n *Need, available uint64) string {
	if n.Degraded == 0 {
		return fmt.Sprintf("it also runs without memory, more slowly (perf_degraded), when there are fewer than %s",
			units.FormatBytes(n.Bytes))
	}
	text := fmt.Sprintf("it also runs in %s, more slowly (perf_degraded)", units.FormatBytes(n.Degraded))
	if n.Bytes > available && n.Degraded <= available {
		text += ", which a fixed workspace of the default size has"
	}
	return text
}

// refusedWhenRun runs the checks of an executed call that need no memory, because size queries omit some of them. It
// returns why the call fails, or "".
func (s *Sequence) refusedWhenRun(t Target, i int, point []int) string {
	a := s.programs[i].at(s.Axes, point)
	if a.Routine.Library == routine.HipSOLVER {
		return "" // it computes nothing
	}
	mode := behavior.Mode{SymmetricOfAnyOrder: t.sizing().Release.SymmetricOfAnyOrder}
	if decision := behavior.Decide(a, mode); decision.Refused() {
		return decision.Reason()
	}
	return ""
}

// dimensions are the arguments that make a problem larger.
var dimensions = []routine.Slot{routine.M, routine.N, routine.K, routine.NRHS, routine.BatchCount}

// reach is the number of smaller values of a dimension that are tried.
const reach = 1024

// smallerNeedsMore looks for a smaller problem that needs more: a workspace that is sized for the largest problem is
// then too small for it.
func (s *Sequence) smallerNeedsMore(t Target, i int, point []int, bytes uint64) string {
	p, target := s.programs[i], t.sizing()
	a := p.at(s.Axes, point)
	most, text := bytes, ""
	for _, slot := range dimensions {
		param, ok := a.Routine.ParamAt(slot)
		if !ok || p.derives(slot) {
			continue
		}
		value := a.Int(slot)
		for v := value - 1; v >= max(1, value-reach); v-- {
			p.args.SetInt(slot, v)
			p.complete()
			d := &s.demand
			if s.sizeCall(target, i, &p.args, d) == nil && d.Optimal.Total() > most {
				most = d.Optimal.Total()
				text = fmt.Sprintf("a smaller problem needs more: %s = %d needs %s", param.Name, v,
					units.FormatBytes(most))
			}
		}
		p.args.SetInt(slot, value)
		p.complete()
	}
	return text
}

// derives reports whether an argument has the value of another one.
func (p *program) derives(slot routine.Slot) bool {
	return slices.ContainsFunc(p.followed, func(f follow) bool { return f.to == slot })
}
