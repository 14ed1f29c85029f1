package verify

import (
	"errors"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/inert"
	"roclua/workspace"
	"roclua/workspace/difftest"
)

// model runs operations on modelled handles, on a device that computes nothing.
type model struct {
	profile *workspace.Profile
	device  driver.Config
	calls   bool // memory calls are compared too
}

func newModel(p *workspace.Profile, library driver.Report) *model {
	device := library.Devices[0]
	arch, _, _ := strings.Cut(device.Arch, ":")
	return &model{p, driver.Config{Arch: arch, MemoryBytes: device.MemoryBytes, Unchecked: true, NoKernels: true},
		library.Calls}
}

// open opens the device for operations: the simulated device for captures, which the simpler one does not have.
func (m *model) open(ops []*difftest.Operation) (*hip.Runtime, error) {
	if difftest.Captures(ops) {
		return hip.Open("cpu", m.device)
	}
	return hip.OpenDriver("model", inert.Driver{}, m.device)
}

// outcome is the result of an operation.
type outcome struct {
	difftest.Result
	aborts  bool // the library would end the process
	unknown bool // the model does not know the result
}

// run runs operations from the creation of a handle. Those after a handle that cannot be created are unknown.
func (m *model) run(ops []*difftest.Operation) ([]outcome, error) {
	rt, err := m.open(ops)
	if err != nil {
		return nil, err
	}
	defer rt.Close()
	side := &difftest.Side{Runtime: rt, Profile: m.profile}
	if m.calls {
		side.Log = func() []string { return difftest.MemoryCalls(rt) }
	}
	if err := side.Prepare(); err != nil {
		return nil, err
	}
	list := make([]outcome, len(ops))
	for i, op := range ops {
		if (side.Handle == nil || side.Handle.Destroyed()) && !op.IsCreate() && !op.IsHIP() {
			list[i].unknown = true
			continue
		}
		result, err := side.Run(op)
		var abort *workspace.Abort
		list[i] = outcome{Result: result.AsPrinted(), aborts: errors.As(err, &abort)}
		list[i].unknown = err != nil && !list[i].aborts
		if err != nil && !errors.Is(err, difftest.ErrNotComparable) {
			return nil, err
		}
	}
	return list, nil
}
