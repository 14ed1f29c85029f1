package products

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/footprint"
	"roclua/workspace/tuning"
)

// Modelled is rocBLAS on a target, whose tuning files are read.
type Modelled struct{ footprint.Target }

// Device returns the target.
func (m Modelled) Device() Device {
	return Device{"rocBLAS", m.Profile.Name, m.Arch, m.ComputeUnits()}
}

func (m Modelled) choose(s *Shape, free uint64) (*Kernel, string, bool, error) {
	if s.Args == nil {
		return nil, "hipBLASLt computes it: gemm --lt", false, nil
	}
	m.Modes = s.modes
	c, err := footprint.KernelOf(m.Target, s.Args, free)
	if refused := (*workspace.Error)(nil); errors.As(err, &refused) {
		return nil, refused.Status.Short() + ": " + refused.Reason, false, nil
	}
	if err != nil || c.Kernel == nil {
		return nil, cmp.Or(c.Unknown, c.None), c.Unknown != "", err
	}
	return m.kernel(c.Kernel, &c.Problem), "", false, nil
}

func (m Modelled) kernel(k *tuning.Kernel, p *tuning.Problem) *Kernel {
	groups := k.Tiles(p)
	return &Kernel{Name: k.Name, Tile: k.Tile, Split: k.Split, Bytes: k.Workspace(p), Groups: groups,
		Waves: waves(groups, m.ComputeUnits())}
}

// recorded finds the solution of a name such as Gemm_Rocblas_2141.
func (m Modelled) recorded(s *Shape) (*Kernel, string) {
	number, ok := strings.CutPrefix(s.Recorded, "Gemm_Rocblas_")
	n, err := strconv.ParseInt(number, 10, 64)
	switch {
	case s.Recorded == "Default":
		return nil, "the default"
	case !ok || err != nil:
		return nil, s.Recorded + " is not a solution of rocBLAS"
	case n < 0:
		return nil, "a negative index is of hipBLASLt, which rocBLAS calls"
	}
	m.Modes = s.modes
	c, err := footprint.KernelOf(m.Target, s.Args, tuning.NoLimit)
	if err != nil {
		return nil, err.Error()
	}
	if k := m.Tuning.Solution(n - 1); k != nil {
		return m.kernel(k, &c.Problem), ""
	}
	return nil, fmt.Sprintf("%s is not in the tuning files of %s", s.Recorded, m.Device())
}

// offer rounds up: the library offers kernels a multiple of a number of bytes.
func (m Modelled) offer(bytes uint64) uint64 {
	const step = behavior.WorkspaceStep
	return (bytes + step - 1) / step * step
}

func waves(groups uint64, units int) float64 { return float64(groups) / float64(max(1, units)) }
