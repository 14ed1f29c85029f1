package products

import (
	"cmp"
	"errors"

	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/footprint"
)

// Modelled is rocBLAS on a target, whose tuning files are read.
type Modelled struct{ footprint.Target }

// Device returns the target.
func (m Modelled) Device() Device {
	return Device{"rocBLAS", m.Profile.Name, m.Arch, m.ComputeUnits()}
}

func (m Modelled) choose(s *Shape, free uint64) (*Kernel, string, bool, error) {
	c, err := footprint.KernelOf(m.Target, s.Args, free)
	if refused := (*workspace.Error)(nil); errors.As(err, &refused) {
		return nil, refused.Status.Short() + ": " + refused.Reason, false, nil
	}
	if err != nil || c.Kernel == nil {
		return nil, cmp.Or(c.Unknown, c.None), c.Unknown != "", err
	}
	k := c.Kernel
	groups := k.Tiles(&c.Problem)
	return &Kernel{Name: k.Name, Tile: k.Tile, Split: k.Split, Bytes: k.Workspace(&c.Problem), Groups: groups,
		Waves: waves(groups, m.ComputeUnits())}, "", false, nil
}

// offer rounds up: the library offers kernels a multiple of a number of bytes.
func (m Modelled) offer(bytes uint64) uint64 {
	const step = behavior.WorkspaceStep
	return (bytes + step - 1) / step * step
}

func waves(groups uint64, units int) float64 { return float64(groups) / float64(max(1, units)) }
