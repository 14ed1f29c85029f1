package verify

import (
	"errors"
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

// archs returns the architecture of each device.
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
