package workspace

import (
	"errors"
	"fmt"
	"math"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/argcheck"
	"roclua/workspace/sizing"
	"roclua/workspace/status"
)

// Outcome is the result of a call that did not fail.
type Outcome struct {
	Status  status.Status
	Results []byte // results of a reduction in host pointer mode, contiguous; nil inside a size query
	Unknown string // why the bytes that the call needs are not known; "" if they are
}

// Call calls one routine of the table. In a size query it records what the routine needs; otherwise it runs the routine
// with memory of the handle's workspace, or without any if it is not known what the routine needs.
func (h *Model) Call(a *routine.Args) (Outcome, error) {
	out, err := h.call(a)
	if err != nil && h != nil && !h.destroyed {
		h.dev.Mark(hip.Mark{Handle: h.number, Bytes: h.heldBytes(), Text: err.Error()})
	}
	return out, err
}

func (h *Model) call(a *routine.Args) (Outcome, error) {
	function := a.Routine.CName()
	if h == nil {
		st, reason := argcheck.NullHandle(a)
		return Outcome{Status: st}, &Error{Status: st, Func: function, Reason: reason}
	}
	if err := h.alive(function); err != nil {
		return Outcome{}, err
	}
	if err := h.missing(a.Routine); err != nil {
		return Outcome{Status: err.Status}, err
	}
	mode := h.checkMode()
	roundScalars(a)
	if err := h.fetchScalars(a, mode); err != nil {
		return Outcome{Status: statusOf(err)}, h.deviceError(a, err)
	}
	st, effect, done := argcheck.Check(a, mode)
	switch {
	case effect == argcheck.Crash:
		return Outcome{}, &Abort{function, argcheck.Explain(a, mode)}
	case done && !st.OK():
		return Outcome{Status: st}, h.refusal(a, st, argcheck.Explain(a, mode))
	case done:
		return h.quickReturn(a, st, effect)
	case effect == argcheck.WithoutWorkspace:
		return h.runWithoutWorkspace(a, st)
	}
	need := &h.need
	if err := h.requirement(a, need); err != nil {
		return Outcome{Status: statusOf(err)}, h.deviceError(a, err)
	}
	if need.Endless {
		return Outcome{}, &Abort{function,
			fmt.Sprintf("n = %d never returns (the search for its largest block does not end)", a.Int(routine.N))}
	}
	if h.querying {
		if need.Unknown != "" && h.queryUnknown == nil {
			h.queryUnknown = &Unknown{function, need.Unknown}
		}
		st := h.recordNeed(need.Optimal.Total())
		if !a.Routine.Family.RunsInQueries {
			return Outcome{Status: st, Unknown: need.Unknown}, nil
		}
	}
	if need.Unknown != "" && !need.RunsWithout {
		return Outcome{}, &Unknown{function, need.Unknown}
	}
	return h.execute(a, need)
}

// checkMode returns the state of the handle on which checks of arguments depend.
func (h *Model) checkMode() argcheck.Mode {
	return argcheck.Mode{Query: h.querying, DevicePointers: h.OnDevice(),
		SymmetricOfAnyOrder: h.profile.Release.SymmetricOfAnyOrder}
}

// missing returns an error for a routine that the release does not export or that has no code for the architecture.
func (h *Model) missing(r *routine.Routine) *Error {
	if h.profile.Platform != "" {
		return nil
	}
	if !r.Family.ExportedBy(h.profile.Name) {
		return &Error{Status: status.NotImplemented, Func: r.CName(), Scheme: h.owner.String(),
			Reason: h.profile.Name + " does not export this function"}
	}
	if !r.Family.Exists(h.target.Arch) {
		return &Error{Status: status.ArchMismatch, Func: r.CName(), Scheme: h.owner.String(),
			Reason: r.Family.OnlyOn(h.target.Arch)}
	}
	return nil
}

