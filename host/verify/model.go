package verify

import (
	"errors"
	"strings"

	"roclua/hip"
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
		NoKernels: true}, library.Calls}
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
	rt, err := hip.Open("cpu", m.device)
	if err != nil {
		return nil, err
	}
	defer rt.Close()
	side := &sequence.Side{Runtime: rt, Profile: m.profile}
	if m.calls {
		side.Log = func() []string { return sequence.MemoryCalls(rt) }
	}
	if err := side.Prepare(); err != nil {
		return nil, err
	}
	list := make([]outcome, len(ops))
	for i, op := range ops {
		if side.Lacks(op) {
			list[i].unknown = true
			continue
		}
		result, err := side.Run(op)
		var abort *workspace.Abort
		list[i] = outcome{Result: result.AsPrinted(), aborts: errors.As(err, &abort)}
		list[i].unknown = err != nil && !list[i].aborts
		if err != nil && !errors.Is(err, sequence.ErrNotComparable) {
			return nil, err
		}
	}
	return list, nil
}
