package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var indefiniteRules = map[routine.FamilyID]rule{
	routine.Sytrf: sytrf,
	routine.Lasyf: lasyf,
}

// Columns of a panel of sytrf, and the order from which on it uses panels (ideal_sizes.hpp).
const (
	indefinitePanel     = 64
	indefiniteUnblocked = 128
)

// sytrf needs a panel beyond order 128 (roclapack_sytrf.hpp).
func sytrf(_ *Target, a *routine.Args) (d Demand) {
	if n := a.Int(routine.N); n > indefiniteUnblocked {
		d.Optimal.add(buffer.PanelWork, product(a.Routine.Type.Size(), n, indefinitePanel, a.Batch()))
	}
	return d
}

func lasyf(_ *Target, a *routine.Args) (d Demand) {
	d.Optimal.add(buffer.PanelWork, product(a.Routine.Type.Size(), a.Int(routine.N), a.Int(routine.NB)))
	return d
}