// requirement stores what a call needs: by the rules of the release, or as the platform's libraries report it.
func (h *Model) requirement(a *routine.Args, need *sizing.Demand) error {
	if h.profile.Platform == "" {
		need.Set(&h.target, a)
		return nil
	}
	needs, err := h.dev.Needs(a)
	if err != nil {
		return err
	}
	*need = sizing.Demand{CanDegrade: needs.Optional}
	for _, b := range needs.Buffers {
		need.Optimal.Add(sizing.Buffer(b))
	}
	return nil
}

// roundScalars rounds scalars in host memory to their datatypes, in which the library reads them. 1e-50 is zero in
// float, for which the library needs no arrays.
func roundScalars(a *routine.Args) {
	for _, s := range [...]routine.Slot{routine.Alpha, routine.Beta} {
		if param, ok := a.Routine.ParamAt(s); ok && a.Int(s) == routine.Host {
			a.SetFetched(s, number.Round(a.Datatype(param), a.Scalar(s)))
		}
	}
}

// fetchScalars copies alpha and beta to the host where the library does so before it checks arguments: level 3 in
// device pointer mode.
func (h *Model) fetchScalars(a *routine.Args, mode argcheck.Mode) error {
	alpha, beta := argcheck.Fetches(a, mode)
	if !alpha && !beta {
		return nil
	}
	var list []routine.Slot
	if alpha {
		list = append(list, routine.Alpha)
	}
	if beta {
		list = append(list, routine.Beta)
	}
	return h.copyScalars(a, list...)
}

// copyScalars copies scalars to the host and waits for the stream, once for all of them.
func (h *Model) copyScalars(a *routine.Args, list ...routine.Slot) error {
	copies := make([][]byte, len(list))
	for i, s := range list {
		param, _ := a.Routine.ParamAt(s)
		copies[i] = make([]byte, a.ElementBytes(param))
		if err := h.dev.ReadAsync(copies[i], driver.Ptr(a.Ptr(s)), h.stream); err != nil {
			return err
		}
	}
	if err := h.stream.Synchronize(); err != nil {
		return err
	}
	for i, s := range list {
		param, _ := a.Routine.ParamAt(s)
		a.SetFetched(s, number.Load(a.Datatype(param), copies[i]))
	}
	return nil
}

func (h *Model) refusal(a *routine.Args, st status.Status, reason string) error {
	return &Error{Status: st, Func: a.Routine.CName(), Reason: reason, Scheme: h.owner.String()}
}

// runWithoutWorkspace runs a call that needs no memory although its routine does: trsm with an alpha of 0 clears B. It
// does so even in a size query, whose result it does not change.
func (h *Model) runWithoutWorkspace(a *routine.Args, st status.Status) (Outcome, error) {
	if _, clears := a.Routine.ParamAt(routine.B); h.querying && clears && a.Null(routine.B) {
		return Outcome{Status: st}, nil
	}
	h.launch = driver.Launch{Args: a, OnDevice: h.OnDevice(), Work: h.launch.Work[:0]}
	if err := h.launchRoutine(&h.launch); err != nil {
		return Outcome{Status: statusOf(err)}, h.deviceError(a, err)
	}
	return Outcome{Status: st}, nil
}

// quickReturn ends a call that has nothing to compute. A reduction of an empty vector still stores a zero.
func (h *Model) quickReturn(a *routine.Args, st status.Status, effect argcheck.Effect) (Outcome, error) {
	out := Outcome{Status: st}
	if effect != argcheck.ZeroResult || h.querying {
		return out, nil
	}
	bytes := resultBytes(a) * max(a.Batch(), 0)
	if !h.OnDevice() {
		out.Results = make([]byte, bytes)
		return out, nil
	}
	if bytes == 0 {
		return out, nil
	}
	if err := h.dev.FillAsync(driver.Ptr(a.Ptr(routine.Result)), 0, uint64(bytes), h.stream); err != nil {
		return Outcome{Status: statusOf(err)}, h.deviceError(a, err)
	}
	return out, nil
}

