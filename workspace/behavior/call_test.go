package behavior

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"roclua/hip/routine"
)

// call builds the arguments of a call written as "rocblas_dgemv m=3 lda=2 alpha=0 null=x,y". Other arguments are
// legal: enumerations have their first value, dimensions are 4, leading dimensions 9, increments 1, batches 2, scalars
// the host value 1; every array has its own address. "m=n=0" gives several arguments one value.
func call(t testing.TB, text string) *routine.Args {
	t.Helper()
	words := strings.Fields(text)
	r, ok := routine.Lookup(words[0])
	if !ok {
		t.Fatalf("%s is not in the table", words[0])
	}
	a := legal(r)
	for _, w := range words[1:] {
		names := strings.Split(w, "=")
		value := names[len(names)-1]
		if names[0] == "null" {
			for _, n := range strings.Split(value, ",") {
				a.SetPtr(slot(t, r, n), 0)
			}
			continue
		}
		v, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for _, n := range names[:len(names)-1] {
			if n == "alpha" || n == "beta" {
				a.SetScalar(slot(t, r, n), complex(float64(v), 0))
			} else {
				a.SetInt(slot(t, r, n), v)
			}
		}
	}
	return a
}

func slot(t testing.TB, r *routine.Routine, name string) routine.Slot {
	t.Helper()
	p, ok := r.Param(name)
	if !ok {
		t.Fatalf("%s has no parameter %s", r.CName(), name)
	}
	return p.Slot
}

func legal(r *routine.Routine) *routine.Args {
	a := r.New()
	for i := range r.Params {
		p := &r.Params[i]
		switch {
		case p.Kind == routine.Scalar:
			a.SetScalar(p.Slot, 1)
		case p.Kind.IsPointer():
			a.SetPtr(p.Slot, 4096*uint64(p.Slot))
		case p.Kind == routine.Datatype:
			a.SetInt(p.Slot, routine.DatatypeF64)
		case p.Kind.IsEnum():
			a.SetInt(p.Slot, p.Legal()[0])
		case p.Kind == routine.Real:
			a.SetReal(p.Slot, 1)
		case p.Role == routine.Increment:
			a.SetInt(p.Slot, 1)
		case p.Slot == routine.BatchCount:
			a.SetInt(p.Slot, 2)
		case p.Role == routine.LeadingDimension:
			a.SetInt(p.Slot, 9) // kl+ku+1 rows in band storage
		default:
			a.SetInt(p.Slot, 4)
		}
	}
	if r.Family.ID == routine.SyrkEx {
		a.SetInt(routine.AType, routine.DatatypeF32)
	}
	return a
}

// outcome returns a decision as text: "continues", a status, or a status and its effect.
func outcome(a *routine.Args, mode Mode) string {
	d := Decide(a, mode)
	switch {
	case !d.Ends():
		return "continues"
	case d.Effect == ZeroResult:
		return d.Status.Short() + ", zero"
	case d.Effect == Crash:
		return "crash"
	}
	return d.Status.Short()
}

// copies records which scalars a call copies to the host, and leaves the values that the arguments have.
type copies struct{ alpha, beta bool }

func (c *copies) FetchScalars(_ *routine.Args, scalars []routine.Slot, _ bool) error {
	c.alpha, c.beta = slices.Contains(scalars, alpha), slices.Contains(scalars, beta)
	return nil
}

// fetches returns which scalars a call copies to the host.
func fetches(a *routine.Args, mode Mode) (alpha, beta bool) {
	var c copies
	mode.Scalars = &c
	Decide(a, mode)
	return c.alpha, c.beta
}

// reason returns why a call ends.
func reason(a *routine.Args, mode Mode) string {
	d := Decide(a, mode)
	return d.Reason()
}

// eachRoutine runs a test for every routine of the table.
func eachRoutine(t *testing.T, test func(*testing.T, *routine.Routine)) {
	t.Helper()
	for _, r := range routine.All() {
		test(t, r)
	}
}
