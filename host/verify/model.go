package verify

import (
	"errors"
	"fmt"
	"strings"

	"roclua/hip/driver"
	"roclua/workspace"
	"roclua/workspace/sequence"
)

// model runs operations on modelled handles, on a device that does not compute.
type model struct {
	profile *workspace.Profile
	device  driver.Config
	calls   bool // also compare memory calls
}

func newModel(p *workspace.Profile, library driver.Report) *model {
	return &model{p, driver.Config{Archs: archs(library), MemoryBytes: library.Devices[0].MemoryBytes, Unchecked: true,
		Kernels: driver.KernelsIdle}, library.Calls}
}

func archs(library driver.Report) []string {
	var list []string
	for _, d := range library.Devices {
		name, _, _ := strings.Cut(d.Arch, ":")
		list = append(list, name)
	}
	return list
}

// outcome is the result of an operation.
type outcome struct {
	sequence.Result
	aborts  bool // the library would end the process
	unknown bool // the model does not know the result
}

// run runs operations, starting with the creation of a handle. If the handle cannot be created, the results are
// unknown.
func (m *model) run(ops []*sequence.Operation) ([]outcome, error) {
	side, err := newSide("cpu", m.device, m.profile, m.calls)
	if err != nil {
		return nil, err
	}
	defer side.Runtime.Close()
	list := make([]outcome, len(ops))
	for i, op := range ops {
		if side.Lacks(op) {
			list[i].unknown = true
			continue
		}
		result, err := side.Run(op)
		var abort *workspace.Abort
		list[i] = outcome{Result: result, aborts: errors.As(err, &abort)}
		list[i].unknown = err != nil && !list[i].aborts
		if err != nil && !errors.Is(err, sequence.ErrNotComparable) {
			return nil, err
		}
	}
	return list, nil
}

// askable returns the indexes of the operations to run on the library, with the results of the model. It omits those
// that end the process, for a capture only if results are not compared, and those unknown to the model if they are,
// except for the end of size queries. An omitted operation may have changed a capture of the model or the last HIP
// error, so the model runs again without it.
func (m *model) askable(kind Kind, ops []*sequence.Operation, compare bool) (asked []int, want []outcome, err error) {
	for i := range ops {
		asked = append(asked, i)
	}
	for {
		outcomes, err := m.run(pick(ops, asked))
		if err != nil {
			return nil, nil, err
		}
		omitted := -1
		for i, o := range outcomes {
			if o.aborts && compare && kind == Captures {
				return asked[:i+1], outcomes[:i+1], nil
			}
			if o.aborts || o.LacksMemory() || o.unknown && compare && !ops[asked[i]].StopsQuery() {
				omitted = i
				break
			}
		}
		if omitted < 0 {
			return asked, outcomes, nil
		}
		asked = append(asked[:omitted:omitted], asked[omitted+1:]...)
	}
}

func pick(ops []*sequence.Operation, indexes []int) []*sequence.Operation {
	var list []*sequence.Operation
	for _, i := range indexes {
		list = append(list, ops[i])
	}
	return list
}

// betterFit compares the results of the library with the models of the other releases, and returns the one that differs
// least if it differs less than the profile; otherwise nil.
func (v *verifier) betterFit() (*Fit, error) {
	own, err := v.fit(v.Profile)
	if err != nil {
		return nil, err
	}
	var best *Fit
	for _, p := range workspace.Profiles() {
		if p == v.Profile || !p.Modelled() {
			continue
		}
		f, err := v.fit(p)
		if err != nil {
			return nil, err
		}
		if f.Own = own.Differ; f.Differ < f.Own && (best == nil || f.Differ < best.Differ) {
			best = f
		}
	}
	return best, nil
}

// fit counts the queries and calls where the library differs from the model of a release.
func (v *verifier) fit(p *workspace.Profile) (*Fit, error) {
	f, m := &Fit{Profile: p}, newModel(p, v.Library)
	for _, c := range v.seen {
		outcomes, err := m.run(c.ops)
		if err != nil {
			return nil, err
		}
		if f.Of++; !fits(outcomes, c.have, c.loose) {
			f.Differ++
		}
	}
	return f, nil
}

// fits reports whether the results of a model are known and equal the library's, if it has the function.
func fits(want []outcome, have []sequence.Result, loose bool) bool {
	for i := range want {
		isMemory := loose && sameButMemory(want[i].Result, have[i])
		if !isMemory && !have[i].Absent && (want[i].unknown || want[i].aborts ||
			!same(want[i].Result, have[i], loose)) {
			return false
		}
	}
	return true
}

// String names the release that fits the library better.
func (f *Fit) String() string {
	text := "this library is like " + f.Profile.Name
	if f.Differ == 0 {
		text = "this library is " + f.Profile.Name
	}
	return fmt.Sprintf("%s: %d of %d queries and calls differ, %d with the profile; compare with --profile %s", text,
		f.Differ, f.Of, f.Own, f.Profile.Name)
}