// execute allocates the buffers and runs the routine in the handle's stream. When there is too little memory, it uses
// the smaller set of buffers of a routine that has one.
func (h *Model) execute(a *routine.Args, d *sizing.Demand) (out Outcome, err error) {
	launch := &h.launch
	*launch = driver.Launch{Args: a, OnDevice: h.OnDevice(), Work: launch.Work[:0]}
	out.Unknown = d.Unknown
	buffers := &d.Optimal
	if d.Executed.Differs {
		*buffers = sizing.Buffers{}
		if d.Executed.Buffer.Bytes > 0 {
			buffers.Add(d.Executed.Buffer)
		}
	}
	if d.Unreported.Bytes > 0 {
		buffers.Add(d.Unreported)
	}
	enough, err := h.allocateFor(a, buffers)
	if err == nil && !enough && d.CanDegrade {
		launch.Degraded, out.Status = true, status.PerfDegraded
		buffers = &d.Degraded
		enough, err = h.allocateFor(a, buffers)
	}
	if err != nil {
		return Outcome{}, err
	}
	if !enough {
		return Outcome{Status: status.MemoryError}, h.shortage(a, d)
	}
	defer func() {
		switch e := h.allocated.Release().(type) {
		case nil:
		case *Abort:
			e.Func = a.Routine.CName()
			out, err = Outcome{}, e
		case *Error:
			if e.Func = a.Routine.CName(); err == nil {
				out, err = Outcome{Status: e.Status}, e
			}
		}
	}()
	for i, span := range h.allocated.spans {
		launch.Work = append(launch.Work, driver.Work{ID: buffers.At(i).ID, Span: span})
	}
	if d.ShortInverse {
		out.Status = status.PerfDegraded
	}
	if st, done := argcheck.Limits(a); done {
		if err := h.listCopies(launch); err != nil {
			return Outcome{Status: statusOf(err)}, h.deviceError(a, err)
		}
		return Outcome{Status: st}, h.refusal(a, st, argcheck.Explain(a, h.checkMode()))
	}
	if h.profile.Platform == "" && refusesNull(launch) {
		return Outcome{Status: status.InvalidPointer}, &Error{Status: status.InvalidPointer, Func: a.Routine.CName(),
			Scheme: h.owner.String(),
			Reason: "the workspace for the copy of x is a null pointer: " +
				"with stream-ordered allocation a size from the environment has no memory"}
	}
	if h.profile.Platform == "" && lacksFactor(launch) {
		return Outcome{Status: status.InternalError}, h.refusal(a, status.InternalError,
			"there is no workspace for the factor 1 that the library copies to the device")
	}
	if err := h.run(a, launch, &out); err != nil {
		return Outcome{Status: statusOf(err)}, h.deviceError(a, err)
	}
	return out, nil
}

// listCopies writes the array of addresses of the copies of x, as the batched tbmv does before it refuses an order.
func (h *Model) listCopies(l *driver.Launch) error {
	list := l.Buffer(buffer.VectorCopyPointers)
	if list.Ptr == 0 {
		return nil
	}
	return h.dev.FillAsync(list.Ptr, 0, list.Bytes, h.stream)
}

// refusesNull reports whether a routine checks that its memory does not begin at the null pointer. Those that copy x
// do, because the copy checks its arguments; the batched tbmv copies by an array of pointers, which is not null. The
// others run.
func refusesNull(l *driver.Launch) bool {
	copies, byPointers := false, false
	for _, w := range l.Work {
		copies = copies || w.ID == buffer.VectorCopy
		byPointers = byPointers || w.ID == buffer.VectorCopyPointers
	}
	return copies && !byPointers && l.Buffer(buffer.VectorCopy).Ptr == 0
}

// lacksFactor reports whether a gemv has no workspace for the factor 1 of y, which it copies there in device pointer
// mode if it computes in pieces because of a dimension beyond 32 bits.
func lacksFactor(l *driver.Launch) bool {
	a := l.Args
	switch a.Routine.Family.ID {
	case routine.Gemv, routine.HalfGemv, routine.HalfSingleGemv:
		return l.OnDevice && max(a.Int(routine.M), a.Int(routine.N)) > math.MaxInt32 &&
			l.Buffer(buffer.ColumnSums).Ptr == 0
	}
	return false
}

// allocateFor allocates the buffers of a call as h.allocated, and reports whether there is enough memory.
func (h *Model) allocateFor(a *routine.Args, b *sizing.Buffers) (enough bool, err error) {
	h.sizes = h.sizes[:0]
	for i := range b.Len() {
		h.sizes = append(h.sizes, b.At(i).Bytes)
	}
	f := byBuffers // also for a family of rocSOLVER that never needs memory: it requests none, not 0 bytes
	if a.Routine.Library == routine.RocSOLVER && len(a.Routine.Family.Buffers) > 0 {
		f = byCount
	}
	enough, err = h.allocateBuffers(&h.allocated, h.sizes, f)
	if abort, ok := err.(*Abort); ok {
		abort.Func = a.Routine.CName()
	}
	return enough, err
}

// run queues the routine and, for a reduction in host pointer mode, waits for its results. They are at the end of the
// first buffer, whose size rule includes an element for each of them.
func (h *Model) run(a *routine.Args, l *driver.Launch, out *Outcome) error {
	_, reduction := a.Routine.ParamAt(routine.Result)
	fetch := reduction && !h.OnDevice()
	if reduction && h.profile.Platform == "" && (a.Routine.Wide && a.Batch() > sizing.ChunkBatch ||
		a.Int(routine.N) > sizing.ChunkLength) {
		return &driver.Fault{Code: driver.ErrorNotSupported, Detail: fmt.Sprintf(
			"%d elements and %d problems are computed in chunks, which are only modelled for sizes",
			a.Int(routine.N), a.Batch())}
	}
	if fetch {
		bytes := uint64(resultBytes(a) * a.Batch())
		l.Result = l.Work[0].Ptr + driver.Ptr(l.Work[0].Bytes-bytes)
		out.Results = make([]byte, bytes)
	}
	if a.LaunchesNothing() {
		return nil
	}
	if err := h.copyAlpha(a); err != nil {
		return err
	}
	if err := h.launchRoutine(l); err != nil {
		return err
	}
	h.losePointerMode(a)
	if err := h.waitBetweenSteps(a, l); err != nil || !fetch {
		return err
	}
	defer h.dev.SetCause("result")()
	err := h.dev.ReadAsync(out.Results, l.Result, h.stream)
	if err == nil {
		err = h.stream.Synchronize()
	}
	return h.resultError(a, err)
}

// resultBytes returns the bytes of one result of a reduction.
func resultBytes(a *routine.Args) int64 {
	if p, ok := a.Routine.ParamAt(routine.Result); ok {
		return a.ElementBytes(p)
	}
	return 0
}

// shortage explains a memory_error: what the call needs, what its slower form needs, and what was available.
func (h *Model) shortage(a *routine.Args, d *sizing.Demand) error {
	e := &Error{Status: status.MemoryError, Func: a.Routine.CName(), Sized: true, Required: d.Optimal.Total(),
		Available: h.size - h.inUse, Scheme: h.owner.String()}
	if h.owner == Managed {
		e.Available = h.deviceFree()
		if !h.streamOrdered {
			e.Reason = "a managed workspace grows to need + " + FormatBytes(h.target.DefaultBytes())
		}
	}
	if d.Unreported.Bytes > 0 {
		unreported := sizing.Round(d.Unreported.Bytes)
		e.Reason = "a size query of this call does not report " + FormatBytes(unreported) + " of it"
	}
	if d.CanDegrade && d.Degraded.Total() < e.Required {
		e.Reason = "its slower form needs " + FormatBytes(d.Degraded.Total())
	}
	return e
}

func (h *Model) deviceError(a *routine.Args, err error) error {
	var mismatch *driver.MismatchError
	if errors.As(err, &mismatch) {
		return err // a check of this program, for which the library has no status
	}
	return &Error{Status: statusOf(err), Func: a.Routine.CName(), Scheme: h.owner.String(), Cause: err}
}
